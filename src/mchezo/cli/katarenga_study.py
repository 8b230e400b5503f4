"""`mchezo balance katarenga`: play the games, store the results, print ratings, write the report and the catalogue."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

from mchezo import __version__
from mchezo.arena import charts
from mchezo.arena.charts import BLUE, RED
from mchezo.arena.markdown import percent
from mchezo.arena.statistics import Z95, interval
from mchezo.cli.common import OUT, WORDS, echo, say, write_file
from mchezo.cli.reports import ReportPage, ResultFile, progress_bar
from mchezo.core.errors import UserError
from mchezo.games.katarenga.catalogue import BALANCED
from mchezo.games.katarenga.catalogue import write as catalogue_line
from mchezo.studies import fairness, katarenga_report
from mchezo.studies.fairness import Agreement, Rated, Spread
from mchezo.studies.katarenga import (
    FREE_MOVES,
    LONG_LOOK,
    SOFTNESS,
    TURNS,
    BoardResult,
    Sample,
    boards,
    play_board,
    start,
)
from mchezo.workers.units import Workers, in_order

BASELINES = {"any baseline": fairness.all_turns, "Black chooses": fairness.chosen_turns}
BAN_EVERY = 4  # one board in this many is also played without captures on the first move


@dataclass(frozen=True)
class BoardStudy:
    """The boards to rate, the nodes per move, and how many of the fairest boards get a second sample.

    Every fourth board, up to `banned` of them, is also played without captures on the first move.
    """

    boards: int
    nodes: int
    again: int
    seed: int
    workers: Workers
    sample: Sample = field(default_factory=Sample)
    banned: int | None = None

    @property
    def terms(self) -> dict[str, Any]:
        """Everything that determines a board's games; results with other terms cannot be combined."""
        position = start("A0B0C0D0", 0, "printed")
        weights = position.game.evaluation.weights(position.setups[0])
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
    """A board to play by one rule."""

    board: str
    rule: str = "printed"
    again: bool = False


class BoardResults:
    """The boards played so far; new ones are appended to the file, if there is one."""

    def __init__(self, study: BoardStudy, file: Path | None) -> None:
        self.lines = ResultFile(file)
        try:
            kept = [BoardResult(**line) for line in self.lines.resume(study.terms)]
        except TypeError as error:
            raise self.lines.unreadable() from error
        self.played = {task_of(board): board for board in kept}

    def sample(self, rule: str, again: bool = False) -> list[BoardResult]:
        """Return the boards played by a rule, in the first or the second sample, in the order drawn."""
        return [board for task, board in self.played.items() if (task.rule, task.again) == (rule, again)]

    def add(self, board: BoardResult) -> None:
        """Store a board."""
        self.played[task_of(board)] = board
        self.lines.add(asdict(board))


def other_player(file: Path) -> tuple[int, list[BoardResult]]:
    """Return the nodes per move of the player whose results are in a file, and its boards by the printed rule."""
    lines = ResultFile(file)
    terms, kept = lines.read()
    try:
        played = [BoardResult(**line) for line in kept]
        nodes = int(terms["nodes"])
    except (TypeError, KeyError, ValueError) as error:
        raise lines.unreadable() from error
    return nodes, [board for board in played if board.rule == "printed" and not board.again]


def task_of(board: BoardResult) -> Task:
    """Return the task that gave this result."""
    return Task(board.board, board.rule, board.again)


def run(
    study: BoardStudy, file: Path | None, report: Path | None, catalogue: Path | None, beside: Path | None = None
) -> None:
    """Play the missing games, print the ratings, write the report and the catalogue."""
    results = BoardResults(study, file)
    other = None if beside is None else other_player(beside)
    page = None if report is None else ReportPage(report)
    if page is not None:
        charts.require()
    play(study, tasks(study), results)
    first = results.sample("printed")
    if not first:
        raise UserError("no-boards", WORDS)
    rated = fairness.rate(first, fairness.expect(first))
    fairest = sorted(rated, key=lambda board: (not board.balanced, abs(board.white[0] - 0.5)))
    play(study, [Task(board.played.board, again=True) for board in fairest[: study.again]], results)
    found = Findings(rated, fairest, results.sample("never"), results.sample("printed", again=True), other)
    OUT.print(fairness_table(found))
    if page is not None:
        write_report(study, found, page)
        echo(say("saved", file=page.file))
    if catalogue is not None:
        write_file(catalogue, catalogue_text(study, rated))
        echo(say("saved", file=catalogue))


