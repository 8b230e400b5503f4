"""Games of alpha-beta against itself."""

import numpy as np
import pytest

import mchezo
from mchezo.core.features import Training, hand_set
from mchezo.games.kiwara.evaluate import FEATURES
from mchezo.search.selfplay import compare, practise

KIWARA = mchezo.game("kiwara")
GAMES = (KIWARA, mchezo.game("katarenga"))
HAND_SET = hand_set(FEATURES["kiwara"])
PILE = Training(FEATURES["kiwara"], ({}, {"reinforcement": "pile"}), 24)
TRAINING = {kind: (game, how) for game in GAMES for kind, how in game.evaluation.training.items()}


def test_the_same_seed_plays_the_same_games_and_another_one_others() -> None:
    first, again, other = (practise(KIWARA, PILE, HAND_SET, 60, 4, seed) for seed in (5, 5, 6))
    assert len(first.games) == 4
    for name, values in vars(first).items():
        assert np.array_equal(values, getattr(again, name), equal_nan=True), name
    assert not np.array_equal(first.values, other.values)


def test_samples_tell_what_the_seats_differ_in_and_what_came_of_the_game() -> None:
    samples = practise(KIWARA, PILE, HAND_SET, 60, 4, 5)
    assert samples.differences.shape == (len(samples.values), len(HAND_SET))
    assert len(samples.results) == len(samples.values) > 40
    of_games = ~np.isnan(samples.results)
    assert 0 < of_games.sum() < len(of_games), "leaves have no result"
    assert set(samples.results[of_games]) <= set(samples.games) <= {0.0, 1.0}


def test_samples_are_the_beginnings_of_turns() -> None:
    differences = practise(KIWARA, Training(FEATURES["kiwara"], ({},), 24), HAND_SET, 60, 4, 5).differences
    tempo = [feature.name for feature in FEATURES["kiwara"]].index("tempo")
    # A seat has the tempo, except on the empty board on which the totem is set.
    assert np.all((differences[:, tempo] != 0) | ~differences.any(axis=1))


def test_equal_weights_share_every_pair_of_games() -> None:
    assert compare(KIWARA, PILE, HAND_SET, HAND_SET, 60, 3, 1).tolist() == [0.5, 0.5, 0.5]


def test_a_player_with_inverted_weights_loses() -> None:
    assert compare(KIWARA, PILE, HAND_SET, -HAND_SET, 60, 6, 1).mean() > 0.8


@pytest.mark.parametrize("kind", TRAINING)
def test_every_kind_of_game_can_be_practised(kind: str) -> None:
    game, training = TRAINING[kind]
    for options in training.options:
        position = game.start(seed=1, chance="manual", **options)
        assert position.to_move in (0, 1)
        assert len(position.legal_moves) > training.opening / 10
