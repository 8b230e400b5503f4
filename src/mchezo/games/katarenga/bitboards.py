"""Katarenga's squares as bitboards: where pawns reach, how they connect, and where Isolation allows a pawn."""

from mchezo.core.bitsets import popcount
from mchezo.core.compiled import compiled, kernel
from mchezo.core.structs import UInt64, bits, wide
from mchezo.games.katarenga.structs import FALLING, JUMPS, PAWNS, RISING, SQUARES, Setup, State, on_board

LAST_SQUARE = bits(1 << 63)
# Reversing 64 bits: swap neighbouring bits, then pairs, nibbles, bytes and so on.
REVERSAL = tuple(
    (bits(shift), bits(mask))
    for shift, mask in (
        (1, 0x5555555555555555),
        (2, 0x3333333333333333),
        (4, 0x0F0F0F0F0F0F0F0F),
        (8, 0x00FF00FF00FF00FF),
        (16, 0x0000FFFF0000FFFF),
        (32, 0x00000000FFFFFFFF),
    )
)


@compiled
def pawns_of(state: State, seat: int) -> int:
    """Return the squares of a seat's pawns."""
    own = bits(0)
    for pawn in range(PAWNS):
        place = wide(state.places[seat, pawn])
        if on_board(place):
            own |= bits(1) << bits(place)
    return own


@compiled
def reached(state: State, setup: Setup, seat: int, occupied: int) -> int:
    """Return the squares that a seat's pawns attack or defend: the first pawn on each path included."""
    turned = wide(state.turned)
    rotated = rotate(occupied)
    rising = falling = bits(0)
    for pawn in range(PAWNS):
        square = wide(state.places[seat, pawn])
        if on_board(square):
            rising |= setup.paths[turned, square, JUMPS]
            rising |= up_to_first(setup.paths[turned, square, RISING], occupied)
            rising |= up_to_first(setup.paths[turned, square, RISING + 1], occupied)
            falling |= up_to_first(setup.paths[turned, square, FALLING], rotated)
            falling |= up_to_first(setup.paths[turned, square, FALLING + 1], rotated)
    return rising | rotate(falling)


@compiled
def reached_from(setup: Setup, turned: int, square: int, occupied: int, rotated: int) -> int:
    """Return the squares that a pawn attacks or defends from a square; `rotated` is `occupied` rotated."""
    rising = up_to_first(setup.paths[turned, square, RISING], occupied)
    rising |= up_to_first(setup.paths[turned, square, RISING + 1], occupied)
    falling = up_to_first(setup.paths[turned, square, FALLING], rotated)
    falling |= up_to_first(setup.paths[turned, square, FALLING + 1], rotated)
    return bits(setup.paths[turned, square, JUMPS]) | rising | rotate(falling)


@compiled
def up_to_first(path: int, occupied: int) -> int:
    """Return the squares of a rising path up to and including the first occupied one."""
    # No path goes on beyond the last square, so it may count as occupied: then some square always is.
    met = path & occupied | LAST_SQUARE
    return path & (met ^ (met - bits(1)))


@compiled
def rotate(squares: int) -> int:
    """Return a set of squares on the board rotated by 180 degrees: square 0 becomes 63."""
    for shift, mask in REVERSAL:
        squares = (squares >> shift & mask) | ((squares & mask) << shift)
    return squares


@compiled
def neighbours(squares: int) -> int:
    """Return the squares orthogonally adjacent to any square of a set."""
    one, eight = bits(1), bits(8)
    not_a, not_h = bits(0xFEFEFEFEFEFEFEFE), bits(0x7F7F7F7F7F7F7F7F)
    return (squares << eight) | (squares >> eight) | ((squares & not_h) << one) | ((squares & not_a) >> one)


@compiled
def first_group(own: int) -> int:
    """Return the pawns that are orthogonally connected to the first one of a set."""
    group = own & (~own + bits(1))
    grown = group | (neighbours(group) & own)
    while grown != group:
        group = grown
        grown = group | (neighbours(group) & own)
    return group


@compiled
def groups_of(own: int) -> tuple[int, int, int]:
    """Return the union of the largest groups of adjacent pawns, the size of one, and the number of all groups."""
    left, largest = own, bits(0)
    most = groups = wide(0)
    while left:
        group = first_group(left)
        left ^= group
        groups += 1
        pawns = popcount(group)
        if pawns > most:
            largest, most = group, pawns
        elif pawns == most:
            largest |= group
    return largest, most, groups


@kernel
def open_squares(state: State, setup: Setup, seat: int) -> UInt64:
    """Isolation: return the squares where a pawn of this seat neither attacks another pawn nor is attacked.

    A new pawn can block older ones, but it cannot open a path between them.
    """
    enemy = pawns_of(state, 1 - seat)
    occupied = pawns_of(state, seat) | enemy
    rotated = rotate(occupied)
    closed = occupied | reached(state, setup, 1 - seat, occupied)
    shunned = enemy
    if not setup.opposite_only:
        closed |= reached(state, setup, seat, occupied)
        shunned = occupied
    turned = wide(state.turned)
    found = bits(0)
    for square in range(SQUARES):
        place = bits(1) << bits(square)
        if closed & place == 0 and reached_from(setup, turned, square, occupied, rotated) & shunned == 0:
            found |= place
    return found
