"""The computer players as the server needs them: what levels there are, and a player for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from mchezo.core.position import Position
from mchezo.search.players import Engine
from mchezo.server.messages import LevelInfo

Stop = Callable[[], bool]


class ComputerPlayer(Protocol):
    """A player of one level."""

    def turn(self, position: Position, seconds: float | None = None, stop: Stop | None = None) -> list[str]:
        """Its decisions until chance or another seat decides."""

    def think(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        stop: Stop | None = None,
    ) -> Any:
        """What it thinks: moves, turn, chances, points, depth, nodes, solved."""


class Opponents(Protocol):
    """Where computer players come from."""

    def levels(self, game: str) -> list[LevelInfo]:
        """The levels of a game, weakest first."""

    def player(self, game: str, level: int) -> ComputerPlayer:
        """A player of that level."""

    def analyst(self, game: str) -> Engine:
        """Who judges finished games."""


class Shipped:
    """The players of `mchezo.search`."""

    def levels(self, game: str) -> list[LevelInfo]:
        """The levels of a game, weakest first."""
        from mchezo.search.players import levels

        return [LevelInfo(level.number, level.name(), level.rating) for level in levels(game)]

    def player(self, game: str, level: int) -> ComputerPlayer:
        """A player of that level."""
        from mchezo.search.players import player

        found: ComputerPlayer = player(game, level)
        return found

    def analyst(self, game: str) -> Engine:
        """Who judges finished games."""
        from mchezo.search.analysis import analyst

        return analyst(game)
