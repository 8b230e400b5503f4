"""How a game ended, as a value."""

from dataclasses import dataclass

# How a game can end although its position goes on: decided by the players or by the clock, at a table.
OUTSIDE_REASONS = ("resignation", "time-out", "agreement", "abandoned")


@dataclass(frozen=True)
class Outcome:
    """The seats that won (none in a draw, several in a shared victory), the points of each seat, and why."""

    winners: tuple[int, ...]
    scores: tuple[float, ...]
    reason: str
