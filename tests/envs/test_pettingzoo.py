"""PettingZoo: its own tests, and that our environments play our games."""

import warnings
from functools import partial
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils import wrappers

import mchezo
from mchezo.envs.pettingzoo import GameEnv, env
from tests.envs.kinds import every_game, every_kind


@every_kind
def test_the_api_is_kept(name: str, options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Both are said of every environment with a mask, except those that PettingZoo knows by name.
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
        api_test(env(name, **options), num_cycles=400)


@every_kind
def test_equal_seeds_give_equal_games(name: str, options: dict[str, Any]) -> None:
    seed_test(partial(env, name, **options), num_cycles=400)


@pytest.mark.rotating(shares=4)
@pytest.mark.parametrize(
    ("name", "options"), [("katarenga", {}), ("kiwara", {}), *(("kitara", {"players": n}) for n in (2, 3, 4))]
)
def test_games_are_rendered(name: str, options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    render_test(partial(env, name, **options))
    assert len(capsys.readouterr().out) > 1000


@every_game
def test_a_picture_shows_the_board(name: str) -> None:
    raw = GameEnv(name, render_mode="rgb_array")
    raw.reset(seed=1)
    image = raw.render()
    assert image.shape[1] == 400
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 50


@every_game
def test_the_registry_knows_the_environments_by_name_and_version(name: str) -> None:
    made = pettingzoo.make("aec", f"mchezo/{name}_v1")
    assert str(made.unwrapped) == f"mchezo/{name}_v1"


def test_the_game_is_the_one_that_its_seed_gives() -> None:
    raw = GameEnv("kitara", players=3)
    raw.reset(seed=7)
    position = mchezo.game("kitara").start(seed=7, players=3)
    assert raw.episode.position.view() == position.view()
    raw.reset()
    second = raw.episode.seed
    raw.reset(seed=7)
    raw.reset()
    assert raw.episode.seed == second != 7


def test_the_winner_gets_1_and_an_illegal_action_loses() -> None:
    made = env("katarenga", board="A0c1B2d3", position="8/w7/8/8/8/8/b7/1w6 w - h")
    made.reset(seed=1)
    assert made.agents == ["white_0", "black_1"]
    while made.agents and not made.terminations[made.agent_selection]:
        observation, *_ = made.last()
        made.step(int(np.flatnonzero(observation["action_mask"])[-1]))
    assert sorted(made.rewards.values()) in ([-1.0, 1.0], [0.0, 0.0])
    made.reset(seed=1)
    made.step(0)
    assert made.rewards == {"white_0": -1.0, "black_1": 0}


def test_an_unknown_way_to_render_is_refused() -> None:
    with pytest.raises(ValueError, match="none of human, ansi, rgb_array"):
        GameEnv("kiwara", render_mode="hologram")


def usual(name: str) -> Any:
    """Return an environment in PettingZoo's own wrappers, which `env` does without."""
    losing = wrappers.TerminateIllegalWrapper(GameEnv(name), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(losing))


@every_game
def test_a_game_goes_as_in_the_usual_wrappers(name: str) -> None:
    ours, theirs, generator = env(name), usual(name), np.random.default_rng(3)
    for illegal_after in (3, None):
        ours.reset(seed=9)
        theirs.reset(seed=9)
        for number, (agent, other) in enumerate(zip(ours.agent_iter(), theirs.agent_iter(), strict=True)):
            (seen, *rest), (seen_there, *rest_there) = ours.last(), theirs.last()
            assert (agent, rest) == (other, rest_there)
            assert all(np.array_equal(seen[part], seen_there[part]) for part in ("observation", "action_mask"))
            if rest[1] or rest[2]:
                action = None
            else:
                wanted = seen["action_mask"] == (number != illegal_after)
                action = int(generator.choice(np.flatnonzero(wanted)))
            ours.step(action)
            theirs.step(action)
            assert (ours.agents, ours.rewards) == (theirs.agents, theirs.rewards)
            assert (ours.terminations, ours.truncations) == (theirs.terminations, theirs.truncations)
        assert not ours.agents


@pytest.mark.parametrize("make", [env, usual])
def test_misuse_is_refused_as_by_the_usual_wrappers(make: Any) -> None:
    made = make("kiwara")
    for attribute in ("rewards", "agents", "agent_selection", "num_agents"):
        with pytest.raises(AttributeError, match=f"{attribute} cannot be accessed before reset"):
            getattr(made, attribute)
    for what, call in (
        ("step", lambda: made.step(0)),
        ("observe", lambda: made.observe(made.possible_agents[0])),
        ("agent_iter", made.agent_iter),
        ("render", made.render),
        ("state", made.state),
    ):
        with pytest.raises(AssertionError, match=f"reset.. needs to be called before {what}"):
            call()
    made.reset(seed=1)
    with pytest.raises(AssertionError, match="not in action space"):
        made.step(1 << 20)
    rounds = iter(made.agent_iter())
    next(rounds)
    made.last()
    with pytest.raises(AssertionError, match="need to call step"):
        next(rounds)
