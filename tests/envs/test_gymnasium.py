"""Gymnasium: its own check, and the opponent."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import mchezo.envs.gymnasium
from mchezo.core.position import Position
from mchezo.envs.gymnasium import GameEnv
from tests.envs.kinds import every_game


@every_game
@pytest.mark.parametrize("seat", [0, 1, None])
def test_the_environment_is_clean(name: str, seat: int | None, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = gymnasium.make(f"mchezo/{name.title()}-v1", seat=seat)
        check_env(made.unwrapped)
    assert "mchezo" not in capsys.readouterr().err


@every_game
def test_the_learner_meets_only_its_own_decisions(name: str) -> None:
    asked: list[int | None] = []

    def first_move(position: Position) -> str:
        asked.append(position.to_move)
        return position.legal_moves[0]

    made = GameEnv(name, first_move, seat=1)
    _, info = made.reset(seed=3)
    generator = np.random.default_rng(3)
    ended, reward = False, 0.0
    while not ended:
        assert made.episode.to_move == 1
        assert (info["action_mask"] == made.action_masks()).all()
        _, reward, ended, _, info = made.step(generator.choice(np.flatnonzero(info["action_mask"])))
    assert reward == made.episode.results[1]
    assert set(asked) == {0}


def test_an_illegal_action_loses_at_once() -> None:
    made = GameEnv("kiwara")
    made.reset(seed=1)
    _, reward, ended, _, info = made.step(np.int64(0))
    assert (reward, ended, info["illegal"]) == (-1.0, True, True)


def test_seats_are_drawn_where_none_is_given() -> None:
    made = GameEnv("kitara", seat=None, players=4)
    seats = set()
    for seed in range(20):
        made.reset(seed=seed)
        seats.add(made.seat)
    assert seats == {0, 1, 2, 3}
    with pytest.raises(ValueError, match="0 to 3"):
        GameEnv("kitara", seat=4, players=4)
    assert mchezo.envs.gymnasium.name_of("kitara") == "mchezo/Kitara-v1"


def test_a_game_without_a_decision_for_the_learner_is_refused() -> None:
    with pytest.raises(ValueError, match="already over"):
        GameEnv("katarenga", board="A0c1B2d3", position="8/8/8/8/8/8/8/ww6 w - -").reset(seed=1)
    # White, to move, has a pawn on Black's baseline and one camp already: the next move wins.
    table = GameEnv(
        "katarenga", lambda position: "a8-h9", seat=1, board="A0c1B2d3", position="w7/8/8/8/8/8/8/bb6 w a -"
    )
    with pytest.raises(ValueError, match="before the learner has a decision"):
        table.reset(seed=1)
