"""`mchezo balance rival`: how often computer players of each level beat the rival of Kitara alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

from mchezo import __version__
from mchezo.arena.markdown import table as markdown_table
from mchezo.arena.matches import thinking_seed
from mchezo.arena.statistics import wilson
from mchezo.cli.common import OUT, echo, say
from mchezo.cli.reports import ReportPage, ResultFile, progress_bar
from mchezo.core import registry
from mchezo.games.kitara.components import ALONE, DIFFICULTIES, SCENARIOS
from mchezo.games.kitara.pack import SHIPPED, digest_of, find
from mchezo.search.players import levels as level_facts
from mchezo.search.players import player
from mchezo.workers.units import Workers, in_order


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
    workers: Workers

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
    workers: Workers,
    file: Path | None,
    report_file: Path | None,
) -> None:
    """Play the missing games, print the table and write the report."""
    registry.find("kitara").start(players=ALONE, scenario=scenario, deck=deck)  # refuses unknown names
    cells = tuple(
        Cell(difficulty, level) for level in levels or range(1, 6) for difficulty in difficulties or DIFFICULTIES
    )
    study = RivalStudy(cells, games, scenario, deck, seed, workers)
    page = None if report_file is None else ReportPage(report_file, scenario)
    scores = play_missing(study, ResultFile(file))
    OUT.print(shown(scores))
    if page is not None:
        page.write(report(study, scores), {})
        echo(say("saved", file=page.file))


Scores = Mapping[Cell, Sequence[tuple[float, float, float]]]  # share of the win, own points, the rival's points


def play_missing(study: RivalStudy, lines: ResultFile) -> Scores:
    """Return the results of all games, and of others that are stored; no stored game is played again."""
    found: dict[tuple[Cell, int], tuple[float, float, float]] = {}
    try:
        for line in lines.resume(study.terms):
            found[Cell(line["difficulty"], line["level"]), line["number"]] = tuple(line["scores"])
    except (TypeError, KeyError) as error:
        raise lines.unreadable() from error
    wanted = [(cell, number) for cell in study.cells for number in range(study.games)]
    missing = [one for one in wanted if one not in found]
    with progress_bar(len(wanted)) as show:
        show.advance(show.task_ids[0], len(wanted) - len(missing))
        one = partial(play, study.scenario, study.deck, study.seed)
        for (cell, number), scores in zip(missing, in_order(one, missing, study.workers), strict=True):
            found[cell, number] = scores
            lines.add({**asdict(cell), "number": number, "scores": scores})
            show.advance(show.task_ids[0])
    results: dict[Cell, list[tuple[float, float, float]]] = {}
    for (cell, _), score in sorted(found.items(), key=lambda item: (item[0][0].level, item[0][0].difficulty)):
        results.setdefault(cell, []).append(score)
    return results


def play(scenario: str, deck: str, seed: int, game: tuple[Cell, int]) -> tuple[float, float, float]:
    """Play one game with the level's own budget; all levels meet the same cards."""
    cell, number = game
    position = registry.find("kitara").start(
        seed=(seed << 32) + number, players=ALONE, rival=cell.difficulty, scenario=scenario, deck=deck
    )
    computer = player("kitara", cell.level)
    while position.to_move is not None:
        thought = computer.think(position.copy(), seed=thinking_seed(seed, number, len(position.steps)))
        for move in thought.moves[: thought.turn]:
            position.play(move)
    outcome = position.outcome
    assert outcome is not None
    share = 1 / len(outcome.winners) if 0 in outcome.winners else 0.0
    return share, outcome.scores[0], outcome.scores[1]


def rows(scores: Scores) -> list[list[str]]:
    """Return the table: a row for each level, a column for each difficulty.

    Games are counted once if all difficulties have the same number, otherwise for each of them.
    """
    difficulties = difficulties_of(scores)
    names = {facts.number: facts.name() for facts in level_facts("kitara")}
    found = [["% of games won", "games", *(f"difficulty {difficulty}" for difficulty in difficulties)]]
    for level in levels_of(scores):
        played = [scores.get(Cell(difficulty, level), ()) for difficulty in difficulties]
        counts = [str(len(games)) for games in played]
        numbers = counts[0] if len(set(counts)) == 1 else ", ".join(counts)
        found.append(
            [f"level {level}, {names[level]}", numbers, *(won([share for share, _, _ in games]) for games in played)]
        )
    return found


def won(shares: Sequence[float]) -> str:
    """Format the percentage of games won, with its interval: `48 (36 - 61)`. A shared victory counts as won."""
    if not shares:
        return ""
    rate = sum(share > 0 for share in shares) / len(shares)
    low, high = wilson(rate, len(shares))
    return f"{100 * rate:.0f} ({100 * low:.0f} - {100 * high:.0f})"


def levels_of(scores: Scores) -> list[int]:
    """Return the levels that have played."""
    return sorted({cell.level for cell in scores})


def difficulties_of(scores: Scores) -> list[int]:
    """Return the difficulties that were played."""
    return sorted({cell.difficulty for cell in scores})


def shown(scores: Scores) -> Table:
    """Return the table for the terminal."""
    heads, *others = rows(scores)
    table = Table(*heads)
    for row in others:
        table.add_row(*row)
    return table


def report(study: RivalStudy, scores: Scores) -> str:
    """Return the table for a page, with the mean points."""
    heads, *others = rows(scores)
    points = []
    for level, row in zip(levels_of(scores), others, strict=True):
        played = [scores.get(Cell(difficulty, level), ()) for difficulty in difficulties_of(scores)]
        means = [np.mean(games, axis=0) if games else None for games in played]
        points.append([row[0], *("" if mean is None else f"{mean[1]:.0f} : {mean[2]:.0f}" for mean in means)])
    about = f"Scenario {study.scenario}, {study.deck} deck, seed {study.seed}; games for each level and difficulty"
    return "\n".join(
        [
            f"{about}; in brackets the 95 % interval.\n",
            markdown_table(heads, others),
            "Mean points, player : rival.\n",
            markdown_table(["points", *heads[2:]], points),
        ]
    )
