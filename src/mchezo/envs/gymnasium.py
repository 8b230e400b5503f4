"""Gymnasium environments: one seat learns, a fixed opponent plays all others.

Importing this module registers them with Gymnasium as `mchezo/Katarenga-v1` and so on.

>>> import gymnasium, mchezo.envs.gymnasium
>>> env = gymnasium.make("mchezo/Kiwara-v1", seat=1)
>>> observation, info = env.reset(seed=7)
>>> int(info["action_mask"].sum())
30
"""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from mchezo.core import registry
from mchezo.core.encoding import Floats
from mchezo.core.position import Position
from mchezo.envs.episode import Episode, Mask
from mchezo.envs.render import MODES, render

# Chooses a move in notation for the seat to move; the position has no history.
Opponent = Callable[[Position], str]
TRIES = 100  # restarts of games that end before the learner's first decision


def name_of(game: str) -> str:
    """Return the id of a game's environment, with its version."""
    found = registry.find(game)
    return f"mchezo/{found.title}-v{found.encoding.version}"


class GameEnv(gymnasium.Env[Floats, np.int64]):
    """A game against one opponent in all other seats; without an opponent they play randomly.

    Legal actions are in `info["action_mask"]` and `action_masks()`; an illegal action loses at once. With `seat=None` a
    random seat is drawn for each game.
    """

    metadata = {"render_modes": list(MODES), "render_fps": 1}  # noqa: RUF012, as in Gymnasium

    def __init__(
        self,
        name: str,
        opponent: Opponent | None = None,
        seat: int | None = 0,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        game = registry.find(name)
        encoding = game.encoding
        self.seats = len(game.start(seed=0, chance="manual", **options).seats)
        if seat is not None and not 0 <= seat < self.seats:
            raise ValueError(f"seat {seat} is not one of 0 to {self.seats - 1}")
        self.name = name
        self.opponent = opponent
        self.given_seat = seat
        self.render_mode = render_mode
        self.options = options
        self.observation_space = spaces.Box(0.0, 1.0, (encoding.size,), np.float32)
        self.action_space = spaces.Discrete(encoding.action_count)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Start a game and let the others play until the learner is to move."""
        super().reset(seed=seed)
        for _ in range(TRIES):
            self.episode = Episode(self.name, int(self.np_random.integers(1 << 62)), self.options)
            drawn = int(self.np_random.integers(self.seats))
            self.seat = drawn if self.given_seat is None else self.given_seat
            self._let_others_play()
            if self.episode.to_move is not None:
                return self._seen()
        raise ValueError("with these options the game is over before the learner has a decision")

    def step(self, action: np.int64) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Apply the learner's action and let the others play; the reward is 0 until the game is over."""
        if not self.episode.mask(self.seat)[action]:
            observation, info = self._seen()
            return observation, -1.0, True, False, {**info, "illegal": True}
        self.episode.play(int(action))
        self._let_others_play()
        if self.render_mode == "human":
            self.render()
        observation, info = self._seen()
        return observation, self.episode.results[self.seat], self.episode.to_move is None, False, info

    def action_masks(self) -> Mask:
        """Return 1 for each legal action; maskable algorithms look for this name."""
        return self.episode.mask(self.seat)

    def render(self) -> Any:
        """Render the public view: text, an image, or printed."""
        return render(self.episode.position, self.render_mode)

    def _let_others_play(self) -> None:
        while self.episode.to_move not in (self.seat, None):
            if self.opponent is None:
                action = int(self.np_random.choice(self.episode.legal))
            else:
                position = self.episode.position
                action = self.episode.game.notation.parse(
                    self.opponent(position), position.states[0], position.setups[0]
                )
            self.episode.play(action)

    def _seen(self) -> tuple[Floats, dict[str, Any]]:
        return self.episode.observe(self.seat), {"action_mask": self.episode.mask(self.seat)}


for _game in registry.names():
    gymnasium.register(name_of(_game), entry_point="mchezo.envs.gymnasium:GameEnv", kwargs={"name": _game})
