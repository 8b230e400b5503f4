"""Training games of the planner of whole turns."""

import numpy as np
import pytest

import mchezo
from mchezo.core.features import hand_set
from mchezo.games.kitara.evaluate import FEATURES
from mchezo.search.turnplay import compare, practise

KITARA = mchezo.game("kitara")
HAND_SET = hand_set(FEATURES["two-players"])
TRAINING = KITARA.evaluation.training


@pytest.mark.parametrize("kind", TRAINING)
def test_the_same_seed_plays_the_same_games_and_another_one_others(kind: str) -> None:
    first, again, other = (practise(KITARA, TRAINING[kind], HAND_SET, 40, 2, seed) for seed in (5, 5, 6))
    assert len(first.games) == 2
    for name, values in vars(first).items():
        assert np.array_equal(values, getattr(again, name)), name
    assert not np.array_equal(first.values, other.values)


def test_samples_tell_what_the_seats_differ_in_and_who_was_ahead() -> None:
    samples = practise(KITARA, TRAINING["four-players"], HAND_SET, 40, 2, 5)
    # Seven turns of four seats and the choice of their start spaces, each as six pairs of seats.
    assert samples.differences.shape == (2 * 6 * 32, len(HAND_SET))
    assert len(samples.results) == len(samples.values) == 2 * 6 * 32
    assert set(samples.results) <= {0.0, 0.5, 1.0}


def test_equal_weights_share_every_pair_of_games() -> None:
    assert compare(KITARA, TRAINING["two-players"], HAND_SET, HAND_SET, 40, 3, 1).tolist() == [0.5, 0.5, 0.5]


@pytest.mark.parametrize("kind", TRAINING)
def test_a_player_with_inverted_weights_loses(kind: str) -> None:
    assert compare(KITARA, TRAINING[kind], HAND_SET, -HAND_SET, 160, 4, 1).mean() > 0.8
