"""Statistics of finished games."""

from typing import Literal

from msgspec import Struct


class SeatFigures(Struct, frozen=True):
    """The finished games of a seat at tables with this many players, and its victories; a draw is shared."""

    players: int
    seat: int
    games: int
    won: float


class PlayerFigures(Struct, frozen=True):
    """The same for people, bots and each level of the computer; `fair` is the score of equal players."""

    kind: Literal["person", "bot", "computer"]
    level: int | None
    games: int
    won: float
    fair: float


class GameStatistics(Struct, frozen=True):
    """The finished games of one game on this server."""

    game: str
    games: int
    seats: list[SeatFigures]
    players: list[PlayerFigures]
    reasons: dict[str, int]  # how many games ended for which reason
    moves: list[int]  # histogram of turns from 0; the last bin holds all longer games
    minutes: list[int]
    days: list[int]  # games that ended on each of the last 30 days, today last (UTC)


class Statistics(Struct, frozen=True):
    """What was played on this server."""

    games: list[GameStatistics]
    moves_step: int
    most_moves: int  # where the last bin begins
    minutes_step: int
    most_minutes: int
