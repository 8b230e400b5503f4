"""Puzzles about the end of a turn, searched exhaustively for the most points if the game ended after it.

Turns that depend on chance are left out. Nothing hidden may matter to the points of a turn.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterator
from typing import NamedTuple

from mchezo.core import arrays, kernels, registry
from mchezo.core.kernels import DECIDERS
from mchezo.core.position import Position
from mchezo.core.puzzles import BestTurn
from mchezo.core.structs import CHANCE, OVER, Structs, plain
from mchezo.puzzles.collection import identified
from mchezo.puzzles.puzzle import Puzzle
from mchezo.puzzles.rating import rate_turn
from mchezo.search.players import player

TRIES = 3  # of each turn, with other beginnings
MOST_STATES = 10_000
LEAST_GAIN = 4  # points more than the median of all ends
MOST_SHARE = 0.05  # of all ends of the turn may be solutions


class Choice(NamedTuple):
    """A state within the turn, who decides, and the choices."""

    states: Structs
    seat: int
    actions: list[int]


class Unclear(Exception):
    """The turn depends on chance, or has too many ends."""


class Turn:
    """All ways to end a turn; `best` is what the seat can be sure of, whatever others answer."""

    def __init__(self, start: Position, kind: BestTurn) -> None:
        assert start.to_move is not None
        self.start, self.kind = start, kind
        self.seat = start.to_move
        self.setup = start.setup_fields
        self.values: dict[int, int] = {}
        self.ends: dict[int, tuple[int, Structs]] = {}  # by key: points and state
        self.best = self.value(Choice(start.states, self.seat, start.choices()[0]))

    def value(self, at: Choice) -> int:
        """Return the points that the seat can be sure of."""
        found = [self.value_after(at, action) for action in at.actions]
        return max(found) if at.seat == self.seat else min(found)

    def value_after(self, at: Choice, action: int) -> int:
        """Return the points that the seat can be sure of after an action."""
        after = self.apply(at, action)
        key = int(kernels.key(after.states))
        if key not in self.values:
            goes_on = self.kind.is_within(after.states, self.seat)
            if (goes_on and after.seat == CHANCE) or len(self.values) > MOST_STATES:
                raise Unclear
            if goes_on:
                self.values[key] = self.value(after)
            else:
                self.values[key] = self.kind.points(after.states, self.setup, self.seat)
                self.ends[key] = self.values[key], after.states
        return self.values[key]

    def apply(self, at: Choice, action: int) -> Choice:
        """Return the state after an action."""
        rules = self.start.game.rules
        after = arrays.empty(1, rules.state)
        actions, weights = (arrays.empty(rules.most_choices, arrays.int32) for _ in range(2))
        count, decider = divmod(
            int(kernels.advance(at.states, after, self.start.setups, action, actions, weights)), DECIDERS
        )
        return Choice(after, decider + OVER, actions[:count].tolist())

    def line(self) -> tuple[str, ...]:
        """Return a turn that reaches the best, with the answers that make it hardest; the shortest such turn."""
        frontier: list[tuple[Choice, tuple[str, ...]]] = [
            (Choice(self.start.states, self.seat, self.start.choices()[0]), ())
        ]
        seen: set[int] = set()
        while frontier:
            deeper = []
            for at, moves in frontier:
                own = at.seat == self.seat
                for action in at.actions if own else at.actions[:1]:
                    if self.value_after(at, action) < self.best:
                        continue
                    after = self.apply(at, action)
                    key = int(kernels.key(after.states))
                    if key in seen:
                        continue
                    seen.add(key)
                    text = self.start.game.notation.write(action, at.states[0], self.start.setups[0])
                    if not self.kind.is_within(after.states, self.seat):
                        return (*moves, text)
                    deeper.append((after, (*moves, text)))
            frontier = deeper
        raise AssertionError("the best is not reached")

    @property
    def unique(self) -> bool:
        """Whether the points cannot be beaten even with others' help, and all best ends have the same in common."""
        if max(points for points, _ in self.ends.values()) > self.best:
            return False
        best = (states for points, states in self.ends.values() if points == self.best)
        return len({self.kind.achieved(states, self.setup, self.seat) for states in best}) == 1

    @property
    def usual(self) -> int:
        """The median of the points of all ends."""
        return sorted(points for points, _ in self.ends.values())[len(self.ends) // 2]

    @property
    def share(self) -> float:
        """The share of all ends that are as good as the best."""
        return Counter(points for points, _ in self.ends.values())[self.best] / len(self.ends)


def played(name: str, kind: BestTurn, number: int, seed: int) -> Position:
    """Return a game of self-play."""
    chance = random.Random(f"{seed} {number}")
    position = registry.find(name).start(seed=chance.getrandbits(60), players=chance.choice(kind.players))
    players = [player(name, chance.choice(kind.levels), seed=chance.getrandbits(31)) for _ in position.seats]
    while position.to_move is not None:
        for move in players[position.to_move].turn(position):
            position.play(move)
    return position


def mine(name: str, kind: BestTurn, game: Position, number: int, easy: int) -> Iterator[Puzzle]:
    """Yield the puzzles of a game, at most one for each turn. None of them is too easy."""
    turns: dict[Hashable, tuple[int, int]] = {}  # the first decision of each, and whose it is
    for at_move, step in enumerate(game.steps):
        turn = kind.turn(step.before[0])
        if turn is not None:
            turns.setdefault(turn, (at_move, step.by))
    chance = random.Random(number)
    found = 0
    for at_move, seat in sorted(turns.values(), key=lambda turn: chance.random()):
        for _ in range(TRIES):
            at = game.earlier(at_move)
            at.manual = True
            shorten(at, kind, chance.choice(kind.lengths), chance)
            puzzle = puzzle_at(name, kind, at, number) if at.to_move == seat else None
            if puzzle is not None:
                found += 1
                yield puzzle
                break
        if found == kind.most:
            break


def shorten(at: Position, kind: BestTurn, length: int, chance: random.Random) -> None:
    """Play a turn at random until this much of it is left."""
    seat = at.to_move
    while at.to_move is not None and at.to_move >= 0 and kind.is_within(at.states, seat or 0):
        state = plain(at.states)
        if at.to_move == seat and kind.turn(state) is not None and kind.length(state, at.setup_fields) <= length:
            return
        legal = at.legal_moves
        at.play(chance.choice([move for move in legal if move != kind.stop] or legal))


def puzzle_at(name: str, kind: BestTurn, at: Position, number: int) -> Puzzle | None:
    """Return the puzzle of a position within a turn, if it is one."""
    try:
        turn = Turn(at, kind)
    except Unclear:
        return None
    if turn.best - turn.usual < LEAST_GAIN or not turn.unique or turn.share > MOST_SHARE:
        return None
    rating = rate_turn(name, kind, at, turn.best, number)
    return identified(
        Puzzle(at.written_options, list(turn.line()), rating=rating, moves=at.moves, points=turn.best, proved=True)
    )


def holds(name: str, kind: BestTurn, puzzle: Puzzle, effort: int, margin: float = 0.0) -> bool:
    """Return whether the whole turn, searched again, has no second solution: the search is exhaustive as it is."""
    turn = Turn(puzzle.start(name), kind)
    return turn.best == puzzle.points and turn.unique and turn.line() == tuple(puzzle.line)
