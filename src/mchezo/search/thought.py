"""The result of a search, and the interface of everything that can be asked for a move."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypedDict, Unpack

if TYPE_CHECKING:
    from mchezo.core.position import Position

Stop = Callable[[], bool]  # polled while a player thinks; True ends the search
Report = Callable[[list["Thought"]], None]  # called while a player thinks, with the best moves so far, best first


class SearchOptions(TypedDict, total=False):
    """Keyword arguments of every search. Without nodes and seconds a player uses its default budget."""

    nodes: int | None
    seconds: float | None
    seed: int  # of everything random in the search; 0 by default
    stop: Stop | None


class RootOptions(SearchOptions, total=False):
    """Keyword arguments of a search for the best moves."""

    only: Collection[str] | None  # search only these moves
    report: Report | None


@dataclass(frozen=True)
class Thought:
    """What a player thinks of a position."""

    moves: tuple[str, ...]  # the principal variation, the player's own move first
    turn: int  # how many of them the seat plays in a row before chance or another seat decides
    chances: tuple[float, ...]  # of winning, by seat; a draw is shared
    points: tuple[float, ...]  # expected final points, by seat; () where the game has none
    depth: int
    nodes: int
    solved: bool  # exact: does not depend on the evaluation function


class Thinker(Protocol):
    """Anything that can be asked for a move: engines, levels and reference opponents."""

    @property
    def name(self) -> str:
        """The name shown in tables."""

    def think(self, position: Position, **options: Unpack[SearchOptions]) -> Thought:
        """Search the position; with a budget in nodes, equal seeds give equal thoughts."""
