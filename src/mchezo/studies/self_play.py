"""Self-play of planning players in batches, which do not depend on the number of threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mchezo.core.position import Position
from mchezo.core.rng import new_rng
from mchezo.search import planner
from mchezo.workers.units import Workers, in_order

BATCH = 50  # games per task: few enough to show progress, enough to outweigh the overhead
LONGEST_GAME = 2_000  # actions


@dataclass(frozen=True)
class PlannerSettings:
    """A planning player: the weights of its features, and how many turns it tries before it plays one."""

    weights: tuple[float, ...]
    tries: int


@dataclass(frozen=True)
class GameResults:
    """The results of games, one row per game and one column per seat, and all actions, each row ending with -1."""

    returns: npt.NDArray[np.float64]
    scores: npt.NDArray[np.float64]
    actions: npt.NDArray[np.int32]

    @property
    def wins(self) -> npt.NDArray[np.float64]:
        """Each seat's share of each win: 1, or a fraction of a shared one."""
        return (self.returns + 1) / 2


def batch_sizes(games: int) -> list[int]:
    """Split a number of games into batches; only the last may be smaller."""
    return [min(BATCH, games - first) for first in range(0, games, BATCH)]


def play_batch(
    position: Position, players: Sequence[PlannerSettings], games: int, seed: int, number: int
) -> GameResults:
    """Play the first games of a batch, determined by the seed and the batch's number alone.

    Chance draws from the batch's generator, so the position must have been started with `chance="manual"`.
    """
    states, setups, most, seats = position.arrays
    results = GameResults(
        np.zeros((games, seats)), np.zeros((games, seats)), np.full((games, LONGEST_GAME), -1, np.int32)
    )
    planner.play_games(
        states,
        setups,
        seats,
        np.array([player.weights for player in players]),
        np.array([player.tries for player in players], np.int32),
        most,
        new_rng((seed << 32) + number),
        results.returns,
        results.scores,
        results.actions,
    )
    return results


def play(
    position: Position, players: Sequence[PlannerSettings], games: int, seed: int, workers: Workers = 2
) -> GameResults:
    """Play a number of games; the results do not depend on the workers."""
    sizes = batch_sizes(games)

    def run(number: int) -> GameResults:
        return play_batch(position, players, sizes[number], seed, number)

    parts = list(in_order(run, range(len(sizes)), workers))
    return GameResults(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in ("returns", "scores", "actions"))
    )
