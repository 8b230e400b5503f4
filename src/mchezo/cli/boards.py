"""The study of Katarenga's boards: plays the games, keeps what came of them, prints it, writes report and catalogue."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

from mchezo import __version__
from mchezo.arena import boards_report as paper
from mchezo.arena.balance import Z95, in_threads, interval
from mchezo.arena.fairness import (
    Agreement,
    Rated,
    Spread,
    agreement,
    all_turns,
    chosen_turns,
    difference,
    effects,
    expect,
    features,
    rate,
    spread,
    unfairness_change,
)
from mchezo.arena.katarenga import FREE_MOVES, LONG_LOOK, SOFTNESS, TURNS, Played, Sample, boards, play_board, start
from mchezo.arena.paper import BLUE, RED, percent
from mchezo.cli.common import OUT, WORDS, say, tell, write_file
from mchezo.cli.studies import Page, ResultFile, progress_bar
from mchezo.core.errors import Refusal
from mchezo.games.katarenga.catalogue import BALANCED
from mchezo.games.katarenga.catalogue import write as catalogue_line

BAN_EVERY = 4  # every so many boards are also played without captures on the first move


@dataclass(frozen=True)
class Study:
    """What is asked for: so many boards, so many nodes a move, and a second sample of so many boards.

    Every fourth board, up to `banned` of them, is also played without captures on the first move.
    """

    boards: int
    nodes: int
    again: int
    seed: int
    threads: int
    sample: Sample = field(default_factory=Sample)
    banned: int | None = None

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

    def sample(self, rule: str, again: bool = False) -> list[Played]:
        """The boards played by a rule, in a first or a second sample, in the order in which they were drawn."""
        return [board for task, board in self.played.items() if (task.rule, task.again) == (rule, again)]

    def add(self, board: Played) -> None:
        """Keep a board, in the file too."""
        self.played[task_of(board)] = board
        self.lines.add(asdict(board))


def other_player(file: Path) -> tuple[int, list[Played]]:
    """The nodes a move of the player whose results a file has, and its boards by the printed rule."""
    lines = ResultFile(file)
    terms, kept = lines.read()
    try:
        played = [Played(**line) for line in kept]
        nodes = int(terms["nodes"])
    except (TypeError, KeyError, ValueError) as error:
        raise lines.unreadable() from error
    return nodes, [board for board in played if board.rule == "printed" and not board.again]


def task_of(board: Played) -> Task:
    """What was asked for when this came of it."""
    return Task(board.board, board.rule, board.again)


def run(
    study: Study, file: Path | None, report: Path | None, catalogue: Path | None, beside: Path | None = None
) -> None:
    """Play what is still to be played, print what came of it, write the report and the catalogue."""
    results = Results(study, file)
    other = None if beside is None else other_player(beside)
    page = None if report is None else Page(report)
    play(study, tasks(study), results)
    first = results.sample("printed")
    if not first:
        raise Refusal("no-boards", WORDS)
    rated = rate(first, expect(first))
    fairest = sorted(rated, key=lambda board: (not board.balanced, abs(board.white[0] - 0.5)))
    play(study, [Task(board.played.board, again=True) for board in fairest[: study.again]], results)
    found = Findings(rated, fairest, results.sample("never"), results.sample("printed", again=True), other)
    OUT.print(shown(found))
    if page is not None:
        write_report(study, found, page)
        tell(say("saved", file=page.file))
    if catalogue is not None:
        write_file(catalogue, catalogue_text(study, rated))
        tell(say("saved", file=catalogue))


def tasks(study: Study) -> list[Task]:
    """What is played, in order: every board, and after each fourth the same without captures on the first move."""
    found = []
    most = study.boards if study.banned is None else study.banned
    for number, board in enumerate(islice(boards(study.seed), study.boards)):
        found.append(Task(board))
        if number % BAN_EVERY == 0 and number < BAN_EVERY * most:
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


@dataclass(frozen=True)
class Findings:
    """What came of a study."""

    rated: Sequence[Rated]
    fairest: Sequence[Rated]  # the same, the fairest first
    banned: Sequence[Played]  # boards played without captures on the first move
    again: Sequence[Played]  # second samples
    other: tuple[int, list[Played]] | None  # boards played by another player, and its nodes a move

    @property
    def agreement(self) -> Agreement | None:
        """What the other player says of the same boards."""
        return None if self.other is None else agreement([board.played for board in self.rated], self.other[1])

    @property
    def spreads(self) -> dict[str, dict[str, Spread]]:
        """White's score on the boards that were played by both rules, without Black's choice and with it."""
        both = {board.board for board in self.banned}
        by_rule = {
            "printed": [board.played for board in self.rated if board.played.board in both],
            "never": list(self.banned),
        }
        chosen = {
            "any baseline": {rule: spread(played, all_turns(played)) for rule, played in by_rule.items() if played},
            "Black chooses": {rule: spread(played, chosen_turns(played)) for rule, played in by_rule.items() if played},
        }
        return {who: found for who, found in chosen.items() if found}


def shown(found: Findings) -> Table:
    """How fair the boards are, for the terminal."""
    table = Table("White's score, %", "boards", "games", "mean, 95 %", "boards differ by")
    every = [board.played for board in found.rated]
    for name, one in (
        ("any baseline", spread(every, all_turns(every))),
        ("Black chooses", spread(every, chosen_turns(every))),
    ):
        table.add_row(name, str(one.boards), f"{one.games:,}", percent(one.mean), f"{100 * one.deviation:.1f}")
    for who, by_rule in found.spreads.items():
        for rule, one in by_rule.items():
            named = f"{who}, {paper.RULE_NAMES[rule]}"
            table.add_row(named, str(one.boards), f"{one.games:,}", percent(one.mean), f"{100 * one.deviation:.1f}")
    balanced = [board for board in found.rated if board.balanced]
    table.caption = f"{len(balanced)} balanced: " + " ".join(board.played.board for board in found.fairest[:5])
    return table


def second_sample(found: Findings) -> paper.Second | None:
    """What became in a second sample of the boards that were picked as the fairest of the first."""
    again = {board.board: board for board in found.again}
    picked = [board for board in found.fairest if board.played.board in again]
    if len(picked) < 2:
        return None
    second = [again[board.played.board] for board in picked]
    return paper.Second(
        len(picked),
        interval(np.array([chosen_score(board.played) for board in picked])),
        float(np.mean([board.white[0] for board in picked])),
        sqrt(float(np.mean([(board.white[1] / Z95) ** 2 for board in picked]))),
        interval(np.array([chosen_score(board) for board in second])),
        spread(second, chosen_turns(second)).deviation,
    )


def chosen_score(board: Played) -> float:
    """White's plain score with the baseline that Black chooses."""
    return board.points[board.chosen] / board.games[board.chosen]


