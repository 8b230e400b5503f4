"""What was played on this server, in figures: nothing of whom, nothing of games that still go on.

A finished game is one row (`schema.RESULTS`), written with the append that ends it. Who sat where and how it ended is
one short text, so that the database counts games that went alike and only those few lines are read: `p+ c5-` is a
person who won against a computer of level 5, `p= p=` a draw between two.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from mchezo.core import registry
from mchezo.server import messages, replay
from mchezo.server.facts import Sitter
from mchezo.server.schema import RESULTS
from mchezo.server.table import Table

MOVES_STEP = 10  # of the lengths in turns, and their last step, which holds all that are longer
MOST_MOVES = 200
MINUTES_STEP = 5
MOST_MINUTES = 120
DAY = 86_400_000
DAYS = 30
KINDS = {"person": "p", "bot": "b", "computer": "c", "open": "p"}


def result_row(table: Table) -> dict[str, Any] | None:
    """The row of a table's game; None while it is not over, and for a record that was played elsewhere."""
    end, position = table.finished, table.position
    if end is None or (table.made.moves and table.moves_made == len(table.made.moves)):
        return None
    begun = table.made.at if table.began is None else table.log[table.began].at
    return {
        "table_id": table.id,
        "game": table.made.game,
        "went": went(table.seats, end.winners),
        "reason": end.reason,
        "moves": min((len(replay.turns(position)) if position else 0) // MOVES_STEP * MOVES_STEP, MOST_MOVES),
        "minutes": min(max(0, end.at - begun) // 60_000 // MINUTES_STEP * MINUTES_STEP, MOST_MINUTES),
        "day": end.at // DAY,
    }


def went(seats: Sequence[Sitter], winners: Sequence[int]) -> str:
    """Who sat where and how it ended."""
    marks = ["=" if not winners else "+" if seat in winners else "-" for seat in range(len(seats))]
    return " ".join(
        f"{KINDS[sitter.kind]}{sitter.level or ''}{mark}" for sitter, mark in zip(seats, marks, strict=True)
    )


@dataclass
class Counted:
    """What is counted of a game."""

    games: int = 0
    seats: dict[tuple[int, int], list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0.0]))
    players: dict[str, list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0.0, 0.0]))
    reasons: Counter[str] = field(default_factory=Counter)
    moves: Counter[int] = field(default_factory=Counter)
    minutes: Counter[int] = field(default_factory=Counter)
    days: Counter[int] = field(default_factory=Counter)

    def add(self, went: str, reason: str, games: int) -> None:
        """So many games that went so."""
        marks = went.split()
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


def read(connection: sa.Connection, today: int) -> messages.Statistics:
    """All figures; `today` is the number of the day."""
    counted = {name: Counted() for name in registry.names()}
    alike = sa.select(RESULTS.c.game, RESULTS.c.went, RESULTS.c.reason, sa.func.count())
    for game, how, reason, games in connection.execute(alike.group_by(*alike.selected_columns[:3])):
        counted[game].add(how, reason, games)
    for column, name in ((RESULTS.c.moves, "moves"), (RESULTS.c.minutes, "minutes"), (RESULTS.c.day, "days")):
        query = sa.select(RESULTS.c.game, column, sa.func.count()).group_by(RESULTS.c.game, column)
        if name == "days":
            query = query.where(RESULTS.c.day > today - DAYS)
        for game, step, games in connection.execute(query):
            getattr(counted[game], name)[step] = games
    games = [told(name, found, today) for name, found in counted.items()]
    return messages.Statistics(games, MOVES_STEP, MOST_MOVES, MINUTES_STEP, MOST_MINUTES)


def told(name: str, found: Counted, today: int) -> messages.GameStatistics:
    """A game's figures as they are sent."""
    return messages.GameStatistics(
        game=name,
        games=found.games,
        seats=[
            messages.SeatFigures(players, seat, int(games), round(won, 2))
            for (players, seat), (games, won) in sorted(found.seats.items())
        ],
        players=[
            messages.PlayerFigures(kind_of(mark), level_of(mark), int(games), round(won, 2), round(fair, 2))
            for mark, (games, won, fair) in sorted(found.players.items())
        ],
        reasons=dict(sorted(found.reasons.items())),
        moves=steps(found.moves, MOVES_STEP),
        minutes=steps(found.minutes, MINUTES_STEP),
        days=[found.days[day] for day in range(today - DAYS + 1, today + 1)],
    )


def kind_of(mark: str) -> Any:
    """Which kind of player a letter stands for."""
    return {"p": "person", "b": "bot", "c": "computer"}[mark[0]]


def level_of(mark: str) -> int | None:
    """The level of a computer."""
    return int(mark[1:]) if mark[1:] else None


def steps(counted: Counter[int], step: int) -> list[int]:
    """Counts from 0 to the longest, step by step."""
    return [counted[at] for at in range(0, max(counted) + step, step)] if counted else []
