"""PettingZoo environments in which agents take turns (AEC).

Importing this module registers them with PettingZoo as `mchezo/katarenga_v1` and so on.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pettingzoo
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo.utils.env import AECIterable
from pettingzoo.utils.env_logger import EnvLogger

from mchezo.core import registry
from mchezo.core.chance import Seed
from mchezo.envs.episode import Episode
from mchezo.envs.render import MODES, render

Observation = dict[str, npt.NDArray[Any]]


def name_of(game: str) -> str:
    """Return the id of a game's environment, with its version."""
    return f"mchezo/{game}_v{registry.find(game).encoding.version}"


def env(name: str, *, render_mode: str | None = None, **options: Any) -> pettingzoo.AECEnv[str, Observation, int]:
    """Return the environment of a game, which checks how it is used; an illegal action loses at once."""
    return CheckedEnv(name, render_mode=render_mode, **options)


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
        self.episode.play(action)
        self._follow(agent)

    def _follow(self, agent: str) -> None:
        """Bring rewards and the selected agent up to date with the episode after an agent's action."""
        self._cumulative_rewards[agent] = 0.0
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


class CheckedEnv(GameEnv):
    """A game with the checks of PettingZoo's usual wrappers: wrappers look every attribute up level by level.

    They are TerminateIllegalWrapper, AssertOutOfBoundsWrapper and OrderEnforcingWrapper; messages are theirs.
    """

    has_reset = False
    has_updated = False  # by step or reset, since the loop over agents has begun its last round

    def __getattr__(self, name: str) -> Any:
        if name in ("rewards", "terminations", "truncations", "infos", "agent_selection", "num_agents", "agents"):
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(name)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game."""
        self.has_reset = self.has_updated = True
        super().reset(seed, options)

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation and action mask; the mask is empty unless it is to move."""
        if not self.has_reset:
            EnvLogger.error_observe_before_reset()
        return super().observe(agent)

    def step(self, action: int) -> None:
        """Apply the selected agent's action; an illegal one ends the game, and the agent has lost."""
        if not self.has_reset:
            EnvLogger.error_step_before_reset()
        self.has_updated = True
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert self.action_spaces[agent].contains(action), "action is not in action space"
        if self.episode.is_legal(action):
            self.episode.play_legal(int(action))
            self._follow(agent)
            return
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[agent] = 0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0) | {agent: -1.0}
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> Any:
        """Render the public view: text, an image, or printed."""
        if not self.has_reset:
            EnvLogger.error_render_before_reset()
        return super().render()

    def state(self) -> Any:
        """Fail as PettingZoo does: there is no state that all agents may see."""
        if not self.has_reset:
            EnvLogger.error_state_before_reset()
        return super().state()

    def agent_iter(self, max_iter: int = 2**63) -> "Turns":
        """Iterate over the agents to move; every round has to step."""
        if not self.has_reset:
            EnvLogger.error_agent_iter_before_reset()
        return Turns(self, max_iter)


class Turns(AECIterable[str, Observation, int]):  # type: ignore[misc]  # PettingZoo has no types
    """The agents to move, until the game is over."""

    def __iter__(self) -> Iterator[str]:
        for agent in super().__iter__():
            assert self.env.has_updated, "need to call step() or reset() in a loop over `agent_iter`"
            self.env.has_updated = False
            yield agent


for _game in registry.names():
    pettingzoo.register("aec", name_of(_game), entry_point=env, kwargs={"name": _game})
