"""Monte Carlo tree search over information sets, for any number of seats, whose moves are whole turns.

Every iteration redraws what the seat at the root cannot see, walks down the tree with new luck and adds one branch. A
node has not all turns as branches, there are far too many, but those that `turns.find` proposes, more of them the more
often it is visited. Each seat prefers the branches that are best for itself. A leaf is judged by the game, or, where
the game has no opinion, by a random game to the end.

One node of a budget is one action made, by whom and wherever.
"""

from math import log, sqrt
from typing import Annotated, Any

import numpy as np

from mchezo.core import verbs
from mchezo.core.compiled import compiled
from mchezo.core.dice import throw
from mchezo.core.kernels import weighted
from mchezo.core.structs import CHANCE, OVER, Actions, Int32, Numbers, Structs, Weights, Words64, layout, wide
from mchezo.search.turns import LONGEST_TURN, MOST_SEATS, find, replay

NONE = 0  # the root is nobody's branch

EXPLORE = 0.15  # how much a branch that was seldom tried is preferred
ROOT_SHARE = 0.4  # of all nodes, for proposals at the root
ROOT_TRIES = 150  # turns tried for a proposal at the root
TRIES = 50  # and at other nodes
WIDEN = 0.7  # proposals of a node: one, and so many times the root of its visits more


class Branch:
    """A turn in the tree, and the node that it leads to."""

    parent: Int32
    first: Int32  # branch of this node, NONE without any
    following: Int32  # branch of the same parent
    seat: Int32  # that is to move at this node
    visits: Int32
    proposals: Int32  # asked for at this node, whether or not they brought a new branch
    length: Int32  # of the turn
    end: Annotated[int, np.uint64]  # key of the state that the turn led to when it was found
    turn: Annotated[Actions, np.int32, LONGEST_TURN]  # the seat's decisions
    chances: Annotated[Numbers, np.float64, MOST_SEATS]  # sums over the visits
    points: Annotated[Numbers, np.float64, MOST_SEATS]


BRANCH = layout(Branch)

# What is counted
BRANCHES, NODES, PLANNED, ITERATIONS, OPINION = range(5)
COUNTS = 5

Counts = Any


@compiled
def search(
    states: Structs,
    setups: Structs,
    seats: int,
    path: Structs,
    branches: Structs,
    counts: Counts,
    weights: Numbers,
    knobs: Numbers,
    actions: Actions,
    odds: Weights,
    done: Actions,
    points: Numbers,
    chances: Numbers,
    throws: Words64,
    until: int,
) -> None:
    """Go on until so many nodes are counted or no branch is left. Everything that is remembered is in the arrays.

    `states` holds the position; `path` has room for two turns of states.
    """
    setup = setups[0]
    root_seat = verbs.to_move(states[0])
    if counts[BRANCHES] == 0:
        counts[BRANCHES] = 1
        counts[OPINION] = verbs.judge(states[0], setup, weights, points, chances)
        branches[0].seat = root_seat
    while counts[NODES] < until and counts[BRANCHES] < len(branches):
        path[0] = states[0]
        verbs.hide(path[0], setup, root_seat, throws)
        at = wide(0)
        while True:
            node = branches[at]
            tries = wide(min(1500.0, knobs[2] * (1 + knobs[5] * node.proposals))) if at == 0 else wide(knobs[3])
            if not counts[OPINION]:
                tries = 1
            child = wide(NONE)
            if wants_proposal(node, at, counts, knobs):
                before = counts[NODES]
                child = propose(path, setup, branches, at, counts, weights, knobs, tries, actions, odds, throws, done)
                if at == 0:
                    counts[PLANNED] += counts[NODES] - before
            if child == NONE:
                child = select(branches, at, knobs)
            turn, length = branches[child].turn, wide(branches[child].length)
            end, made = replay(path, setup, turn, length, weights, wide(knobs[3]) if counts[OPINION] else 1, actions, odds, throws, done)
            path[0] = path[end]
            counts[NODES] += made
            while verbs.to_move(path[0]) == CHANCE:
                verbs.apply(path[0], setup, wide(actions[weighted(odds, verbs.chance(path[0], setup, actions, odds), throws)]))
                counts[NODES] += 1
            at = child
            asked = verbs.to_move(path[0])
            if branches[at].visits == 0:
                branches[at].seat = asked
                break
            if asked == OVER or branches[at].seat != asked:
                break
        if not (verbs.to_move(path[0]) != OVER and verbs.judge(path[0], setup, weights, points, chances)):
            counts[NODES] += play_out(path[0], setup, actions, odds, throws)
            verbs.scores(path[0], setup, points)
            verbs.returns(path[0], setup, chances)
            for seat in range(seats):
                chances[seat] = (chances[seat] + 1) / 2
        counts[ITERATIONS] += 1
        while True:
            branch = branches[at]
            branch.visits += 1
            for seat in range(seats):
                branch.chances[seat] += chances[seat]
                branch.points[seat] += points[seat]
            if at == 0:
                break
            at = wide(branch.parent)


