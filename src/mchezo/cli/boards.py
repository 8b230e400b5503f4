"""The study of Katarenga's boards: plays the games, keeps what came of them, prints it, writes report and catalogue."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from mchezo import __version__
from mchezo.arena.balance import in_threads
from mchezo.arena.katarenga import FREE_MOVES, LONG_LOOK, SOFTNESS, Played, Sample, boards, play_board, start
from mchezo.cli.studies import ResultFile, progress_bar

BAN_EVERY = 4  # every so many boards are also played without captures on the first move


@dataclass(frozen=True)
class Study:
    """What is asked for: so many boards, so many nodes a move, and a second sample of so many boards."""

    boards: int
    nodes: int
    again: int
    seed: int
    threads: int
    sample: Sample = field(default_factory=Sample)

    @property
    def terms(self) -> dict[str, Any]:
        """What must be the same for results to be put together: everything that decides how a board's games go."""
        position = start("A0B0C0D0", 0, "printed")
        weights = position.game.weights(position.setups[0])
        return {
            "study": "katarenga",
            "version": __version__,
            "seed": self.seed,
            "nodes": self.nodes,
            "sample": asdict(self.sample),
            "free moves": FREE_MOVES,
            "softness": SOFTNESS,
            "long look": LONG_LOOK,
            "weights": hashlib.sha256(weights.tobytes()).hexdigest(),
        }


@dataclass(frozen=True)
class Task:
    """One board to be played by one rule."""

    board: str
    rule: str = "printed"
    again: bool = False


class Results:
    """The boards played so far; each new one is written to the file, if there is one, at once."""

    def __init__(self, study: Study, file: Path | None) -> None:
        self.lines = ResultFile(file)
        try:
            kept = [Played(**line) for line in self.lines.resume(study.terms)]
        except TypeError as error:
            raise self.lines.unreadable() from error
        self.played = {task_of(board): board for board in kept}

    def add(self, board: Played) -> None:
        """Keep a board, in the file too."""
        self.played[task_of(board)] = board
        self.lines.add(asdict(board))


def task_of(board: Played) -> Task:
    """What was asked for when this came of it."""
    return Task(board.board, board.rule, board.again)


def run(study: Study, file: Path | None, report: Path | None, catalogue: Path | None) -> None:
    """Play what is still to be played."""
    results = Results(study, file)
    play(study, tasks(study), results)


def tasks(study: Study) -> list[Task]:
    """What is played, in order: every board, and after each fourth the same without captures on the first move."""
    found = []
    for number, board in enumerate(islice(boards(study.seed), study.boards)):
        found.append(Task(board))
        if number % BAN_EVERY == 0:
            found.append(Task(board, "never"))
    return found


def play(study: Study, wanted: Sequence[Task], results: Results) -> None:
    """Play the boards that are still missing."""
    missing = [task for task in wanted if task not in results.played]
    games = study.sample.games

    def one(number: int) -> Played:
        task = missing[number]
        return play_board(task.board, task.rule, study.sample, study.nodes, study.seed, task.again)

    with progress_bar(games * len(wanted)) as show:
        show.advance(show.task_ids[0], games * (len(wanted) - len(missing)))
        for board in in_threads(one, range(len(missing)), study.threads):
            results.add(board)
            show.advance(show.task_ids[0], games)
