"""Rules of Battle Stations: all pawns are placed, then captures follow as long as anybody can capture."""

from mchezo.core.compiled import compiled
from mchezo.core.structs import Actions, wide
from mchezo.games.katarenga import structs
from mchezo.games.katarenga.bitboards import pawns_of, reached, reached_from, rotate
from mchezo.games.katarenga.pieces import finish, move_pawn, place_pawn, write_actions
from mchezo.games.katarenga.structs import BLACK, PAWNS, WHITE, Setup, State, on_board


@compiled
def legal(state: State, setup: Setup, out: Actions) -> int:
    """Write the legal actions of the seat to move; return their number."""
    count = wide(0)
    seat = wide(state.seat)
    enemy = pawns_of(state, 1 - seat)
    occupied = pawns_of(state, seat) | enemy
    if state.phase == structs.STATIONING:
        return write_actions(out, count, structs.PLACE, ~occupied)
    rotated = rotate(occupied)
    for pawn in range(PAWNS):
        start = wide(state.places[seat, pawn])
        if on_board(start):
            captures = reached_from(setup, wide(0), start, occupied, rotated) & enemy
            count = write_actions(out, count, structs.MOVE + start * structs.PLACES, captures)
    if count == 0:
        out[0] = structs.PASS
        count += 1
    return count


@compiled
def can_capture(state: State, setup: Setup, seat: int) -> bool:
    """Return whether a seat has a capture."""
    enemy = pawns_of(state, 1 - seat)
    return reached(state, setup, seat, pawns_of(state, seat) | enemy) & enemy != 0


@compiled
def apply(state: State, setup: Setup, action: int) -> None:
    """Place a pawn, capture, or pass."""
    if action == structs.PASS:
        state.seat = 1 - state.seat
        state.last[0] = state.last[1] = -1
    elif state.phase == structs.STATIONING:
        place_pawn(state, action - structs.PLACE)
    else:
        move_pawn(state, action // structs.PLACES, action % structs.PLACES)
    settle(state, setup)


@compiled
def settle(state: State, setup: Setup) -> None:
    """End the game once all pawns have been placed and nobody can capture."""
    state.phase = structs.STATIONING
    if state.in_hand[WHITE] or state.in_hand[BLACK]:
        return
    state.phase = structs.BATTLING
    if can_capture(state, setup, wide(WHITE)) or can_capture(state, setup, wide(BLACK)):
        return
    if state.pawns[WHITE] == state.pawns[BLACK]:
        finish(state, structs.EQUAL_PAWNS, BLACK)
    else:
        finish(state, structs.MORE_PAWNS, WHITE if state.pawns[WHITE] > state.pawns[BLACK] else BLACK)
