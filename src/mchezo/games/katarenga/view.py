"""What one seat of Katarenga may see: everything, for nothing is hidden."""

from functools import lru_cache
from typing import Any

from mchezo.core.structs import Fields
from mchezo.games.katarenga import structs
from mchezo.games.katarenga.components import COLOURS
from mchezo.games.katarenga.notation import PLACES, SQUARES, write_position

DECISIONS = ("baseline", "move", "place", None)
SIDES = ("white", "black")
PAWNS = tuple(enumerate(SIDES, start=1))
BY_NAME = sorted(enumerate(SQUARES), key=lambda square: square[1])


def view(state: Any, setup: Any, seat: int | None) -> dict[str, Any]:
    """The table as this seat sees it."""
    state, setup = Fields(state), Fields(setup)
    cells = state.cells.tolist()
    last = [PLACES[place] for place in state.last.tolist() if place >= 0]
    return {
        "decision": DECISIONS[state.decision],
        "variant": structs.VARIANTS[setup.variant],
        "board": board_text(setup.colours[state.turned].tobytes()),
        "position": write_position(cells, state.seat),
        "pawns": {side: [name for square, name in BY_NAME if cells[square] == number] for number, side in PAWNS},
        "camps": {PLACES[camp]: SIDES[cells[camp] - 1] if cells[camp] else None for camp in range(64, 68)},
        "in_hand": dict(zip(SIDES, state.in_hand.tolist(), strict=True)),
        "quiet_moves": int(state.quiet),
        "occurrences": int(state.occurrences),
        "last": last or None,
    }


@lru_cache(maxsize=1024)
def board_text(colours: bytes) -> str:
    """The colours of the squares, as ranks parted by `/`."""
    letters = "".join(COLOURS[colour] for colour in colours)
    return "/".join(letters[rank * 8 : rank * 8 + 8] for rank in range(7, -1, -1))
