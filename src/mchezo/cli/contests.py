"""`mchezo match`, `ladder` and `tournament`: play the games, store them, print scores and write reports."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.table import Column, Table

import mchezo
from mchezo.arena import charts, players, strength_report
from mchezo.arena.matches import Match, PlayedGame, rotation_scores
from mchezo.arena.players import Contestant, Kind
from mchezo.arena.sequential import Sprt, complete, play_until
from mchezo.arena.tournament import Pairing, ladder, round_robin, standings
from mchezo.cli.common import OUT, WORDS, echo, prepare, read_options, say
from mchezo.cli.reports import ReportPage, ResultFile, progress_bar
from mchezo.core import registry
from mchezo.core.errors import UserError
from mchezo.workers.units import Workers

# OpenSpiel's search is in envs, which the arena does not import.
players.register("openspiel", Kind("mchezo.envs.opponent:OpenSpielSearch", "simulations", 2, 1_000_000))

PLAYING = ("core", "games", "search", "protocol", "arena", "envs")  # packages that determine how games go


@dataclass(frozen=True)
class Terms:
    """The terms of a contest; `options` are as typed on the command line."""

    game: str
    options: Sequence[str] = ()
    nodes: int | None = None
    seconds: float | None = None
    part: float = 1.0  # of its default budget, for a level given neither nodes nor seconds
    seed: int = 1
    opening: int | None = None
    workers: Workers = 1
    file: Path | None = None

    def __post_init__(self) -> None:
        if self.nodes is not None and self.seconds is not None:
            raise UserError("nodes-or-seconds", WORDS)

    @property
    def stored(self) -> dict[str, Any]:
        """Everything that determines the games; games with other terms cannot be combined."""
        opening = registry.find(self.game).computers.opening if self.opening is None else self.opening
        budget = {"nodes": self.nodes, "seconds": self.seconds, "part": self.part}
        game = {"game": self.game, "options": sorted(self.options), "opening": opening}
        return {"study": "players", **game, **budget, "seed": self.seed, "code": code()}

    def find(self, name: str) -> Contestant:
        """Return the player of that name."""
        return players.find(name, self.game, nodes=self.nodes, seconds=self.seconds, part=self.part)

    def match(self, first: Contestant, second: Contestant) -> Match:
        """Return the match of two players."""
        options = read_options(prepare(self.game), list(self.options))
        return Match(self.game, first, second, options, self.seed, self.opening)

    def place(self, *names: str) -> str:
        """Return the name of the contest's place in a report page."""
        return " ".join([self.game, *sorted(self.options), *names])

    def summary(self) -> str:
        """Return the terms in a line for a report."""
        budget = f"{self.nodes:,} nodes per turn" if self.nodes else "default budgets"
        if self.seconds:
            budget = f"{self.seconds:g} s per turn"
        elif self.part != 1 and not self.nodes:
            budget = f"{self.part:g} of their default budgets"
        return ", ".join([budget, *(option.replace("=", " ") for option in self.options), f"seed {self.seed}"])


