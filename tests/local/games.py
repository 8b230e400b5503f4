"""Random games at local tables, every message of them; the same file runs natively and in Pyodide."""

import hashlib
import json
import random
from collections.abc import Iterator
from typing import Any

from mchezo.core import registry
from mchezo.core.words import LANGUAGES
from mchezo.local.tables import LocalTables
from mchezo.search.players import player
from mchezo.server.domain.context import Randomness

START = 1_700_000_000_000  # milliseconds
LONGEST = 400  # decisions; random games of Kitara and Katarenga may take longer

# Options beside the defaults, used in turn.
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "katarenga": [
        {},
        *({"variant": variant} for variant in ("congress", "isolation", "troika", "battle-stations", "cornered")),
        *({"variant": variant} for variant in ("central-park", "colorado", "north-west-passage", "quebec")),
    ],
    "kiwara": [{}, {"reinforcement": "pile"}, {"board": "president", "hyena": "place", "rhinoceros": "neighbour"}],
    "kitara": [{}, {"deck": "red"}],
}
SEATS = {"katarenga": (2,), "kiwara": (2,), "kitara": (2, 3, 4)}


class Repeatable:
    """Time and randomness from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.time = START
        self.ids = 0

    def now(self) -> int:
        self.time += 1_000
        return self.time

    def new_id(self) -> str:
        self.ids += 1
        return f"table{self.ids:07d}"

    def randomness(self) -> Randomness:
        return Randomness(self.new_id, lambda: f"key{self.new_id()}", lambda: f"{self.random.getrandbits(256):064x}")


def play(game: str, number: int) -> Iterator[str]:
    """Play a random game by numbers; yield every message and every fact."""
    source = Repeatable(number)
    dice = random.Random(f"{game} {number}")
    options, seats = OPTIONS[game][number % len(OPTIONS[game])], SEATS[game][number % len(SEATS[game])]
    tables = LocalTables(source.now, source.randomness(), LANGUAGES[number % len(LANGUAGES)], "Ada")
    clock = {"milliseconds": 3_600_000, "increment": 3_000} if number % 3 == 1 else None
    asked = {"game": game, "options": options, "seats": [{"kind": "you"}] * seats, "clock": clock}
    id, outcome = tables.create(json.dumps(asked).encode())
    yield from written(outcome)
    yield tables.news(id, -1).decode()
    moves = registry.find(game).notation
    for step in range(LONGEST):
        table = tables.find(id)
        if table.decision is None or table.status != "running":
            break
        legal = table.legal
        tried = {"type": "try", "id": f"t{step}", "decision": table.decision, "previews": step % 5 == 0}
        yield from written(tables.receive(id, json.dumps(tried).encode()))
        if step % 4 == 1:  # any move of the game, which is mostly against the rules
            action = dice.randrange(registry.find(game).encoding.action_count)
            assert table.position is not None
            try:
                text = moves.write(action, table.position.states[0], table.position.setups[0])
            except (IndexError, KeyError):
                text = "?"
            yield from written(tables.receive(id, json.dumps({**tried, "id": "w", "moves": [text]}).encode()))
        move = {"type": "move", "id": f"m{step}", "decision": table.decision, "moves": [dice.choice(legal)]}
        yield from written(tables.receive(id, json.dumps(move).encode()))
        if step % 50 == 20:
            yield from written(tables.receive(id, b'{"type": "ask", "id": "back%d", "what": "takeback"}' % step))
        yield tables.news(id, max(0, tables.find(id).number - 3)).decode()
    yield tables.moment(id, tables.find(id).moves_made // 2).decode()
    yield tables.record(id)


def written(outcome: Any) -> Iterator[str]:
    """Yield what a call results in."""
    for table, facts in outcome.facts.items():
        yield from (f"{table} {fact}" for fact in facts)
    yield from (message.decode() for message in outcome.messages)


def digest(message: str) -> str:
    """Return a hash of a message."""
    return hashlib.sha256(message.encode()).hexdigest()[:12]


def digests(asked: list[tuple[str, int]]) -> list[list[str]]:
    """Return the hashes of all messages of these games."""
    return [[digest(message) for message in play(game, number)] for game, number in asked]


def turns(asked: list[tuple[str, int]]) -> list[list[str]]:
    """Return a turn of computers of these levels in the middle of a game."""
    found = []
    for game, level in asked:
        position = registry.find(game).start(seed=level)
        dice = random.Random(level)
        for _ in range(6):
            position.play(dice.choice(position.legal_moves))
        computer = player(game, level)
        computer.chance.seed(7)
        found.append(computer.turn(position))
    return found