@compiled
def wants_proposal(node: Branch, at: int, counts: Counts, knobs: Numbers) -> bool:
    """Whether it is time for another branch here."""
    if node.first == NONE:
        return True
    if at == 0 and counts[OPINION]:
        return counts[PLANNED] < knobs[1] * counts[NODES]
    return node.proposals < 1 + knobs[4] * sqrt(node.visits)


@compiled
def propose(
    path: Structs,
    setup: Any,
    branches: Structs,
    at: int,
    counts: Counts,
    weights: Numbers,
    knobs: Numbers,
    tries: int,
    actions: Actions,
    odds: Weights,
    throws: Words64,
    done: Actions,
) -> int:
    """Find a turn at this node and make it a branch; NONE if the node has it already.

    Every other proposal mends the turn that was chosen most often so far.
    """
    node = branches[at]
    node.proposals += 1
    length = wide(0)
    if node.proposals % 2 == 0 and counts[OPINION]:
        favourite = most_visited(branches, at)
        length, made = replay(
            path, setup, branches[favourite].turn, wide(branches[favourite].length), weights, tries, actions, odds, throws, done
        )
        counts[NODES] += made
    length, made = find(path, setup, weights, tries, actions, odds, throws, done, min(length, LONGEST_TURN))
    counts[NODES] += made
    end = verbs.key(path[length])
    other = wide(node.first)
    while other != NONE:
        if branches[other].end == end:
            return NONE
        other = wide(branches[other].following)
    new = wide(counts[BRANCHES])
    counts[BRANCHES] += 1
    branch = branches[new]
    branch.end = end
    seat = verbs.to_move(path[0])
    own = 0
    for index in range(length):
        if verbs.to_move(path[index]) == seat:
            branch.turn[own] = done[index]
            own += 1
    branch.length = own
    branch.parent = at
    branch.following = node.first
    node.first = new
    return new


@compiled
def most_visited(branches: Structs, at: int) -> int:
    """The branch of a node that was chosen most often."""
    best = other = wide(branches[at].first)
    while other != NONE:
        if branches[other].visits > branches[best].visits:
            best = other
        other = wide(branches[other].following)
    return best


@compiled
def select(branches: Structs, at: int, knobs: Numbers) -> int:
    """The branch that is best for the seat of a node, with a premium for those seldom tried."""
    node = branches[at]
    seat = wide(node.seat)
    logarithm = log(node.visits + 1)
    best = other = wide(node.first)
    most = -1e18
    while other != NONE:
        branch = branches[other]
        if branch.visits == 0:
            return other
        value = branch.chances[seat] / branch.visits + knobs[0] * sqrt(logarithm / branch.visits)
        if value > most:
            most = value
            best = other
        other = wide(branch.following)
    return best


@compiled
def play_out(state: Any, setup: Any, actions: Actions, odds: Weights, throws: Words64) -> int:
    """Play at random to the end; return how many actions that took."""
    made = wide(0)
    asked = verbs.to_move(state)
    while asked != OVER:
        if asked == CHANCE:
            index = weighted(odds, verbs.chance(state, setup, actions, odds), throws)
        else:
            index = throw(throws, verbs.sensible(state, setup, actions))
        verbs.apply(state, setup, wide(actions[index]))
        made += 1
        asked = verbs.to_move(state)
    return made