def code() -> str:
    """Return a hash of the code that determines how players play; results of other versions cannot be combined."""
    package = Path(mchezo.__file__).parent
    digest = hashlib.sha256()
    for folder in PLAYING:
        for path in sorted((package / folder).rglob("*")):
            if path.suffix == ".py" or (path.suffix == ".toml" and path.name not in ("themes.toml", "words.toml")):
                digest.update(str(path.relative_to(package)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:20]


@dataclass
class GameStore:
    """All games by the names of the two players; new ones are appended to the file, if there is one."""

    terms: Terms
    played: dict[tuple[str, str], list[PlayedGame]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lines = ResultFile(self.terms.file)
        try:
            for line in self.lines.resume(self.terms.stored):
                names = (line.pop("first"), line.pop("second"))
                self.played.setdefault(names, []).append(PlayedGame(**line))
        except (TypeError, KeyError, AttributeError) as error:
            raise self.lines.unreadable() from error

    def play(self, pairs: Sequence[tuple[str, str]], games: int, test: Sprt | None) -> list[Pairing]:
        """Play the missing games of these matches, up to `games` each or until the test is decided."""
        contestants = {name: self.terms.find(name) for pair in pairs for name in pair}
        matches = [self.terms.match(contestants[first], contestants[second]) for first, second in pairs]
        for match in matches:
            check_players(match)
        pairings = []
        with progress_bar(sum(rotations(match, games) * match.seats for match in matches)) as show:
            task, total = show.task_ids[0], 0
            for match in matches:
                show.update(task, description=f"{match.first.name} - {match.second.name}")
                stored = self.played.setdefault((match.first.name, match.second.name), [])
                show.update(task, completed=total + len(stored))
                for game in play_until(match, test, rotations(match, games), self.terms.workers, stored):
                    stored.append(game)
                    self.lines.add({"first": match.first.name, "second": match.second.name, **asdict(game)})
                    show.advance(task)
                total += rotations(match, games) * match.seats
                show.update(task, completed=total)
                pairings.append(pairing(match, stored, rotations(match, games), test))
        return pairings


def check_players(match: Match) -> None:
    """Let both players move once, so that a game they cannot play is refused before anything is played."""
    position = match.start(0)
    for contestant in (match.first, match.second):
        with contestant.player() as player:
            player.think(position.copy(), nodes=1, seconds=None, stop=lambda: True)


def rotations(match: Match, games: int) -> int:
    """Return how many rotations have at least this many games."""
    return -(-games // match.seats)


def pairing(match: Match, games: Sequence[PlayedGame], most: int, test: Sprt | None) -> Pairing:
    """Return the pairing of two players; with a test, only the games that decided it."""
    counted = complete([game for game in games if game.rotation < most], match.seats)
    verdict = None
    if test is not None:
        verdict, needed = test.verdict(rotation_scores(counted), match.seats)
        counted = [game for game in counted if game.rotation < needed]
    return Pairing(match.first.name, match.second.name, counted, verdict)


def run_match(terms: Terms, first: str, second: str, games: int, test: Sprt | None, report: Path | None) -> None:
    """Play a match between two players."""
    if seats_of(terms) == 1:
        raise UserError("plays-alone", WORDS)
    first, second = terms.find(first).name, terms.find(second).name
    page = None if report is None else ReportPage(report, terms.place(first, second))
    pairings = GameStore(terms).play([(first, second)], games, test)
    OUT.print(pairing_table(pairings, test))
    if page is not None:
        page.write(f"{intro(terms, test)}\n{strength_report.pairing_table(pairings)}", {})
        echo(say("saved", file=page.file))


def run_ladder(terms: Terms, names: Sequence[str], games: int, test: Sprt, report: Path | None) -> None:
    """Test that every player beats the one below."""
    contest(terms, "ladder", ladder(named(terms, names)), games, test, report)


def run_tournament(terms: Terms, names: Sequence[str], games: int, report: Path | None) -> None:
    """Play a round robin."""
    contest(terms, "tournament", round_robin(named(terms, names)), games, None, report)


def named(terms: Terms, names: Sequence[str]) -> list[str]:
    """Return the players' full names; there must be at least two different ones."""
    full = [terms.find(name).name for name in names]
    if len(full) < 2 or len(set(full)) < len(full):
        raise UserError("players-differ", WORDS)
    return full


def contest(
    terms: Terms, kind: str, pairs: Sequence[tuple[str, str]], games: int, test: Sprt | None, report: Path | None
) -> None:
    """Play, print and report a two-seat ladder or tournament; the player named first is rated 0."""
    seats = seats_of(terms)
    if seats != 2:
        raise UserError("contest-seats", WORDS, seats=seats)
    page = None if report is None else ReportPage(report, f"{kind} {terms.place()}")
    if page is not None:
        charts.require()
    pairings = GameStore(terms).play(pairs, games, test)
    anchor = pairs[0][1] if kind == "ladder" else pairs[0][0]
    ratings = standings(pairings, anchor)
    OUT.print(pairing_table(pairings, test))
    OUT.print(terminal_table(strength_report.RATING_HEADS, strength_report.rating_rows(ratings)))
    if page is not None:
        name = "-".join([kind, terms.game, *(option.replace("=", "-") for option in sorted(terms.options))])
        title = f"{registry.find(terms.game).title}: ratings, {anchor} = 0"
        tables = [strength_report.pairing_table(pairings), page.link(name), strength_report.rating_table(ratings)]
        page.write("\n".join([intro(terms, test), *tables]), {name: strength_report.rating_chart(title, ratings)})
        echo(say("saved", file=page.file))


def seats_of(terms: Terms) -> int:
    """Return the number of seats of the game that is played."""
    return len(registry.find(terms.game).start(seed=0, **read_options(prepare(terms.game), list(terms.options))).seats)


def pairing_table(pairings: Sequence[Pairing], test: Sprt | None) -> Table:
    """Return the pairings for the terminal; the claim heads the verdicts."""
    heads = [*strength_report.PAIRING_HEADS, *([f">= {100 * test.least:g} %"] if test else [])]
    return terminal_table(heads, strength_report.pairing_rows(pairings))


def terminal_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """Return a table for the terminal with one line per row."""
    columns = [Column(head, no_wrap=True, justify="right" if number else "left") for number, head in enumerate(heads)]
    table = Table(*columns, box=SIMPLE, collapse_padding=True, pad_edge=False)
    for row in rows:
        table.add_row(*row)
    return table


def intro(terms: Terms, test: Sprt | None) -> str:
    """Return the sentence above the tables of a report."""
    if test is None:
        return f"{terms.summary()}.\n"
    return (
        f"{terms.summary()}. Claim: the first player scores at least {100 * test.least:g} %; it stands wrongly at a "
        f"true score of {100 * test.least:g} % with probability {test.wrong:g}, and falls wrongly at "
        f"{100 * test.clear:g} % with probability {test.missed:g}.\n"
    )
