"""State, setup, phases and actions of Katarenga and its variants.

Squares are numbered 0 to 63, a1 b1 ... h8, followed by the camps: 64 a9, 65 h9 (Black's), 66 a0, 67 h0 (White's).
An action is one number: `from * 68 + to` moves a pawn, `PLACE + square` places one, `TURN + quarters` is Black's choice
of the baseline. No pawn moves to its own square, so two of these numbers are free for passing and swapping.
"""

from typing import Annotated

from mchezo.core import arrays
from mchezo.core.compiled import compiled
from mchezo.core.structs import Bytes, Int8, Int16, UInt64, Words64, layout

WHITE, BLACK = 0, 1
EMPTY = 0  # any other cell holds seat + 1, and 3 where games allow pawns of both sides
SQUARES = 64
PLACES = 68  # squares and camps
# Actions
MOVE = 0  # + from * PLACES + to
PLACE = MOVE + SQUARES * PLACES  # + square
TURN = PLACE + SQUARES  # + quarter turns
ACTIONS = TURN + 4
PASS = MOVE  # a1 to a1
SWAP = MOVE + PLACES + 1  # b1 to b1

PAWNS = 8
OUT = -1  # the place of a pawn that has been captured or is still in hand
NOBODY = -1  # the winner of a draw
# A pawn has at most 14 target squares and 2 camps; the extra slot takes a move that is written before it is tested.
MOST_TARGETS = 14
MANY_TARGETS = 8  # most pawns have no more
COUNT = MOST_TARGETS + 1  # where the list of targets has their number
# Paths as bitboards. Knight and king: all targets. Rook and bishop: two paths along which the square numbers rise, and
# two along which they fall, stored on the board rotated by 180 degrees, where they rise as well.
JUMPS, RISING, FALLING, PATHS = 0, 1, 3, 5
MOST_MOVES = PAWNS * (MOST_TARGETS + 2) + 1

# Colours of the squares, in the order of components.COLOURS
RED, GREEN, BLUE, YELLOW = 0, 1, 2, 3

# Variants
VARIANTS = (
    "katarenga",
    "congress",
    "quebec",
    "isolation",
    "isolation-alone",
    "troika",
    "battle-stations",
    "cornered",
    "quartermaster",
    "central-park",
    "colorado",
    "north-west-passage",
    "greengage",
    "chameleon",
)
KATARENGA, CONGRESS, QUEBEC, ISOLATION = range(4)
ISOLATION_ALONE, TROIKA, BATTLE_STATIONS, CORNERED, QUARTERMASTER, CENTRAL_PARK, COLORADO, PASSAGE = range(4, 12)
GREENGAGE, CHAMELEON = 12, 13

# Phases. Those after GAME_OVER belong to the later games, whose rules have a file each.
CHOOSING_BASELINE, MOVING, PLACING, GAME_OVER = range(4)
FOLLOWING = 4  # placing where the pawn placed last reaches: following.py
LIFTING = 5  # placing a pawn anew, once all stand: following.py
STATIONING, BATTLING = 6, 7  # battle_stations.py
PARKING, ENTERING = 8, 9  # central_park.py
CROSSING = 10  # colorado.py
EXCHANGING = 11  # exchange.py
ALONE = 12  # alone.py
PHASES = 13

# How a game ends, indexed by `State.ending`
REASONS = (
    "",
    "both-camps",
    "too-few-pawns",
    "connected",
    "no-move",
    "no-place",
    "repetition",
    "fifty-moves",
    "hundred-moves",
    "line",
    "all-placed",
    "stuck",
    "more-pawns",
    "equal-pawns",
    "parked",
    "all-home",
    "no-pawns",
    "wiped-out",
    "filled",
    "both-filled",
)
NOT_ENDED, BOTH_CAMPS, TOO_FEW_PAWNS, CONNECTED, NO_MOVE, NO_PLACE, REPETITION, FIFTY_MOVES, HUNDRED_MOVES = range(9)
LINE, ALL_PLACED, STUCK, MORE_PAWNS, EQUAL_PAWNS, PARKED, ALL_HOME, NO_PAWNS, WIPED_OUT, FILLED, BOTH_FILLED = range(
    9, 20
)
DRAWS = frozenset({"repetition", "fifty-moves", "hundred-moves", "all-placed", "stuck", "wiped-out", "both-filled"})
LONGEST_QUIET = 200  # plies: Congress is drawn after a hundred moves of each side


