"""`mchezo tune`: learn evaluation weights by self-play, and measure what they gain."""

from __future__ import annotations

import errno
import os
import tomllib
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from mchezo import __version__
from mchezo.arena.statistics import interval
from mchezo.cli.common import WORDS, echo, prepare, read_file, say, write_file
from mchezo.cli.reports import progress_bar
from mchezo.core import registry
from mchezo.core.errors import UserError
from mchezo.core.features import Feature, Training, hand_set
from mchezo.core.game import Game
from mchezo.core.options import one_of
from mchezo.core.structs import Numbers
from mchezo.search import selfplay, tuning, turnplay
from mchezo.workers.units import Workers, in_order

BATCH = 25  # games
MATCH_SEED = 1 << 20  # matches use other openings than training games


@dataclass(frozen=True)
class TuningRun:
    """The settings of a run: rounds of self-play games of one kind, then a match in pairs of games."""

    game: Game
    kind: str
    rounds: int
    games: int
    nodes: int
    pairs: int
    seed: int
    workers: Workers

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features to weigh."""
        return self.training.features

    @property
    def training(self) -> Training:
        """How self-play games of this kind are played."""
        return self.game.evaluation.training[self.kind]

    @property
    def command(self) -> str:
        """The command that repeats this run."""
        settings = f"--rounds {self.rounds} --games {self.games} --nodes {self.nodes} --pairs {self.pairs}"
        return f"mchezo tune {self.game.name} --kind {self.kind} {settings} --seed {self.seed}"

    @property
    def terms(self) -> dict[str, Any]:
        """Everything that determines the games; games with other terms cannot be combined."""
        return {
            "version": __version__,
            "rules": self.game.version,
            "kind": self.kind,
            "games": BATCH,
            "nodes": self.nodes,
            "seed": self.seed,
            "weights": {feature.name: feature.weight for feature in self.features},
        }


def play_batch(
    name: str, kind: str, nodes: int, seed: int, weights: Numbers, round_number: int, number: int
) -> tuning.Samples:
    """Play one batch of games."""
    game = registry.find(name)
    training = game.evaluation.training[kind]
    practise = turnplay.practise if training.whole_turns else selfplay.practise
    return practise(game, training, weights, nodes, BATCH, (seed << 24) + (round_number << 16) + number)


def play_match(name: str, kind: str, nodes: int, seed: int, weights: Numbers, number: int) -> Numbers:
    """Return the scores of learned weights against hand-set ones in a batch of pairs."""
    game = registry.find(name)
    training = game.evaluation.training[kind]
    compare = turnplay.compare if training.whole_turns else selfplay.compare
    return compare(
        game, training, weights, hand_set(training.features), nodes, BATCH, (seed << 24) + MATCH_SEED + number
    )


def start(
    name: str,
    kind: str | None,
    rounds: int,
    games: int,
    nodes: int,
    pairs: int,
    seed: int,
    workers: Workers,
    folder: Path | None,
    out: Path | None,
) -> None:
    """Run what the command line asks for."""
    game = prepare(name)
    kinds = tuple(game.evaluation.training)
    out = out or game.evaluation.weights_file or Path("weights.toml")
    chosen_kinds = kinds if kind is None else (one_of("kind", kind, kinds),)
    check_file(out)
    for chosen in chosen_kinds:
        run(TuningRun(game, chosen, rounds, games, nodes, pairs, seed, workers), folder and folder / chosen, out)


def check_file(out: Path) -> None:
    """Raise an error if the file cannot be written, before hours are spent."""
    if not os.access(out if out.exists() else out.parent, os.W_OK):
        reason = os.strerror(errno.EACCES if out.parent.exists() else errno.ENOENT)
        raise UserError("file-error", WORDS, file=out, reason=reason)
    try:
        tomllib.loads(read_file(out) if out.exists() else "")
    except tomllib.TOMLDecodeError as error:
        raise UserError("file-error", WORDS, file=out, reason=error) from error


def run(tuning_run: TuningRun, folder: Path | None, out: Path) -> None:
    """Tune, play the match, print the result, and write the weights if they are better."""
    batches = -(-tuning_run.games // BATCH)
    matches = -(-tuning_run.pairs // BATCH)
    settings = (tuning_run.game.name, tuning_run.kind, tuning_run.nodes, tuning_run.seed)
    store = tuning.BatchStore(folder, tuning_run.terms, tuning.Samples)
    with progress_bar(BATCH * (tuning_run.rounds * batches + 2 * matches), tuning_run.kind) as show:
        weights, summary = tuning.learn(
            tuning_run.features,
            tuning_run.rounds,
            batches,
            partial(play_batch, *settings),
            store,
            tuning_run.workers,
            lambda samples: show.advance(show.task_ids[0], len(samples.games)),
        )
        scored = []
        for part in in_order(partial(play_match, *settings, weights), range(matches), tuning_run.workers):
            scored.append(part)
            show.advance(show.task_ids[0], 2 * len(part))
    mean, error = interval(np.concatenate(scored))
    score = f"{100 * mean:.1f} ± {100 * error:.1f} % of {2 * BATCH * matches} games"
    echo(
        say(
            "tuned",
            kind=tuning_run.kind,
            games=summary.games,
            positions=summary.positions,
            before=summary.log_loss_hand_set,
            after=summary.log_loss_learned,
            score=score,
        )
    )
    if mean - error <= 0.5:
        # Predicting results better does not imply playing better.
        echo(say("tuned-in-vain", kind=tuning_run.kind), "yellow")
        return
    before = read_file(out) if out.exists() else ""
    write_file(
        out,
        tuning.weights_text(before, tuning_run.kind, tuning_run.features, weights, tuning_run.command, summary, score),
    )
    echo(say("saved", file=out))
