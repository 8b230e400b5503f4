"""The view of a seat of Katarenga: the whole state, for the game has perfect information."""

from functools import lru_cache
from typing import Any

from mchezo.core.structs import plain
from mchezo.games.katarenga import positions, structs
from mchezo.games.katarenga.components import COLOURS, SEAT_NAMES
from mchezo.games.katarenga.notation import PLACES, SQUARES, write_position

# By phase
DECISIONS = (
    "baseline",
    "move",
    "place",
    None,
    "place",
    "lift",
    "place",
    "capture",
    "move",
    "enter",
    "move",
    "move",
    "place",
)
BY_NAME = sorted(enumerate(SQUARES), key=lambda square: square[1])


def view(state: Any, setup: Any, seat: int | None) -> dict[str, Any]:
    """Return what this seat may see, ready for JSON."""
    state, setup = plain(state), plain(setup)
    cells, variant = state.cells, setup.variant
    last = [PLACES[place] for place in state.last if place >= 0]
    if variant > structs.ISOLATION:
        places = [sorted([SQUARES[at] for at in of_seat if at >= 0]) for of_seat in state.places]
        position = positions.write(state, variant)
    else:
        squares, places = bytes(cells[:64]), [[], []]
        for file in range(8):
            first, second = pawns_on(file, squares[file::8])
            places[0] += first
            places[1] += second
        position = write_position(cells, state.seat)
    return {
        "decision": DECISIONS[state.phase],
        "variant": structs.VARIANTS[variant],
        "board": setup.derive(board_texts)[state.turned],
        "position": position,
        "pawns": dict(zip(SEAT_NAMES, places, strict=True)),
        "camps": {PLACES[camp]: SEAT_NAMES[cells[camp] - 1] if cells[camp] else None for camp in range(64, 68)},
        "goals": {
            side: goals if homing == structs.OUT else [SQUARES[homing]]
            for side, goals, homing in zip(SEAT_NAMES, setup.derive(goal_names), state.homing, strict=True)
        },
        "area": names(setup.area) if variant == structs.CORNERED else None,
        "in_hand": dict(zip(SEAT_NAMES, state.in_hand, strict=True)),
        "most": setup.most or None,
        "most_proven": bool(setup.most_proven),
        "quiet_moves": state.quiet,
        "occurrences": state.occurrences,
        "last": last or None,
    }


def goal_names(setup: Any) -> list[list[str]]:
    """Return the squares that each seat wants to fill, unless it has a homing square in Central Park."""
    return [names(goals) for goals in setup.goals]


@lru_cache(maxsize=8192)
def pawns_on(file: int, cells: bytes) -> tuple[list[str], list[str]]:
    """Return the squares of a file on which the pawns of each seat stand."""
    names = [SQUARES[rank * 8 + file] for rank in range(8)]
    first, second = ([name for name, cell in zip(names, cells, strict=True) if cell == side] for side in (1, 2))
    return first, second


@lru_cache(maxsize=1024)
def names(squares: int) -> list[str]:
    """Return the names of the squares of a bitboard."""
    return [name for square, name in BY_NAME if squares >> square & 1]


def board_texts(setup: Any) -> list[str]:
    """Return the colours of the squares by rotation of the board, ranks separated by `/`."""
    texts = ("".join(COLOURS[colour] for colour in colours) for colours in setup.colours)
    return ["/".join(letters[rank * 8 : rank * 8 + 8] for rank in range(7, -1, -1)) for letters in texts]
