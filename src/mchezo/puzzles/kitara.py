"""Puzzles of Kitara: the end of a turn, searched exhaustively for the most points if the game ended after it.

Turns in which a hero could draw a token are left out, since they depend on luck. Nothing hidden matters: the tokens of
the others are theirs.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from mchezo.core import arrays, kernels, registry
from mchezo.core.kernels import DECIDERS
from mchezo.core.position import Position
from mchezo.core.structs import OVER, Structs, plain
from mchezo.games.kitara import structs
from mchezo.games.kitara.structs import ANIMAL, RUIN
from mchezo.puzzles.collection import identified
from mchezo.puzzles.puzzle import Puzzle
from mchezo.puzzles.rating import rate_turn
from mchezo.puzzles.turn_end import TURN, is_within, points_of
from mchezo.search.players import player

PLAYERS = (2, 3, 4)
LEVELS = (2, 3)
EARLIEST = 2  # round of the first puzzle
LENGTHS = (2, 2, 3)  # pawns still to recruit and moves left at the beginning of a puzzle
TRIES = 3  # of each turn, with other beginnings
MOST_OF_GAME = 6
MOST_STATES = 10_000
LEAST_GAIN = 4  # points more than the median of all ends
MOST_SHARE = 0.05  # of all ends of the turn may be solutions


FIELDS = structs.STATE.fields
assert FIELDS is not None
PHASE, SEAT = FIELDS["phase"][1], FIELDS["seat"][1]  # single bytes of a state


class Choice(NamedTuple):
    """A state within the turn, who decides, and the choices."""

    states: Structs
    seat: int
    actions: list[int]
    phase: int = 0
    turn: int = 0  # whose it is


class Unclear(Exception):
    """The turn depends on chance, or has too many ends."""


class Turn:
    """All ways to end a turn; `best` is what the seat can be sure of, whatever others answer."""

    def __init__(self, start: Position) -> None:
        self.start = start
        self.seat = int(plain(start.states).seat)
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
            if after.phase == structs.DRAWING_TOKEN or len(self.values) > MOST_STATES:
                raise Unclear
            if after.phase in TURN and after.turn == self.seat:
                self.values[key] = self.value(after)
            else:
                self.values[key] = points_of(after.states, self.setup, self.seat)
                self.ends[key] = self.values[key], after.states
        return self.values[key]

    def apply(self, at: Choice, action: int) -> Choice:
        """Return the state after an action."""
        rules = self.start.game.rules
        memory = bytearray(rules.state.itemsize)
        after = arrays.ndarray(1, rules.state, memory)
        actions, weights = (arrays.empty(rules.most_choices, arrays.int32) for _ in range(2))
        count, decider = divmod(
            int(kernels.advance(at.states, after, self.start.setups, action, actions, weights)), DECIDERS
        )
        return Choice(after, decider + OVER, actions[:count].tolist(), memory[PHASE], memory[SEAT])

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
                    if not is_within(after.states, self.seat):
                        return (*moves, text)
                    deeper.append((after, (*moves, text)))
            frontier = deeper
        raise AssertionError("the best is not reached")

    @property
    def unique(self) -> bool:
        """Whether the points cannot be beaten even with others' help, and one set of ruins brings them."""
        if max(points for points, _ in self.ends.values()) > self.best:
            return False
        best = (states for points, states in self.ends.values() if points == self.best)
        return len({ruins_of(states, self.setup, self.seat) for states in best}) == 1

    @property
    def usual(self) -> int:
        """The median of the points of all ends."""
        return sorted(points for points, _ in self.ends.values())[len(self.ends) // 2]

    @property
    def share(self) -> float:
        """The share of all ends that are as good as the best."""
        return Counter(points for points, _ in self.ends.values())[self.best] / len(self.ends)


def ruins_of(states: Structs, setup: object, seat: int) -> frozenset[int]:
    """Return the ruins that score for a seat."""
    state, facts = plain(states), plain(setup)
    return frozenset(
        space
        for space in range(facts.spaces)
        if state.owner[space] == seat + 1 and facts.kind[space] == RUIN and state.pawns[space][ANIMAL]
    )


def played(number: int, seed: int) -> Position:
    """Return a game of self-play."""
    chance = random.Random(f"{seed} {number}")
    position = registry.find("kitara").start(seed=chance.getrandbits(60), players=chance.choice(PLAYERS))
    players = [player("kitara", chance.choice(LEVELS), seed=chance.getrandbits(31)) for _ in position.seats]
    while position.to_move is not None:
        for move in players[position.to_move].turn(position):
            position.play(move)
    return position


def mine(game: Position, number: int, easy: int) -> Iterator[Puzzle]:
    """Yield the puzzles of a game, at most one for each turn. None of them is too easy."""
    turns: dict[tuple[int, int], int] = {}
    for at_move, step in enumerate(game.steps):
        state = step.before[0]
        if step.by == int(state.seat) and int(state.phase) in TURN[:2] and int(state.round_number) >= EARLIEST:
            turns.setdefault((int(state.round_number), int(state.seat)), at_move)
    chance = random.Random(number)
    found = 0
    for turn in sorted(turns, key=lambda turn: chance.random()):
        for _ in range(TRIES):
            at = game.earlier(turns[turn])
            at.manual = True
            shorten(at, chance.choice(LENGTHS), chance)
            puzzle = puzzle_at(at, number) if at.to_move == turn[1] else None
            if puzzle is not None:
                found += 1
                yield puzzle
                break
        if found == MOST_OF_GAME:
            break


def shorten(at: Position, length: int, chance: random.Random) -> None:
    """Play a turn at random until so much of it is left."""
    seat = at.to_move
    while at.to_move is not None and at.to_move >= 0 and is_within(at.states, seat or 0):
        if at.to_move == seat and int(at.states[0].phase) in TURN[:2] and length_of(at.states, at) <= length:
            return
        legal = at.legal_moves
        at.play(chance.choice([move for move in legal if move != "."] or legal))


def length_of(states: Structs, game: Position) -> int:
    """Return how many pawns a seat has still to recruit in its turn, and how many moves it has left."""
    state, setup = plain(states), game.setup_fields
    if state.phase == structs.MOVING:
        return int(state.moves_left)
    cards = state.kingdoms[state.seat][: state.kingdom_count[state.seat]]
    return sum(map(int, state.pending)) + sum(int(setup.moves[card]) for card in cards)


def puzzle_at(at: Position, number: int) -> Puzzle | None:
    """Return the puzzle of a position within a turn, if it is one."""
    try:
        turn = Turn(at)
    except Unclear:
        return None
    if turn.best - turn.usual < LEAST_GAIN or not turn.unique or turn.share > MOST_SHARE:
        return None
    rating = rate_turn(
        "kitara", at, lambda end: points_of(end.states, end.setup_fields, turn.seat) >= turn.best, number
    )
    return identified(
        Puzzle(at.written_options, list(turn.line()), rating=rating, moves=at.moves, points=turn.best, proved=True)
    )


def holds(puzzle: Puzzle, effort: int, margin: float = 0.0) -> bool:
    """Return whether the whole turn, searched again, has no second solution: the search is exhaustive as it is."""
    turn = Turn(puzzle.start("kitara"))
    return turn.best == puzzle.points and turn.unique and turn.line() == tuple(puzzle.line)
