"""Rules of Katarenga, Congress, Quebec and Isolation: what an action does and how a game ends.

The games from Troika on have a file each; `variants.py` finds it.
"""

from mchezo.core.compiled import compiled, kernel
from mchezo.core.structs import OVER, Numbers, wide
from mchezo.games.katarenga import structs, variants
from mchezo.games.katarenga.alone import placed
from mchezo.games.katarenga.bitboards import first_group, pawns_of
from mchezo.games.katarenga.legal import can_move, can_place
from mchezo.games.katarenga.pieces import count_occurrences, finish, move_pawn, place_pawn
from mchezo.games.katarenga.structs import Setup, State, first_camp


@compiled
def to_move(state: State) -> int:
    """Return the seat to move, or OVER; a single player places pawns of both colours."""
    if state.phase == structs.GAME_OVER:
        return OVER
    return wide(0) if state.phase == structs.ALONE else wide(state.seat)


@compiled
def apply(state: State, setup: Setup, action: int) -> None:
    """Apply one legal action."""
    action = wide(action)
    if state.phase > structs.GAME_OVER:
        variants.apply(state, setup, action)
        return
    if action < structs.PLACE:
        move_pawn(state, (action - structs.MOVE) // structs.PLACES, (action - structs.MOVE) % structs.PLACES)
    elif action < structs.TURN:
        place_pawn(state, action - structs.PLACE)
    else:
        choose_baseline(state, setup, action - structs.TURN)
    end_if_decided(state, setup)


@compiled
def choose_baseline(state: State, setup: Setup, quarters: int) -> None:
    """Turn the board as Black chose and set up the pawns; White moves first, because Black has chosen."""
    state.turned = quarters
    for file in range(8):
        state.cells[file] = structs.WHITE + 1
        state.cells[56 + file] = structs.BLACK + 1
        state.places[structs.WHITE, file] = file
        state.places[structs.BLACK, file] = 56 + file
    for seat in range(2):
        state.pawns[seat] = structs.PAWNS
        state.in_hand[seat] = 0
    state.seat = structs.WHITE
    state.phase = structs.MOVING if setup.variant == structs.KATARENGA else structs.CROSSING


@kernel
def end_if_decided(state: State, setup: Setup) -> None:
    """End the game if it is won, the seat to move is stuck, or it is drawn; checked in this order."""
    if setup.variant > structs.ISOLATION:
        variants.settle(state, setup)
        return
    if setup.variant == structs.ISOLATION:
        if not can_place(state, setup):
            finish(state, structs.NO_PLACE, 1 - state.seat)
        return
    mover = 1 - wide(state.seat)
    state.occurrences = 1
    if setup.variant == structs.KATARENGA:
        for seat in (mover, 1 - mover):
            camp = first_camp(seat)
            if state.cells[camp] != structs.EMPTY and state.cells[camp + 1] != structs.EMPTY:
                finish(state, structs.BOTH_CAMPS, seat)
                return
            if state.pawns[1 - seat] < 2:
                finish(state, structs.TOO_FEW_PAWNS, seat)
                return
    else:
        # If both sides are connected the mover wins; only a capture in Quebec can connect the other side alone.
        for seat in (mover, 1 - mover):
            if connected(state, seat):
                finish(state, structs.CONNECTED, seat)
                return
    if not can_move(state, setup):
        finish(state, structs.NO_MOVE, mover)
        return
    state.occurrences = count_occurrences(state)
    if state.occurrences == 3:
        finish(state, structs.REPETITION, structs.NOBODY)
    elif setup.variant == structs.CONGRESS:
        if state.quiet == structs.LONGEST_QUIET:
            finish(state, structs.HUNDRED_MOVES, structs.NOBODY)
    elif state.quiet == 100:
        finish(state, structs.FIFTY_MOVES, structs.NOBODY)


@compiled
def connected(state: State, seat: int) -> bool:
    """Return whether all pawns of a seat form one orthogonally connected group. A single pawn does."""
    own = pawns_of(state, seat)
    return first_group(own) == own


@compiled
def ending(state: State) -> int:
    """Return how the game ended, as an index of REASONS."""
    return wide(state.ending)


@compiled
def returns(state: State, setup: Setup, out: Numbers) -> None:
    """Write 1 for the winner and -1 for the loser, or 0 each for a draw; alone from -1 to 1 by the pawns placed."""
    if setup.variant == structs.ISOLATION_ALONE:
        out[0] = placed(state) / structs.PAWNS - 1.0
        return
    for seat in range(2):
        out[seat] = 0.0 if state.winner < 0 else (1.0 if state.winner == seat else -1.0)


@compiled
def scores(state: State, setup: Setup, out: Numbers) -> None:
    """Write a point for a win, or those that the variant counts; half a point each for a draw; alone, the pawns."""
    if setup.variant == structs.ISOLATION_ALONE:
        out[0] = float(placed(state))
        return
    won = wide(1)
    if setup.points and state.winner >= 0:
        won = variants.points(state, setup)
    for seat in range(2):
        out[seat] = 0.5 if state.winner < 0 else (float(won) if state.winner == seat else 0.0)
