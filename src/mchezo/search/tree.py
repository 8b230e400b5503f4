"""Monte Carlo tree search over information sets, for any number of seats, whose moves are whole turns.

Every iteration redraws what the seat at the root cannot see, walks down the tree with new luck and adds one branch. A
node has not all turns as branches, there are far too many, but those that `turns.find` proposes, more of them the more
often it is visited. Each seat prefers the branches that are best for itself. A leaf is judged by the game.

One node of a budget is one action made, by whomever and wherever.
"""

from math import log, sqrt
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from mchezo.core import verbs
from mchezo.core.compiled import compiled
from mchezo.core.kernels import weighted
from mchezo.core.structs import CHANCE, OVER, Actions, Int32, Numbers, Structs, UInt64, Weights, Words64, layout, wide
from mchezo.search.turns import LONGEST_TURN, MOST_SEATS, find, replay

NONE = 0  # the root is nobody's branch

EXPLORE = 0.05  # how much a branch that was seldom tried is preferred
ROOT_SHARE = 0.75  # of all nodes, for proposals at the root
ROOT_GROWTH = 2  # at the root the first proposal is the first turn tried, and each further one tries ever more turns
MOST_TRIES = 1_500
TRIES = 50  # at other nodes
GROWN = 10  # visits after which a branch is followed further; until then where it leads is judged, which is cheap
WIDEN = 0.5  # proposals of another node: one, and so many times the square root of its visits more


class Branch:
    """A turn in the tree, and the node that it leads to."""

    parent: Int32
    first: Int32  # branch of this node, NONE without any
    following: Int32  # branch of the same parent
    seat: Int32  # that is to move at this node
    visits: Int32
    proposals: Int32  # asked for at this node, whether or not they brought a new branch
    length: Int32  # of the turn
    end: UInt64  # key of the state that the turn led to when it was found
    turn: Annotated[Actions, np.int32, LONGEST_TURN]  # the seat's decisions
    chances: Annotated[Numbers, np.float64, MOST_SEATS]  # sums over the visits
    points: Annotated[Numbers, np.float64, MOST_SEATS]


BRANCH = layout(Branch)

# What is counted
BRANCHES, NODES, PLANNED = range(3)
COUNTS = 3
Counts = npt.NDArray[np.int64]


@compiled
def search(
    states: Structs,
    setups: Structs,
    seats: int,
    firsts: Actions,
    path: Structs,
    branches: Structs,
    counts: Counts,
    weights: Numbers,
    actions: Actions,
    odds: Weights,
    done: Actions,
    points: Numbers,
    chances: Numbers,
    throws: Words64,
    until: int,
) -> None:
    """Go on until so many nodes are counted; everything that is remembered is in the arrays.

    `states` holds the position, `firsts` the decisions that a turn may begin with there (none: any); `path` and `done`
    have room for two turns.
    """
    setup = setups[0]
    root_seat = verbs.to_move(states[0])
    if counts[BRANCHES] == 0:
        counts[BRANCHES] = 1
        branches[0].seat = root_seat
    while counts[NODES] < until:
        path[0] = states[0]
        verbs.hide(path[0], setup, root_seat, throws)
        at = wide(0)
        while True:
            child = wide(NONE)
            if counts[BRANCHES] < len(branches) and wants_proposal(branches[at], at, counts):
                begin = firsts if at == 0 else firsts[:0]
                child = propose(path, setup, begin, branches, at, counts, weights, actions, odds, throws, done)
            if child == NONE:
                child = select(branches, at)
            if child == NONE:
                break
            branch = branches[child]
            end, made = replay(
                path, setup, branch.turn, wide(branch.length), weights, TRIES, actions, odds, throws, done
            )
            counts[NODES] += made
            path[0] = path[end]
            while verbs.to_move(path[0]) == CHANCE:
                drawn = weighted(odds, verbs.chance(path[0], setup, actions, odds), throws)
                verbs.apply(path[0], setup, wide(actions[drawn]))
                counts[NODES] += 1
            at = child
            asked = verbs.to_move(path[0])
            if branch.visits == 0:
                branch.seat = asked
                break
            if asked == OVER or branch.seat != asked or branch.visits < GROWN:
                break
        if verbs.to_move(path[0]) == OVER:
            verbs.scores(path[0], setup, points)
            verbs.returns(path[0], setup, chances)
            for seat in range(seats):
                chances[seat] = (chances[seat] + 1) / 2
        else:
            verbs.judge(path[0], setup, weights, points, chances)
        add(branches, at, seats, points, chances)


@compiled
def add(branches: Structs, at: int, seats: int, points: Numbers, chances: Numbers) -> None:
    """Add what a leaf is worth to all branches on the way to it."""
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
def wants_proposal(node: Branch, at: int, counts: Counts) -> bool:
    """Whether it is time for another branch here."""
    if at == 0:
        return bool(counts[PLANNED] <= ROOT_SHARE * counts[NODES])
    return node.proposals < 1 + WIDEN * sqrt(node.visits)


@compiled
def propose(
    path: Structs,
    setup: Any,
    firsts: Actions,
    branches: Structs,
    at: int,
    counts: Counts,
    weights: Numbers,
    actions: Actions,
    odds: Weights,
    throws: Words64,
    done: Actions,
) -> int:
    """Find a turn at this node and make it a branch; NONE if the node has it already.

    Every other proposal mends the turn that was chosen most often so far.
    """
    node = branches[at]
    tries = TRIES
    if at == 0:
        tries = min(MOST_TRIES, 1 + ROOT_GROWTH * wide(node.proposals) ** 2)
    node.proposals += 1
    before = wide(counts[NODES])
    length = wide(0)
    if node.proposals % 2 == 0:
        favourite = branches[most_visited(branches, at)]
        length, made = replay(
            path, setup, favourite.turn, wide(favourite.length), weights, TRIES, actions, odds, throws, done
        )
        counts[NODES] += made
    length, made = find(path, setup, firsts, weights, tries, actions, odds, throws, done, min(length, LONGEST_TURN))
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


@compiled
def most_visited(branches: Structs, at: int) -> int:
    """The branch of a node that was chosen most often; NONE without any."""
    best = other = wide(branches[at].first)
    while other != NONE:
        if branches[other].visits > branches[best].visits:
            best = other
        other = wide(branches[other].following)
    return best


@compiled
def select(branches: Structs, at: int) -> int:
    """The branch that is best for the seat of a node, with a premium for those seldom tried; NONE without any."""
    node = branches[at]
    seat = wide(node.seat)
    logarithm = log(node.visits + 1.0)
    best = other = wide(node.first)
    most = -1e18
    while other != NONE:
        branch = branches[other]
        if branch.visits == 0:
            return other
        value = branch.chances[seat] / branch.visits + EXPLORE * sqrt(logarithm / branch.visits)
        if value > most:
            most = value
            best = other
        other = wide(branch.following)
    return best
