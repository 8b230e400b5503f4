"""The state of a game of Katarenga or one of its variants, its set-up, and the numbers of its decisions and actions.

Squares are numbered 0 to 63, a1 b1 ... h8; then come the camps: 64 a9, 65 h9 (Black's), 66 a0, 67 h0 (White's).
An action is one number: `from * 68 + to` moves a pawn, `PLACE + square` places one (Isolation), `TURN + quarters` is
Black's choice of the baseline.
"""

from typing import Annotated

import numpy as np

from mchezo.core.structs import Bytes, Int8, Int16, Words64, layout

WHITE, BLACK = 0, 1
EMPTY = 0  # else a cell holds seat + 1
SQUARES = 64
PLACES = 68  # squares and camps
PLACE = SQUARES * PLACES
TURN = PLACE + SQUARES
ACTIONS = TURN + 4

PAWNS = 8
OUT = -1  # the place of a pawn that was captured or is still in hand
# Every pawn moves to at most 14 squares and 2 camps; one more place is for a move written before it is found closed.
MOST_TARGETS = 14
MOST_MOVES = PAWNS * (MOST_TARGETS + 2) + 1

# Colours of squares, in the order of components.COLOURS
RED, GREEN, BLUE, YELLOW = 0, 1, 2, 3

# Variants
KATARENGA, CONGRESS, QUEBEC, ISOLATION = 0, 1, 2, 3
VARIANTS = ("katarenga", "congress", "quebec", "isolation")

# Decisions
CHOOSE_BASELINE, MOVE, PLACE_PAWN, NONE = 0, 1, 2, 3

# How a game ends, by number
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
)
GOES_ON, BOTH_CAMPS, TOO_FEW_PAWNS, CONNECTED, NO_MOVE, NO_PLACE, REPETITION, FIFTY_MOVES, HUNDRED_MOVES = range(9)
DRAWS = frozenset({"repetition", "fifty-moves", "hundred-moves"})
LONGEST_QUIET = 200  # moves of both sides: Congress is drawn after a hundred each


class Setup:
    """What does not change during a game: for each of the board's four turns, where a pawn on each square can go.

    The targets of a square are listed path by path, near before far. A pawn that meets another on a target goes on
    with the next path, which begins at the index in `next_path`.
    """

    variant: Int8
    no_first_capture: Int8
    opposite_only: Int8  # Isolation: only pawns of opposite colours must not reach each other
    colours: Annotated[Bytes, np.int8, 4, SQUARES]
    target_count: Annotated[Bytes, np.int8, 4, SQUARES]
    targets: Annotated[Bytes, np.int8, 4, SQUARES, MOST_TARGETS]
    next_path: Annotated[Bytes, np.int8, 4, SQUARES, MOST_TARGETS]
    # The same as bits, for judging positions. Knight and king: all targets. Rook and bishop: two paths on which the
    # numbers of the squares rise, and two on which they fall, these on the board turned by half, where they rise.
    jumps: Annotated[Words64, np.uint64, 4, SQUARES]
    rising: Annotated[Words64, np.uint64, 4, SQUARES, 2]
    falling: Annotated[Words64, np.uint64, 4, SQUARES, 2]
    moves_away: Annotated[Bytes, np.int8, 4, 2, SQUARES]  # each seat's enemy baseline, in moves on an empty board


class State:
    """What changes from move to move."""

    cells: Annotated[Bytes, np.int8, PLACES]  # EMPTY or seat + 1
    places: Annotated[Bytes, np.int8, 2, PAWNS]  # where each pawn stands: a square, a camp, or OUT
    pawns: Annotated[Bytes, np.int8, 2]  # how many are on the board and in camps
    in_hand: Annotated[Bytes, np.int8, 2]  # not yet on the board
    seat: Int8
    decision: Int8
    turned: Int8  # quarter turns of the board, clockwise
    ending: Int8
    winner: Int8  # -1: nobody
    occurrences: Int8  # how often the position has stood, now included
    moves_made: Int16
    quiet: Int16  # moves since the last capture or camp entry
    last: Annotated[Bytes, np.int8, 2]  # from and to, -1 where there is none
    trail: Annotated[Bytes, np.int8, LONGEST_QUIET, 2]  # the quiet moves, from and to


STATE = layout(State)
SETUP = layout(Setup)
