"""Players against players: matches, ladders and tournaments, played, kept, printed and written into a page."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.table import Column, Table

import mchezo
from mchezo.arena import players
from mchezo.arena import strength_report as paper
from mchezo.arena.matches import OPENINGS, Match, Played, rotation_scores
from mchezo.arena.players import Contestant, Kind
from mchezo.arena.sequential import Claim, play_until, whole
from mchezo.arena.tournament import Meeting, ladder, round_robin, standings
from mchezo.cli.common import OUT, WORDS, prepare, read_options, say, tell
from mchezo.cli.studies import Page, ResultFile, progress_bar
from mchezo.core import registry
from mchezo.core.errors import Refusal

# OpenSpiel's search is beside the other environments, where the arena does not look.
players.enter("openspiel", Kind("mchezo.envs.opponent:OpenSpielSearch", "simulations", 2, 1_000_000))

PLAYING = ("core", "games", "search", "arena", "envs")  # the folders of all that decides how games go


@dataclass(frozen=True)
class Terms:
    """Under which terms games are played; `options` are as people type them."""

    game: str
    options: Sequence[str] = ()
    nodes: int | None = None
    seconds: float | None = None
    part: float = 1.0  # of its own budget, for a level that is given neither nodes nor seconds
    seed: int = 1
    opening: int | None = None
    workers: int = 1
    file: Path | None = None

    def __post_init__(self) -> None:
        if self.nodes is not None and self.seconds is not None:
            raise Refusal("nodes-or-seconds", WORDS)

    @property
    def kept(self) -> dict[str, Any]:
        """What must be the same for games to be counted together: everything that decides how they go."""
        opening = OPENINGS.get(self.game, 0) if self.opening is None else self.opening
        budget = {"nodes": self.nodes, "seconds": self.seconds, "part": self.part}
        game = {"game": self.game, "options": sorted(self.options), "opening": opening}
        return {"study": "players", **game, **budget, "seed": self.seed, "code": code()}

    def find(self, name: str) -> Contestant:
        """The player of that name."""
        return players.find(name, self.game, nodes=self.nodes, seconds=self.seconds, part=self.part)

    def match(self, first: Contestant, second: Contestant) -> Match:
        """The match of two players."""
        options = read_options(prepare(self.game), list(self.options))
        return Match(self.game, first, second, options, self.seed, self.opening)

    def place(self, *names: str) -> str:
        """What the place for figures is called in a page."""
        return " ".join([self.game, *sorted(self.options), *names])

    def told(self) -> str:
        """The terms in a line of a report."""
        budget = f"{self.nodes:,} nodes a turn" if self.nodes else "budgets of their own"
        if self.seconds:
            budget = f"{self.seconds:g} s a turn"
        elif self.part != 1 and not self.nodes:
            budget = f"{self.part:g} of their own budget"
        return ", ".join([budget, *(option.replace("=", " ") for option in self.options), f"seed {self.seed}"])


def code() -> str:
    """A hash of all that decides how players play: their results do not go together with those of other versions."""
    package = Path(mchezo.__file__).parent
    digest = hashlib.sha256()
    for folder in PLAYING:
        for path in sorted((package / folder).rglob("*")):
            if path.suffix == ".py" or (path.suffix == ".toml" and path.name != "words.toml"):
                digest.update(str(path.relative_to(package)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:20]


@dataclass
class Games:
    """All games by the names of the two players; each new one is written to the file, if there is one, at once."""

    terms: Terms
    played: dict[tuple[str, str], list[Played]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lines = ResultFile(self.terms.file)
        try:
            for line in self.lines.resume(self.terms.kept):
                names = (line.pop("first"), line.pop("second"))
                self.played.setdefault(names, []).append(Played(**line))
        except (TypeError, KeyError, AttributeError) as error:
            raise self.lines.unreadable() from error

    def play(self, pairs: Sequence[tuple[str, str]], games: int, claim: Claim | None) -> list[Meeting]:
        """Play what is still to be played of these matches, so many games each or until the claim is decided."""
        contestants = {name: self.terms.find(name) for pair in pairs for name in pair}
        matches = [self.terms.match(contestants[first], contestants[second]) for first, second in pairs]
        for match in matches:
            check_players(match)
        meetings = []
        with progress_bar(sum(rotations(match, games) * match.seats for match in matches)) as show:
            task, total = show.task_ids[0], 0
            for match in matches:
                show.update(task, description=f"{match.first.name} - {match.second.name}")
                kept = self.played.setdefault((match.first.name, match.second.name), [])
                show.update(task, completed=total + len(kept))
                for game in play_until(match, claim, rotations(match, games), self.terms.workers, kept):
                    kept.append(game)
                    self.lines.add({"first": match.first.name, "second": match.second.name, **asdict(game)})
                    show.advance(task)
                total += rotations(match, games) * match.seats
                show.update(task, completed=total)
                meetings.append(meeting(match, kept, rotations(match, games), claim))
        return meetings


def check_players(match: Match) -> None:
    """Let both players make a move, so that what they cannot play is refused before anything is played."""
    position = match.start(0)
    for contestant in (match.first, match.second):
        contestant.make().think(position.copy(), nodes=1, seconds=None, stop=lambda: True)


def rotations(match: Match, games: int) -> int:
    """How many whole rotations have at least so many games."""
    return -(-games // match.seats)


def meeting(match: Match, games: Sequence[Played], most: int, claim: Claim | None) -> Meeting:
    """What two players did to each other; with a claim, in the games that decided it."""
    counted = whole([game for game in games if game.rotation < most], match.seats)
    verdict = None
    if claim is not None:
        verdict, needed = claim.verdict(rotation_scores(counted), match.seats)
        counted = [game for game in counted if game.rotation < needed]
    return Meeting(match.first.name, match.second.name, counted, verdict)


def run_match(terms: Terms, first: str, second: str, games: int, claim: Claim | None, report: Path | None) -> None:
    """Two players meet."""
    first, second = terms.find(first).name, terms.find(second).name
    page = None if report is None else Page(report, terms.place(first, second))
    meetings = Games(terms).play([(first, second)], games, claim)
    OUT.print(meetings_shown(meetings, claim))
    if page is not None:
        page.write(f"{intro(terms, claim)}\n{paper.meeting_table(meetings)}", {})
        tell(say("saved", file=page.file))


def run_ladder(terms: Terms, names: Sequence[str], games: int, claim: Claim, report: Path | None) -> None:
    """Everybody meets the one below, until it is clear whether the claim stands."""
    contest(terms, "ladder", ladder(named(terms, names)), games, claim, report)


def run_tournament(terms: Terms, names: Sequence[str], games: int, report: Path | None) -> None:
    """Everybody meets everybody."""
    contest(terms, "tournament", round_robin(named(terms, names)), games, None, report)


def named(terms: Terms, names: Sequence[str]) -> list[str]:
    """The players' full names; there must be two, and none twice."""
    full = [terms.find(name).name for name in names]
    if len(full) < 2 or len(set(full)) < len(full):
        raise Refusal("players-differ", WORDS)
    return full


