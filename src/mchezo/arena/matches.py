"""Matches between two players, in rotations that let the luck of board, chance and seat cancel.

A rotation is one game for each seat of the table. All its games have the same set-up, the same first moves and the
same seed for chance; the first player sits in another seat each time, the second player in all the others. With two
seats a rotation is a pair with seats swapped. Games follow from the match's seed and their number alone: with budgets
of nodes they are the same whatever the number of workers.

A turn is all the decisions of one seat until another seat's turn begins. Its budget is shared so: a player plays all
the decisions its thought has for now; when chance or an answer of another seat has come between, it thinks again with
what is left. Where turns are interrupted as a rule (Kitara), each thought gets half of what is left, elsewhere all of
it; but never less than a sixteenth of the whole. An answer in the middle of another's turn is paid for likewise. A
player without nodes or seconds keeps to what is its own, as when it plays with people.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import sqrt
from typing import Any

import numpy as np

from mchezo.arena.balance import Z95
from mchezo.arena.players import Contestant
from mchezo.core import registry, verbs
from mchezo.core.position import Position
from mchezo.core.record import Record
from mchezo.search.thought import Stop, Thinker, Thought

# Decisions made at random before the players begin, where neither set-up nor chance makes games differ enough: in
# Kiwara the first line, the first animal and the totem's first move.
OPENINGS = {"kiwara": 3}
SHARES = {"kitara": 0.5}  # of what a turn's budget has left, for one thought; elsewhere 1
LEAST_SHARE = 1 / 16  # of the whole budget, for any thought


class Stopped(Exception):
    """A game that was not played to its end because somebody said stop."""


@dataclass(frozen=True)
class Match:
    """Who plays what: two players, a game with its options, and the seed of everything."""

    game: str
    first: Contestant
    second: Contestant
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 1
    opening: int | None = None  # random decisions at the start; None: as many as the game needs

    @cached_property
    def seats(self) -> int:
        """How many seats the table has, and games a rotation."""
        return len(self.start(0).seats)

    def start(self, rotation: int) -> Position:
        """Where all games of a rotation begin."""
        seed = (self.seed << 32) + rotation
        position = registry.find(self.game).start(seed=seed, **self.options)
        opening = OPENINGS.get(self.game, 0) if self.opening is None else self.opening
        generator = np.random.default_rng([self.seed, rotation])
        for _ in range(opening):
            if position.outcome is None:
                position.play(str(generator.choice(position.legal_moves)))
        return position


@dataclass(frozen=True)
class Played:
    """A game of a match: the first player's seat, its share of the victory (a draw is shared), and the record."""

    rotation: int
    seat: int
    share: float
    record: str


def play_game(match: Match, rotation: int, seat: int, stop: Stop | None = None) -> Played:
    """Play one game of a match, with players made for it."""
    position = match.start(rotation)
    seats = len(position.seats)
    contestants = [match.first if other == seat else match.second for other in range(seats)]
    one, other = match.first.make(), match.second.make()
    thinkers = [one if place == seat else other for place in range(seats)]
    purses = [Purse(contestant, match.game) for contestant in contestants]
    turn: int | None = None
    while position.to_move is not None:
        mover = position.to_move
        if turn != turn_of(position):
            turn = turn_of(position)
            for purse in purses:
                purse.fill()
        seed = thinking_seed(match.seed, rotation, seat, len(position.steps))
        thought = purses[mover].think(thinkers[mover], position.copy(), seed, stop)
        if stop is not None and stop():
            raise Stopped
        for move in thought.moves[: thought.turn]:
            position.play(move)
    names = {f"Player{place}": contestant.name for place, contestant in enumerate(contestants)}
    record = replace(position.record(), tags=names)
    return Played(rotation, seat, share(position, seat), str(record))


def turn_of(position: Position) -> int:
    """Whose turn it is, also while another seat answers."""
    if position.states.dtype in verbs.RULES["turn_of"]:
        return verbs.turn_of(position.states[0])
    return -1 if position.to_move is None else position.to_move


def share(position: Position, seat: int) -> float:
    """What part of the victory a seat has."""
    outcome = position.outcome
    assert outcome is not None
    if not outcome.winners:
        return 1 / len(position.seats)
    return 1 / len(outcome.winners) if seat in outcome.winners else 0.0


def thinking_seed(*numbers: int) -> int:
    """A seed for one thought that follows from these numbers."""
    digest = hashlib.blake2b(" ".join(map(str, numbers)).encode(), digest_size=6).digest()
    return int.from_bytes(digest)


class Purse:
    """What a player has left of its turn's budget."""

    def __init__(self, contestant: Contestant, game: str) -> None:
        self.contestant = contestant
        self.part = SHARES.get(game, 1.0)
        self.left = 1.0

    def fill(self) -> None:
        """A new turn begins."""
        self.left = 1.0

    def think(self, thinker: Thinker, position: Position, seed: int, stop: Stop | None) -> Thought:
        """Let the player think for its share, and take from the purse what it used."""
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
    match: Match, rotations: Iterable[int], workers: int = 2, known: Collection[tuple[int, int]] = ()
) -> Generator[Played, None, None]:
    """The games of these rotations in their order, except those that are known already.

    The players' compiled code runs without the interpreter lock, so workers are threads. Whoever stops asking ends
    the games under way.
    """
    games = [(rotation, seat) for rotation in rotations for seat in range(match.seats)]
    ended = threading.Event()

    def run(game: tuple[int, int]) -> Played:
        return play_game(match, *game, ended.is_set)

    with ThreadPoolExecutor(workers) as pool:
        try:
            yield from pool.map(run, [game for game in games if game not in known])
        finally:
            ended.set()
            pool.shutdown(cancel_futures=True)


@dataclass(frozen=True)
class Score:
    """What the first player scored: its share of the victories, and the 95 % interval around it."""

    games: int
    wins: int
    losses: int
    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.mean:.1f} % ({100 * self.low:.1f} - {100 * self.high:.1f})"


def score(games: Sequence[Played]) -> Score:
    """The score of these games, with an interval that takes each rotation as one observation."""
    shares = np.array([game.share for game in games])
    mean = float(shares.mean())
    low, high = interval(rotation_scores(games), len(games))
    return Score(len(games), int((shares == 1).sum()), int((shares == 0).sum()), mean, low, high)


def rotation_scores(games: Sequence[Played]) -> list[float]:
    """The first player's mean share in each rotation, in order."""
    shares: dict[int, list[float]] = {}
    for game in sorted(games, key=lambda game: (game.rotation, game.seat)):
        shares.setdefault(game.rotation, []).append(game.share)
    return [float(np.mean(parts)) for parts in shares.values()]


def interval(scores: Sequence[float], games: int) -> tuple[float, float]:
    """The 95 % interval of a mean of rotations' scores, by Wilson's formula.

    Its number of trials is the number of independent games that would scatter as much as these rotations do. Where all
    scored the same nothing can be told of their scatter, and every game counts as a trial.
    """
    mean, count = float(np.mean(scores)), len(scores)
    error = float(np.var(scores, ddof=1)) / count if count > 1 else 0.0
    trials = mean * (1 - mean) / error if error else float(games)
    centre = (mean + Z95**2 / (2 * trials)) / (1 + Z95**2 / trials)
    half = Z95 / (1 + Z95**2 / trials) * sqrt(mean * (1 - mean) / trials + Z95**2 / (4 * trials**2))
    return max(0.0, centre - half), min(1.0, centre + half)


def replay(game: Played) -> Position:
    """The game again, move by move."""
    return Record.parse(game.record).replay()
