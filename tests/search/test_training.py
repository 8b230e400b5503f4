"""Learning a network."""

import numpy as np
import pytest

from mchezo.core.network import HIDDEN, NONE, correction, rows_for
from mchezo.search.leaves import Positions

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'mchezo[train]'")

INPUTS = 10


def planted(count: int, seed: int) -> Positions:
    """Return positions whose value is the linear one, plus one if inputs 0 and 1 are set together."""
    generator = np.random.default_rng(seed)
    is_set = generator.random((count, INPUTS)) < 0.5
    linear = generator.normal(0, 500, count)
    values = linear + 2000 * (is_set[:, 0] & is_set[:, 1])
    inputs = np.concatenate([np.flatnonzero(row) for row in is_set])
    stages = generator.integers(0, 2, count)
    nothing = np.full(count, np.nan, np.float32)
    return Positions(
        inputs.astype(np.int16),
        is_set.sum(1).astype(np.int16),
        stages.astype(np.int8),
        linear.astype(np.int16),
        values.astype(np.int16),
        nothing,
    )


def test_what_is_not_linear_is_learned_and_survives_quantisation() -> None:
    from mchezo.search import training

    torch.set_num_threads(1)
    known, unseen = (training.tabulate([planted(20_000, seed)], INPUTS) for seed in (1, 2))
    curve: list[float] = []
    network = training.learn(known, unseen, INPUTS, 60, 1, lambda epoch, loss, validation: curve.append(validation))
    assert curve[-1] < curve[0] < training.log_loss(None, unseen)
    made = network.quantised()
    assert made.shape == (rows_for(INPUTS), HIDDEN)
    hidden = np.zeros(HIDDEN, np.int16)
    for chosen, expected in (((0, 1, 5), 2000), ((0, 4), 0), ((1, 2, 3), 0)):
        inputs = np.array(chosen, np.int32)
        found = correction(made, inputs, len(inputs), 0, hidden)
        assert abs(int(found) - expected) < 500
        exact = network.odds(torch.tensor([chosen]), torch.tensor([0]))
        assert abs(int(found) - 1000 * float(exact.detach()[0])) < 60


def test_targets_mix_the_search_and_the_result_unless_the_position_is_solved() -> None:
    from mchezo.search import training

    positions = Positions(
        np.zeros(4, np.int16),
        np.ones(4, np.int16),
        np.zeros(4, np.int8),
        np.zeros(4, np.int16),
        np.array([0, 0, 29_990, -29_990], np.int16),
        np.array([1, np.nan, 0, np.nan], np.float32),
    )
    share = training.RESULT_SHARE
    targets = training.tabulate([positions], INPUTS).targets
    assert targets == pytest.approx([0.5 + share / 2, 0.5, 1 - training.SUREST, training.SUREST])
    assert len(NONE) == 0
