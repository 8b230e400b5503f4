"""Puzzles: trying one."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mchezo.puzzles.puzzle import Puzzle
from mchezo.server.messages.commands import Preview
from mchezo.server.messages.parts import MAX_VARIATION, MoveText, Request, View
from mchezo.server.messages.replays import ReplayStep

__all__ = ["Puzzle", "TriedPuzzle", "TryPuzzle"]


class TryPuzzle(Request, frozen=True):
    """Moves on the board of a puzzle. A server knows its puzzles by their ids, and reads nothing else of one."""

    puzzle: Puzzle
    moves: Annotated[list[MoveText], Meta(max_length=MAX_VARIATION)] = []


class TriedPuzzle(Struct, frozen=True):
    """Where these moves lead; `moves` includes the replies."""

    seat: int  # that solves
    moves: list[str]
    steps: list[ReplayStep]
    view: View
    legal: list[str]
    previews: dict[str, Preview]
    verdict: Literal["open", "solved", "missed"]
    points: int  # that the turn reached, in a puzzle about points
