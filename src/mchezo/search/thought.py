"""What a player thinks of a position, and what every player that thinks can be asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from mchezo.core.position import Position

Stop = Callable[[], bool]  # asked again and again while a player thinks; True ends it


@dataclass(frozen=True)
class Thought:
    """What a player thinks of a position."""

    moves: tuple[str, ...]  # the line it expects, its own move first
    turn: int  # how many of them are its own in a row, before chance or another seat decides
    chances: tuple[float, ...]  # of winning, for every seat; a draw is shared
    points: tuple[float, ...]  # expected in the end by every seat; () where the game has none
    depth: int
    nodes: int
    solved: bool  # nothing was left to judgement


class Thinker(Protocol):
    """Whoever can be asked for a move: every engine, every level, every reference opponent."""

    @property
    def name(self) -> str:
        """What it is called in tables."""

    def think(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        stop: Stop | None = None,
    ) -> Thought:
        """Think of the position for so many nodes or seconds; equal nodes and seeds give equal thoughts."""
