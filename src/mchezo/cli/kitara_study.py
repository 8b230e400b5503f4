"""`mchezo balance kitara`: play the games, store the results, print statistics and write the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rich.progress import Progress
from rich.table import Table

from mchezo import __version__
from mchezo.arena import charts
from mchezo.arena.markdown import percent
from mchezo.cli.common import OUT, echo, say
from mchezo.cli.reports import ReportPage, ResultFile, progress_bar
from mchezo.core.options import one_of
from mchezo.games.kitara.components import DECKS, PLAYERS
from mchezo.games.kitara.evaluate import IN_POINTS
from mchezo.games.kitara.pack import digest_of, find
from mchezo.studies import kitara, kitara_report
from mchezo.studies.kitara import PLANS, USUAL, BatchResult, Matchup, MatchupStatistics
from mchezo.studies.self_play import batch_sizes
from mchezo.workers.units import Workers, in_order


@dataclass(frozen=True)
class BalanceStudy:
    """The games to play for each matchup, and the players' settings."""

    games: Mapping[Matchup, int]
    tries: int
    seed: int
    pack: str
    workers: Workers

    @property
    def terms(self) -> dict[str, Any]:
        """Everything that determines a batch; results with other terms cannot be combined."""
        return {
            "study": "kitara",
            "version": __version__,
            "pack": digest_of(find(self.pack)).hex(),
            "seed": self.seed,
            "tries": self.tries,
            "weights": {name: weight for name, _, weight in IN_POINTS},
            "plans": PLANS,
        }


class BalanceResults:
    """The batches of a study by matchup and number; new ones are appended to the file, if there is one."""

    def __init__(self, study: BalanceStudy, file: Path | None) -> None:
        self.lines = ResultFile(file)
        try:
            lines = self.lines.resume(study.terms)
            stored = [BatchResult(**{**line, "match": Matchup(**line["match"])}) for line in lines]
        except (TypeError, KeyError) as error:
            raise self.lines.unreadable() from error
        self.batches = {(batch.match, batch.number): batch for batch in stored}

    def add(self, batch: BatchResult) -> None:
        """Store a batch."""
        self.batches[batch.match, batch.number] = batch
        self.lines.add(asdict(batch))

    def games(self, match: Matchup, number: int) -> int:
        """Return how many games of a batch are stored."""
        batch = self.batches.get((match, number))
        return 0 if batch is None else batch.games

    def statistics(self, match: Matchup, games: int) -> MatchupStatistics:
        """Return the statistics of the first games of a matchup."""
        return kitara.statistics([self.batches[match, number] for number in range(len(batch_sizes(games)))])


def start(
    players: Sequence[int] | None,
    decks: Sequence[str] | None,
    games: int,
    tries: int,
    plan_games: int,
    seed: int,
    pack: str,
    workers: Workers,
    file: Path | None,
    report_file: Path | None,
) -> None:
    """Run the study described by the command line."""
    of_each = {
        Matchup(one_of("deck", deck, DECKS), count, plan): games if plan == USUAL else plan_games
        for plan in (PLANS if plan_games else (USUAL,))
        for deck in decks or DECKS
        for count in players or PLAYERS
    }
    run(BalanceStudy(of_each, tries, seed, pack, workers), file, report_file)


def run(study: BalanceStudy, file: Path | None, report_file: Path | None) -> None:
    """Play the missing games, print the statistics and write the report."""
    results = BalanceResults(study, file)
    page = None if report_file is None else ReportPage(report_file)
    if page is not None:
        charts.require()
    with progress_bar(sum(study.games.values())) as show:
        for match, games in study.games.items():
            play_match(study, match, games, results, show)
    found = [results.statistics(match, games) for match, games in study.games.items()]
    usual = [one for one in found if one.match.plan == USUAL]
    OUT.print(seat_table(usual))
    if len(usual) < len(found):
        OUT.print(plan_table([one for one in found if one.match.plan != USUAL]))
    if page is not None:
        write_report(study, found, page)
        echo(say("saved", file=page.file))


def play_match(study: BalanceStudy, match: Matchup, games: int, results: BalanceResults, show: Progress) -> None:
    """Play the missing batches of a matchup."""
    task = show.task_ids[0]
    show.update(task, description=f"{match.deck} {match.players} {match.plan}")
    sizes = batch_sizes(games)
    missing = [number for number, size in enumerate(sizes) if results.games(match, number) < size]
    show.advance(task, games - sum(sizes[number] for number in missing))

    one = partial(run_batch, study.pack, match, study.tries, study.seed)
    for batch in in_order(one, [(number, sizes[number]) for number in missing], study.workers):
        results.add(batch)
        show.advance(task, batch.games)


def run_batch(pack: str, match: Matchup, tries: int, seed: int, batch: tuple[int, int]) -> BatchResult:
    """Play a batch, given its number and its games."""
    number, games = batch
    return kitara.run_batch(match.start(pack), match, games, tries, seed, number)


def seat_table(studies: Sequence[MatchupStatistics]) -> Table:
    """Wins by seat, for the terminal."""
    shown = Table("% of wins, 95 %", "games", "by seat", "widest gap", "winners' points")
    for study in studies:
        seats = "\n".join(f"{seat}: {percent(rate)}" for seat, rate in enumerate(study.seats))
        winners = f"{study.scores.max(axis=1).mean():.1f}"
        shown.add_row(kitara_report.title(study), f"{study.games:,}", seats, percent(study.gap), winners)
    return shown


def plan_table(studies: Sequence[MatchupStatistics]) -> Table:
    """How often a seat with a plan wins among usual players, for the terminal."""
    shown = Table("one seat that values more", "plan", "% of wins, 95 %", "fair")
    for study in studies:
        fair = f"{100 / study.match.players:.1f}"
        shown.add_row(kitara_report.title(study), study.match.plan, percent(study.plan), fair)
    return shown


def write_report(study: BalanceStudy, found: Sequence[MatchupStatistics], page: ReportPage) -> None:
    """Write tables and charts."""
    usual = [one for one in found if one.match.plan == USUAL]
    planned = [one for one in found if one.match.plan != USUAL]
    pictures = {"seats": kitara_report.seat_chart(usual), "scores": kitara_report.score_chart(usual)}
    cards = []
    for deck in dict.fromkeys(one.match.deck for one in usual):
        of_deck = [one for one in usual if one.match.deck == deck]
        names = kitara.card_names(of_deck[0].match.start(study.pack).setups[0])
        pictures[f"{deck}-cards"] = kitara_report.card_chart(names, of_deck)
        cards += [f"### {deck.title()} cards\n", page.link(f"{deck}-cards"), kitara_report.card_table(names, of_deck)]
    parts = [
        f"{study.tries} turns tried per decision, seed {study.seed}; ± is half the width of a 95 % interval.\n",
        "### Seats\n",
        page.link("seats"),
        kitara_report.seat_table(usual),
        "### Scores\n",
        page.link("scores"),
        kitara_report.score_table(usual),
        "### What winners do\n",
        kitara_report.quantity_table(usual),
        *(("### Plans\n", kitara_report.plan_table(planned)) if planned else ()),
        *cards,
    ]
    page.write("\n".join(parts), pictures)
