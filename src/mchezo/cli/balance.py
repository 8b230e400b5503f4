"""The study of Kitara's balance: plays the games, keeps what came of them, prints it and writes the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.progress import Progress
from rich.table import Table

from mchezo import __version__
from mchezo.arena import balance_report as paper
from mchezo.arena import kitara
from mchezo.arena.balance import batch_sizes, in_threads
from mchezo.arena.kitara import PLANS, USUAL, Batch, Figures, Match
from mchezo.arena.paper import percent
from mchezo.cli.common import OUT, say, tell
from mchezo.cli.studies import Page, ResultFile, progress_bar
from mchezo.core.game import one_of
from mchezo.games.kitara.components import DECKS, PLAYERS
from mchezo.games.kitara.evaluate import IN_POINTS
from mchezo.games.kitara.pack import digest_of, find


@dataclass(frozen=True)
class Study:
    """What is asked for: so many games of each match, by players that try so many turns."""

    games: Mapping[Match, int]
    tries: int
    seed: int
    pack: str
    threads: int

    @property
    def terms(self) -> dict[str, Any]:
        """What must be the same for results to be put together: everything that decides how a batch goes."""
        return {
            "study": "kitara",
            "version": __version__,
            "pack": digest_of(find(self.pack)).hex(),
            "seed": self.seed,
            "tries": self.tries,
            "weights": {name: worth for name, _, worth in IN_POINTS},
            "plans": PLANS,
        }


class Results:
    """The batches of a study by match and number; each new one is written to the file, if there is one, at once."""

    def __init__(self, study: Study, file: Path | None) -> None:
        self.lines = ResultFile(file)
        try:
            kept = [Batch(**{**line, "match": Match(**line["match"])}) for line in self.lines.resume(study.terms)]
        except (TypeError, KeyError) as error:
            raise self.lines.unreadable() from error
        self.batches = {(batch.match, batch.number): batch for batch in kept}

    def add(self, batch: Batch) -> None:
        """Keep a batch, in the file too."""
        self.batches[batch.match, batch.number] = batch
        self.lines.add(asdict(batch))

    def games(self, match: Match, number: int) -> int:
        """How many games of a batch are there already."""
        batch = self.batches.get((match, number))
        return 0 if batch is None else batch.games

    def figures(self, match: Match, games: int) -> Figures:
        """The figures of a match after so many games."""
        return kitara.figures([self.batches[match, number] for number in range(len(batch_sizes(games)))])


def ask(
    players: Sequence[int] | None,
    decks: Sequence[str] | None,
    games: int,
    tries: int,
    plan_games: int,
    seed: int,
    pack: str,
    threads: int,
    file: Path | None,
    report_file: Path | None,
) -> None:
    """The study that the command line asks for."""
    of_each = {
        Match(one_of("deck", deck, DECKS), count, plan): games if plan == USUAL else plan_games
        for plan in (PLANS if plan_games else (USUAL,))
        for deck in decks or DECKS
        for count in players or PLAYERS
    }
    run(Study(of_each, tries, seed, pack, threads), file, report_file)


def run(study: Study, file: Path | None, report_file: Path | None) -> None:
    """Play what is still to be played, print the figures, and write the report."""
    results = Results(study, file)
    page = None if report_file is None else Page(report_file)
    with progress_bar(sum(study.games.values())) as show:
        for match, games in study.games.items():
            play_match(study, match, games, results, show)
    figures = [results.figures(match, games) for match, games in study.games.items()]
    usual = [study for study in figures if study.match.plan == USUAL]
    OUT.print(seats_shown(usual))
    if len(usual) < len(figures):
        OUT.print(plans_shown([study for study in figures if study.match.plan != USUAL]))
    if page is not None:
        write_report(study, figures, page)
        tell(say("saved", file=page.file))


def play_match(study: Study, match: Match, games: int, results: Results, show: Progress) -> None:
    """Play the batches of a match that are still missing."""
    task = show.task_ids[0]
    show.update(task, description=f"{match.deck} {match.players} {match.plan}")
    position = match.start(study.pack)
    sizes = batch_sizes(games)
    missing = [number for number, size in enumerate(sizes) if results.games(match, number) < size]
    show.advance(task, games - sum(sizes[number] for number in missing))

    def play(number: int) -> Batch:
        return kitara.run_batch(position, match, sizes[number], study.tries, study.seed, number)

    for batch in in_threads(play, missing, study.threads):
        results.add(batch)
        show.advance(task, batch.games)


def seats_shown(studies: Sequence[Figures]) -> Table:
    """Victories by seat, for the terminal."""
    shown = Table("% of victories, 95 %", "games", "by seat", "widest gap", "winners' points")
    for study in studies:
        seats = "\n".join(f"{seat}: {percent(rate)}" for seat, rate in enumerate(study.seats))
        winners = f"{study.scores.max(axis=1).mean():.1f}"
        shown.add_row(paper.title(study), f"{study.games:,}", seats, percent(study.gap), winners)
    return shown


def plans_shown(studies: Sequence[Figures]) -> Table:
    """How often one seat with a plan of its own wins, for the terminal."""
    shown = Table("one seat that values more", "plan", "% of victories, 95 %", "fair")
    for study in studies:
        fair = f"{100 / study.match.players:.1f}"
        shown.add_row(paper.title(study), study.match.plan, percent(study.plan), fair)
    return shown


def write_report(study: Study, figures: Sequence[Figures], page: Page) -> None:
    """Write tables and pictures."""
    usual = [study for study in figures if study.match.plan == USUAL]
    planned = [study for study in figures if study.match.plan != USUAL]
    pictures = {"seats": paper.seat_picture(usual), "scores": paper.score_picture(usual)}
    cards = []
    for deck in dict.fromkeys(study.match.deck for study in usual):
        of_deck = [study for study in usual if study.match.deck == deck]
        names = kitara.card_names(of_deck[0].match.start(study.pack).setups[0])
        pictures[f"{deck}-cards"] = paper.card_picture(names, of_deck)
        cards += [f"### {deck.title()} cards\n", page.link(f"{deck}-cards"), paper.card_table(names, of_deck)]
    parts = [
        f"{study.tries} turns tried at each decision, seed {study.seed}; ± is half a 95 % interval.\n",
        "### Seats\n",
        page.link("seats"),
        paper.seat_table(usual),
        "### Scores\n",
        page.link("scores"),
        paper.score_table(usual),
        "### What winners do\n",
        paper.quantity_table(usual),
        *(("### Plans\n", paper.plan_table(planned)) if planned else ()),
        *cards,
    ]
    page.write("\n".join(parts), pictures)
