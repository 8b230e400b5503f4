"""Learning a network from positions (`leaves.py`), by gradient descent, and quantising it (`core/network.py`).

A network learns the difference between the linear evaluation and what a search, or the end of the game, says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from mchezo.core.network import HIDDEN, LARGEST_OUTPUT, MOST_INPUTS, OUTPUT_UNIT, STAGES, THOUSANDTHS, UNIT, ShortRows
from mchezo.search.alphabeta import MATE_BOUND
from mchezo.search.leaves import Positions, together

Floats = npt.NDArray[np.float32]

RESULT_SHARE = 0.25  # share of the game's result in the target of its positions; the rest is the search's value
SUREST = 0.005  # no target is nearer than this to 0 or 1
LARGEST_WEIGHT = np.iinfo(np.int16).max / UNIT / (MOST_INPUTS + 1)  # no sum of the first layer overflows
BATCH = 2048  # positions
FIRST_RATE, LAST_RATE = 2e-3, 5e-5  # of learning, falling by a cosine
DECAY = 0.1  # of weights
MEAN_DECAY, SQUARE_DECAY, TINY = 0.9, 0.999, 1e-8  # of the moments of the gradient, as in the paper on Adam
FIRST_BIAS, FIRST_WEIGHTS, FIRST_OUTPUTS = 0.3, 0.05, 0.1  # before learning: mean of biases, spread of the others


@dataclass(frozen=True)
class Table:
    """Positions with their targets; unused places of `inputs` hold the number of inputs."""

    inputs: npt.NDArray[np.int16]
    stages: npt.NDArray[np.int64]
    linear: Floats  # log-odds
    targets: Floats  # chances of winning

    def part(self, rows: npt.NDArray[np.int64] | slice) -> Table:
        """Return the positions of these rows."""
        return Table(self.inputs[rows], self.stages[rows], self.linear[rows], self.targets[rows])


def tabulate(parts: Sequence[Positions], inputs: int) -> Table:
    """Return positions with their targets."""
    whole = together(parts)
    width = int(whole.counts.max())
    used = np.arange(width) < whole.counts[:, None]
    rows = np.full(used.shape, inputs, np.int16)
    rows[used] = whole.inputs
    searched = 1 / (1 + np.exp(-whole.values.astype(np.float32) / THOUSANDTHS))
    solved = np.abs(whole.values) >= MATE_BOUND
    share = np.where(np.isnan(whole.results) | solved, 0, RESULT_SHARE)
    targets = (1 - share) * searched + share * np.nan_to_num(whole.results)
    return Table(
        rows,
        whole.stages.astype(np.int64),
        (whole.linear / THOUSANDTHS).astype(np.float32),
        np.clip(targets, SUREST, 1 - SUREST).astype(np.float32),
    )


@dataclass(frozen=True)
class FloatNetwork:
    """A network in floating point, while it learns."""

    bias: Floats
    rows: Floats
    outputs: Floats
    output_bias: Floats

    @property
    def parameters(self) -> tuple[Floats, ...]:
        """Everything that is learned."""
        return self.bias, self.rows, self.outputs, self.output_bias

    def one_hot(self, inputs: npt.NDArray[np.int16]) -> Floats:
        """Return a row per position, with a one for each of its inputs."""
        found = np.zeros((len(inputs), len(self.rows) + 1), np.float32)
        np.put_along_axis(found, inputs.astype(np.int64), 1, axis=1)
        return found[:, :-1]

    def odds(self, table: Table) -> Floats:
        """Return the evaluations of positions, in log-odds."""
        hidden = np.clip(self.one_hot(table.inputs) @ self.rows + self.bias, 0, 1) ** 2
        correction = (hidden * self.outputs[table.stages]).sum(1) + self.output_bias[table.stages]
        return np.asarray(table.linear + correction, np.float32)

    def gradient(self, table: Table) -> tuple[float, list[Floats]]:
        """Return the mean log-loss on positions, and its derivatives by each of the parameters."""
        one_hot = self.one_hot(table.inputs)
        clipped = np.clip(one_hot @ self.rows + self.bias, 0, 1)
        hidden = clipped**2
        weights = self.outputs[table.stages]
        odds = table.linear + (hidden * weights).sum(1) + self.output_bias[table.stages]
        error = (1 / (1 + np.exp(-odds)) - table.targets) / len(odds)
        of_stage = (np.arange(STAGES)[:, None] == table.stages).astype(np.float32)
        inside = (clipped > 0) & (clipped < 1)
        summed = np.where(inside, error[:, None] * weights * 2 * clipped, 0).astype(np.float32)
        derivatives = [summed.sum(0), one_hot.T @ summed, of_stage @ (error[:, None] * hidden), of_stage @ error]
        return float(cross_entropy(odds, table.targets).mean()), derivatives

    def clip(self) -> None:
        """Keep all weights within what quantisation allows."""
        for part in (self.bias, self.rows):
            np.clip(part, -LARGEST_WEIGHT, LARGEST_WEIGHT, out=part)
        largest = LARGEST_OUTPUT / OUTPUT_UNIT
        np.clip(self.outputs, -largest, largest, out=self.outputs)

    def quantised(self) -> ShortRows:
        """Return the network as kernels use it."""
        last = np.zeros((1, HIDDEN), np.float32)
        last[0, :STAGES] = self.output_bias * THOUSANDTHS
        parts = (self.bias[None] * UNIT, self.rows * UNIT, self.outputs * OUTPUT_UNIT, last)
        return np.ascontiguousarray(np.round(np.concatenate(parts)).astype(np.int16))


def new_network(inputs: int, generator: np.random.Generator) -> FloatNetwork:
    """Return a network that knows nothing."""
    return FloatNetwork(
        np.full(HIDDEN, FIRST_BIAS, np.float32),
        generator.normal(0, FIRST_WEIGHTS, (inputs, HIDDEN)).astype(np.float32),
        generator.normal(0, FIRST_OUTPUTS, (STAGES, HIDDEN)).astype(np.float32),
        np.zeros(STAGES, np.float32),
    )


def cross_entropy(odds: Floats, targets: Floats) -> Floats:
    """Return the log-loss of each prediction."""
    return np.asarray(np.logaddexp(0, odds) - targets * odds)


def log_loss(network: FloatNetwork | None, table: Table) -> float:
    """Return the log-loss of predicting the targets, with a network or by the linear evaluation alone."""
    total = 0.0
    for first in range(0, len(table.stages), BATCH):
        part = table.part(slice(first, first + BATCH))
        odds = part.linear if network is None else network.odds(part)
        total += float(cross_entropy(odds, part.targets).sum())
    return total / len(table.stages)


@dataclass
class AdamW:
    """Adam with decoupled weight decay (Loshchilov and Hutter, 2019)."""

    parameters: Sequence[Floats]
    steps: int = 0
    means: list[Floats] = field(init=False)
    squares: list[Floats] = field(init=False)

    def __post_init__(self) -> None:
        self.means = [np.zeros_like(part) for part in self.parameters]
        self.squares = [np.zeros_like(part) for part in self.parameters]

    def step(self, derivatives: Sequence[Floats], rate: float) -> None:
        """Change the parameters."""
        self.steps += 1
        mean_scale, square_scale = 1 - MEAN_DECAY**self.steps, 1 - SQUARE_DECAY**self.steps
        for part, mean, square, derivative in zip(self.parameters, self.means, self.squares, derivatives, strict=True):
            mean += (1 - MEAN_DECAY) * (derivative - mean)
            square += (1 - SQUARE_DECAY) * (derivative**2 - square)
            part *= 1 - rate * DECAY
            part -= rate * (mean / mean_scale) / (np.sqrt(square / square_scale) + TINY)


def learn(
    known: Table, unseen: Table, inputs: int, epochs: int, seed: int, report: Callable[[int, float, float], None]
) -> FloatNetwork:
    """Learn a network; `report` is called after every epoch with its number and the log-loss on both tables."""
    generator = np.random.default_rng(seed)
    network = new_network(inputs, generator)
    optimiser = AdamW(network.parameters)
    batches = math.ceil(len(known.stages) / BATCH)
    for epoch in range(epochs):
        order = generator.permutation(len(known.stages))
        total = 0.0
        for number in range(batches):
            progress = (epoch * batches + number) / (epochs * batches)
            rate = LAST_RATE + (FIRST_RATE - LAST_RATE) * (1 + math.cos(math.pi * progress)) / 2
            batch = known.part(order[number * BATCH : (number + 1) * BATCH])
            loss, derivatives = network.gradient(batch)
            optimiser.step(derivatives, rate)
            network.clip()
            total += loss * len(batch.stages)
        report(epoch + 1, total / len(known.stages), log_loss(network, unseen))
    return network
