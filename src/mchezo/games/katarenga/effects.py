"""What a move of Katarenga did, a preview of its consequences, and where the points came from."""

from collections.abc import Iterator, Mapping
from typing import Any

from mchezo.core import arrays
from mchezo.core.effects import Effect, ScoreLine
from mchezo.core.errors import InvalidSetup
from mchezo.core.structs import plain
from mchezo.games.katarenga import alone, catalogue, structs, variants
from mchezo.games.katarenga.components import tile_code
from mchezo.games.katarenga.legal import legal
from mchezo.games.katarenga.legal import moves as katarenga_moves
from mchezo.games.katarenga.notation import PLACES, SQUARES, captures, plain_word
from mchezo.games.katarenga.setup import check_board


def effects(action: int, before: Any, after: Any, setup: Any, seen: bool) -> Iterator[Effect]:
    """Yield what an action did."""
    before, after, setup = plain(before), plain(after), plain(setup)
    seat = before.seat
    if word := plain_word(action, before):
        yield Effect("passed" if word == "pass" else "swapped", {"seat": seat})
        return
    if action >= structs.TURN:
        quarters = action - structs.TURN
        yield (
            Effect("turned", {"seat": seat, "degrees": 90 * quarters}) if quarters else Effect("stayed", {"seat": seat})
        )
        return
    if before.phase == structs.ALONE:
        yield Effect("placed-alone", {"at": SQUARES[action - structs.PLACE]})
        return
    if action >= structs.PLACE:
        placed = 1 - seat if before.phase == structs.ENTERING else seat
        key = "entered" if before.phase == structs.ENTERING else "placed"
        yield Effect(key, {"seat": placed, "at": SQUARES[action - structs.PLACE]})
        return
    start, target = divmod(action - structs.MOVE, structs.PLACES)
    key = "lifted" if before.phase == structs.LIFTING else "moved"
    yield Effect(key, {"seat": seat, "from": SQUARES[start], "to": PLACES[target]})
    if captures(target, before, setup):
        yield Effect("captured", {"seat": 1 - seat, "at": PLACES[target]})
    elif setup.variant >= structs.PASSAGE and before.cells[target] != structs.EMPTY:
        yield Effect("must-leave", {"seat": 1 - seat, "at": PLACES[target]})
    if target >= structs.SQUARES:
        yield Effect("entered-camp", {"seat": seat, "camp": PLACES[target]})
    if after.homing[seat] == target:
        yield Effect("settled", {"seat": seat, "at": PLACES[target]})


def preview(action: int, before: Any, after: Any, setup: Any) -> dict[str, Any]:
    """Return where the moved pawn could go next, and which enemy pawns could capture it."""
    if (
        action >= structs.PLACE
        or plain_word(action, before)
        or after.ending
        or after.phase in (structs.LIFTING, structs.ENTERING)
    ):
        return {}
    target = action % structs.PLACES
    if target >= structs.SQUARES:
        return {}
    mine = after.copy()
    mine.seat = before.seat
    return {
        "next": [PLACES[to] for start, to in moves_of(mine, setup) if start == target],
        "takers": [
            SQUARES[start] for start, to in moves_of(after, setup) if to == target and captures(to, after, setup)
        ],
    }


def others(state: Any, setup: Any) -> dict[str, list[str]]:
    """Return the pawns of the seat that is not to move, and where each could go if it were."""
    if state.phase != structs.MOVING:
        return {}
    theirs = state.copy()
    theirs.seat = 1 - state.seat
    found: dict[str, list[str]] = {
        SQUARES[place]: [] for place in range(structs.SQUARES) if theirs.cells[place] == theirs.seat + 1
    }
    for start, to in moves_of(theirs, setup):
        found[SQUARES[start]].append(PLACES[to])
    return found


def moves_of(state: Any, setup: Any) -> list[tuple[int, int]]:
    """Return the moves of the seat to move as pairs of places."""
    out = arrays.empty(structs.MOST_MOVES, arrays.int32)
    count = (legal if setup.variant > structs.ISOLATION else katarenga_moves)(state, setup, out)
    return [
        divmod(action, structs.PLACES)
        for action in out[:count].tolist()
        if action < structs.PLACE and not plain_word(action, state)
    ]


def score_lines(state: Any, setup: Any) -> Iterator[ScoreLine]:
    """Yield the points of the winner, or half a point each for a draw; alone a point for each pawn placed."""
    if setup.variant == structs.ISOLATION_ALONE:
        placed, most = int(alone.placed(state)), int(setup.most)
        reached = "-most" if placed >= most else ""
        key = f"placed{reached}" if setup.most_proven else "placed-known"
        yield ScoreLine(0, key, {"placed": placed, "most": most}, placed)
        return
    if state.winner >= 0:
        points = int(variants.points(state, setup)) if setup.points else 1
        yield ScoreLine(int(state.winner), "win", {}, points)
    else:
        yield from (ScoreLine(seat, "draw", {}, 0.5) for seat in range(2))


def touch(place: str, legal: list[str]) -> list[str]:
    """Return the moves left under touch-move: a touched pawn must move or be captured, if it can."""
    return [move for move in legal if move.startswith(place) or move.endswith(f"x{place}")] or legal


def sketch(drawn: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is known of a board while it is laid out: whether it is complete, and its rating if it has one."""
    try:
        board = check_board(drawn.get("board"))
    except InvalidSetup as error:
        return {"complete": False, "refusal": error}
    rating = catalogue.find(board)
    return {"complete": True, "board": board, "code": tile_code(board), "rating": rating}
