"""What a move of Katarenga did, what it would lead to, and what a game was worth."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mchezo.core.deeds import Deed, Line
from mchezo.core.errors import InvalidSetup
from mchezo.games.katarenga import catalogue, rules, structs
from mchezo.games.katarenga.components import tile_code
from mchezo.games.katarenga.notation import PLACES, SQUARES
from mchezo.games.katarenga.setup import check_board


def tell(action: int, before: Any, after: Any, setup: Any, seen: bool) -> Iterator[Deed]:
    """What an action did."""
    seat = int(before.seat)
    if action >= structs.TURN:
        quarters = action - structs.TURN
        yield Deed("turned", {"seat": seat, "degrees": 90 * quarters}) if quarters else Deed("stayed", {"seat": seat})
        return
    if action >= structs.PLACE:
        yield Deed("placed", {"seat": seat, "at": SQUARES[action - structs.PLACE]})
        return
    start, target = divmod(action, structs.PLACES)
    yield Deed("moved", {"seat": seat, "from": SQUARES[start], "to": PLACES[target]})
    if before.cells[target] != structs.EMPTY:
        yield Deed("captured", {"seat": 1 - seat, "at": PLACES[target]})
    if target >= structs.SQUARES:
        yield Deed("entered-camp", {"seat": seat, "camp": PLACES[target]})


def foresee(action: int, before: Any, after: Any, setup: Any) -> dict[str, Any]:
    """Where the moved pawn could go next from its new square, and which enemy pawns could take it there."""
    if action >= structs.PLACE or after.ending:
        return {}
    target = action % structs.PLACES
    if target >= structs.SQUARES:
        return {}
    mine = after.copy()
    mine.seat = before.seat
    return {
        "next": [PLACES[to] for start, to in moves_of(mine, setup) if start == target],
        "takers": [SQUARES[start] for start, to in moves_of(after, setup) if to == target],
    }


def moves_of(state: Any, setup: Any) -> list[tuple[int, int]]:
    """The moves of the seat to move, as places."""
    out = np.empty(structs.MOST_MOVES, np.int32)
    count = rules.moves(state, setup, out)
    return [divmod(action, structs.PLACES) for action in out[:count].tolist()]


def account(state: Any, setup: Any) -> Iterator[Line]:
    """A point for the winner, half a point each for a draw."""
    if state.winner >= 0:
        yield Line(int(state.winner), "win", {}, 1)
    else:
        yield from (Line(seat, "draw", {}, 0.5) for seat in range(2))


def touch(place: str, legal: list[str]) -> list[str]:
    """The moves left once a pawn was touched: an own one must move, an enemy's must be taken, if they can."""
    return [move for move in legal if move.startswith(place) or move.endswith(f"x{place}")] or legal


def sketch(drawn: Mapping[str, Any]) -> dict[str, Any]:
    """A board as it is laid out, 64 letters or a tile code, with its rating if it has one."""
    try:
        board = check_board(drawn.get("board"))
    except InvalidSetup as refusal:
        return {"complete": False, "refusal": refusal}
    rating = catalogue.find(board)
    return {"complete": True, "board": board, "code": tile_code(board), "rating": rating}
