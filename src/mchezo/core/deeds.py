"""What a move did, would do, or was worth, as keys and arguments: for logs, animations, previews and final scores."""

from collections.abc import Mapping
from typing import NamedTuple

Value = str | int | float | bool | list[str | int] | None


class Deed(NamedTuple):
    """One thing that happened; the game's word `told-KEY` says it, with the arguments in its gaps."""

    key: str
    arguments: Mapping[str, Value]


class Line(NamedTuple):
    """Where a seat's points came from; the game's word `score-KEY` says it."""

    seat: int
    key: str
    arguments: Mapping[str, Value]
    points: float
