"""Finished games in figures."""

from typing import Literal

from msgspec import Struct


class SeatFigures(Struct, frozen=True):
    """Finished games of a seat at tables of so many players, and its share of the victories; a draw is shared."""

    players: int
    seat: int
    games: int
    won: float


class PlayerFigures(Struct, frozen=True):
    """The same for people, bots and each level of the computer; `fair` is what chance would give them."""

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
    reasons: dict[str, int]  # how they ended, by the game's reasons and those of tables
    moves: list[int]  # how many games were so long, in steps from 0; the last step holds all longer ones
    minutes: list[int]
    days: list[int]  # games ended on each of the last days, today last (UTC)


class Statistics(Struct, frozen=True):
    """What was played on this server."""

    games: list[GameStatistics]
    moves_step: int
    most_moves: int  # where the last step begins
    minutes_step: int
    most_minutes: int
