"""How a game ended, as a value."""

from dataclasses import dataclass

from mchezo.core.errors import Refusal

# How a game can end although its position goes on: decided by the players or by the clock, at a table.
OUTSIDE_REASONS = ("resignation", "time-out", "agreement", "abandoned")


@dataclass(frozen=True)
class Outcome:
    """The seats that won (none in a draw, several in a shared victory), the points of each seat, and why."""

    winners: tuple[int, ...]
    scores: tuple[float, ...]
    reason: str


def check_outside(outcome: Outcome, seats: int) -> None:
    """Refuse an outcome decided at the table that cannot be one, in a game of so many seats."""
    winners = outcome.winners
    if len(outcome.scores) != seats or len(set(winners)) != len(winners) or not set(winners) <= set(range(seats)):
        raise Refusal("outcome-seats")
    if outcome.reason not in OUTSIDE_REASONS or bool(winners) == (outcome.reason == "agreement"):
        raise Refusal("outcome-reason", allowed=", ".join(OUTSIDE_REASONS))