def contest(
    terms: Terms, kind: str, pairs: Sequence[tuple[str, str]], games: int, claim: Claim | None, report: Path | None
) -> None:
    """Play, print and write a ladder or a tournament of tables of two; the player named first is rated 0."""
    seats = len(registry.find(terms.game).start(seed=0, **read_options(prepare(terms.game), list(terms.options))).seats)
    if seats != 2:
        raise Refusal("contest-seats", WORDS, seats=seats)
    page = None if report is None else Page(report, f"{kind} {terms.place()}")
    meetings = Games(terms).play(pairs, games, claim)
    anchor = pairs[0][1] if kind == "ladder" else pairs[0][0]
    ratings = standings(meetings, anchor)
    OUT.print(meetings_shown(meetings, claim))
    OUT.print(shown(paper.RATING_HEADS, paper.rating_rows(ratings)))
    if page is not None:
        name = "-".join([kind, terms.game, *(option.replace("=", "-") for option in sorted(terms.options))])
        title = f"{registry.find(terms.game).title}: ratings, {anchor} = 0"
        tables = [paper.meeting_table(meetings), page.link(name), paper.rating_table(ratings)]
        page.write("\n".join([intro(terms, claim), *tables]), {name: paper.rating_picture(title, ratings)})
        tell(say("saved", file=page.file))


def meetings_shown(meetings: Sequence[Meeting], claim: Claim | None) -> Table:
    """The meetings for the terminal; what is claimed heads the verdicts."""
    heads = [*paper.MEETING_HEADS, *([f">= {100 * claim.least:g} %"] if claim else [])]
    return shown(heads, paper.meeting_rows(meetings))


def shown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """A table for the terminal, its rows in one line each."""
    columns = [Column(head, no_wrap=True, justify="right" if number else "left") for number, head in enumerate(heads)]
    table = Table(*columns, box=SIMPLE, collapse_padding=True, pad_edge=False)
    for row in rows:
        table.add_row(*row)
    return table


def intro(terms: Terms, claim: Claim | None) -> str:
    """A sentence above the tables of a report."""
    told = f"{terms.told()}.\n"
    if claim is None:
        return told
    return (
        f"{terms.told()}. Claim: the first player scores at least {100 * claim.least:g} %; it stands wrongly at a true "
        f"score of {100 * claim.least:g} % with probability {claim.wrong:g}, and falls wrongly at "
        f"{100 * claim.clear:g} % with probability {claim.missed:g}.\n"
    )
