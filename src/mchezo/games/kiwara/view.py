"""The view of a seat of Kiwara: the whole state, for the pile has no order until it is drawn from."""

from collections.abc import Iterable
from typing import Any

from mchezo.core.structs import plain
from mchezo.games.kiwara import rules, structs
from mchezo.games.kiwara.components import ANIMALS, COLUMNS, LETTERS, SPACES, TERRITORIES
from mchezo.games.kiwara.notation import WrittenPosition, names_of, space_of, tokens_of

DECISIONS = ("totem-start", "place", "swap", "hyena", "totem", "after", "keep", "draw", None)  # by phase


def view(state: Any, setup: Any, seat: int | None) -> dict[str, Any]:
    """Return what this seat may see, ready for JSON."""
    state, setup = plain(state), plain(setup)
    struct, set_up = state.struct, setup.struct
    scores = [int(rules.points(struct, set_up, side)) for side in range(2)]
    written = WrittenPosition.of(state)
    own, standing = state.own, visible(state)
    open_okapi = not setup.hidden_pile and state.reinforced == structs.NOBODY
    return {
        "decision": DECISIONS[state.phase],
        "board": setup.derive(board_text),
        "reinforcement": "pile" if setup.hidden_pile else "okapi",
        "rhinoceros": "neighbour" if setup.rhinoceros_neighbour else "edge",
        "hyena": "place" if setup.hyena_places else "move",
        "totem": None if state.totem == structs.NOWHERE else state.totem,
        "animals": {name: dict(token.described) for name, token in zip(SPACES, tokens_of(state), strict=True) if token},
        "hands": [by_letter(hand) for hand in state.hands],
        "resting": by_letter(state.resting),
        "cards": [list(names_of(cards)) for cards in state.cards],
        "used": list(names_of(state.used)),
        "drawn": list(names_of(state.drawn)),
        "okapi_open": bool(open_okapi),
        "pile": state.pile.bit_count(),
        "reinforced": None if state.reinforced == structs.NOBODY else state.reinforced,
        "boa": space_of(state.boa),
        "porcupine": space_of(state.porcupine),
        "warthog": bool(state.warthog),
        "crocodile": space_of(state.crocodile),
        "territories": {
            letter: territory(own, standing, spaces)
            for letter, spaces in zip(TERRITORIES, setup.territories, strict=True)
        },
        "scores": scores,
        "position": str(written) if written else None,
    }


def board_text(setup: Any) -> str:
    """Return the territories of the spaces, rows separated by `/`."""
    letters = "".join(TERRITORIES[territory] for territory in setup.territory_of)
    return "/".join(letters[at : at + len(COLUMNS)] for at in range(0, len(letters), len(COLUMNS)))


def territory_of(state: Any, spaces: int) -> dict[str, Any]:
    """Return the leader of a territory, its tokens and its points."""
    state = plain(state)
    return territory(state.own, visible(state), spaces)


def visible(state: Any) -> list[tuple[int, int]]:
    """Return the value of each animal, and the spaces on which it lies face up."""
    face_up = ~state.hidden
    return [(animal.value, on & face_up) for animal, on in zip(ANIMALS, state.kinds, strict=True)]


def territory(own: list[int], standing: list[tuple[int, int]], spaces: int) -> dict[str, Any]:
    """Return the leader of a territory, its tokens and its points, given the spaces of seats and visible animals."""
    first, second = (own[0] & spaces).bit_count(), (own[1] & spaces).bit_count()
    points = 0
    if first or second:
        for value, on in standing:
            points += value * (on & spaces).bit_count()
    return {
        "spaces": spaces.bit_count(),
        "tokens": [first, second],
        "points": points,
        "leader": None if first == second else int(second > first),
    }


def by_letter(counts: Iterable[int]) -> dict[str, int]:
    """Return counts of animals by letter."""
    return dict(zip(LETTERS, counts, strict=True))
