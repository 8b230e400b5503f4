"""Rules of Troika, Cornered and Quartermaster: each pawn goes where the pawn placed before it could move.

Troika is won by three own pawns in line, the others by the last placement.
"""

from math import gcd

from mchezo.core import arrays
from mchezo.core.bitsets import bit_index
from mchezo.core.compiled import compiled
from mchezo.core.structs import Actions, bits, wide
from mchezo.games.katarenga import structs
from mchezo.games.katarenga.bitboards import pawns_of, reached_from, rotate
from mchezo.games.katarenga.pieces import finish, place_pawn, relocate, squares_of, write_actions
from mchezo.games.katarenga.structs import BLACK, OUT, PAWNS, SQUARES, WHITE, Setup, State

MOST_LIFTS = 100  # fifty by each side


def lines(*, straight: bool) -> arrays.NDArray[arrays.uint64]:
    """Return the squares in line with each pair of squares; none for the same square twice."""
    found = arrays.zeros((SQUARES, SQUARES), arrays.uint64)
    for one in range(SQUARES):
        by_slope: dict[tuple[int, int], list[int]] = {}
        for two in range(SQUARES):
            across, up = two % 8 - one % 8, two // 8 - one // 8
            if one != two and (not straight or across == 0 or up == 0 or abs(across) == abs(up)):
                step = gcd(across, up) * (-1 if (up, across) < (0, 0) else 1)
                by_slope.setdefault((across // step, up // step), []).append(two)
        for others in by_slope.values():
            line = sum(1 << square for square in (one, *others))
            for two in others:
                found[one, two] = line
    return found


ALL_LINES, STRAIGHT_LINES = lines(straight=False), lines(straight=True)


@compiled
def line_of(setup: Setup, one: int, two: int) -> int:
    """Return the squares in line with two others."""
    return bits(STRAIGHT_LINES[one, two]) if setup.straight_only else bits(ALL_LINES[one, two])


@compiled
def has_line(setup: Setup, own: int, square: int) -> bool:
    """Return whether a pawn on a square is in line with two others of its side."""
    rest = own & ~(bits(1) << bits(square))
    others = rest
    while others:
        first = others & (~others + bits(1))
        others ^= first
        if line_of(setup, square, bit_index(first)) & rest & ~first:
            return True
    return False


@compiled
def any_line(setup: Setup, own: int) -> bool:
    """Return whether a side has three pawns in line."""
    rest = own
    while rest:
        first = rest & (~rest + bits(1))
        rest ^= first
        if has_line(setup, own, bit_index(first)):
            return True
    return False


@compiled
def reached_by_last(setup: Setup, last: int, occupied: int) -> int:
    """Return the empty squares in play that the pawn placed last reaches; all if there is none."""
    if last == OUT:
        return bits(setup.area) & ~occupied
    return reached_from(setup, wide(0), last, occupied, rotate(occupied)) & bits(setup.area) & ~occupied


@compiled
def candidates(state: State, setup: Setup) -> int:
    """Return where the next pawn can go, Troika's ban disregarded."""
    occupied = pawns_of(state, wide(WHITE)) | pawns_of(state, wide(BLACK))
    found = reached_by_last(setup, wide(state.last[1]), occupied)
    if setup.variant == structs.QUARTERMASTER:
        found &= room(occupied)
    return found


@compiled
def room(occupied: int) -> int:
    """Quartermaster: return the squares that lie with all pawns in an area of four files and four ranks."""
    found = ~bits(0)
    rest = occupied
    while rest:
        first = rest & (~rest + bits(1))
        rest ^= first
        file, rank = bit_index(first) % 8, bit_index(first) // 8
        near = bits(0)
        for square in range(SQUARES):
            if abs(square % 8 - file) < 4 and abs(square // 8 - rank) < 4:
                near |= bits(1) << bits(square)
        found &= near
    return found


@compiled
def may_place(setup: Setup, own: int, other: int, square: int, in_hand: int) -> bool:
    """Troika: return whether a placement makes a line or leaves the opponent a legal answer.

    Since an answer is legal in the same sense, this looks for any continuation that ends with a line or the last pawn,
    depth first. `in_hand` counts the pawns of both sides before the placement. The squares on the way are kept in a
    register of 128 bits, six for each.
    """
    mine, theirs, last = own | bits(1) << bits(square), other, wide(square)
    left, depth = wide(in_hand) - 1, wide(0)
    high = low = bits(0)
    beyond = ~bits(0)  # the answers that have not been tried
    arrived = True
    while True:
        if arrived and has_line(setup, mine, last):
            return True
        if arrived and left == 0 and (setup.goes_on == 0 or can_lift(setup, theirs, mine, last)):
            return True
        answers = reached_by_last(setup, last, mine | theirs) & beyond if left else bits(0)
        if answers:
            first = answers & (~answers + bits(1))
            high, low = high << bits(6) | low >> bits(58), low << bits(6) | bits(last)
            mine, theirs, last = theirs | first, mine, bit_index(first)
            left, depth = left - 1, depth + 1
            beyond = ~bits(0)
            arrived = True
        elif depth == 0:
            return False
        else:
            beyond = ~bits(0) << bits(last) << bits(1)
            mine, theirs = theirs, mine & ~(bits(1) << bits(last))
            last = wide(low & bits(63))
            low, high = low >> bits(6) | high << bits(58), high >> bits(6)
            left, depth = left + 1, depth - 1
            arrived = False


@compiled
def lifted_to(setup: Setup, own: int, other: int, start: int, last: int) -> int:
    """Troika: return where a side can place anew the pawn that it lifts; it does not block the way."""
    place = bits(1) << bits(start)
    return reached_by_last(setup, last, (own | other) & ~place) & ~place


@compiled
def can_lift(setup: Setup, own: int, other: int, last: int) -> bool:
    """Troika: return whether a side can lift a pawn and place it anew."""
    rest = own
    while rest:
        first = rest & (~rest + bits(1))
        rest ^= first
        if lifted_to(setup, own, other, bit_index(first), last):
            return True
    return False


@compiled
def legal_targets(setup: Setup, own: int, other: int, start: int, last: int) -> int:
    """Troika: return where a lifted pawn makes a line or leaves the opponent a move."""
    found = bits(0)
    rest = lifted_to(setup, own, other, start, last)
    while rest:
        target = rest & (~rest + bits(1))
        rest ^= target
        square = bit_index(target)
        after = own & ~(bits(1) << bits(start)) | target
        if has_line(setup, after, square) or can_lift(setup, other, after, square):
            found |= target
    return found


@compiled
def legal(state: State, setup: Setup, out: Actions) -> int:
    """Write the legal actions of the seat to move; return their number."""
    if state.phase == structs.LIFTING:
        return lifts(state, setup, out)
    count = wide(0)
    own, other = pawns_of(state, wide(state.seat)), pawns_of(state, wide(1 - state.seat))
    in_hand = wide(state.in_hand[0]) + wide(state.in_hand[1])
    rest = candidates(state, setup)
    while rest:
        first = rest & (~rest + bits(1))
        rest ^= first
        square = bit_index(first)
        if setup.variant != structs.TROIKA or may_place(setup, own, other, square, in_hand):
            out[count] = structs.PLACE + square
            count += 1
    if may_swap(state, setup):
        out[count] = structs.SWAP
        count += 1
    return count


@compiled
def lifts(state: State, setup: Setup, out: Actions) -> int:
    """Troika: write the moves once all pawns stand; return their number."""
    count = wide(0)
    own, other = pawns_of(state, wide(state.seat)), pawns_of(state, wide(1 - state.seat))
    last = wide(state.last[1])
    pawns = own
    while pawns:
        lifted = pawns & (~pawns + bits(1))
        pawns ^= lifted
        start = bit_index(lifted)
        targets = legal_targets(setup, own, other, start, last)
        count = write_actions(out, count, structs.MOVE + start * structs.PLACES, targets)
    return count


@compiled
def may_swap(state: State, setup: Setup) -> bool:
    """Return whether Black may take over White's first pawn."""
    return setup.swap != 0 and state.seat == BLACK and state.pawns[WHITE] == 1 and state.pawns[BLACK] == 0


@compiled
def apply(state: State, setup: Setup, action: int) -> None:
    """Place a pawn, lift one and place it anew, or take over the first pawn."""
    if action == structs.SWAP:
        square = wide(state.last[1])
        state.cells[square] = BLACK + 1
        state.places[WHITE, 0] = OUT
        state.places[BLACK, 0] = square
        for seat in range(2):
            state.pawns[seat] = seat
            state.in_hand[seat] = PAWNS - seat
        state.seat = WHITE
    elif state.phase == structs.LIFTING:
        lift(state, action // structs.PLACES, action % structs.PLACES)
    else:
        place_pawn(state, action - structs.PLACE)
        state.before_trail = state.last[1]
    settle(state, setup)


@compiled
def lift(state: State, start: int, target: int) -> None:
    """Lift a pawn and place it anew."""
    state.cells[start] = structs.EMPTY
    state.cells[target] = state.seat + 1
    relocate(state.places[state.seat], start, target)
    state.last[0] = start
    state.last[1] = target
    state.trail[state.quiet, 0] = start
    state.trail[state.quiet, 1] = target
    state.quiet += 1
    state.seat = 1 - state.seat


@compiled
def settle(state: State, setup: Setup) -> None:
    """End the game by a line, by the last placement, or as a draw."""
    state.phase = structs.FOLLOWING
    mover = 1 - wide(state.seat)
    if setup.variant != structs.TROIKA:
        if candidates(state, setup) == 0 and not may_swap(state, setup):
            finish(state, structs.NO_PLACE, mover)
        return
    for seat in (mover, 1 - mover):
        if any_line(setup, pawns_of(state, seat)):
            finish(state, structs.LINE, seat)
            return
    own, other = pawns_of(state, 1 - mover), pawns_of(state, mover)
    in_hand = wide(state.in_hand[0]) + wide(state.in_hand[1])
    if in_hand == 0:
        settle_full_board(state, setup, own, other)
        return
    # Only a given position can leave nobody a placement.
    rest = candidates(state, setup)
    while rest:
        first = rest & (~rest + bits(1))
        rest ^= first
        if may_place(setup, own, other, bit_index(first), in_hand):
            return
    finish(state, structs.STUCK, structs.NOBODY)


@compiled
def settle_full_board(state: State, setup: Setup, own: int, other: int) -> None:
    """Troika: end the game when all pawns stand, or go on by lifting them."""
    if not setup.goes_on:
        finish(state, structs.ALL_PLACED, structs.NOBODY)
        return
    state.phase = structs.LIFTING
    state.occurrences = count_lifted_occurrences(state)
    if not can_lift_legally(setup, own, other, wide(state.last[1])):
        finish(state, structs.STUCK, structs.NOBODY)
    elif state.occurrences == 3:
        finish(state, structs.REPETITION, structs.NOBODY)
    elif state.quiet == MOST_LIFTS:
        finish(state, structs.FIFTY_MOVES, structs.NOBODY)


@compiled
def can_lift_legally(setup: Setup, own: int, other: int, last: int) -> bool:
    """Troika: return whether a side has a legal lift."""
    pawns = own
    while pawns:
        lifted = pawns & (~pawns + bits(1))
        pawns ^= lifted
        if legal_targets(setup, own, other, bit_index(lifted), last):
            return True
    return False


@compiled
def count_lifted_occurrences(state: State) -> int:
    """Troika: return how often these pawns stood with the same seat to move and the same pawn placed last."""
    occurrences = 1
    mine = theirs = bits(0)
    for at in range(wide(state.quiet) - 1, 0, -2):
        mine ^= squares_of(state.trail[at])
        theirs ^= squares_of(state.trail[at - 1])
        last = state.before_trail if at == 1 else state.trail[at - 2, 1]
        if mine | theirs == 0 and last == state.last[1]:
            occurrences += 1
    return occurrences
