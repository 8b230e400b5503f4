"""Rules of Central Park: four own pawns have to gather on one square of the centre, the homing square.

A capture with pawns left in the enemy's hand is two decisions: the move, and the corner where the next pawn enters.
"""

from mchezo.core.bitsets import bit_index, popcount
from mchezo.core.compiled import compiled
from mchezo.core.structs import Actions, bits, wide
from mchezo.games.katarenga import structs
from mchezo.games.katarenga.bitboards import pawns_of, reached_from, rotate
from mchezo.games.katarenga.pieces import finish, write_actions
from mchezo.games.katarenga.structs import OUT, PAWNS, Setup, State

CORNERS = bits(1 << 0 | 1 << 7 | 1 << 56 | 1 << 63)
CENTRE = bits(1 << 27 | 1 << 28 | 1 << 35 | 1 << 36)
ROOM = 4  # pawns on a corner
TO_PARK = 4
MOST_QUIET = 100  # fifty moves by each side
DIGIT = 4  # bits for each corner where the pawns that came and left are summed up


@compiled
def standing(state: State, seat: int, square: int) -> int:
    """Return how many pawns of a seat stand on a square."""
    count = wide(0)
    for pawn in range(PAWNS):
        count += state.places[seat, pawn] == square
    return count


@compiled
def open_corners(state: State) -> int:
    """Return the corners with room for another pawn."""
    found = rest = bits(CORNERS)
    while rest:
        first = rest & (~rest + bits(1))
        rest ^= first
        corner = bit_index(first)
        if standing(state, wide(0), corner) + standing(state, wide(1), corner) >= ROOM:
            found ^= first
    return found


@compiled
def homing_square(state: State, seat: int) -> int:
    """Return the homing square of a seat as a set; empty before it is known."""
    return bits(0) if state.homing[seat] == OUT else bits(1) << bits(state.homing[seat])


@compiled
def targets_of(state: State, setup: Setup, seat: int, start: int) -> int:
    """Return where a pawn of a seat can go."""
    own, enemy = pawns_of(state, seat), pawns_of(state, 1 - seat)
    occupied = own | enemy
    reach = reached_from(setup, wide(0), start, occupied, rotate(occupied)) & ~homing_square(state, 1 - seat)
    found = reach & (~occupied | homing_square(state, seat))
    found |= reach & open_corners(state)
    if not bits(CORNERS) >> bits(start) & bits(1):
        found |= reach & enemy & ~bits(CORNERS)
    return found


@compiled
def movable(state: State, seat: int) -> int:
    """Return the squares of a seat's pawns that have not settled."""
    return pawns_of(state, seat) & ~homing_square(state, seat)


@compiled
def can_move_any(state: State, setup: Setup, seat: int, pawns: int) -> bool:
    """Return whether one of these pawns of a seat has a move."""
    while pawns:
        first = pawns & (~pawns + bits(1))
        pawns ^= first
        if targets_of(state, setup, seat, bit_index(first)):
            return True
    return False


@compiled
def obliged(state: State, setup: Setup) -> int:
    """Return the pawns that may move: those that must leave the centre, if they can, otherwise all."""
    seat = wide(state.seat)
    pawns = movable(state, seat)
    leaving = pawns & bits(CENTRE)
    return leaving if can_move_any(state, setup, seat, leaving) else pawns


@compiled
def legal(state: State, setup: Setup, out: Actions) -> int:
    """Write the legal actions of the seat to move; return their number."""
    count = wide(0)
    if state.phase == structs.ENTERING:
        return write_actions(out, count, structs.PLACE, open_corners(state))
    seat = wide(state.seat)
    pawns = obliged(state, setup)
    while pawns:
        pawn = pawns & (~pawns + bits(1))
        pawns ^= pawn
        start = bit_index(pawn)
        targets = targets_of(state, setup, seat, start)
        count = write_actions(out, count, structs.MOVE + start * structs.PLACES, targets)
    if count == 0:
        out[0] = structs.PASS
        count += 1
    return count


