"""Rules of Isolation alone: one player places pawns that do not reach each other. And how many fit on a board.

Pawns in between change nothing: a pawn whose path is blocked reaches the pawn that blocks it. So the squares of a
legal position are an independent set of a graph: two squares are joined if one reaches the other on the empty board.
"""

from mchezo.core import arrays
from mchezo.core.bitsets import bit_index
from mchezo.core.compiled import compiled, kernel
from mchezo.core.structs import Actions, Structs, Words64, bits, wide
from mchezo.games.katarenga import structs
from mchezo.games.katarenga.bitboards import open_squares
from mchezo.games.katarenga.pieces import finish, place_pawn, write_actions
from mchezo.games.katarenga.structs import BLACK, NOBODY, PAWNS, SQUARES, WHITE, Setup, State

ALL_PAWNS = 2 * PAWNS
BUDGET = 200_000  # nodes; official boards take a few thousand


@compiled
def legal(state: State, setup: Setup, out: Actions) -> int:
    """Write the placements; return their number."""
    return write_actions(out, wide(0), structs.PLACE, open_squares(state, setup, wide(state.seat)))


@compiled
def apply(state: State, setup: Setup, action: int) -> None:
    """Place a pawn; the colours alternate."""
    place_pawn(state, action - structs.PLACE)
    settle(state, setup)


@compiled
def settle(state: State, setup: Setup) -> None:
    """End the game once all pawns stand or none can be placed."""
    state.phase = structs.ALONE
    if placed(state) == ALL_PAWNS:
        finish(state, structs.ALL_PLACED, NOBODY)
    elif open_squares(state, setup, wide(state.seat)) == 0:
        finish(state, structs.NO_PLACE, NOBODY)


@compiled
def placed(state: State) -> int:
    """Return the number of pawns on the board."""
    return wide(state.pawns[WHITE]) + wide(state.pawns[BLACK])


@kernel
def most_placed(state: State, setup: Setup, budget: int, found: Words64) -> int:
    """Return how many pawns can stand at the end, as far as a search of this many nodes finds out.

    Write to `found` the squares of the pawns to come, whether it is proven that no more fit, and the nodes searched.

    Branch and bound: squares that all reach each other take one pawn together, so the number of such groups that cover
    the open squares is an upper bound. Squares are tried from the last group on.
    """
    standing = placed(state)
    goal = wide(ALL_PAWNS) - standing
    joined = joined_squares(setup)
    open_at = arrays.zeros(ALL_PAWNS + 2, arrays.uint64)  # by depth: the squares left to try
    order = arrays.zeros((ALL_PAWNS + 2, SQUARES), arrays.int64)
    bound = arrays.zeros((ALL_PAWNS + 2, SQUARES), arrays.int64)
    left = arrays.zeros(ALL_PAWNS + 2, arrays.int64)
    taken = arrays.zeros(ALL_PAWNS + 2, arrays.uint64)
    best, best_squares = wide(0), bits(0)
    proven = True
    nodes = wide(0)
    depth = wide(0)
    if goal > 0:
        open_at[0] = open_squares(state, setup, wide(state.seat))
        left[0] = cover(open_at[0], joined, order[0], bound[0])
    while depth >= 0 and best < goal:
        if left[depth] == 0 or depth + bound[depth, left[depth] - 1] <= best:
            depth -= 1
            continue
        if nodes >= budget:
            proven = False
            break
        nodes += 1
        left[depth] -= 1
        square = order[depth, left[depth]]
        place = bits(1) << bits(square)
        taken[depth + 1] = bits(taken[depth]) | place
        open_at[depth + 1] = bits(open_at[depth]) & ~bits(joined[square]) & ~place
        open_at[depth] = bits(open_at[depth]) & ~place
        depth += 1
        if depth > best:
            best, best_squares = depth, bits(taken[depth])
        left[depth] = cover(open_at[depth], joined, order[depth], bound[depth])
    found[0] = best_squares
    found[1] = bits(proven)
    found[2] = bits(nodes)
    return standing + best


@compiled
def joined_squares(setup: Setup) -> Words64:
    """Return for every square those that it reaches on the empty board, and those that reach it."""
    joined = arrays.zeros(SQUARES, arrays.uint64)
    for square in range(SQUARES):
        for at in range(wide(setup.targets[0, square, structs.COUNT])):
            target = wide(setup.targets[0, square, at])
            joined[square] = bits(joined[square]) | bits(1) << bits(target)
            joined[target] = bits(joined[target]) | bits(1) << bits(square)
    return joined


@compiled
def cover(squares: int, joined: Words64, order: Actions, bound: Actions) -> int:
    """Cover squares with groups that are joined to each other; write them group by group, and each one's number."""
    count = group = wide(0)
    uncovered = bits(squares)
    while uncovered:
        group += 1
        rest = uncovered
        while rest:
            first = rest & (~rest + bits(1))
            square = bit_index(first)
            uncovered ^= first
            rest &= bits(joined[square])
            order[count] = square
            bound[count] = group
            count += 1
    return count


def attainable(states: Structs, setups: Structs, budget: int) -> tuple[int, list[int], bool, int]:
    """Return how many pawns can stand at the end, the placements that lead there, whether proven, and the nodes."""
    found = arrays.zeros(3, arrays.uint64)
    most = int(most_placed(states[0], setups[0], budget, found))
    actions = [structs.PLACE + square for square in range(SQUARES) if int(found[0]) >> square & 1]
    return most, actions, bool(found[1]), int(found[2])
