"""Perft counts of the rule books, pinned in `perft.jsonl`.

The rule books are slow, so their counts are computed once: `python -m tests.oracles.perft` writes the file, by the rule
books alone. Every run compares the engine with all pinned counts, and recounts a rotating share of them.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import mchezo
from mchezo.games.katarenga.components import ASSEMBLIES, assemble, assembly
from tests.games.katarenga import test_oracle as katarenga
from tests.games.kitara import test_oracle as kitara
from tests.games.kiwara import test_oracle as kiwara
from tests.oracles.compare import Oracle
from tests.oracles.compare import perft as count
from tests.oracles.katarenga import Katarenga
from tests.oracles.kitara import Kitara
from tests.oracles.kiwara import Kiwara

FILE = Path(__file__).with_name("perft.jsonl")


@dataclass(frozen=True)
class Count:
    """The number of sequences of `depth` decisions from a position, reached from the start by `moves`."""

    game: str
    options: dict[str, Any]
    moves: tuple[str, ...]
    depth: int
    leaves: int = 0

    def position(self) -> mchezo.Position:
        """Return the position on the engine."""
        position = mchezo.game(self.game).start(chance="manual", **self.options)
        for move in self.moves:
            position.play(move)
        return position

    def recount(self) -> int:
        """Return the number of sequences according to the rule book."""
        oracle = new_oracle(self.game, self.options)
        for move in self.moves:
            oracle.play(move)
        return count(oracle, self.depth)


def new_oracle(game: str, options: dict[str, Any]) -> Oracle:
    """Return a rule book at the start of a game."""
    match game:
        case "katarenga":
            return Katarenga(**options)
        case "kiwara":
            return Kiwara(**options)
        case _:
            return Kitara(kitara.PACK, **options)


def read() -> list[Count]:
    """Return the pinned counts."""
    return [decode(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def decode(line: str) -> Count:
    """Return one pinned count."""
    fields = json.loads(line)
    options = {name: tuple(value) if isinstance(value, list) else value for name, value in fields["options"].items()}
    return Count(**{**fields, "options": options, "moves": tuple(fields["moves"])})


def positions() -> Iterator[Count]:
    """Yield the positions to count from: starts, variants, and the middle of random games."""
    for number in range(10):
        board = assemble(assembly(random.Random(number).randrange(ASSEMBLIES)))
        yield Count("katarenga", {"board": board}, (), 4)
    for options in katarenga.SETUPS[2:]:
        yield Count("katarenga", {"board": assemble(assembly(4321)), **options}, (), 3)
    for board in ("classic", "president"):
        yield Count("kiwara", {"board": board}, (), 5)
    # From the middle of a game the tree is narrow enough for the slow rule book.
    for number in range(4):
        yield middle("kiwara", kiwara.random_options, number, moves=40, depth=5)
    for number in range(4):
        yield middle("kitara", kitara.random_options, number, moves=60, depth=3)


def middle(game: str, options: Any, number: int, moves: int, depth: int) -> Count:
    """Return a position from the middle of a random game."""
    generator = random.Random(number)
    chosen = options(generator)
    position = mchezo.game(game).start(chance="manual", **chosen)
    for _ in range(moves):
        position.play(generator.choice(position.legal_moves))
    return Count(game, chosen, tuple(position.moves), depth)


def main() -> None:
    """Write the file of pinned counts."""
    with FILE.open("w", encoding="utf-8") as lines:
        for found in positions():
            pinned = {**asdict(found), "leaves": found.recount()}
            lines.write(json.dumps(pinned) + "\n")


if __name__ == "__main__":
    main()
