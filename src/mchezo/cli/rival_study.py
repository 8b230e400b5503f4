"""`mchezo balance rival`: how often computer players of each level beat the rival of Kitara alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

from mchezo import __version__
from mchezo.arena.markdown import percent
from mchezo.arena.markdown import table as markdown_table
from mchezo.arena.matches import thinking_seed
from mchezo.arena.statistics import interval
from mchezo.cli.common import OUT, echo, say
from mchezo.cli.reports import ReportPage, ResultFile, progress_bar
from mchezo.core import registry
from mchezo.games.kitara.components import ALONE, DIFFICULTIES, SCENARIOS
from mchezo.games.kitara.pack import SHIPPED, digest_of, find
from mchezo.search.players import levels as level_facts
from mchezo.search.players import player


@dataclass(frozen=True)
class Cell:
    """One entry of the table: who plays against which rival."""

    difficulty: int
    level: int


@dataclass(frozen=True)
class RivalStudy:
    """The games to play."""

    cells: tuple[Cell, ...]
    games: int  # for each cell
    scenario: str
    deck: str
    seed: int
    threads: int

    @property
    def terms(self) -> dict[str, Any]:
        """Everything that determines a game."""
        return {
            "study": "rival",
            "version": __version__,
            "pack": digest_of(find(SHIPPED)).hex(),
            "difficulties": {str(number): str(one) for number, one in DIFFICULTIES.items()},
            "scenario": f"{self.scenario} {SCENARIOS[self.scenario]}",
            "deck": self.deck,
            "seed": self.seed,
        }


def start(
    levels: Sequence[int] | None,
    difficulties: Sequence[int] | None,
    games: int,
    scenario: str,
    deck: str,
    seed: int,
    threads: int,
    file: Path | None,
    report_file: Path | None,
) -> None:
    """Play the missing games, print the table and write the report."""
    registry.find("kitara").start(players=ALONE, scenario=scenario, deck=deck)  # refuses unknown names
    cells = tuple(
        Cell(difficulty, level) for level in levels or range(1, 6) for difficulty in difficulties or DIFFICULTIES
    )
    study = RivalStudy(cells, games, scenario, deck, seed, threads)
    page = None if report_file is None else ReportPage(report_file)
    scores = play_missing(study, ResultFile(file))
    OUT.print(shown(study, scores))
    if page is not None:
        page.write(report(study, scores), {})
        echo(say("saved", file=page.file))


Scores = Mapping[Cell, Sequence[tuple[float, float, float]]]  # share of the win, own points, the rival's points


def play_missing(study: RivalStudy, lines: ResultFile) -> Scores:
    """Return the results of all games; those that are stored are not played again."""
    found: dict[tuple[Cell, int], tuple[float, float, float]] = {}
    try:
        for line in lines.resume(study.terms):
            found[Cell(line["difficulty"], line["level"]), line["number"]] = tuple(line["scores"])
    except (TypeError, KeyError) as error:
        raise lines.unreadable() from error
    wanted = [(cell, number) for cell in study.cells for number in range(study.games)]
    missing = [one for one in wanted if one not in found]
    with progress_bar(len(wanted)) as show, ThreadPoolExecutor(study.threads) as pool:
        show.advance(show.task_ids[0], len(wanted) - len(missing))
        try:
            for (cell, number), scores in zip(missing, pool.map(lambda one: play(study, *one), missing), strict=True):
                found[cell, number] = scores
                lines.add({**asdict(cell), "number": number, "scores": scores})
                show.advance(show.task_ids[0])
        finally:
            pool.shutdown(cancel_futures=True)
    return {cell: [found[cell, number] for number in range(study.games)] for cell in study.cells}


def play(study: RivalStudy, cell: Cell, number: int) -> tuple[float, float, float]:
    """Play one game with the level's own budget; all levels meet the same cards."""
    position = registry.find("kitara").start(
        seed=(study.seed << 32) + number,
        players=ALONE,
        rival=cell.difficulty,
        scenario=study.scenario,
        deck=study.deck,
    )
    computer = player("kitara", cell.level)
    while position.to_move is not None:
        thought = computer.think(position.copy(), seed=thinking_seed(study.seed, number, len(position.steps)))
        for move in thought.moves[: thought.turn]:
            position.play(move)
    outcome = position.outcome
    assert outcome is not None
    share = 1 / len(outcome.winners) if 0 in outcome.winners else 0.0
    return share, outcome.scores[0], outcome.scores[1]


def rows(study: RivalStudy, scores: Scores) -> list[list[str]]:
    """Return the table: a row for each level, a column for each difficulty."""
    difficulties = list(dict.fromkeys(cell.difficulty for cell in study.cells))
    names = {facts.number: facts.name() for facts in level_facts("kitara")}
    found = [["% of games won", *(f"difficulty {difficulty}" for difficulty in difficulties)]]
    for level in dict.fromkeys(cell.level for cell in study.cells):
        row = [f"level {level}, {names[level]}"]
        for difficulty in difficulties:
            shares = np.array([share for share, _, _ in scores[Cell(difficulty, level)]])
            row.append(percent(interval(shares)))
        found.append(row)
    return found


def shown(study: RivalStudy, scores: Scores) -> Table:
    """Return the table for the terminal."""
    heads, *others = rows(study, scores)
    table = Table(*heads)
    for row in others:
        table.add_row(*row)
    return table


def report(study: RivalStudy, scores: Scores) -> str:
    """Return the table for a page, with the mean points."""
    heads, *others = rows(study, scores)
    points = []
    for level, row in zip(dict.fromkeys(cell.level for cell in study.cells), others, strict=True):
        of_level = [cell for cell in study.cells if cell.level == level]
        means = [np.mean(scores[cell], axis=0) for cell in of_level]
        points.append([row[0], *(f"{mean[1]:.0f} : {mean[2]:.0f}" for mean in means)])
    about = f"{study.games} games a cell, scenario {study.scenario}, {study.deck} deck, seed {study.seed}"
    return "\n".join(
        [
            f"{about}; ± is half the width of a 95 % interval.\n",
            markdown_table(heads, others),
            "Mean points, player : rival.\n",
            markdown_table(["points", *heads[1:]], points),
        ]
    )
