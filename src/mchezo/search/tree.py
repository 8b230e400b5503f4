"""Information-set Monte Carlo tree search over whole turns, for any number of seats.

Every iteration determinizes the root (redraws what its seat cannot see), descends with new luck, and adds one branch. A
node has far too many turns to list them all, so its branches are candidate turns proposed by `turns.find`; progressive
widening adds more of them as the node is visited. Each seat selects by UCB on its own chance of winning. A leaf is
evaluated by the game instead of a rollout, and its value is backed up along the path.

A node of the budget is one applied action, anywhere in the search.
"""

from math import sqrt
from typing import Annotated, Any, NamedTuple

from mchezo.core import arrays, verbs
from mchezo.core.compiled import compiled, kernel
from mchezo.core.elementary import log
from mchezo.core.kernels import settle
from mchezo.core.structs import OVER, Actions, Array, Int32, Numbers, Setups, States, Structs, UInt64, layout, wide
from mchezo.search.turns import LONGEST_TURN, MOST_SEATS, Planning, find, replay

NONE = 0  # the root is nobody's branch

EXPLORE = 0.05  # UCB exploration constant
ROOT_SHARE = 0.75  # share of all nodes spent on candidate turns at the root
ROOT_GROWTH = 2  # at the root the n-th candidate is the best of 1 + ROOT_GROWTH * n^2 turns
MOST_TRIES = 1_500
TRIES = 50  # turns tried per candidate at other nodes
GROWN = 10  # visits before a branch is expanded; until then its end is evaluated, which is cheap
WIDEN = 0.5  # progressive widening: 1 + WIDEN * sqrt(visits) children


class Branch:
    """A candidate turn and the node that it leads to."""

    parent: Int32
    first: Int32  # child of this node, NONE without any
    following: Int32  # sibling
    seat: Int32  # to move at this node
    visits: Int32
    proposals: Int32  # requested at this node, including duplicates
    length: Int32  # of the turn
    end: UInt64  # Zobrist key of the state that the turn led to when it was found
    turn: Annotated[Actions, arrays.int32, LONGEST_TURN]  # the seat's decisions
    chances: Annotated[Numbers, arrays.float64, MOST_SEATS]  # sums of backed-up values
    points: Annotated[Numbers, arrays.float64, MOST_SEATS]


BRANCH = layout(Branch)

# Indices of the counters
BRANCHES, NODES, PLANNED = range(3)
COUNTS = 3
Counts = Annotated[arrays.NDArray[arrays.int64], Array(arrays.int64)]
Branches = Annotated[Structs, Array(BRANCH)]


class Tree(NamedTuple):
    """The arrays of one search: everything it remembers, and scratch space."""

    states: States  # the position at the root
    setups: Setups
    firsts: Actions  # the decisions that a turn may begin with at the root; empty for any
    branches: Branches
    counts: Counts  # branches, nodes, and nodes spent on candidate turns at the root
    planning: Planning
    path: States  # states along the current turn; room for two turns
    done: Actions  # actions along it; room for two turns
    points: Numbers  # of a leaf, by seat
    chances: Numbers


@kernel
def search(tree: Tree, seats: int, limit: int) -> None:
    """Run iterations until `limit` nodes have been visited in total."""
    states, setups, _, branches, counts, planning, path, done, points, chances = tree
    weights, actions, odds, rng = planning
    setup = setups[0]
    root_seat = verbs.to_move(states[0])
    if counts[BRANCHES] == 0:
        counts[BRANCHES] = 1
        branches[0].seat = root_seat
    while counts[NODES] < limit:
        path[0] = states[0]
        verbs.determinize(path[0], setup, root_seat, rng)
        at = wide(0)
        while True:
            child = wide(NONE)
            if counts[BRANCHES] < len(branches) and wants_candidate(branches[at], at, counts):
                child = propose(tree, setup, at)
            if child == NONE:
                child = select(branches, at)
            if child == NONE:
                break
            branch = branches[child]
            end, made = replay(path, setup, branch.turn, wide(branch.length), planning, TRIES, done)
            counts[NODES] += made
            path[0] = path[end]
            counts[NODES] += settle(path[0], setup, actions, odds, rng)
            at = child
            mover = verbs.to_move(path[0])
            if branch.visits == 0:
                branch.seat = mover
                break
            if mover == OVER or branch.seat != mover or branch.visits < GROWN:
                break
        if verbs.to_move(path[0]) == OVER:
            verbs.scores(path[0], setup, points)
            verbs.returns(path[0], setup, chances)
            for seat in range(seats):
                chances[seat] = (chances[seat] + 1) / 2
        else:
            verbs.estimate(path[0], setup, weights, points, chances)
        back_up(branches, at, seats, points, chances)


