"""Learning a network from positions (`leaves.py`), with PyTorch, and quantising it (`core/network.py`).

A network learns the difference between the linear evaluation and what a search, or the end of the game, says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from mchezo.core.network import HIDDEN, LARGEST_OUTPUT, MOST_INPUTS, OUTPUT_UNIT, STAGES, THOUSANDTHS, UNIT, ShortRows
from mchezo.search.alphabeta import MATE_BOUND
from mchezo.search.leaves import Positions, together

RESULT_SHARE = 0.25  # share of the game's result in the target of its positions; the rest is the search's value
SUREST = 0.005  # no target is nearer than this to 0 or 1
LARGEST_WEIGHT = np.iinfo(np.int16).max / UNIT / (MOST_INPUTS + 1)  # no sum of the first layer overflows
BATCH = 2048  # positions
FIRST_RATE, LAST_RATE = 2e-3, 5e-5  # of learning, falling by a cosine
DECAY = 0.1  # of weights
FIRST_BIAS, FIRST_WEIGHTS, FIRST_OUTPUTS = 0.3, 0.05, 0.1  # before learning: mean of biases, spread of the others


@dataclass(frozen=True)
class Table:
    """Positions as PyTorch takes them; unused places of `inputs` hold the number of inputs."""

    inputs: npt.NDArray[np.int16]
    stages: npt.NDArray[np.int64]
    linear: npt.NDArray[np.float32]  # log-odds
    targets: npt.NDArray[np.float32]  # chances of winning

    def batch(self, rows: npt.NDArray[np.int64]) -> tuple[torch.Tensor, ...]:
        """Return these rows as tensors."""
        inputs = torch.from_numpy(self.inputs[rows].astype(np.int64))
        return inputs, *(torch.from_numpy(part[rows]) for part in (self.stages, self.linear, self.targets))


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

    bias: torch.Tensor
    rows: torch.Tensor  # the last one stands for unused places
    outputs: torch.Tensor
    output_bias: torch.Tensor

    @property
    def parameters(self) -> list[torch.Tensor]:
        """Everything that is learned."""
        return [self.bias, self.rows, self.outputs, self.output_bias]

    def odds(self, inputs: torch.Tensor, stages: torch.Tensor) -> torch.Tensor:
        """Return the corrections of the linear evaluation, in log-odds."""
        summed = functional.embedding_bag(inputs, self.rows, mode="sum", padding_idx=len(self.rows) - 1)
        hidden = (summed + self.bias).clamp(0, 1).square()
        return (hidden * self.outputs[stages]).sum(1) + self.output_bias[stages]

    def clip(self) -> None:
        """Keep all weights within what quantisation allows."""
        with torch.no_grad():
            for part in (self.bias, self.rows):
                part.clamp_(-LARGEST_WEIGHT, LARGEST_WEIGHT)
            self.outputs.clamp_(-LARGEST_OUTPUT / OUTPUT_UNIT, LARGEST_OUTPUT / OUTPUT_UNIT)

    def quantised(self) -> ShortRows:
        """Return the network as kernels use it."""
        bias, rows, outputs, output_bias = (part.detach().numpy() for part in self.parameters)
        last = np.zeros((1, HIDDEN), np.float32)
        last[0, :STAGES] = output_bias * THOUSANDTHS
        parts = (bias[None] * UNIT, rows[:-1] * UNIT, outputs * OUTPUT_UNIT, last)
        return np.ascontiguousarray(np.round(np.concatenate(parts)).astype(np.int16))


def new_network(inputs: int, generator: np.random.Generator) -> FloatNetwork:
    """Return a network that knows nothing."""

    def learned(values: npt.NDArray[Any]) -> torch.Tensor:
        return torch.tensor(values, dtype=torch.float32, requires_grad=True)

    rows = generator.normal(0, FIRST_WEIGHTS, (inputs + 1, HIDDEN))
    rows[-1] = 0
    outputs = generator.normal(0, FIRST_OUTPUTS, (STAGES, HIDDEN))
    return FloatNetwork(
        learned(np.full(HIDDEN, FIRST_BIAS)), learned(rows), learned(outputs), learned(np.zeros(STAGES))
    )


def log_loss(network: FloatNetwork | None, table: Table) -> float:
    """Return the log-loss of predicting the targets, with a network or by the linear evaluation alone."""
    total = 0.0
    with torch.no_grad():
        for first in range(0, len(table.stages), BATCH):
            rows = np.arange(first, min(first + BATCH, len(table.stages)))
            inputs, stages, odds, targets = table.batch(rows)
            if network is not None:
                odds = odds + network.odds(inputs, stages)
            total += float(functional.binary_cross_entropy_with_logits(odds, targets, reduction="sum"))
    return total / len(table.stages)


def learn(
    known: Table, unseen: Table, inputs: int, epochs: int, seed: int, report: Callable[[int, float, float], None]
) -> FloatNetwork:
    """Learn a network; `report` is called after every epoch with its number and the log-loss on both tables."""
    generator = np.random.default_rng(seed)
    network = new_network(inputs, generator)
    optimiser = torch.optim.AdamW(network.parameters, lr=FIRST_RATE, weight_decay=DECAY)
    batches = math.ceil(len(known.stages) / BATCH)
    for epoch in range(epochs):
        order = generator.permutation(len(known.stages))
        total = 0.0
        for number in range(batches):
            progress = (epoch * batches + number) / (epochs * batches)
            rate = LAST_RATE + (FIRST_RATE - LAST_RATE) * (1 + math.cos(math.pi * progress)) / 2
            for group in optimiser.param_groups:
                group["lr"] = rate
            rows, stages, linear, targets = known.batch(order[number * BATCH : (number + 1) * BATCH])
            loss = functional.binary_cross_entropy_with_logits(linear + network.odds(rows, stages), targets)
            optimiser.zero_grad()
            torch.autograd.backward(loss)
            optimiser.step()
            network.clip()
            total += float(loss.detach()) * len(stages)
        report(epoch + 1, total / len(known.stages), log_loss(network, unseen))
    return network
