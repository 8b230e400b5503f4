"""Reference opponents: simple, fixed players against which the strength of others is measured.

Each does what its name says with a fixed effort, ignoring nodes and seconds; only a stop request ends it early. They
determinize the position first, so they never use information hidden from their seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, inf
from typing import Any, NamedTuple, Unpack

import numpy as np

from mchezo.arena.heuristics import lead, lead_of
from mchezo.core import kernels, verbs
from mchezo.core.compiled import compiled, kernel
from mchezo.core.errors import UserError
from mchezo.core.kernels import settle
from mchezo.core.position import Position
from mchezo.core.rng import new_rng, randbelow
from mchezo.core.structs import OVER, ActionRows, Actions, NumberRows, Numbers, Setups, States, Weights, Words64, wide
from mchezo.core.words import Words
from mchezo.search import planner
from mchezo.search.thought import SearchOptions, Thought
from mchezo.search.turns import Planning

WORDS = Words("mchezo.arena")

WON = 1e6  # a win outweighs any measure
SAMPLES = 8  # chance outcomes sampled after a decision
SLICE_NODES = 5_000  # of alpha-beta, between two checks of `stop`
SLICE_ROLLOUTS = 20


# The compiled parts


@compiled
def standing(state: Any, setup: Any, seat: int, results: Numbers) -> float:
    """Return the heuristic value for a seat: the result of a finished game, else its lead."""
    if verbs.to_move(state) == OVER:
        verbs.returns(state, setup, results)
        return WON * float(results[seat])
    return lead(state, setup, seat, len(results))


@kernel
def best_decision(
    states: States,
    setups: Setups,
    seat: int,
    rows: ActionRows,
    odds: Weights,
    rng: Words64,
    results: Numbers,
    value: Numbers,
) -> int:
    """Return the decision in states[0] with the highest heuristic value, and write it; ties are broken at random.

    If the seat decides again, its best next decision is included: half a move says little.
    """
    setup = setups[0]
    count = verbs.legal(states[0], setup, rows[0])
    best, most, equals = wide(0), -1e18, wide(0)
    for number in range(count):
        total, tried = 0.0, 0
        for _ in range(SAMPLES):
            states[1] = states[0]
            verbs.apply(states[1], setup, wide(rows[0, number]))
            draws = settle(states[1], setup, rows[1], odds, rng)
            if verbs.to_move(states[1]) == seat:
                reached = -1e18
                for following in range(verbs.legal(states[1], setup, rows[1])):
                    states[2] = states[1]
                    verbs.apply(states[2], setup, wide(rows[1, following]))
                    settle(states[2], setup, rows[2], odds, rng)
                    reached = max(reached, standing(states[2], setup, seat, results))
            else:
                reached = standing(states[1], setup, seat, results)
            total += reached
            tried += 1
            if draws == 0:
                break
        mean = total / tried
        if mean > most:
            best, most, equals = wide(rows[0, number]), mean, wide(1)
        elif mean == most:
            equals += 1
            if randbelow(rng, equals) == 0:
                best = wide(rows[0, number])
    value[0] = most
    return best


@kernel
def rollouts(
    states: States,
    setups: Setups,
    seat: int,
    decisions: Actions,
    first: int,
    count: int,
    actions: Actions,
    odds: Weights,
    rng: Words64,
    results: Numbers,
    sums: NumberRows,
) -> None:
    """Play `count` random rollouts, from number `first` on, after each decision in rotation; add up the results."""
    setup = setups[0]
    state = states[1]
    for number in range(first, first + count):
        tried = number % len(decisions)
        states[1] = states[0]
        verbs.determinize(state, setup, seat, rng)
        verbs.apply(state, setup, wide(decisions[tried]))
        while settle(state, setup, actions, odds, rng) or verbs.to_move(state) != OVER:
            if verbs.to_move(state) != OVER:
                chosen = randbelow(rng, verbs.legal(state, setup, actions))
                verbs.apply(state, setup, wide(actions[chosen]))
        verbs.returns(state, setup, results)
        for other in range(len(results)):
            sums[tried, other] += results[other]


class PlainStack(NamedTuple):
    """The arrays of a fixed-depth alpha-beta search, most of them with a row for each ply."""

    states: States
    setups: Setups
    rows: ActionRows  # legal actions; the last row is scratch space for chance
    counts: Actions
    tried: Actions
    bounds: NumberRows  # alpha and beta: seat 0 raises the former, seat 1 lowers the latter
    cursor: Actions  # the current ply, the best action at the root, and the nodes visited
    odds: Weights
    rng: Words64
    results: Numbers


@kernel
def search(stack: PlainStack, nodes: int) -> bool:
    """Run alpha-beta to a fixed depth for `nodes` more nodes; return whether it is finished."""
    states, setups, rows, counts, tried, bounds, cursor, odds, rng, results = stack
    setup = setups[0]
    level, leaf = wide(cursor[0]), len(counts)
    while nodes > 0:
        if tried[level] == counts[level] or bounds[level, 0] >= bounds[level, 1]:
            if level == 0:
                return True
            value = bounds[level, verbs.to_move(states[level])]
            level -= 1
        else:
            nodes -= 1
            cursor[2] += 1
            states[level + 1] = states[level]
            state = states[level + 1]
            verbs.apply(state, setup, wide(rows[level, tried[level]]))
            tried[level] += 1
            settle(state, setup, rows[leaf], odds, rng)
            if verbs.to_move(state) != OVER and level + 1 < leaf:
                level += 1
                counts[level] = verbs.legal(state, setup, rows[level])
                tried[level] = 0
                bounds[level, 0], bounds[level, 1] = bounds[level - 1, 0], bounds[level - 1, 1]
                cursor[0] = level
                continue
            value = standing(state, setup, wide(0), results)
        better = value > bounds[level, 0] if verbs.to_move(states[level]) == 0 else value < bounds[level, 1]
        if better:
            bounds[level, verbs.to_move(states[level])] = value
            if level == 0:
                cursor[1] = rows[0, tried[0] - 1]
        cursor[0] = level
    return False


# The players


class Workspace:
    """A determinized copy of a position, with arrays to work in."""

    def __init__(self, position: Position, seed: int, places: int = 2) -> None:
        self.position = position
        states, self.setups, most, self.seats = position.arrays
        seat = position.to_move
        if seat is None or seat < 0:
            raise ValueError("no seat is to move")
        self.seat = seat
        self.rng = new_rng(seed)
        self.states = np.repeat(states, places)
        kernels.determinize(self.states[:1], self.setups, self.seat, self.rng)
        self.rows = np.zeros((places, most), np.int32)
        self.odds = np.zeros(most, np.int32)
        self.results = np.zeros(self.seats)
        self.legal = self.rows[0, : kernels.list_choices(self.states, self.setups, self.rows[0], self.odds)].copy()

    def thought(self, actions: Sequence[int], chances: Sequence[float] | None, depth: int, nodes: int) -> Thought:
        """Return a thought with these consecutive decisions of the seat; without chances all seats are equal."""
        moves, states, game = [], self.position.states.copy(), self.position.game
        for action in actions:
            moves.append(game.notation.write(int(action), states[0], self.setups[0]))
            kernels.apply_action(states, self.setups, int(action))
        equal = (1 / self.seats,) * self.seats
        return Thought(tuple(moves), len(moves), tuple(chances or equal), (), depth, nodes, solved=False)

    def chances(self, lead: float) -> tuple[float, ...]:
        """Convert the lead of the seat to move to chances of winning; the others share the rest."""
        own = 1 / (1 + exp(-max(-50.0, min(50.0, lead))) * (self.seats - 1))
        return tuple(own if seat == self.seat else (1 - own) / (self.seats - 1) for seat in range(self.seats))


class Random:
    """Plays a random legal move."""

    name = "random"

    def think(self, position: Position, **options: Unpack[SearchOptions]) -> Thought:
        """Return a uniformly random move."""
        work = Workspace(position, options.get("seed", 0))
        return work.thought([work.legal[randbelow(work.rng, len(work.legal))]], None, 0, 1)


class Greedy:
    """Makes the decision with the best immediate heuristic value; chance is sampled several times."""

    name = "greedy"

    def think(self, position: Position, **options: Unpack[SearchOptions]) -> Thought:
        """Return the best move at a depth of one decision."""
        work = Workspace(position, options.get("seed", 0), 3)
        seat, rows, odds = work.seat, work.rows, work.odds
        value = np.zeros(1)
        action = best_decision(work.states, work.setups, seat, rows, odds, work.rng, work.results, value)
        return work.thought([action], work.chances(float(value[0])), 1, len(work.legal))


class PlainAlphaBeta:
    """Fixed-depth alpha-beta with a simple heuristic: no transposition table, move ordering or quiescence search."""

    def __init__(self, depth: int = 3) -> None:
        self.depth = depth
        self.name = f"alphabeta:{depth}"

    def think(self, position: Position, **options: Unpack[SearchOptions]) -> Thought:
        """Return the best move at that depth; ties are broken at random, and chance is sampled once per node."""
        seed, stop = options.get("seed", 0), options.get("stop")
        work = Workspace(position, seed, self.depth + 1)
        if work.seats != 2:
            raise UserError("two-seats", WORDS, player=self.name, seats=work.seats)
        np.random.default_rng(seed).shuffle(work.legal)
        work.rows[0, : len(work.legal)] = work.legal
        counts, tried = np.zeros(self.depth, np.int32), np.zeros(self.depth, np.int32)
        counts[0] = len(work.legal)
        bounds = np.zeros((self.depth, 2))
        bounds[0] = -inf, inf
        cursor = np.array([0, work.legal[0], 0], np.int32)
        stack = PlainStack(
            work.states, work.setups, work.rows, counts, tried, bounds, cursor, work.odds, work.rng, work.results
        )
        while not search(stack, SLICE_NODES):
            if stop is not None and stop():
                break
        value = float(bounds[0, work.seat])
        chances = work.chances(value if work.seat == 0 else -value)
        return work.thought([cursor[1]], chances, self.depth, int(cursor[2]))


class FlatMonteCarlo:
    """Flat Monte Carlo: tries all decisions equally often with random rollouts and makes the best one."""

    def __init__(self, rollouts: int = 2_000) -> None:
        self.rollouts = rollouts
        self.name = f"flat:{rollouts}"

    def think(self, position: Position, **options: Unpack[SearchOptions]) -> Thought:
        """Return the decision with the best mean result; every rollout has its own determinization."""
        stop = options.get("stop")
        work = Workspace(position, options.get("seed", 0))
        decisions, made = work.legal, 0
        sums = np.zeros((len(decisions), work.seats))
        while made < self.rollouts and not (made and stop is not None and stop()):
            count = min(SLICE_ROLLOUTS, self.rollouts - made)
            rollouts(
                work.states,
                work.setups,
                work.seat,
                decisions,
                made,
                count,
                work.rows[1],
                work.odds,
                work.rng,
                work.results,
                sums,
            )
            made += count
        times = np.array([len(range(number, made, len(decisions))) for number in range(len(decisions))])
        means = sums / np.maximum(times, 1)[:, None]
        best = int(np.argmax(np.where(times > 0, means[:, work.seat], -inf)))
        return work.thought([decisions[best]], tuple((means[best] + 1) / 2), 1, made)


class Planner:
    """Plans whole turns: tries a number of turns and plays the best one by the game's hand-set weights in points."""

    def __init__(self, tries: int = 200) -> None:
        self.tries = tries
        self.name = f"planner:{tries}"

    def think(self, position: Position, **options: Unpack[SearchOptions]) -> Thought:
        """Return the planned turn up to where chance or another seat decides."""
        points = position.game.evaluation.points
        if points is None:
            raise UserError("planner-game", WORDS, given=position.game.name)
        work = Workspace(position, options.get("seed", 0))
        path = np.repeat(work.states[:1], planner.LONGEST_TURN + 2)
        features, best = np.zeros(len(points)), np.zeros(planner.LONGEST_TURN, np.int32)
        planning = Planning(points, work.rows[1], work.odds, work.rng)
        length = planner.plan(path, work.setups, work.seats, planning, features, self.tries, best)
        own = 0
        while own < length and kernels.to_move(path[own : own + 1]) == work.seat:
            own += 1
        ahead = lead_of(path[length : length + 1], work.setups, work.seat, work.seats)
        return work.thought(best[:own].tolist(), work.chances(ahead), 1, self.tries)