def write_report(study: Study, found: Findings, page: Page) -> None:
    """Write tables and pictures."""
    rated = found.rated
    every = [board.played for board in rated]
    seen = [features(board.board, turn) for board in every for turn in range(TURNS)]
    causes = effects(every, seen)
    expectation = expect(every)
    moves, draws = paper.lengths(every)
    balanced = [board for board in rated if board.balanced]
    halves = [board.white[1] for board in rated]
    pictures = {
        "scores": paper.histogram(
            "How boards are spread (ratings)",
            {
                "any baseline": [turn[0] for board in rated for turn in board.turns],
                "Black chooses": [board.white[0] for board in rated],
            },
            (BLUE, RED),
        ),
        "boards": paper.ladder_picture(rated),
        "causes": paper.effect_picture(causes),
    }
    spreads = found.spreads
    over_all = {
        "any baseline": {"printed": spread(every, all_turns(every))},
        "Black chooses": {"printed": spread(every, chosen_turns(every))},
    }
    any_baseline, chosen = over_all["any baseline"]["printed"], over_all["Black chooses"]["printed"]
    parts = [
        f"{len(rated):,} boards, {sum(sum(board.games) for board in every):,} games, {study.nodes:,} nodes a move, "
        f"seed {study.seed}; {moves:.1f} moves a game, {100 * draws:.1f} % draws; ± is half a 95 % interval.\n",
        f"- With a baseline by lot White scores {percent(any_baseline.mean)} %; where Black chooses, "
        f"{percent(chosen.mean)} %. Boards still differ by {100 * chosen.deviation:.0f} points (standard deviation).",
        *in_short(found, halves),
        "",
        "### How fair boards are\n",
        page.link("scores"),
        paper.spread_table(over_all),
        f"The long look is worth {expectation.games:.0f} games. "
        f"A rating has an interval of ± {100 * float(np.median(halves)):.1f} % points (median). "
        f"{len(balanced):,} boards ({100 * len(balanced) / len(rated):.0f} %) are balanced: rated within "
        f"{BALANCED:.0f} of 50 % with the baseline that Black chooses, and no lower with any other.\n",
        page.link("boards"),
        "### The fairest boards\n",
        paper.board_table(found.fairest[:15]),
        "### The least fair\n",
        paper.board_table(found.fairest[-5:]),
    ]
    if len(spreads.get("any baseline", {})) == 2:
        pictures["rules"] = paper.rule_picture(spreads)
        parts += [
            "### Captures on the first move\n",
            page.link("rules"),
            paper.spread_table(spreads),
            "A side is safe if White cannot take a pawn of it at once without being taken in turn.\n",
            paper.ban_table(every, found.banned),
        ]
    if second := second_sample(found):
        parts += ["### The fairest boards in a second sample\n", paper.second_table(second)]
    if found.other and (alike := found.agreement):
        parts += ["### The same boards and another player\n", paper.agreement_table(found.other[0], alike)]
    parts += [
        "### What makes a board unfair\n",
        page.link("causes"),
        f"Together they explain {100 * causes.explained:.0f} % of how much boards and baselines differ.\n",
        paper.effect_table(causes),
    ]
    page.write("\n".join(parts), pictures)


def in_short(found: Findings, halves: Sequence[float]) -> list[str]:
    """What the ban on first captures does, and how sure a rating is, in a sentence each."""
    half = 100 * float(np.median(halves))
    lines = [f"- A rating is known to ± {half:.0f} points (95 %): boards called balanced are so on average, not each."]
    spreads = found.spreads
    if len(spreads.get("any baseline", {})) == 2:
        printed = [board.played for board in found.rated]
        for who, turns in (("a baseline by lot", all_turns), ("Black's choice", chosen_turns)):
            change = difference(printed, found.banned, turns)
            further = unfairness_change(printed, found.banned, turns)
            before, after = spreads["any baseline" if turns is all_turns else "Black chooses"].values()
            lines.append(
                f"- Without captures on the first move, with {who}: White's score changes by {percent(change)} points; "
                f"boards are from even by {100 * after.unfairness:.1f} instead of {100 * before.unfairness:.1f}, "
                f"a change of {percent(further)}."
            )
    return lines


def catalogue_text(study: Study, rated: Sequence[Rated]) -> str:
    """The catalogue: what it is, the command that makes it, and a line for each board."""
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
