"""Tuning evaluation weights by logistic regression on self-play games (Texel tuning), and writing `weights.toml`.

The model predicts a game's result from the difference between the seats' features at its quiet positions. Each round
plays new games with the weights learned so far; finished batches are kept so that an interrupted run can resume.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from mchezo.core.errors import UserError
from mchezo.core.features import Feature, hand_set
from mchezo.core.structs import Numbers
from mchezo.core.words import Words
from mchezo.workers.units import Workers, in_order

T = TypeVar("T")
Matrix = npt.NDArray[np.float32]
Vector = npt.NDArray[np.float32]

WORDS = Words("mchezo.search")

THOUSANDTHS = 1000.0  # weights are in thousandths of log-odds
RESULT_SHARE = 0.5  # share of the game's result in a position's target; the rest is the search's value
TRUST = 50.0  # how many positions a hand-set weight counts for
HELD_OUT = 10  # one batch in this many is held out for validation
MOST_STEPS = 50
ENOUGH = 1e-9  # stop when a step gains less than this per position
TINY = 1e-9

HEAD = """\
# Learned weights of the features in evaluate.py, in thousandths of its unit (log-odds or points).
# Each table was written by its `command`. Log-loss is measured on held-out games; the score is that of learned
# against hand-set weights, counting draws as half, in pairs of games with seats swapped.
"""


@dataclass(frozen=True)
class Samples:
    """Quiet positions of games and searches: differences of the seats' features, the search's values, the results."""

    differences: Matrix  # features of seat 0 minus those of seat 1
    values: npt.NDArray[np.int32]  # for seat 0, in thousandths of log-odds
    results: Vector  # seat 0's score in the game of each position: 1 won, 0 lost; NaN for leaves of its searches
    games: Vector  # seat 0's score in each game

    @property
    def targets(self) -> Vector:
        """The regression targets, as chances of seat 0."""
        searched = chances(self.values)
        share = np.where(np.isnan(self.results), 0.0, RESULT_SHARE)
        return (share * np.nan_to_num(self.results) + (1 - share) * searched).astype(np.float32)


def together(parts: Sequence[Samples]) -> Samples:
    """Concatenate batches."""
    return Samples(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Samples)))


def chances(values: npt.NDArray[Any]) -> Numbers:
    """Convert values in thousandths of log-odds to chances of winning."""
    return 1.0 / (1.0 + np.exp(-np.clip(np.asarray(values, np.float64), -30_000, 30_000) / THOUSANDTHS))


def log_loss(differences: Matrix, results: Vector, weights: Numbers) -> float:
    """Return the log-loss of predicting results with these weights; 0.693 is a coin flip, less is better."""
    known = ~np.isnan(results)
    results = results[known]
    expected = np.clip(chances(differences[known] @ weights), TINY, 1 - TINY)
    return float(-np.mean(results * np.log(expected) + (1 - results) * np.log(1 - expected)))


def fit(differences: Matrix, targets: Vector, prior: Numbers, trust: float = TRUST) -> Numbers:
    """Fit the weights to the targets by Newton's method.

    A Gaussian prior keeps weights near `prior` where the positions say little; it counts as much as `trust` positions.
    """
    rows = np.asarray(differences, np.float64)
    usual = np.mean(rows**2, axis=0)
    hold = trust * np.where(usual > 0, usual, 1.0)
    start = prior / THOUSANDTHS

    def cost(weights: Numbers) -> float:
        penalty = 0.5 * float(hold @ (weights - start) ** 2)
        odds = rows @ weights
        return penalty + float(np.sum(np.logaddexp(0.0, odds) - targets * odds))

    weights, reached = start.copy(), cost(start)
    for _ in range(MOST_STEPS):
        expected = chances(rows @ weights * THOUSANDTHS)
        gradient = rows.T @ (expected - targets) + hold * (weights - start)
        curvature = expected * (1 - expected)
        step = np.linalg.solve((rows.T * curvature) @ rows + np.diag(hold), gradient)
        # A confident but wrong prior leaves hardly any curvature, and a full step overshoots.
        while cost(weights - step) > reached and np.abs(step).max() > TINY:
            step /= 2
        weights = weights - step
        before, reached = reached, cost(weights)
        if before - reached < ENOUGH * len(rows):
            break
    return weights * THOUSANDTHS


class BatchStore(Generic[T]):
    """Finished batches of arrays, kept in a folder (if given) so that an interrupted run can resume."""

    def __init__(self, folder: Path | None, terms: Mapping[str, Any], kind: Callable[..., T]) -> None:
        self.folder = folder
        self.kind = kind
        self.batches: dict[tuple[int, int], T] = {}
        if folder is None:
            return
        file = folder / "terms.json"
        try:
            if not file.exists():
                folder.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps(terms), encoding="utf-8")
            found = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise UserError("kept-unreadable", WORDS, folder=folder) from error
        # Compare in JSON's terms, where a tuple is a list.
        for name, value in json.loads(json.dumps(terms)).items():
            if not isinstance(found, dict) or found.get(name) != value:
                raise UserError("kept-other", WORDS, folder=folder, term=name)

    def get(self, round_number: int, number: int) -> T | None:
        """Return a batch of a round, if it was played."""
        if (round_number, number) not in self.batches and self.folder is not None:
            file = self.file(round_number, number)
            if file.exists():
                with np.load(file) as arrays:
                    self.batches[round_number, number] = self.kind(**arrays)
        return self.batches.get((round_number, number))

    def add(self, round_number: int, number: int, samples: T) -> None:
        """Store a batch; its file is written atomically."""
        self.batches[round_number, number] = samples
        if self.folder is not None:
            file = self.file(round_number, number)
            unfinished = file.with_suffix(".part.npz")
            np.savez_compressed(unfinished, **vars(samples))
            os.replace(unfinished, file)

    def file(self, round_number: int, number: int) -> Path:
        """Return the path of a batch."""
        assert self.folder is not None
        return self.folder / f"round-{round_number}-batch-{number}.npz"


@dataclass(frozen=True)
class TuningSummary:
    """How much was learned from, and the log-loss before and after."""

    games: int
    positions: int
    log_loss_hand_set: float
    log_loss_learned: float


def learn(
    features: Sequence[Feature],
    rounds: int,
    batches: int,
    play: Callable[[Numbers, int, int], Samples],
    store: BatchStore[Samples],
    workers: Workers,
    played: Callable[[Samples], None],
) -> tuple[Numbers, TuningSummary]:
    """Play `batches` batches per round and fit the weights to everything played so far; return weights and summary.

    `play` is called with the weights and the numbers of round and batch, which determine its games; `played` is called
    with every finished batch.
    """
    prior = weights = hand_set(features)
    learned_from: list[Samples] = []
    held_out: list[Samples] = []
    for round_number in range(rounds):
        found = {number: store.get(round_number, number) for number in range(batches)}
        missing = [number for number, samples in found.items() if samples is None]
        new = in_order(partial(play, weights, round_number), missing, workers)
        for number, samples in found.items():
            if samples is None:
                samples = next(new)
                store.add(round_number, number, samples)
            (held_out if number % HELD_OUT == HELD_OUT - 1 else learned_from).append(samples)
            played(samples)
        known = together(learned_from)
        weights = np.round(fit(known.differences, known.targets, prior))
    # With too few batches to hold one out, validate on the training games.
    unseen = together(held_out or learned_from)
    everything = together(learned_from + held_out)
    return weights, TuningSummary(
        games=len(everything.games),
        positions=len(everything.values),
        log_loss_hand_set=round(log_loss(unseen.differences, unseen.results, prior), 4),
        log_loss_learned=round(log_loss(unseen.differences, unseen.results, weights), 4),
    )


def weights_text(
    before: str,
    kind: str,
    features: Sequence[Feature],
    weights: Numbers,
    command: str,
    summary: TuningSummary,
    score: str,
) -> str:
    """Return the text of `weights.toml` with the table of one kind of game replaced."""
    tables = tomllib.loads(before)
    facts = {name.replace("_", "-"): value for name, value in asdict(summary).items()}
    rounded = {feature.name: round(weight) for feature, weight in zip(features, weights.tolist(), strict=True)}
    tables[kind] = {"command": command, **facts, "score": score, "weights": rounded}
    parts = [HEAD]
    for name, table in tables.items():
        parts.append(f"\n[{name}]\n" + "".join(line(key, value) for key, value in table.items() if key != "weights"))
        parts.append(f"\n[{name}.weights]\n" + "".join(line(key, value) for key, value in table["weights"].items()))
    return "".join(parts)


def line(name: str, value: str | float) -> str:
    """Return a line of TOML, whose strings and numbers are written as in JSON."""
    return f"{name} = {json.dumps(value, ensure_ascii=False)}\n"
