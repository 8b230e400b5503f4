"""The computer players as the server needs them: their levels, and a player for each."""

from __future__ import annotations

from typing import Any, Protocol, Unpack

from mchezo.core.position import Position
from mchezo.search.players import Engine
from mchezo.search.thought import SearchOptions, Stop
from mchezo.server.messages import LevelInfo


class ComputerPlayer(Protocol):
    """A player of one level."""

    def turn(self, position: Position, seconds: float | None = None, stop: Stop | None = None) -> list[str]:
        """Return its decisions until chance or another seat decides."""

    def think(self, position: Position, **options: Unpack[SearchOptions]) -> Any:
        """Return what it thinks: moves, turn, chances, points, depth, nodes, solved."""


class Opponents(Protocol):
    """Where computer players come from."""

    def levels(self, game: str) -> list[LevelInfo]:
        """Return the levels of a game, weakest first."""

    def player(self, game: str, level: int) -> ComputerPlayer:
        """Return a player of a level."""

    def nodes(self, game: str, level: int) -> int:
        """Return the budget of a level, as an estimate of what its turn costs."""

    def analyst(self, game: str) -> Engine:
        """Return the engine that analyses finished games."""


class Shipped:
    """The computer players of `mchezo.search`."""

    def levels(self, game: str) -> list[LevelInfo]:
        """Return the levels of a game, weakest first."""
        from mchezo.search.players import levels

        return [LevelInfo(level.number, level.name(), level.rating) for level in levels(game)]

    def player(self, game: str, level: int) -> ComputerPlayer:
        """Return a player of a level."""
        from mchezo.search.players import player

        found: ComputerPlayer = player(game, level)
        return found

    def nodes(self, game: str, level: int) -> int:
        """Return the budget of a level, as an estimate of what its turn costs."""
        from mchezo.search.players import levels

        return levels(game)[level - 1].nodes

    def analyst(self, game: str) -> Engine:
        """Return the engine that analyses finished games."""
        from mchezo.search.analysis import analyst

        return analyst(game)
