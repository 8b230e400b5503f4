"""What moves do and where points come from, as keys and arguments: for logs, animations and final scores."""

from collections.abc import Mapping
from typing import NamedTuple

Value = str | int | float | bool | list[str | int] | None


class Effect(NamedTuple):
    """One effect of a move; the game's sentence `told-KEY` describes it with these arguments."""

    key: str
    arguments: Mapping[str, Value]


class ScoreLine(NamedTuple):
    """One source of a seat's points; the game's sentence `score-KEY` describes it."""

    seat: int
    key: str
    arguments: Mapping[str, Value]
    points: float
