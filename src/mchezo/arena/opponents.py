"""Reference opponents: plain players of known make, against which the strength of others is told.

Each is what its name says. It does the same for every position, whatever nodes or seconds it is offered, and ends
early only when told to stop. What its seat cannot see it redraws before it looks at anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, inf
from typing import Any

import numpy as np

from mchezo.arena.measures import WORTHS, lead
from mchezo.core import kernels, verbs
from mchezo.core.compiled import compiled
from mchezo.core.dice import dice, throw
from mchezo.core.errors import Refusal
from mchezo.core.kernels import weighted
from mchezo.core.position import Position
from mchezo.core.structs import CHANCE, OVER, Actions, Numbers, Structs, Weights, Words64, wide
from mchezo.core.words import Words
from mchezo.search import planner
from mchezo.search.thought import Stop, Thought

WORDS = Words("mchezo.arena")

WON = 1e6  # a game that is won counts more than anything that can be measured
SAMPLES = 8  # how often chance is tried after a decision
SLICE_NODES = 5_000  # of alpha-beta, between two looks at `stop`
SLICE_ROLLOUTS = 20


# The compiled parts


@compiled
def settle(state: Any, setup: Any, actions: Actions, odds: Weights, throws: Words64) -> bool:
    """Let chance decide until a seat is to move; whether there was anything to decide."""
    drew = False
    while verbs.to_move(state) == CHANCE:
        drawn = weighted(odds, verbs.chance(state, setup, actions, odds), throws)
        verbs.apply(state, setup, wide(actions[drawn]))
        drew = True
    return drew


@compiled
def standing(state: Any, setup: Any, seat: int, results: Numbers) -> float:
    """How a seat stands: won, lost or drawn, else what it has more than the others."""
    if verbs.to_move(state) == OVER:
        verbs.returns(state, setup, results)
        return WON * float(results[seat])
    return lead(state, setup, seat, len(results))


@compiled
def judge(
    states: Structs, setups: Structs, seat: int, rows: Actions, odds: Weights, throws: Words64, results: Numbers
) -> tuple[int, float]:
    """The decision in states[0] whose result the seat likes best, and how much; of equals any.

    Where the seat goes on deciding, its best next decision is part of the result: half of a move leads nowhere.
    """
    setup = setups[0]
    count = verbs.legal(states[0], setup, rows[0])
    best, most, equals = wide(0), -1e18, wide(0)
    for number in range(count):
        total, tried = 0.0, 0
        for _ in range(SAMPLES):
            states[1] = states[0]
            verbs.apply(states[1], setup, wide(rows[0, number]))
            drew = settle(states[1], setup, rows[1], odds, throws)
            if verbs.to_move(states[1]) == seat:
                reached = -1e18
                for following in range(verbs.legal(states[1], setup, rows[1])):
                    states[2] = states[1]
                    verbs.apply(states[2], setup, wide(rows[1, following]))
                    settle(states[2], setup, rows[2], odds, throws)
                    reached = max(reached, standing(states[2], setup, seat, results))
            else:
                reached = standing(states[1], setup, seat, results)
            total += reached
            tried += 1
            if not drew:
                break
        worth = total / tried
        if worth > most:
            best, most, equals = wide(rows[0, number]), worth, wide(1)
        elif worth == most:
            equals += 1
            if throw(throws, equals) == 0:
                best = wide(rows[0, number])
    return best, most


@compiled
def rollouts(
    states: Structs,
    setups: Structs,
    seat: int,
    decisions: Actions,
    first: int,
    count: int,
    actions: Actions,
    odds: Weights,
    throws: Words64,
    results: Numbers,
    sums: Numbers,
) -> None:
    """Play games number `first` and following to their end at random, the decisions in turn; add up the results."""
    setup = setups[0]
    state = states[1]
    for number in range(first, first + count):
        tried = number % len(decisions)
        states[1] = states[0]
        verbs.hide(state, setup, seat, throws)
        verbs.apply(state, setup, wide(decisions[tried]))
        while settle(state, setup, actions, odds, throws) or verbs.to_move(state) != OVER:
            if verbs.to_move(state) != OVER:
                chosen = throw(throws, verbs.legal(state, setup, actions))
                verbs.apply(state, setup, wide(actions[chosen]))
        verbs.returns(state, setup, results)
        for other in range(len(results)):
            sums[tried, other] += results[other]


@compiled
def search(
    states: Structs,
    setups: Structs,
    rows: Actions,
    counts: Actions,
    tried: Actions,
    bounds: Numbers,
    cursor: Actions,
    odds: Weights,
    throws: Words64,
    results: Numbers,
    nodes: int,
) -> bool:
    """Alpha-beta to a fixed depth, for so many nodes more; whether it is finished.

    `states`, `rows`, `counts`, `tried` and `bounds` have a row for each decision looked ahead; `cursor` is the row
    where it is, the action found, and the nodes made. Seat 0 raises the lower bound, seat 1 lowers the upper one.
    """
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
            settle(state, setup, rows[leaf], odds, throws)
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


class Table:
    """A position as a reference opponent may look at it, and room to work in."""

    def __init__(self, position: Position, seed: int, places: int = 2) -> None:
        self.position = position
        states, self.setups, most, self.seats = position.arrays
        seat = position.to_move
        if seat is None or seat < 0:
            raise ValueError("no seat is to move")
        self.seat = seat
        self.throws = dice(seed)
        self.states = np.repeat(states, places)
        kernels.hide(self.states[:1], self.setups, self.seat, self.throws)
        self.rows = np.zeros((places, most), np.int32)
        self.odds = np.zeros(most, np.int32)
        self.results = np.zeros(self.seats)
        self.legal = self.rows[0, : kernels.list_choices(self.states, self.setups, self.rows[0], self.odds)].copy()

    def thought(self, actions: Sequence[int], chances: Sequence[float] | None, depth: int, nodes: int) -> Thought:
        """A thought whose line is these decisions of the seat in a row; without chances all seats stand alike."""
        moves, states, game = [], self.position.states.copy(), self.position.game
        for action in actions:
            moves.append(game.write(int(action), states[0], self.setups[0]))
            kernels.make(states, self.setups, int(action))
        alike = (1 / self.seats,) * self.seats
        return Thought(tuple(moves), len(moves), tuple(chances or alike), (), depth, nodes, solved=False)

    def chances(self, ahead: float) -> tuple[float, ...]:
        """Chances from how far the seat to move is ahead; the others share the rest."""
        own = 1 / (1 + exp(-max(-50.0, min(50.0, ahead))) * (self.seats - 1))
        return tuple(own if seat == self.seat else (1 - own) / (self.seats - 1) for seat in range(self.seats))


class Random:
    """Plays anything."""

    name = "random"

    def think(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        stop: Stop | None = None,
    ) -> Thought:
        """A move, any with the same probability."""
        table = Table(position, seed)
        return table.thought([table.legal[throw(table.throws, len(table.legal))]], None, 0, 1)


class Greedy:
    """Makes the decision whose immediate result it likes best by its plain measure; chance is tried several times."""

    name = "greedy"

    def think(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        stop: Stop | None = None,
    ) -> Thought:
        """The best move as far as one move goes."""
        table = Table(position, seed, 3)
        seat, rows, odds = table.seat, table.rows, table.odds
        action, ahead = judge(table.states, table.setups, seat, rows, odds, table.throws, table.results)
        return table.thought([action], table.chances(ahead), 1, len(table.legal))


class PlainAlphaBeta:
    """Alpha-beta to a fixed depth of decisions, by the plain measure: no table, no ordering, nothing after the end."""

    def __init__(self, depth: int = 3) -> None:
        self.depth = depth
        self.name = f"alphabeta:{depth}"

    def think(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        stop: Stop | None = None,
    ) -> Thought:
        """The best move at that depth; of equals any. What chance would do on the way is drawn once."""
        table = Table(position, seed, self.depth + 1)
        if table.seats != 2:
            raise Refusal("two-seats", WORDS, player=self.name, seats=table.seats)
        np.random.default_rng(seed).shuffle(table.legal)
        table.rows[0, : len(table.legal)] = table.legal
        counts, tried = np.zeros(self.depth, np.int32), np.zeros(self.depth, np.int32)
        counts[0] = len(table.legal)
        bounds = np.zeros((self.depth, 2))
        bounds[0] = -inf, inf
        cursor = np.array([0, table.legal[0], 0], np.int32)
        walk = (table.states, table.setups, table.rows, counts, tried, bounds, cursor, table.odds, table.throws)
        while not search(*walk, table.results, SLICE_NODES):
            if stop is not None and stop():
                break
        value = float(bounds[0, table.seat])
        return table.thought(
            [cursor[1]], table.chances(value if table.seat == 0 else -value), self.depth, int(cursor[2])
        )


class FlatMonteCarlo:
    """Tries all decisions equally often, each with games played to the end at random, and makes the best."""

    def __init__(self, rollouts: int = 2_000) -> None:
        self.rollouts = rollouts
        self.name = f"flat:{rollouts}"

    def think(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        stop: Stop | None = None,
    ) -> Thought:
        """The decision with the best results; before every game what the seat cannot see is redrawn."""
        table = Table(position, seed)
        decisions, made = table.legal, 0
        sums = np.zeros((len(decisions), table.seats))
        while made < self.rollouts and not (made and stop is not None and stop()):
            count = min(SLICE_ROLLOUTS, self.rollouts - made)
            rollouts(
                table.states,
                table.setups,
                table.seat,
                decisions,
                made,
                count,
                table.rows[1],
                table.odds,
                table.throws,
                table.results,
                sums,
            )
            made += count
        times = np.array([len(range(number, made, len(decisions))) for number in range(len(decisions))])
        means = sums / np.maximum(times, 1)[:, None]
        best = int(np.argmax(np.where(times > 0, means[:, table.seat], -inf)))
        return table.thought([decisions[best]], tuple((means[best] + 1) / 2), 1, made)


class Planner:
    """Plans whole turns of Kitara: of so many tried it plays the one whose end it likes best, by hand-set worths."""

    def __init__(self, tries: int = 200) -> None:
        self.tries = tries
        self.name = f"planner:{tries}"

    def think(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        stop: Stop | None = None,
    ) -> Thought:
        """The turn as far as chance and others have no say."""
        if position.game.name != "kitara":
            raise Refusal("planner-game", WORDS, given=position.game.name)
        table = Table(position, seed)
        setup, row, odds = table.setups[0], table.rows[1], table.odds
        path = np.repeat(table.states[:1], planner.LONGEST_TURN + 2)
        room, best = np.zeros(len(WORTHS)), np.zeros(planner.LONGEST_TURN, np.int32)
        length = planner.plan(path, setup, table.seats, WORTHS, room, self.tries, row, odds, table.throws, best)
        own = 0
        while own < length and kernels.who(path[own : own + 1]) == table.seat:
            own += 1
        ahead = float(lead(path[length], setup, table.seat, table.seats))
        return table.thought(best[:own].tolist(), table.chances(ahead), 1, self.tries)
