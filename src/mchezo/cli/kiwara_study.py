"""`mchezo balance kiwara`: play and solve, store the results, print ratings, write the report and the opening book."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from rich.table import Table

from mchezo import __version__
from mchezo.arena import charts
from mchezo.arena.markdown import percent
from mchezo.cli.common import OUT, echo, say, write_file
from mchezo.cli.reports import ReportPage, ResultFile, progress_bar
from mchezo.core import registry
from mchezo.core.network import NONE
from mchezo.games.kiwara.structs import POSITIONS
from mchezo.studies import kiwara, kiwara_report
from mchezo.studies.kiwara import GAMES, Batch, BestLine, Endings, Reduced, Replies
from mchezo.studies.kiwara_report import Cost, Opening
from mchezo.workers.units import Workers, in_order

# The kind of a unit and the numbers that determine it: an opening; an opening and a batch; a game; rows and columns.
Unit = tuple[str, int, int]

REPLIES, LINES, PLAYED, ENDINGS, REDUCED = "replies", "lines", "games", "endings", "reduced"
RESULTS = {REPLIES: Replies, LINES: BestLine, PLAYED: Batch, ENDINGS: Endings, REDUCED: Reduced}
CORNERS = ((2, 3), (2, 4), (2, 5), (3, 4))
ENDINGS_A_ROUND = 4  # games whose endings are solved after every batch of all openings
FEWEST_EMPTY = 5
REDUCED_LIMIT = 500_000_000  # nodes for an opening on a reduced board
LONGEST = 250  # times the nodes of an answer: what the search for the opening book gets


@dataclass(frozen=True)
class KiwaraStudy:
    """How much to play and to solve."""

    games: int  # from each opening
    nodes: int  # a turn
    look: int  # nodes for an answer to an opening
    endings: int  # games of self-play whose endings are solved
    most_empty: int
    limit: int  # nodes for an ending
    seed: int
    workers: Workers

    @property
    def terms(self) -> dict[str, Any]:
        """Everything that determines the result of a unit; results with other terms cannot be combined."""
        game = registry.find("kiwara")
        setup = kiwara.start(0).setups[0]
        network = game.evaluation.network
        learned = (game.evaluation.weights(setup), network.of(setup) if network else NONE)
        return {
            "study": "kiwara",
            "version": __version__,
            "rules": game.version,
            "seed": self.seed,
            "nodes": self.nodes,
            "look": self.look,
            "longer": kiwara.LONGER,
            "longest": LONGEST,
            "softness": kiwara.SOFTNESS,
            "answers": kiwara.BEST,
            "free decisions": kiwara.FREE_DECISIONS,
            "solved": kiwara.SOLVED,
            "most empty": self.most_empty,
            "limit": self.limit,
            "weights": hashlib.sha256(b"".join(part.tobytes() for part in learned)).hexdigest(),
        }

    def units(self) -> Iterator[Unit]:
        """Yield all units but the answers, which come first; one batch of every opening after another."""
        yield from ((LINES, opening, 0) for opening in range(POSITIONS))
        for number in range(max(-(-self.games // GAMES), -(-self.endings // ENDINGS_A_ROUND))):
            if number * GAMES < self.games:
                yield from ((PLAYED, opening, number) for opening in range(POSITIONS))
            first = number * ENDINGS_A_ROUND
            yield from ((ENDINGS, game, 0) for game in range(first, min(self.endings, first + ENDINGS_A_ROUND)))
            if number < len(CORNERS):
                yield REDUCED, *CORNERS[number]


class Results:
    """What has been found so far; new results are appended to the file, if there is one."""

    def __init__(self, study: KiwaraStudy, file: Path | None) -> None:
        self.lines = ResultFile(file)
        self.of: dict[Unit, Any] = {}
        try:
            for line in self.lines.resume(study.terms):
                unit: Unit = tuple(line["unit"])
                self.of.setdefault(unit, read(unit[0], line["result"]))
        except (TypeError, KeyError, IndexError) as error:
            raise self.lines.unreadable() from error

    def add(self, unit: Unit, result: Any) -> None:
        """Store a result."""
        self.of[unit] = result
        self.lines.add({"unit": unit, "result": asdict(result)})

    def kind(self, kind: str) -> list[Any]:
        """Return all results of a kind, in the order of their units."""
        return [result for unit, result in sorted(self.of.items(), key=lambda item: item[0]) if unit[0] == kind]

    @property
    def replies(self) -> dict[int, Replies]:
        """The answers by opening."""
        return {one.opening: one for one in self.kind(REPLIES)}


def read(kind: str, stored: dict[str, Any]) -> Any:
    """Return a stored result."""
    if kind == REPLIES:
        return Replies(stored["opening"], [kiwara.Reply(**reply) for reply in stored["replies"]])
    return RESULTS[kind](**stored)


def run_unit(study: KiwaraStudy, replies: dict[int, Replies], unit: Unit) -> Any:
    """Return the result of a unit."""
    kind, first, second = unit
    if kind == REPLIES:
        return kiwara.look_at_replies(first, study.look)
    if kind == LINES:
        return kiwara.follow_best_line(first, LONGEST * study.look)
    if kind == PLAYED:
        return kiwara.play_batch(replies[first], study.nodes, study.seed, second)
    if kind == ENDINGS:
        return kiwara.solve_endings(study.seed, first, study.nodes, FEWEST_EMPTY, study.most_empty, study.limit)
    return kiwara.solve_reduced(first, second, REDUCED_LIMIT)


def run(study: KiwaraStudy, file: Path | None, report: Path | None, book: Path | None) -> None:
    """Do what is missing, print the ratings, write the report and the book."""
    results = Results(study, file)
    page = None if report is None else ReportPage(report)
    if page is not None:
        charts.require()
    do(study, [(REPLIES, opening, 0) for opening in range(POSITIONS)], results)
    do(study, list(study.units()), results)
    found = Findings(
        kiwara_report.rate(results.kind(REPLIES), results.kind(LINES), results.kind(PLAYED)),
        kiwara_report.costs(results.kind(ENDINGS)),
        results.kind(REDUCED),
    )
    OUT.print(opening_table(found))
    if page is not None:
        write_report(study, found, page)
        echo(say("saved", file=page.file))
    if book is not None:
        write_file(book, kiwara_report.book(found.openings, results.kind(LINES)))
        echo(say("saved", file=book))


def do(study: KiwaraStudy, units: Sequence[Unit], results: Results) -> None:
    """Do the units that are missing."""
    missing = [unit for unit in units if unit not in results.of]
    one = partial(run_unit, replace(study, workers=1), results.replies)
    with progress_bar(len(units)) as show:
        show.advance(show.task_ids[0], len(units) - len(missing))
        for unit, result in zip(missing, in_order(one, missing, study.workers), strict=True):
            results.add(unit, result)
            show.advance(show.task_ids[0])


@dataclass(frozen=True)
class Findings:
    """The results of a study."""

    openings: Sequence[Opening]  # the best for the first player first
    costs: Sequence[Cost]
    reduced: Sequence[Reduced]


def opening_table(found: Findings) -> Table:
    """The ratings of the openings, for the terminal."""
    table = Table("opening", "games", "Yellow's score, %", "by search, %", "rating, %", "best answer")
    for one in found.openings:
        score, rating = (percent(one.score), percent(one.rating)) if one.games else ("", "")
        search = f"{100 * one.chance:.1f}"
        table.add_row(f"T{one.number}", f"{one.games:,}", score, search, rating, " ".join(one.answer))
    return table


def write_report(study: KiwaraStudy, found: Findings, page: ReportPage) -> None:
    """Write tables and charts."""
    games = sum(one.games for one in found.openings)
    parts = [
        f"{games:,} games with {study.nodes:,} nodes per turn, seed {study.seed}; answers searched with "
        f"{study.look:,} nodes, the best with {kiwara.LONGER * study.look:,}, the best line with "
        f"{LONGEST * study.look:,}; ± is half the width of a 95 % interval.\n",
        *kiwara_report.in_short(found.openings),
        "",
        "### Openings\n",
        page.link("openings"),
        kiwara_report.opening_table(found.openings),
    ]
    pictures = {"openings": kiwara_report.opening_chart(found.openings)}
    if len(found.costs) > 2:
        growth = kiwara_report.growth(found.costs)
        pictures["costs"] = kiwara_report.cost_chart(found.costs, growth)
        parts += [
            "### The cost of solving\n",
            page.link("costs"),
            kiwara_report.cost_table(found.costs),
            kiwara_report.growth_text(growth),
        ]
    if found.reduced:
        parts += ["### Reduced boards\n", kiwara_report.reduced_table(found.reduced)]
    page.write("\n".join(parts), pictures)
