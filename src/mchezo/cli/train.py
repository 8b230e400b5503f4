"""`mchezo train`: learn the network of a game from self-play."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from mchezo import __version__
from mchezo.cli.common import WORDS, echo, prepare, say
from mchezo.cli.reports import progress_bar
from mchezo.core import registry
from mchezo.core.errors import UserError
from mchezo.core.game import Game
from mchezo.core.network import HIDDEN, NONE, GameNetwork, ShortRows
from mchezo.search import leaves, training
from mchezo.search.leaves import Positions
from mchezo.search.tuning import BatchStore
from mchezo.workers.units import Workers, in_order

BATCH = 32  # games
HELD_OUT = 20  # one batch in this many is held out for validation


@dataclass(frozen=True)
class TrainingRun:
    """The settings of a run: rounds of self-play, each with the network learned from all before."""

    game: Game
    network: GameNetwork
    rounds: int
    games: int
    nodes: int
    epochs: int
    seed: int
    workers: Workers
    folder: Path

    @property
    def batches(self) -> int:
        """The batches of a round."""
        return -(-self.games // BATCH)

    @property
    def terms(self) -> dict[str, Any]:
        """Everything that determines the positions; positions with other terms cannot be combined."""
        return {
            "version": __version__,
            "rules": self.game.version,
            "kind": self.network.kind,
            "inputs": self.network.inputs,
            "hidden": HIDDEN,
            "games": self.games,
            "nodes": self.nodes,
            "epochs": self.epochs,
            "seed": self.seed,
        }

    def learned(self, round_number: int) -> Path:
        """Return the file of the network that a round learned."""
        return self.folder / f"round-{round_number}.bin"


def start(
    name: str,
    rounds: int,
    games: int,
    nodes: int,
    epochs: int,
    seed: int,
    workers: Workers,
    folder: Path,
    out: Path | None,
) -> None:
    """Run what the command line asks for."""
    game = prepare(name)
    network = game.evaluation.network
    if network is None:
        raise UserError("no-network", WORDS, game=game.title)
    run = TrainingRun(game, network, rounds, games, nodes, epochs, seed, workers, folder)
    store = BatchStore(folder, run.terms, Positions)
    learned = NONE
    positions: list[Positions] = []
    for round_number in range(rounds):
        positions += played(run, store, learned, round_number)
        if not run.learned(round_number).exists():
            replace(run.learned(round_number), learn(run, positions, round_number).tobytes())
        learned = np.fromfile(run.learned(round_number), np.int16).reshape(-1, HIDDEN)
    out = out or network.file
    try:
        replace(out, learned.tobytes())
    except OSError as error:
        raise UserError("file-error", WORDS, file=out, reason=error.strerror or error) from error
    echo(say("saved", file=out))


def played(run: TrainingRun, store: BatchStore[Positions], network: ShortRows, round_number: int) -> list[Positions]:
    """Return the positions of a round; those of an interrupted run are not played again."""
    found = {number: store.get(round_number, number) for number in range(run.batches)}
    missing = [number for number, positions in found.items() if positions is None]
    first = (run.seed << 24) + (round_number << 16)
    one = partial(play_batch, run.game.name, run.network.kind, network, run.nodes)
    with progress_bar(BATCH * run.batches, run.network.kind) as show:
        show.advance(show.task_ids[0], BATCH * (run.batches - len(missing)))
        batches = in_order(one, [first + number for number in missing], run.workers)
        for number, positions in zip(missing, batches, strict=True):
            store.add(round_number, number, positions)
            found[number] = positions
            show.advance(show.task_ids[0], BATCH)
    return [positions for positions in found.values() if positions is not None]


def play_batch(name: str, kind: str, network: ShortRows, nodes: int, seed: int) -> Positions:
    """Play one batch of games."""
    game = registry.find(name)
    return leaves.practise(game, game.evaluation.training[kind], network, nodes, BATCH, seed)


def learn(run: TrainingRun, positions: list[Positions], round_number: int) -> ShortRows:
    """Learn a network from all positions so far, and write the curve."""
    inputs = run.network.inputs
    # With too few batches to hold one out, validate on the training positions.
    unseen = training.tabulate(positions[HELD_OUT - 1 :: HELD_OUT] or positions, inputs)
    rest = [part for number, part in enumerate(positions) if number % HELD_OUT != HELD_OUT - 1]
    known = training.tabulate(rest, inputs)
    echo(say("training", round=round_number + 1, positions=len(known.stages), before=rounded_loss(unseen)))

    def report(epoch: int, loss: float, validation: float) -> None:
        line = {"round": round_number + 1, "epoch": epoch, "loss": round(loss, 4), "held out": round(validation, 4)}
        with (run.folder / "curve.jsonl").open("a", encoding="utf-8") as curve:
            curve.write(json.dumps(line) + "\n")
        echo(say("trained-epoch", epoch=epoch, epochs=run.epochs, loss=line["loss"], validation=line["held out"]))

    return training.learn(known, unseen, inputs, run.epochs, run.seed, report).quantised()


def rounded_loss(table: training.Table) -> float:
    """Return the log-loss of the linear evaluation alone."""
    return round(training.log_loss(None, table), 4)


def replace(file: Path, content: bytes) -> None:
    """Write a file at once or not at all."""
    unfinished = file.with_name(file.name + ".part")
    unfinished.write_bytes(content)
    os.replace(unfinished, file)
