"""Rules of Colorado: all own pawns that are left have to come to the far baseline."""

from mchezo.core.compiled import compiled
from mchezo.core.structs import Actions, bits, wide
from mchezo.games.katarenga import structs
from mchezo.games.katarenga.bitboards import pawns_of, reached, reached_from, rotate
from mchezo.games.katarenga.pieces import finish, move_pawn, squares_of, write_actions
from mchezo.games.katarenga.structs import OUT, PAWNS, Setup, State, last_rank, on_board

MOST_QUIET = 100  # fifty moves by each side


@compiled
def home(seat: int) -> int:
    """Return the squares of the baseline that a seat has to reach."""
    return bits(0xFF) << bits(8 * last_rank(seat))


@compiled
def open_to(state: State, setup: Setup) -> int:
    """Return the squares that the seat to move may move to, if a pawn reaches them.

    An enemy pawn at home is safe, except from the move that follows its arrival.
    """
    seat = wide(state.seat)
    own, enemy = pawns_of(state, seat), pawns_of(state, 1 - seat)
    if setup.no_first_capture and state.moves_made < 2:
        return ~(own | enemy)
    safe = enemy & home(1 - seat)
    if state.exposed != OUT:
        safe &= ~(bits(1) << bits(state.exposed))
    return ~(own | safe)


@compiled
def legal(state: State, setup: Setup, out: Actions) -> int:
    """Write the moves of the seat to move; return their number."""
    count = wide(0)
    seat, turned = wide(state.seat), wide(state.turned)
    occupied = pawns_of(state, wide(0)) | pawns_of(state, wide(1))
    rotated = rotate(occupied)
    allowed = open_to(state, setup)
    for pawn in range(PAWNS):
        start = wide(state.places[seat, pawn])
        if on_board(start):
            targets = reached_from(setup, turned, start, occupied, rotated) & allowed
            count = write_actions(out, count, structs.MOVE + start * structs.PLACES, targets)
    return count


@compiled
def apply(state: State, setup: Setup, action: int) -> None:
    """Move a pawn."""
    seat, target = wide(state.seat), action % structs.PLACES
    move_pawn(state, action // structs.PLACES, target)
    state.exposed = target if target // 8 == last_rank(seat) else OUT
    if state.quiet == 0:
        state.before_trail = state.exposed
    settle(state, setup)


@compiled
def settle(state: State, setup: Setup) -> None:
    """End the game if a side is home, has no pawns or no move, or if it is drawn; checked in this order."""
    state.phase = structs.CROSSING
    mover = 1 - wide(state.seat)
    for seat in (mover, 1 - mover):
        own = pawns_of(state, seat)
        if own != 0 and own & ~home(seat) == 0:
            finish(state, structs.ALL_HOME, seat)
            return
    for seat in (1 - mover, mover):
        if pawns_of(state, seat) == 0:
            if setup.wipeout_loses:
                finish(state, structs.NO_PAWNS, seat)
            else:
                finish(state, structs.WIPED_OUT, structs.NOBODY)
            return
    occupied = pawns_of(state, wide(0)) | pawns_of(state, wide(1))
    if reached(state, setup, 1 - mover, occupied) & open_to(state, setup) == 0:
        finish(state, structs.NO_MOVE, mover)
        return
    state.occurrences = count_occurrences(state)
    if state.occurrences == 3:
        finish(state, structs.REPETITION, structs.NOBODY)
    elif state.quiet == MOST_QUIET:
        finish(state, structs.FIFTY_MOVES, structs.NOBODY)


@compiled
def count_occurrences(state: State) -> int:
    """Return how often these pawns stood with the same seat to move and the same pawn exposed."""
    occurrences = 1
    mine = theirs = bits(0)
    goal = last_rank(1 - wide(state.seat))
    for at in range(wide(state.quiet) - 1, 0, -2):
        mine ^= squares_of(state.trail[at])
        theirs ^= squares_of(state.trail[at - 1])
        if mine | theirs == 0:
            exposed = wide(state.before_trail)
            if at > 1:
                exposed = wide(state.trail[at - 2, 1])
                if exposed // 8 != goal:
                    exposed = wide(OUT)
            occurrences += exposed == state.exposed
    return occurrences
