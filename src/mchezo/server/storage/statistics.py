"""Statistics of the finished games on this server, without names: every game is one row, counted by the database."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from mchezo.core import registry
from mchezo.server import messages
from mchezo.server.domain.summary import DAY, MAX_MINUTES, MAX_TURNS, MINUTES_STEP, TURNS_STEP
from mchezo.server.storage.database import Database
from mchezo.server.storage.schema import RESULTS

DAYS = 30
OUTCOME_CODE = re.compile("[pbc][0-9]*+[-+=]( [pbc][0-9]*+[-+=])*")  # damaged rows and unknown games are left out
KINDS = {"p": "person", "b": "bot", "c": "computer"}


def read_statistics(database: Database) -> messages.Statistics:
    """Return the statistics of all games."""
    today = database.now() // DAY
    tallies = {name: Tally() for name in registry.names()}
    with database.engine.connect() as connection:
        equal = sa.select(RESULTS.c.game, RESULTS.c.went, RESULTS.c.reason, sa.func.count())
        for game, code, reason, games in connection.execute(equal.group_by(*equal.selected_columns[:3])):
            if game in tallies and OUTCOME_CODE.fullmatch(code):
                tallies[game].add(code, reason, games)
        for column, name in ((RESULTS.c.moves, "turns"), (RESULTS.c.minutes, "minutes"), (RESULTS.c.day, "days")):
            query = sa.select(RESULTS.c.game, column, sa.func.count()).group_by(RESULTS.c.game, column)
            if name == "days":
                query = query.where(RESULTS.c.day > today - DAYS)
            for game, value, games in connection.execute(query):
                if game in tallies:
                    getattr(tallies[game], name)[value] = games
    games = [game_statistics(name, tally, today) for name, tally in tallies.items()]
    return messages.Statistics(games, TURNS_STEP, MAX_TURNS, MINUTES_STEP, MAX_MINUTES)


@dataclass
class Tally:
    """What is counted of one game; a victory shared by several seats counts as a part for each."""

    games: int = 0
    seats: dict[tuple[int, int], list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0.0]))
    players: dict[str, list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0.0, 0.0]))
    reasons: Counter[str] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    minutes: Counter[int] = field(default_factory=Counter)
    days: Counter[int] = field(default_factory=Counter)

    def add(self, code: str, reason: str, games: int) -> None:
        """Count games with the same outcome code and reason."""
        marks = code.split()
        winners = sum(mark.endswith("+") for mark in marks)
        self.games += games
        self.reasons[reason] += games
        for seat, mark in enumerate(marks):
            share = 1 / len(marks) if not winners else mark.endswith("+") / winners
            by_seat, by_player = self.seats[len(marks), seat], self.players[mark[:-1]]
            by_seat[0] += games
            by_seat[1] += games * share
            by_player[0] += games
            by_player[1] += games * share
            by_player[2] += games / len(marks)


def game_statistics(name: str, tally: Tally, today: int) -> messages.GameStatistics:
    """Return a tally as a message."""
    return messages.GameStatistics(
        game=name,
        games=tally.games,
        seats=[
            messages.SeatFigures(players, seat, int(games), round(won, 2))
            for (players, seat), (games, won) in sorted(tally.seats.items())
        ],
        players=[
            messages.PlayerFigures(player_kind(mark), player_level(mark), int(games), round(won, 2), round(fair, 2))
            for mark, (games, won, fair) in sorted(tally.players.items())
        ],
        reasons=dict(sorted(tally.reasons.items())),
        moves=histogram(tally.turns, TURNS_STEP),
        minutes=histogram(tally.minutes, MINUTES_STEP),
        days=[tally.days[day] for day in range(today - DAYS + 1, today + 1)],
    )


def player_kind(mark: str) -> Any:
    """Return the kind of player that an outcome code's letter stands for."""
    return KINDS[mark[0]]


def player_level(mark: str) -> int | None:
    """Return the level of a computer in an outcome code."""
    return int(mark[1:]) if mark[1:] else None


def histogram(counts: Counter[int], step: int) -> list[int]:
    """Return the counts of all bins from 0 to the last one that is not empty."""
    return [counts[start] for start in range(0, max(counts) + step, step)] if counts else []
