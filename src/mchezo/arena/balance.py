"""Balance studies: thousands of games of planning players, and what they say about seats and scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from mchezo.core.dice import dice
from mchezo.core.position import Position
from mchezo.search import planner

T = TypeVar("T")

BATCH = 50  # games a task: small enough to show progress, large enough to be worth a task
LONGEST_GAME = 2_000  # actions
Z95 = 1.96


@dataclass(frozen=True)
class Player:
    """What a planning player values, feature by feature, and how many turns it tries before it plays one."""

    weights: tuple[float, ...]
    tries: int


@dataclass(frozen=True)
class Games:
    """What came of a number of games: a row a game, a column a seat; and every action made, rows ending with -1."""

    returns: npt.NDArray[np.float64]
    scores: npt.NDArray[np.float64]
    actions: npt.NDArray[np.int32]

    @property
    def wins(self) -> npt.NDArray[np.float64]:
        """Each seat's share of each game's victory: 1, or a part of a shared one."""
        return (self.returns + 1) / 2


def interval(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    """The mean, and half the width of its 95 % interval."""
    return float(values.mean()), Z95 * float(values.std()) / sqrt(len(values))


def batch_sizes(games: int) -> list[int]:
    """So many games, cut into batches: only the last may be smaller."""
    return [min(BATCH, games - first) for first in range(0, games, BATCH)]


def play_batch(position: Position, players: Sequence[Player], games: int, seed: int, number: int) -> Games:
    """Play the first games of a batch; they follow from the seed and the batch's number alone.

    Chance is thrown by the batch's own dice, so the position must be one whose chance is played by hand.
    """
    states, setups, most, seats = position.arrays
    played = Games(np.zeros((games, seats)), np.zeros((games, seats)), np.full((games, LONGEST_GAME), -1, np.int32))
    planner.play_games(
        states,
        setups,
        seats,
        np.array([player.weights for player in players]),
        np.array([player.tries for player in players], np.int32),
        most,
        dice((seed << 32) + number),
        played.returns,
        played.scores,
        played.actions,
    )
    return played


def in_threads(run: Callable[[int], T], numbers: Sequence[int], threads: int) -> Iterator[T]:
    """The batches of these numbers in their order, played by so many threads."""
    with ThreadPoolExecutor(threads) as pool:
        try:
            yield from pool.map(run, numbers)
        finally:
            pool.shutdown(cancel_futures=True)


def play(position: Position, players: Sequence[Player], games: int, seed: int, threads: int = 2) -> Games:
    """Play so many games; they do not depend on the number of threads."""
    sizes = batch_sizes(games)

    def run(number: int) -> Games:
        return play_batch(position, players, sizes[number], seed, number)

    parts = list(in_threads(run, range(len(sizes)), threads))
    return Games(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in ("returns", "scores", "actions"))
    )