@compiled
def back_up(branches: Branches, at: int, seats: int, points: Numbers, chances: Numbers) -> None:
    """Add the value of a leaf to every branch on the path to it."""
    while True:
        branch = branches[at]
        branch.visits += 1
        for seat in range(seats):
            branch.chances[seat] += chances[seat]
            branch.points[seat] += points[seat]
        if at == 0:
            return
        at = wide(branch.parent)


@compiled
def wants_candidate(node: Branch, at: int, counts: Counts) -> bool:
    """Return whether to propose another candidate turn here (progressive widening)."""
    if at == 0:
        return bool(counts[PLANNED] <= ROOT_SHARE * counts[NODES])
    return node.proposals < 1 + WIDEN * sqrt(node.visits)


@compiled
def propose(tree: Tree, setup: Any, at: int) -> int:
    """Find a candidate turn at this node and add it as a branch; return NONE if the node has it already.

    Every other proposal starts from the most visited candidate so far.
    """
    _, _, firsts, branches, counts, planning, path, done, _, _ = tree
    node = branches[at]
    tries = TRIES
    if at == 0:
        tries = min(MOST_TRIES, 1 + ROOT_GROWTH * wide(node.proposals) ** 2)
    else:
        firsts = firsts[:0]
    node.proposals += 1
    before = wide(counts[NODES])
    length = wide(0)
    if node.proposals % 2 == 0:
        favourite = branches[most_visited(branches, at)]
        length, made = replay(path, setup, favourite.turn, wide(favourite.length), planning, TRIES, done)
        counts[NODES] += made
    length, made = find(path, setup, firsts, planning, tries, done, min(length, LONGEST_TURN))
    counts[NODES] += made
    if at == 0:
        counts[PLANNED] += counts[NODES] - before
    end = verbs.key(path[length])
    other = wide(node.first)
    while other != NONE:
        if branches[other].end == end:
            return NONE
        other = wide(branches[other].following)
    new = wide(counts[BRANCHES])
    counts[BRANCHES] += 1
    branch = branches[new]
    branch.parent = at
    branch.following = node.first
    node.first = new
    branch.end = end
    seat = verbs.to_move(path[0])
    for index in range(length):
        if verbs.to_move(path[index]) == seat:
            branch.turn[branch.length] = done[index]
            branch.length += 1
    return new


@kernel
def most_visited(branches: Branches, at: int) -> int:
    """Return the most visited branch of a node; NONE without any."""
    best = other = wide(branches[at].first)
    while other != NONE:
        if branches[other].visits > branches[best].visits:
            best = other
        other = wide(branches[other].following)
    return best


@compiled
def select(branches: Branches, at: int) -> int:
    """Return the branch with the highest UCB for the seat of a node; NONE without any."""
    node = branches[at]
    seat = wide(node.seat)
    logarithm = log(node.visits + 1.0)
    best = other = wide(node.first)
    most = -1e18
    while other != NONE:
        branch = branches[other]
        if branch.visits == 0:
            return other
        bound = branch.chances[seat] / branch.visits + EXPLORE * sqrt(logarithm / branch.visits)
        if bound > most:
            most = bound
            best = other
        other = wide(branch.following)
    return best