class Setup:
    """What stays the same during a game: where a pawn on each square can go, for each of the board's four turns.

    The targets of a square are listed path by path, near before far; the path after that of a target begins at the
    index in `next_path`. After the last target, the list is filled up with the square itself.
    """

    variant: Int8
    no_first_capture: Int8
    opposite_only: Int8  # Isolation: only pawns of opposite colours must not attack each other
    straight_only: Int8  # Troika: only ranks, files and diagonals count as lines
    goes_on: Int8  # Troika: once all pawns stand, they are placed anew
    wipeout_loses: Int8  # Colorado: capturing the last enemy pawn loses instead of drawing
    swap: Int8  # the second player may take the first one's place
    points: Int8  # the winner scores the points of the variant
    most: Int8  # Isolation alone: the most pawns that are known to fit
    most_proven: Int8  # that no more fit is proven
    area: UInt64  # the squares in play
    goals: Annotated[Words64, arrays.uint64, 2]  # the squares that each seat wants to fill, where a game has such
    colours: Annotated[Bytes, arrays.int8, 4, SQUARES]
    targets: Annotated[Bytes, arrays.int8, 4, SQUARES, COUNT + 1]  # and their number
    next_path: Annotated[Bytes, arrays.int8, 4, SQUARES, MOST_TARGETS]
    # The same paths as bitboards, those of a square side by side, for the processor fetches neighbours together.
    paths: Annotated[Words64, arrays.uint64, 4, SQUARES, PATHS]
    moves_away: Annotated[Bytes, arrays.int8, 4, 2, SQUARES]  # distance to each seat's goal on an empty board
    away: Annotated[Bytes, arrays.int8, SQUARES, SQUARES]  # the same between squares, in the games whose goals fill up


class State:
    """What changes during a game."""

    cells: Annotated[Bytes, arrays.int8, PLACES]  # EMPTY or seat + 1
    places: Annotated[Bytes, arrays.int8, 2, PAWNS]  # where each pawn stands: a square, a camp, or OUT
    pawns: Annotated[Bytes, arrays.int8, 2]  # how many are on the board and in camps
    in_hand: Annotated[Bytes, arrays.int8, 2]  # pawns not yet on the board
    seat: Int8  # to move
    phase: Int8
    turned: Int8  # quarter turns of the board, clockwise
    ending: Int8
    winner: Int8  # or NOBODY
    occurrences: Int8  # of this position so far, including now
    moves_made: Int16
    quiet: Int16  # moves since the last capture or camp entry
    last: Annotated[Bytes, arrays.int8, 2]  # from and to of the last move; -1 if there is none
    trail: Annotated[Bytes, arrays.int8, LONGEST_QUIET, 2]  # from and to of these moves
    homing: Annotated[Bytes, arrays.int8, 2]  # Central Park: where each side parks; OUT before it is known
    exposed: Int8  # Colorado: the pawn that has just come home and can still be captured, or OUT
    before_trail: Int8  # before the trail began, Colorado: the exposed pawn; Troika: the pawn placed last


STATE = layout(State)
SETUP = layout(Setup)


@compiled
def on_board(place: int) -> bool:
    """Return whether a place is a square, neither a camp nor OUT."""
    return 0 <= place < SQUARES


@compiled
def first_camp(seat: int) -> int:
    """Return the first of the two enemy camps that this seat has to enter."""
    return 64 if seat == WHITE else 66


@compiled
def last_rank(seat: int) -> int:
    """Return the rank, from 0, of the baseline that this seat has to reach."""
    return 7 if seat == WHITE else 0
