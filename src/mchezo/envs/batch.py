"""Vectorized environment: thousands of games stepped at once in NumPy arrays, compiled and multi-threaded.

>>> from mchezo.envs.batch import Batch
>>> batch = Batch("kiwara", games=1000, seed=7)
>>> rewards, ended = batch.step(batch.sample())
"""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from mchezo.core import registry
from mchezo.core.encoding import Floats
from mchezo.core.position import Position
from mchezo.core.structs import Actions, Numbers
from mchezo.envs import kernels

UNUSED = 3  # references to an array that only a batch holds: its list, a variable and an argument
LARGE = 8 << 20  # bytes of masks that are written past the processor's caches
SET_UPS = 64  # how many are drawn for games with a random set-up


class Batch:
    """Many games of one kind. Chance plays itself; a finished game reports its result and restarts in the same step.

    `to_move` is the seat to move in each game, `choices` its legal actions, and `counts` how many there are. Each game
    has its own random generator, so results do not depend on the number of threads.
    """

    def __init__(
        self, name: str, games: int, *, seed: int = 0, threads: int = 1, set_ups: int | None = None, **options: Any
    ) -> None:
        if games < 1 or threads < 1 or (set_ups is not None and set_ups < 1):
            raise ValueError("a batch has at least one game, one thread and one set-up")
        game = registry.find(name)
        for_set_ups, for_games = np.random.SeedSequence(seed).spawn(2)
        first = game.start(seed=seed, chance="manual", **options)
        count = set_ups or (SET_UPS if first.drawn else 1)
        seeds = for_set_ups.generate_state(count, np.uint64).tolist()
        positions = [game.start(seed=number, chance="manual", **options) for number in seeds]
        if any(position.to_move is None for position in positions):
            raise ValueError("these options give a game that is already over")

        self.encoding = game.encoding
        self.seats = len(first.seats)
        self.games = games
        self.starts = np.concatenate([position.states for position in positions]).view(first.states.dtype)
        self.setups = np.concatenate([position.setups for position in positions]).view(first.setups.dtype)
        self.states = np.zeros(games, first.states.dtype)
        self.dealt = np.zeros(games, np.int32)  # index of each game's set-up
        # Zero is a fixed point of xorshift.
        self.rng = np.maximum(for_games.generate_state(games, np.uint64), np.uint64(1))
        self.to_move = np.zeros(games, np.int8)
        self.choices = np.zeros((games, game.rules.most_choices), np.int32)
        self.counts = np.zeros(games, np.int32)
        self._positions: list[Position] = positions
        self._kept: dict[type[np.generic], list[npt.NDArray[Any]]] = {}  # observations and masks that were returned
        self._threads = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        edges = np.linspace(0, games, threads + 1).astype(int).tolist()
        self._slices = [slice(*ends) for ends in pairwise(edges)]
        # Scratch space for the weights of chance outcomes, one per thread.
        self._weights = [np.zeros(game.rules.most_choices, np.int32) for _ in self._slices]
        self._all(lambda part, weights: kernels.begin(self._arrays(part, weights)))

    def sample(self) -> Actions:
        """Return a random legal action for each game."""
        actions = np.empty(self.games, np.int32)
        self._all(lambda part, _: kernels.draw(self.rng[part], self.choices[part], self.counts[part], actions[part]))
        return actions

    def step(self, actions: npt.ArrayLike) -> tuple[Numbers, npt.NDArray[np.bool_]]:
        """Apply an action in each game; return the rewards by game and seat (0 until it ends) and which games ended."""
        given = np.ascontiguousarray(actions, np.int32)
        if given.shape != (self.games,):
            raise ValueError(f"{self.games} games need as many actions, not an array of shape {given.shape}")
        illegal = kernels.first_illegal(self.choices, self.counts, given)
        if illegal >= 0:
            raise ValueError(f"action {given[illegal]} is not legal in game {illegal}; nothing was played")
        rewards = np.zeros((self.games, self.seats))
        ended = np.zeros(self.games, np.bool_)
        self._all(
            lambda part, weights: kernels.advance(self._arrays(part, weights), given[part], rewards[part], ended[part])
        )
        return rewards, ended

    def observe(self, out: Floats | None = None) -> Floats:
        """Return the observation of the seat to move in each game, written to `out` if given."""
        out = self._memory((self.games, self.encoding.size), np.float32) if out is None else out
        self._all(
            lambda part, _: kernels.observe(
                self.states[part], self.dealt[part], self.setups, self.to_move[part], out[part]
            )
        )
        return out

    def look_ahead(self) -> Floats:
        """Return afterstate observations: what the seat to move would see after each legal action, before chance.

        Rows are in the order of `choices`, game by game, `counts` of them per game.
        """
        ends = np.concatenate([[0], self.counts.cumsum()])
        out = np.empty((ends[-1], self.encoding.size), np.float32)
        self._all(
            lambda part, _: kernels.look_ahead(
                self.states[part],
                self.dealt[part],
                self.setups,
                self.to_move[part],
                self.choices[part],
                self.counts[part],
                np.zeros(1, self.states.dtype),
                out[ends[part.start] : ends[part.stop]],
            )
        )
        return out

    def masks(self, out: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[np.bool_]:
        """Return the mask of legal actions in each game, written to `out` if given."""
        out = self._memory((self.games, self.encoding.action_count), np.bool_) if out is None else out
        write = kernels.mark_legal if out.nbytes < LARGE else kernels.stream_masks
        self._all(lambda part, _: write(self.choices[part], self.counts[part], out[part]))
        return out

    def position(self, game: int) -> Position:
        """Return a copy of one game as a position, with chance left to the caller."""
        twin = self._positions[int(self.dealt[game])].copy()
        twin.states = self.states[game : game + 1].copy()
        return twin

    def _memory(self, shape: tuple[int, int], kind: type[np.generic]) -> npt.NDArray[Any]:
        """Return an array to write to: an earlier one if nobody holds it any more, for new memory is slow to write."""
        kept = self._kept.setdefault(kind, [])
        for array in kept:
            if sys.getrefcount(array) == UNUSED:
                return array
        made = np.empty(shape, kind)
        kept[2:] = []
        kept.insert(0, made)
        return made

    def _arrays(self, part: slice, weights: Actions) -> kernels.Slice:
        """Return the arrays of a slice."""
        return kernels.Slice(
            self.states[part],
            self.dealt[part],
            self.starts,
            self.setups,
            self.rng[part],
            self.to_move[part],
            self.choices[part],
            self.counts[part],
            weights,
        )

    def _all(self, work: Callable[[slice, Actions], None]) -> None:
        """Run `work` on every slice: the first one in this thread, the others in the pool."""
        pending = []
        if self._threads is not None:
            rest = zip(self._slices[1:], self._weights[1:], strict=True)
            pending = [self._threads.submit(work, part, weights) for part, weights in rest]
        work(self._slices[0], self._weights[0])
        for future in pending:
            future.result()


def warm_up(name: str) -> None:
    """Compile the kernels of a batch of this game, or load them from the cache."""
    batch = Batch(name, games=1)
    batch.step(batch.sample())
    batch.observe()
    batch.masks()
    batch.look_ahead()
