"""The view of a seat of Katarenga: the whole state, for the game has perfect information."""

from functools import lru_cache
from typing import Any

from mchezo.core.structs import FieldCache
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
CELLS = tuple(enumerate(SEAT_NAMES, start=1))
BY_NAME = sorted(enumerate(SQUARES), key=lambda square: square[1])


def view(state: Any, setup: Any, seat: int | None) -> dict[str, Any]:
    """Return what this seat may see, ready for JSON."""
    state, setup = FieldCache(state), FieldCache(setup)
    cells = state.cells.tolist()
    last = [PLACES[place] for place in state.last.tolist() if place >= 0]
    if setup.variant > structs.ISOLATION:
        places = state.places.tolist()
        pawns = {side: sorted(SQUARES[at] for at in places[seat] if at >= 0) for seat, side in enumerate(SEAT_NAMES)}
        position = positions.write(state, int(setup.variant))
    else:
        pawns = {side: [name for square, name in BY_NAME if cells[square] == number] for number, side in CELLS}
        position = write_position(cells, state.seat)
    return {
        "decision": DECISIONS[state.phase],
        "variant": structs.VARIANTS[setup.variant],
        "board": board_text(setup.colours[state.turned].tobytes()),
        "position": position,
        "pawns": pawns,
        "camps": {PLACES[camp]: SEAT_NAMES[cells[camp] - 1] if cells[camp] else None for camp in range(64, 68)},
        "goals": {side: goals_of(state, setup, seat) for seat, side in enumerate(SEAT_NAMES)},
        "area": names(int(setup.area)) if setup.variant == structs.CORNERED else None,
        "in_hand": dict(zip(SEAT_NAMES, state.in_hand.tolist(), strict=True)),
        "most": int(setup.most) or None,
        "most_proven": bool(setup.most_proven),
        "quiet_moves": int(state.quiet),
        "occurrences": int(state.occurrences),
        "last": last or None,
    }


def goals_of(state: Any, setup: Any, seat: int) -> list[str]:
    """Return the squares that a seat wants to fill: its homing square in Central Park, or its goals."""
    homing = int(state.homing[seat])
    return names(int(setup.goals[seat])) if homing == structs.OUT else [SQUARES[homing]]


@lru_cache(maxsize=1024)
def names(squares: int) -> list[str]:
    """Return the names of the squares of a bitboard."""
    return [name for square, name in BY_NAME if squares >> square & 1]


@lru_cache(maxsize=1024)
def board_text(colours: bytes) -> str:
    """Return the colours of the squares, ranks separated by `/`."""
    letters = "".join(COLOURS[colour] for colour in colours)
    return "/".join(letters[rank * 8 : rank * 8 + 8] for rank in range(7, -1, -1))
