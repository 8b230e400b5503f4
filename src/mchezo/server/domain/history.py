"""A player's finished games: which of them are asked for, and their results added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mchezo.core import registry
from mchezo.server.domain import log
from mchezo.server.domain.creation import UNFINISHED
from mchezo.server.domain.summary import Summary
from mchezo.server.messages import PlayerResult, PlayerResults, PlayerScore

PLAYERS = ("person", "bot", "computer")  # kinds of seats
OPPONENTS = 12  # people who are listed with the results against them, those met most often


class Wanted(NamedTuple):
    """The games that are asked for; None: all."""

    result: PlayerResult | None = None
    opponent: str | None = None  # a name
    level: int | None = None  # of a computer

    def holds(self, summary: Summary, guest: str) -> bool:
        """Return whether a game is one of these."""
        others = opponents(summary, guest)
        return (
            self.result in (None, result_of(summary, guest))
            and (self.opponent is None or any(one.level is None and one.name == self.opponent for one in others))
            and (self.level is None or any(one.level == self.level for one in others))
        )


def opponents(summary: Summary, guest: str) -> list[log.Occupant]:
    """Return the others at a table."""
    return [one for one in summary.seats if one.holder != guest and one.kind in PLAYERS]


def result_of(summary: Summary, guest: str) -> PlayerResult:
    """Return how a game ended for a player; a shared victory is one."""
    if not summary.winners:
        return "drawn"
    return "won" if any(summary.seats[winner].holder == guest for winner in summary.winners) else "lost"


def add_up(games: Iterable[Summary], guest: str) -> PlayerResults:
    """Return a player's results by game, side, level and opponent, the most frequent first.

    Games without a result do not count, nor those against nobody else, such as both sides on one screen.
    """
    counts: dict[PlayerScore, Counter[PlayerResult]] = {}
    total = 0
    for game in games:
        if game.reason == UNFINISHED or not opponents(game, guest):
            continue
        total += 1
        for what in set(labels(game, guest)):
            counts.setdefault(what, Counter())[result_of(game, guest)] += 1
    ordered = sorted(counts.items(), key=lambda one: -one[1].total())
    people = [what for what, _ in ordered if what.opponent is not None][OPPONENTS:]
    scores = [
        PlayerScore(what.by, what.game, what.side, what.level, what.opponent, one["won"], one["drawn"], one["lost"])
        for what, one in ordered
        if what not in people
    ]
    return PlayerResults(scores, total)


def labels(summary: Summary, guest: str) -> Iterator[PlayerScore]:
    """Yield what a game counts for, without results."""
    sides = registry.find(summary.game).setup.seats(summary.options)
    yield PlayerScore("game", game=summary.game)
    for side, occupant in zip(sides, summary.seats, strict=True):
        if occupant.holder == guest:
            yield PlayerScore("side", game=summary.game, side=side)
    for other in opponents(summary, guest):
        if other.level is None:
            yield PlayerScore("opponent", opponent=other.name)
        else:
            yield PlayerScore("level", level=other.level)
