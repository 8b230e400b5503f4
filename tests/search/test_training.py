"""Learning a network."""

import numpy as np
import pytest

from mchezo.core.network import HIDDEN, STAGES, correction, rows_for
from mchezo.search import training
from mchezo.search.leaves import Positions

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
        none = np.zeros(1, np.float32)
        exact = network.odds(training.Table(inputs[None].astype(np.int16), np.zeros(1, np.int64), none, none))
        assert abs(int(found) - 1000 * float(exact[0])) < 60


def test_targets_mix_the_search_and_the_result_unless_the_position_is_solved() -> None:
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


def test_the_gradient_is_the_slope_of_the_loss() -> None:
    table = training.tabulate([planted(200, 3)], INPUTS)
    generator = np.random.default_rng(4)
    network = training.new_network(INPUTS, generator)
    precise = training.FloatNetwork(*(part.astype(np.float64) for part in network.parameters))  # type: ignore[arg-type]  # differences need more than 32 bits
    derivatives = precise.gradient(table)[1]
    step = 1e-6
    checked = 0
    for part, derivative in zip(precise.parameters, derivatives, strict=True):
        for place in generator.choice(part.size, min(20, part.size), replace=False):
            kept = float(part.flat[place])
            losses = []
            for value in (kept + step, kept - step):
                part.flat[place] = value
                losses.append(precise.gradient(table)[0])
            part.flat[place] = kept
            slope = (losses[0] - losses[1]) / (2 * step)
            assert slope == pytest.approx(float(derivative.flat[place]), rel=1e-3, abs=1e-7)
            checked += slope != 0
    assert checked > 2 * STAGES


def test_a_step_of_adamw_follows_the_paper() -> None:
    weights = np.array([1.0, -2.0, 0.5], np.float32)
    optimiser = training.AdamW([weights])
    rate, decay = 0.01, training.DECAY
    first, second = np.array([0.1, -0.2, 0.0], np.float32), np.array([0.3, 0.2, 0.0], np.float32)
    # The first step has the size of the rate, whatever the size of the gradient.
    expected = weights * (1 - rate * decay) - rate * np.sign(first)
    optimiser.step([first], rate)
    assert weights == pytest.approx(expected, abs=1e-6)
    mean = (0.9 * 0.1 * first + 0.1 * second) / (1 - 0.9**2)
    square = (0.999 * 0.001 * first**2 + 0.001 * second**2) / (1 - 0.999**2)
    expected = weights * (1 - rate * decay) - rate * mean / (np.sqrt(square) + 1e-8)
    optimiser.step([second], rate)
    assert weights == pytest.approx(expected, abs=1e-6)