def tasks(study: BoardStudy) -> list[Task]:
    """Return the tasks in order: every board, and after every fourth the same without captures on the first move."""
    found = []
    most = study.boards if study.banned is None else study.banned
    for number, board in enumerate(islice(boards(study.seed), study.boards)):
        found.append(Task(board))
        if number % BAN_EVERY == 0 and number < BAN_EVERY * most:
            found.append(Task(board, "never"))
    return found


def play(study: BoardStudy, wanted: Sequence[Task], results: BoardResults) -> None:
    """Play the missing boards."""
    missing = [task for task in wanted if task not in results.played]
    games = study.sample.games

    one = partial(play_task, study.sample, study.nodes, study.seed)
    with progress_bar(games * len(wanted)) as show:
        show.advance(show.task_ids[0], games * (len(wanted) - len(missing)))
        for board in in_order(one, missing, study.workers):
            results.add(board)
            show.advance(show.task_ids[0], games)


def play_task(sample: Sample, nodes: int, seed: int, task: Task) -> BoardResult:
    """Play the games of a board."""
    return play_board(task.board, task.rule, sample, nodes, seed, task.again)


@dataclass(frozen=True)
class Findings:
    """The results of a study."""

    rated: Sequence[Rated]
    fairest: Sequence[Rated]  # the same boards, fairest first
    banned: Sequence[BoardResult]  # boards played without captures on the first move
    again: Sequence[BoardResult]  # second samples
    other: tuple[int, list[BoardResult]] | None  # another player's nodes per move and boards

    @property
    def agreement(self) -> Agreement | None:
        """The agreement with the other player."""
        return None if self.other is None else fairness.agreement([board.played for board in self.rated], self.other[1])

    @property
    def spreads(self) -> dict[str, dict[str, Spread]]:
        """White's score on the boards that were played by both rules, without Black's choice and with it."""
        both = {board.board for board in self.banned}
        by_rule = {
            "printed": [board.played for board in self.rated if board.played.board in both],
            "never": list(self.banned),
        }
        by_baseline = {
            who: {rule: fairness.spread(played, turns(played)) for rule, played in by_rule.items() if played}
            for who, turns in BASELINES.items()
        }
        return {who: found for who, found in by_baseline.items() if found}


def fairness_table(found: Findings) -> Table:
    """White's scores and the fairest boards, for the terminal."""
    table = Table("White's score, %", "boards", "games", "mean, 95 %", "deviation")
    every = [board.played for board in found.rated]
    for who, turns in BASELINES.items():
        one = fairness.spread(every, turns(every))
        table.add_row(who, str(one.boards), f"{one.games:,}", percent(one.mean), f"{100 * one.deviation:.1f}")
    for who, by_rule in found.spreads.items():
        for rule, one in by_rule.items():
            named = f"{who}, {katarenga_report.RULE_NAMES[rule]}"
            table.add_row(named, str(one.boards), f"{one.games:,}", percent(one.mean), f"{100 * one.deviation:.1f}")
    balanced = [board for board in found.rated if board.balanced]
    table.caption = f"{len(balanced)} balanced: " + " ".join(board.played.board for board in found.fairest[:5])
    return table


def second_sample(found: Findings) -> katarenga_report.SecondSample | None:
    """Return the second sample of the boards that were selected as the fairest of the first."""
    again = {board.board: board for board in found.again}
    selected = [board for board in found.fairest if board.played.board in again]
    if len(selected) < 2:
        return None
    second = [again[board.played.board] for board in selected]
    return katarenga_report.SecondSample(
        len(selected),
        interval(np.array([chosen_score(board.played) for board in selected])),
        float(np.mean([board.white[0] for board in selected])),
        sqrt(float(np.mean([(board.white[1] / Z95) ** 2 for board in selected]))),
        interval(np.array([chosen_score(board) for board in second])),
        fairness.spread(second, fairness.chosen_turns(second)).deviation,
    )


def chosen_score(board: BoardResult) -> float:
    """Return White's raw score with the baseline that Black chooses."""
    return board.points[board.chosen] / board.games[board.chosen]


