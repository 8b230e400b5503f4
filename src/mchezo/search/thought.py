"""What a player thinks of a position, and what every player can be asked."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from mchezo.core.position import Position

Stop = Callable[[], bool]  # asked at least every 20 ms


@dataclass(frozen=True)
class Thought:
    """What a player thinks of a position."""

    moves: tuple[str, ...]  # the line it expects, its own move first; never empty
    turn: int  # how many of them are the seat's own decisions in a row, before chance or another seat decides (>= 1)
    chances: tuple[float, ...]  # of winning, for every seat; they add up to 1 (a draw is shared)
    points: tuple[float, ...]  # expected final points of every seat; () where the game has none
    depth: int
    nodes: int
    solved: bool  # nothing was left to judgement


class Thinker(Protocol):
    """Every engine and every reference opponent."""

    name: str

    def think(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        stop: Stop | None = None,
    ) -> Thought:
        """Think until a budget is spent or somebody says stop; the same nodes and seed give the same thought."""
        ...
