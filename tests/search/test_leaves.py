"""Positions that a network learns from."""

import numpy as np

import mchezo
from mchezo.core.network import NONE
from mchezo.games.kiwara import network
from mchezo.search.alphabeta import MATE_BOUND
from mchezo.search.leaves import Positions, practise

KIWARA = mchezo.game("kiwara")
TRAINING = KIWARA.evaluation.training["kiwara"]


def positions(seed: int) -> Positions:
    """Return the positions of a few games."""
    return practise(KIWARA, TRAINING, NONE, 60, 6, seed)


def test_the_same_seed_gives_the_same_positions_and_another_one_others() -> None:
    first, again, other = positions(5), positions(5), positions(6)
    for name, values in vars(first).items():
        assert np.array_equal(values, getattr(again, name), equal_nan=name == "results"), name
    assert not np.array_equal(first.values, other.values)


def test_most_positions_are_leaves_and_those_of_games_have_results() -> None:
    found = positions(5)
    count = len(found.values)
    assert len(found.counts) == len(found.stages) == len(found.linear) == len(found.results) == count > 200
    assert len(found.inputs) == found.counts.sum()
    leaves = np.isnan(found.results)
    assert 0.5 < leaves.mean() < 0.95
    assert set(found.results[~leaves]) == {0.0, 1.0}
    assert found.inputs.min() >= 0
    assert found.inputs.max() < network.INPUTS


def test_leaves_are_beginnings_of_turns_and_some_of_them_are_solved() -> None:
    found = positions(5)
    first = np.concatenate([[0], np.cumsum(found.counts)[:-1]])
    in_phase = (found.inputs >= network.PHASE) & (found.inputs < network.WARTHOG)
    phases = np.add.reduceat(np.where(in_phase, found.inputs - network.PHASE, 0), first)
    # Placing, setting the totem, or moving it in a turn without placing.
    assert set(phases.tolist()) <= {0, 1, 4}
    solved = np.abs(found.values) >= MATE_BOUND
    assert 0 < solved.sum() < len(solved)


def test_the_linear_evaluation_agrees_with_the_search_more_often_than_not() -> None:
    found = positions(5)
    agreed = np.sign(found.linear.astype(np.int32)) == np.sign(found.values.astype(np.int32))
    assert agreed.mean() > 0.6