def write_report(study: BoardStudy, found: Findings, page: ReportPage) -> None:
    """Write tables and charts."""
    rated = found.rated
    every = [board.played for board in rated]
    seen = [fairness.features(board.board, turn) for board in every for turn in range(TURNS)]
    causes = fairness.effects(every, seen)
    expectation = fairness.expect(every)
    moves, draws = katarenga_report.lengths(every)
    balanced = [board for board in rated if board.balanced]
    halves = [board.white[1] for board in rated]
    pictures = {
        "scores": katarenga_report.histogram(
            "Distribution of ratings",
            {
                "any baseline": [turn[0] for board in rated for turn in board.turns],
                "Black chooses": [board.white[0] for board in rated],
            },
            (BLUE, RED),
        ),
        "boards": katarenga_report.board_chart(rated),
        "causes": katarenga_report.effect_chart(causes),
    }
    spreads = found.spreads
    over_all = {who: {"printed": fairness.spread(every, turns(every))} for who, turns in BASELINES.items()}
    any_baseline, chosen = over_all["any baseline"]["printed"], over_all["Black chooses"]["printed"]
    parts = [
        f"{len(rated):,} boards, {sum(sum(board.games) for board in every):,} games, {study.nodes:,} nodes per move, "
        f"seed {study.seed}; {moves:.1f} moves per game, {100 * draws:.1f} % draws; ± is half the width of a 95 % "
        "interval.\n",
        f"- With a random baseline White scores {percent(any_baseline.mean)} %; where Black chooses, "
        f"{percent(chosen.mean)} %. Boards still have a standard deviation of {100 * chosen.deviation:.0f} points.",
        *in_short(found, halves),
        "",
        "### Fairness of boards\n",
        page.link("scores"),
        katarenga_report.spread_table(over_all),
        f"The long search counts for {expectation.games:.0f} games. "
        f"The median interval of a rating is ± {100 * float(np.median(halves)):.1f} percentage points. "
        f"{len(balanced):,} boards ({100 * len(balanced) / len(rated):.0f} %) are balanced: rated within "
        f"{BALANCED:.0f} points of 50 % with the baseline that Black chooses, and no lower with any other.\n",
        page.link("boards"),
        "### The fairest boards\n",
        katarenga_report.board_table(found.fairest[:15]),
        "### The least fair boards\n",
        katarenga_report.board_table(found.fairest[-5:]),
    ]
    if len(spreads.get("any baseline", {})) == 2:
        pictures["rules"] = katarenga_report.rule_chart(spreads)
        parts += [
            "### Captures on the first move\n",
            page.link("rules"),
            katarenga_report.spread_table(spreads),
            "A baseline is safe if White cannot capture a pawn on it at once without being recaptured.\n",
            katarenga_report.ban_table(every, found.banned),
        ]
    if second := second_sample(found):
        parts += ["### The fairest boards in a second sample\n", katarenga_report.second_table(second)]
    if found.other and (alike := found.agreement):
        parts += ["### The same boards with another player\n", katarenga_report.agreement_table(found.other[0], alike)]
    parts += [
        "### What makes a board unfair\n",
        page.link("causes"),
        f"Together they explain {100 * causes.explained:.0f} % of the variance between boards and baselines.\n",
        katarenga_report.effect_table(causes),
    ]
    page.write("\n".join(parts), pictures)


def in_short(found: Findings, halves: Sequence[float]) -> list[str]:
    """Return a sentence each on the ban of first captures and on the precision of ratings."""
    half = 100 * float(np.median(halves))
    lines = [
        f"- A rating is precise to ± {half:.0f} points (95 %): balanced boards are fair on average, not every one."
    ]
    spreads = found.spreads
    if len(spreads.get("any baseline", {})) == 2:
        printed = [board.played for board in found.rated]
        for who, baselines in (("a random baseline", "any baseline"), ("Black's choice", "Black chooses")):
            turns = BASELINES[baselines]
            change = fairness.difference(printed, found.banned, turns)
            further = fairness.unfairness_change(printed, found.banned, turns)
            before, after = spreads[baselines].values()
            lines.append(
                f"- Without captures on the first move, with {who}: White's score changes by {percent(change)} points; "
                f"unfairness is {100 * after.unfairness:.1f} instead of {100 * before.unfairness:.1f}, "
                f"a change of {percent(further)}."
            )
    return lines


def catalogue_text(study: BoardStudy, rated: Sequence[Rated]) -> str:
    """Return the catalogue: a header with the command that writes it, and a line for each board."""
    head = [
        "# Boards of Katarenga, rated by games of the computer against itself: see docs/balance-katarenga.md.",
        f"# mchezo balance katarenga --boards {len(rated)} --nodes {study.nodes} --seed {study.seed}",
        f"# {study.sample.games} games a board. Columns: a tile code, for all boards alike but for a turn or a mirror;",
        "# the quarter turns clockwise that Black chooses; White's score in percent after each of the four turns, with",
        "# half the width of its 95 % interval.",
    ]
    lines = []
    for board in sorted(rated, key=lambda one: one.played.board):
        lines.append(catalogue_line(board.played.board, board.rating))
    return "\n".join([*head, *lines]) + "\n"