@compiled
def apply(state: State, setup: Setup, action: int) -> None:
    """Move or capture, enter a pawn of the opponent, or pass."""
    seat = wide(state.seat)
    if state.phase == structs.ENTERING:
        enter(state, action - structs.PLACE)
    elif action == structs.PASS:
        remember(state, wide(OUT), wide(OUT))
        state.seat = 1 - seat
    else:
        captured = move(state, action // structs.PLACES, action % structs.PLACES)
        if captured and state.in_hand[1 - seat]:
            state.phase = structs.ENTERING
            return
        state.seat = 1 - seat
    settle(state, setup)


@compiled
def enter(state: State, corner: int) -> None:
    """Put a pawn of the opponent on a corner; then it is the opponent's turn."""
    other = 1 - wide(state.seat)
    state.cells[corner] |= other + 1
    put(state, other, wide(OUT), corner)
    state.pawns[other] += 1
    state.in_hand[other] -= 1
    state.seat = other


@compiled
def move(state: State, start: int, target: int) -> bool:
    """Move a pawn and settle it on its homing square; return whether it captures."""
    seat = wide(state.seat)
    other = 1 - seat
    there = bits(1) << bits(target)
    captured = state.cells[target] == other + 1 and there & bits(CORNERS) == 0
    remember(state, start, target)
    if captured:
        put(state, other, target, wide(OUT))
        state.pawns[other] -= 1
        state.cells[target] = structs.EMPTY
    put(state, seat, start, target)
    if standing(state, seat, start) == 0:
        state.cells[start] &= ~(seat + 1)
    state.cells[target] |= seat + 1
    if there & bits(CENTRE) and state.homing[seat] == OUT:
        state.homing[seat] = target
    if captured or state.homing[seat] == target:
        state.quiet = 0
    state.moves_made += 1
    return captured


@compiled
def put(state: State, seat: int, old: int, new: int) -> None:
    """Change the place of one pawn that stands on the old one; several may."""
    for pawn in range(PAWNS):
        if state.places[seat, pawn] == old:
            state.places[seat, pawn] = new
            return


@compiled
def remember(state: State, start: int, target: int) -> None:
    """Add a move or a pass to the trail."""
    state.last[0] = start
    state.last[1] = target
    state.trail[state.quiet, 0] = start
    state.trail[state.quiet, 1] = target
    state.quiet += 1


@compiled
def settle(state: State, setup: Setup) -> None:
    """End the game if a side has parked or too few pawns, or if it is drawn; checked in this order."""
    state.phase = structs.PARKING
    mover = 1 - wide(state.seat)
    for seat in (mover, 1 - mover):
        if state.homing[seat] != OUT and standing(state, seat, wide(state.homing[seat])) == TO_PARK:
            finish(state, structs.PARKED, seat)
            return
    for seat in range(2):
        if wide(state.pawns[1 - seat]) + wide(state.in_hand[1 - seat]) < TO_PARK:
            finish(state, structs.TOO_FEW_PAWNS, seat)
            return
    if not can_move_any(state, setup, wide(0), movable(state, wide(0))) and not can_move_any(
        state, setup, wide(1), movable(state, wide(1))
    ):
        finish(state, structs.STUCK, structs.NOBODY)
        return
    state.occurrences = count_occurrences(state)
    if state.occurrences == 3:
        finish(state, structs.REPETITION, structs.NOBODY)
    elif state.quiet == MOST_QUIET:
        finish(state, structs.FIFTY_MOVES, structs.NOBODY)


@compiled
def count_occurrences(state: State) -> int:
    """Return how often this position has occurred with the same seat to move.

    Pawns share only corners and homing squares, and none comes to its homing square in the trail. So squares that
    differ from now are kept in a bitboard for each side, and the pawns on corners are counted.
    """
    occurrences = 1
    mine = theirs = bits(0)
    my_corners = their_corners = wide(0)
    for at in range(wide(state.quiet) - 1, 0, -2):
        mine ^= elsewhere(wide(state.trail[at, 0])) ^ elsewhere(wide(state.trail[at, 1]))
        theirs ^= elsewhere(wide(state.trail[at - 1, 0])) ^ elsewhere(wide(state.trail[at - 1, 1]))
        my_corners += corner_digit(wide(state.trail[at, 1])) - corner_digit(wide(state.trail[at, 0]))
        their_corners += corner_digit(wide(state.trail[at - 1, 1])) - corner_digit(wide(state.trail[at - 1, 0]))
        if mine | theirs == 0 and my_corners == 0 and their_corners == 0:
            occurrences += 1
    return occurrences


@compiled
def elsewhere(square: int) -> int:
    """Return a square as a set; none for a pass and for corners."""
    if square == OUT:
        return bits(0)
    return bits(1) << bits(square) & ~bits(CORNERS)


@compiled
def corner_digit(square: int) -> int:
    """Return the place value of a corner, 0 for other squares and for a pass."""
    if square == OUT or not bits(CORNERS) >> bits(square) & bits(1):
        return wide(0)
    before = popcount(bits(CORNERS) & ((bits(1) << bits(square)) - bits(1)))
    return wide(1) << DIGIT * before
