"""Learning what features are worth: regression on the results of games, kept games to go on from, and `weights.toml`.

The result of a game is taken to follow from the difference of the seats' features at any quiet position on its way, by
logistic regression. Players that use what was learned play the next games to learn from, round after round.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mchezo.core.errors import Refusal
from mchezo.core.features import Feature, hand_set
from mchezo.core.structs import Numbers
from mchezo.core.words import Words

Matrix = npt.NDArray[np.float32]
Vector = npt.NDArray[np.float32]

WORDS = Words("mchezo.search")

THOUSANDTHS = 1000.0  # weights are in thousandths of log-odds
# What a position should have been judged: half the result of its game, half what the search thought of it.
RESULT_SHARE = 0.5
TRUST = 50.0  # positions for which a hand-set worth counts
HELD_OUT = 10  # of so many batches one is not learned from but tells how well the others foretell
MOST_STEPS = 30
LEAST_CURVATURE = 1e-3
TINY = 1e-9

HEAD = """\
# What the quantities of evaluate.py are worth, in thousandths of its unit (log-odds, or points): learned, not guessed.
# Each table was written by the command in it. The log-loss is that of games which were not learned from;
# the score is that of learned against hand-set worths, a draw half, in pairs of games with seats swapped.
"""


@dataclass(frozen=True)
class Samples:
    """Quiet positions of some games: what the seats differ in, what the search thought, and what came of it."""

    differences: Matrix  # features of seat 0 less those of seat 1
    values: npt.NDArray[np.int32]  # for seat 0, in thousandths of log-odds
    results: Vector  # what seat 0 scored in the game of the position: 1 won, 0 lost
    games: Vector  # what seat 0 scored in each game

    @property
    def targets(self) -> Vector:
        """What the positions should have been judged, as chances of seat 0."""
        thought = chances(self.values)
        return (RESULT_SHARE * self.results + (1 - RESULT_SHARE) * thought).astype(np.float32)


def together(parts: Sequence[Samples]) -> Samples:
    """Several batches as one."""
    return Samples(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Samples)))


def chances(values: npt.NDArray[Any]) -> Numbers:
    """The chances of winning that values in thousandths of log-odds stand for."""
    return 1.0 / (1.0 + np.exp(-np.clip(np.asarray(values, np.float64), -30_000, 30_000) / THOUSANDTHS))


def log_loss(differences: Matrix, results: Vector, weights: Numbers) -> float:
    """How badly weights foretell results: 0.693 is that of somebody who knows nothing, less is better."""
    expected = np.clip(chances(differences @ weights), TINY, 1 - TINY)
    return float(-np.mean(results * np.log(expected) + (1 - results) * np.log(1 - expected)))


def fit(differences: Matrix, targets: Vector, prior: Numbers, trust: float = TRUST) -> Numbers:
    """The weights that foretell the targets best, by Newton's method.

    Where positions say little a weight stays near its prior, as if `trust` further positions had confirmed it.
    """
    rows = np.asarray(differences, np.float64)
    usual = np.mean(rows**2, axis=0)
    hold = trust * np.where(usual > 0, usual, 1.0)
    start = prior / THOUSANDTHS

    def cost(weights: Numbers) -> float:
        logits = rows @ weights
        return float(np.sum(np.logaddexp(0, logits) - targets * logits) + hold @ (weights - start) ** 2 / 2)

    weights = start.copy()
    for _ in range(MOST_STEPS):
        expected = chances(rows @ weights * THOUSANDTHS)
        slope = rows.T @ (expected - targets) + hold * (weights - start)
        # Chances near 0 and 1 have hardly any curvature; a floor keeps steps from going too far.
        curvature = np.maximum(expected * (1 - expected), LEAST_CURVATURE)
        step = np.linalg.solve((rows.T * curvature) @ rows + np.diag(hold), slope)
        # Where leads are large a whole step can overshoot by far: it is halved as long as that is better.
        while cost(weights - step / 2) < cost(weights - step):
            step /= 2
        weights -= step
        if np.abs(step * np.sqrt(usual)).max() < 1e-6:
            break
    return weights * THOUSANDTHS


class Kept:
    """Batches of games, in a folder if there is one, so that learning goes on where it stopped."""

    def __init__(self, folder: Path | None, terms: Mapping[str, Any]) -> None:
        self.folder = folder
        self.batches: dict[tuple[int, int], Samples] = {}
        if folder is None:
            return
        file = folder / "terms.json"
        try:
            if not file.exists():
                folder.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps(terms), encoding="utf-8")
            found = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise Refusal("kept-unreadable", WORDS, folder=folder) from error
        # As they come back from the file: a tuple is a list there.
        for name, value in json.loads(json.dumps(terms)).items():
            if not isinstance(found, dict) or found.get(name) != value:
                raise Refusal("kept-other", WORDS, folder=folder, term=name)

    def get(self, round_number: int, number: int) -> Samples | None:
        """A batch of a round, if it was played."""
        if (round_number, number) not in self.batches and self.folder is not None:
            file = self.file(round_number, number)
            if file.exists():
                with np.load(file) as arrays:
                    self.batches[round_number, number] = Samples(**arrays)
        return self.batches.get((round_number, number))

    def add(self, round_number: int, number: int, samples: Samples) -> None:
        """Keep a batch; a file is there whole or not at all."""
        self.batches[round_number, number] = samples
        if self.folder is not None:
            file = self.file(round_number, number)
            unfinished = file.with_suffix(".part.npz")
            np.savez_compressed(unfinished, **vars(samples))
            os.replace(unfinished, file)

    def file(self, round_number: int, number: int) -> Path:
        """Where a batch is kept."""
        assert self.folder is not None
        return self.folder / f"round-{round_number}-batch-{number}.npz"


@dataclass(frozen=True)
class Figures:
    """What came of learning."""

    games: int
    positions: int
    log_loss_hand_set: float
    log_loss_learned: float


def learn(
    features: Sequence[Feature],
    rounds: int,
    batches: int,
    play: Callable[[Numbers, int, int], Samples],
    kept: Kept,
    threads: int,
    played: Callable[[Samples], None],
) -> tuple[Numbers, Figures]:
    """Play `batches` batches a round and learn from all that was played so far; the weights and the figures.

    `play` gets weights and the numbers of round and batch, which decide everything; `played` is told of every batch.
    """
    prior = weights = hand_set(features)
    learned_from: list[Samples] = []
    held_out: list[Samples] = []
    for round_number in range(rounds):

        def batch(number: int, round_number: int = round_number, weights: Numbers = weights) -> Samples:
            samples = kept.get(round_number, number)
            if samples is None:
                samples = play(weights, round_number, number)
                kept.add(round_number, number, samples)
            return samples

        with ThreadPoolExecutor(threads) as pool:
            try:
                for number, samples in enumerate(pool.map(batch, range(batches))):
                    (held_out if number % HELD_OUT == HELD_OUT - 1 else learned_from).append(samples)
                    played(samples)
            finally:
                pool.shutdown(cancel_futures=True)
        known = together(learned_from)
        weights = np.round(fit(known.differences, known.targets, prior))
    # Without a batch to spare, the games learned from have to do.
    unseen = together(held_out or learned_from)
    everything = together(learned_from + held_out)
    return weights, Figures(
        games=len(everything.games),
        positions=len(everything.values),
        log_loss_hand_set=round(log_loss(unseen.differences, unseen.results, prior), 4),
        log_loss_learned=round(log_loss(unseen.differences, unseen.results, weights), 4),
    )


def weights_text(
    before: str, kind: str, features: Sequence[Feature], weights: Numbers, command: str, figures: Figures, score: str
) -> str:
    """The text of a `weights.toml` with the table of one kind of game written anew; those of other kinds stay."""
    tables = tomllib.loads(before)
    facts = {name.replace("_", "-"): value for name, value in asdict(figures).items()}
    worths = {feature.name: round(worth) for feature, worth in zip(features, weights.tolist(), strict=True)}
    tables[kind] = {"command": command, **facts, "score": score, "worth": worths}
    parts = [HEAD]
    for name, table in tables.items():
        parts.append(f"\n[{name}]\n" + "".join(line(key, value) for key, value in table.items() if key != "worth"))
        parts.append(f"\n[{name}.worth]\n" + "".join(line(key, value) for key, value in table["worth"].items()))
    return "".join(parts)


def line(name: str, value: str | float) -> str:
    """A line of TOML; JSON writes texts and numbers the same way."""
    return f"{name} = {json.dumps(value, ensure_ascii=False)}\n"
