"""Matches between two players, in rotations that cancel the luck of board, chance and seat.

A rotation is one game for each seat of the table. All its games share the set-up, the opening moves and the seed for
chance; the first player moves one seat on each time, the second player takes all the others. With two seats a rotation
is a pair of games with seats swapped. Games are determined by the match's seed and their number alone: with budgets in
nodes they do not depend on the number of workers.

A turn is all the decisions of one seat until another seat's turn begins, and it has one budget. A player plays every
decision its thought has; after chance or another seat's answer it thinks again with what is left. Each thought gets the
game's `budget_share` of the rest, less than all of it where turns are usually interrupted, but never less than a
sixteenth of the whole. Answers during another seat's turn are budgeted the same way. A player given neither nodes nor
seconds uses its default budget.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from mchezo.arena.players import Contestant
from mchezo.arena.statistics import wilson
from mchezo.core import registry, verbs
from mchezo.core.position import Position
from mchezo.core.record import Record
from mchezo.search.thought import Stop, Thinker, Thought
from mchezo.workers.units import Ended, Workers, in_order

LEAST_SHARE = 1 / 16  # of the whole budget, for every thought


class Stopped(Exception):
    """A game was abandoned because a stop was requested."""


@dataclass(frozen=True)
class Match:
    """Two players, a game with its options, and the seed that determines everything."""

    game: str
    first: Contestant
    second: Contestant
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 1
    opening: int | None = None  # random decisions at the start; None: the game's default

    @cached_property
    def seats(self) -> int:
        """The number of seats, and of games per rotation."""
        return len(self.start(0).seats)

    def start(self, rotation: int) -> Position:
        """Return the position from which all games of a rotation begin."""
        seed = (self.seed << 32) + rotation
        position = registry.find(self.game).start(seed=seed, **self.options)
        opening = position.game.computers.opening if self.opening is None else self.opening
        generator = np.random.default_rng([self.seed, rotation])
        for _ in range(opening):
            if position.outcome is None:
                position.play(str(generator.choice(position.legal_moves)))
        return position


@dataclass(frozen=True)
class PlayedGame:
    """A game of a match: the first player's seat, its share of the win (a draw is shared), and the record."""

    rotation: int
    seat: int
    share: float
    record: str


def play_game(match: Match, rotation: int, seat: int, stop: Stop | None = None) -> PlayedGame:
    """Play one game of a match with newly created players."""
    position = match.start(rotation)
    contestants = [match.first if other == seat else match.second for other in range(len(position.seats))]
    with ExitStack() as stack:
        one, other = (stack.enter_context(contestant.player()) for contestant in (match.first, match.second))
        thinkers = [one if place == seat else other for place in range(len(position.seats))]
        play_out(match, position, contestants, thinkers, (rotation, seat), stop)
    names = {f"Player{place}": contestant.name for place, contestant in enumerate(contestants)}
    record = replace(position.record(), tags=names)
    return PlayedGame(rotation, seat, share(position, seat), str(record))


def play_out(
    match: Match,
    position: Position,
    contestants: Sequence[Contestant],
    thinkers: Sequence[Thinker],
    game: tuple[int, int],
    stop: Stop | None,
) -> None:
    """Play a game of a match to its end; `game` is its rotation and the first player's seat."""
    budgets = [TurnBudget(contestant, position.game.computers.budget_share) for contestant in contestants]
    turn: int | None = None
    while position.to_move is not None:
        mover = position.to_move
        whose = verbs.turn_of(position.states[0])
        if turn != whose:
            turn = whose
            for budget in budgets:
                budget.reset()
        seed = thinking_seed(match.seed, *game, len(position.steps))
        thought = budgets[mover].think(thinkers[mover], position.copy(), seed, stop)
        if stop is not None and stop():
            raise Stopped
        for move in thought.moves[: thought.turn]:
            position.play(move)


def share(position: Position, seat: int) -> float:
    """Return a seat's share of the win."""
    outcome = position.outcome
    assert outcome is not None
    if not outcome.winners:
        return 1 / len(position.seats)
    return 1 / len(outcome.winners) if seat in outcome.winners else 0.0


def thinking_seed(*numbers: int) -> int:
    """Derive the seed of one thought from these numbers."""
    digest = hashlib.blake2b(" ".join(map(str, numbers)).encode(), digest_size=6).digest()
    return int.from_bytes(digest)


class TurnBudget:
    """What a player has left of its budget for the turn."""

    def __init__(self, contestant: Contestant, part: float) -> None:
        self.contestant = contestant
        self.part = part
        self.left = 1.0

    def reset(self) -> None:
        """Begin a new turn."""
        self.left = 1.0

    def think(self, thinker: Thinker, position: Position, seed: int, stop: Stop | None) -> Thought:
        """Let the player think for its share, and subtract what it used."""
        nodes, seconds = self.contestant.nodes, self.contestant.seconds
        given = max(self.left * self.part, LEAST_SHARE)
        began = time.perf_counter()
        thought = thinker.think(
            position,
            nodes=None if nodes is None else max(1, int(nodes * given)),
            seconds=None if seconds is None else seconds * given,
            seed=seed,
            stop=stop,
        )
        used = given
        if nodes is not None:
            used = thought.nodes / nodes
        elif seconds is not None:
            used = (time.perf_counter() - began) / seconds
        self.left = max(0.0, self.left - min(used, given))
        return thought


def play(
    match: Match, rotations: Iterable[int], workers: Workers = 2, known: Collection[tuple[int, int]] = ()
) -> Generator[PlayedGame, None, None]:
    """Play the games of these rotations, except known ones, and yield them in order.

    Closing the iterator stops the games in progress.
    """
    games = [(rotation, seat) for rotation in rotations for seat in range(match.seats)]
    ended = Ended()
    yield from in_order(partial(play_unit, match, ended), [game for game in games if game not in known], workers, ended)


def play_unit(match: Match, stop: Stop, game: tuple[int, int]) -> PlayedGame:
    """Play one game of a match, given its rotation and seat."""
    return play_game(match, *game, stop)


@dataclass(frozen=True)
class Score:
    """The first player's score: its mean share of the wins, with a 95 % interval."""

    games: int
    wins: int
    losses: int
    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.mean:.1f} % ({100 * self.low:.1f} - {100 * self.high:.1f})"


def score(games: Sequence[PlayedGame]) -> Score:
    """Return the score of these games, with an interval that treats each rotation as one observation."""
    shares = np.array([game.share for game in games])
    mean = float(shares.mean())
    low, high = wilson_interval(rotation_scores(games), len(games))
    return Score(len(games), int((shares == 1).sum()), int((shares == 0).sum()), mean, low, high)


def rotation_scores(games: Sequence[PlayedGame]) -> list[float]:
    """Return the first player's mean share in each rotation, in order."""
    shares: dict[int, list[float]] = {}
    for game in sorted(games, key=lambda game: (game.rotation, game.seat)):
        shares.setdefault(game.rotation, []).append(game.share)
    return [float(np.mean(parts)) for parts in shares.values()]


def wilson_interval(scores: Sequence[float], games: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of the mean of rotations' scores.

    The number of trials is the effective sample size: the independent games that would have the same variance as these
    rotations. If all rotations scored the same, their variance is unknown and every game counts as a trial.
    """
    mean, count = float(np.mean(scores)), len(scores)
    error = float(np.var(scores, ddof=1)) / count if count > 1 else 0.0
    trials = mean * (1 - mean) / error if error else float(games)
    return wilson(mean, trials)


def replay(game: PlayedGame) -> Position:
    """Replay a game from its record."""
    return Record.parse(game.record).replay()
