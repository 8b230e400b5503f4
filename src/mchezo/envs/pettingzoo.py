"""PettingZoo environments in which agents take turns (AEC).

Importing this module registers them with PettingZoo as `mchezo/katarenga_v1` and so on.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import pettingzoo
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo.utils import wrappers

from mchezo.core import registry
from mchezo.core.chance import Seed
from mchezo.envs.episode import Episode
from mchezo.envs.render import MODES, render

Observation = dict[str, npt.NDArray[Any]]


def name_of(game: str) -> str:
    """Return the id of a game's environment, with its version."""
    return f"mchezo/{game}_v{registry.find(game).encoding.version}"


def env(name: str, *, render_mode: str | None = None, **options: Any) -> pettingzoo.AECEnv[str, Observation, int]:
    """Return the environment of a game in PettingZoo's usual wrappers; an illegal action loses at once."""
    unchecked = GameEnv(name, render_mode=render_mode, **options)
    losing = wrappers.TerminateIllegalWrapper(unchecked, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(losing))


class GameEnv(pettingzoo.AECEnv[str, Observation, int], EzPickle):  # type: ignore[misc]  # PettingZoo has no types
    """A game: its seats are the agents, its start options the arguments, and chance plays itself.

    `reset(seed=7)` starts the same game as `mchezo.game(name).start(seed=7)`; a reset without a seed starts a new game
    determined by the previous seed.
    """

    def __init__(self, name: str, *, render_mode: str | None = None, **options: Any) -> None:
        EzPickle.__init__(self, name, render_mode=render_mode, **options)
        super().__init__()
        if render_mode is not None and render_mode not in MODES:
            raise ValueError(f"render_mode {render_mode!r} is none of {', '.join(MODES)}")
        self.metadata = {
            "name": name_of(name),
            "render_modes": list(MODES),
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.name = name
        self.options = options
        game = registry.find(name)
        encoding = game.encoding
        seats = game.start(seed=0, chance="manual", **options).seats
        self.possible_agents = [f"{seat}_{number}" for number, seat in enumerate(seats)]
        seen = spaces.Box(0.0, 1.0, (encoding.size,), np.float32)
        mask = spaces.Box(0, 1, (encoding.action_count,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(encoding.action_count) for agent in self.possible_agents}
        self._seed = Seed()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of observations and action masks."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of all actions of the game."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game."""
        given = int.from_bytes(self._seed.bytes) if seed is None else seed
        self._seed = Seed(Seed(given).successor())
        self.episode = Episode(self.name, given, self.options)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _select(self) -> None:
        seat = self.episode.to_move
        self.agent_selection = self.possible_agents[0 if seat is None else seat]

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation and action mask; the mask is empty unless it is to move."""
        seat = self.possible_agents.index(agent)
        return {"observation": self.episode.observe(seat), "action_mask": self.episode.mask(seat)}

    def step(self, action: int) -> None:
        """Apply the selected agent's action."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.episode.play(action)
        if self.episode.to_move is None:
            self.rewards = dict(zip(self.agents, self.episode.results, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._select()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """Render the public view: text, an image, or printed."""
        return render(self.episode.position, self.render_mode)

    def close(self) -> None:
        """Do nothing: there are no resources to release."""


for _game in registry.names():
    pettingzoo.register("aec", name_of(_game), entry_point=env, kwargs={"name": _game})
