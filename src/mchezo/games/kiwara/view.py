"""The view of a seat of Kiwara: the whole state, for the pile has no order until it is drawn from."""

from functools import lru_cache
from typing import Any

from mchezo.core.structs import plain
from mchezo.games.kiwara import rules, structs
from mchezo.games.kiwara.components import ANIMALS, COLUMNS, LETTERS, SPACES, TERRITORIES
from mchezo.games.kiwara.notation import WrittenPosition, names_of, space_of, tokens_of

DECISIONS = ("totem-start", "place", "swap", "hyena", "totem", "after", "keep", "draw", None)  # by phase


def view(state: Any, setup: Any, seat: int | None) -> dict[str, Any]:
    """Return what this seat may see, ready for JSON; what it consists of is shared with other views."""
    state, setup = plain(state), plain(setup)
    scores = int(rules.both_points(state.struct, setup.struct))
    written = WrittenPosition.of(state)
    hidden_pile, reinforced = bool(setup.hidden_pile), state.reinforced
    animals: dict[str, Any] = {}
    spaces_of, territory_of_space = setup.territories, setup.territory_of
    counts, points = [[0, 0] for _ in spaces_of], [0 for _ in spaces_of]
    for space, token in enumerate(tokens_of(state)):
        if token is not None:
            animals[SPACES[space]] = token.described
            letter = territory_of_space[space]
            counts[letter][token.seat] += 1
            if not token.hidden:
                points[letter] += ANIMALS[token.animal].value
    return {
        "decision": DECISIONS[state.phase],
        "board": setup.derive(board_text),
        "reinforcement": "pile" if hidden_pile else "okapi",
        "rhinoceros": "neighbour" if setup.rhinoceros_neighbour else "edge",
        "hyena": "place" if setup.hyena_places else "move",
        "totem": None if state.totem == structs.NOWHERE else state.totem,
        "animals": animals,
        "hands": [by_letter(hand) for hand in state.hands],
        "resting": by_letter(tuple(state.resting)),
        "cards": [list(names_of(cards)) for cards in state.cards],
        "used": list(names_of(state.used)),
        "drawn": list(names_of(state.drawn)),
        "okapi_open": not hidden_pile and reinforced == structs.NOBODY,
        "pile": state.pile.bit_count(),
        "reinforced": None if reinforced == structs.NOBODY else reinforced,
        "boa": space_of(state.boa),
        "porcupine": space_of(state.porcupine),
        "warthog": bool(state.warthog),
        "crocodile": space_of(state.crocodile),
        "territories": {
            letter: described(spaces.bit_count(), count[0], count[1], sum_)
            for letter, spaces, count, sum_ in zip(TERRITORIES, spaces_of, counts, points, strict=True)
        },
        "scores": [scores & (1 << rules.SCORE_BITS) - 1, scores >> rules.SCORE_BITS],
        "position": str(written) if written else None,
    }


@lru_cache(maxsize=4096)
def described(spaces: int, first: int, second: int, points: int) -> dict[str, Any]:
    """Return a territory with the tokens of both seats, its points and its leader."""
    leader = None if first == second else int(second > first)
    return {"spaces": spaces, "tokens": [first, second], "points": points, "leader": leader}


def board_text(setup: Any) -> str:
    """Return the territories of the spaces, rows separated by `/`."""
    letters = "".join(TERRITORIES[territory] for territory in setup.territory_of)
    return "/".join(letters[at : at + len(COLUMNS)] for at in range(0, len(letters), len(COLUMNS)))


def territory_of(state: Any, spaces: int) -> dict[str, Any]:
    """Return the leader of a territory, its tokens and its points."""
    counts, points = [0, 0], 0
    for space, token in enumerate(tokens_of(state)):
        if token is not None and spaces >> space & 1:
            counts[token.seat] += 1
            points += 0 if token.hidden else ANIMALS[token.animal].value
    return described(spaces.bit_count(), counts[0], counts[1], points)


@lru_cache(maxsize=1024)
def by_letter(counts: tuple[int, ...]) -> dict[str, int]:
    """Return counts of animals by letter."""
    return dict(zip(LETTERS, counts, strict=True))
