"""How a game ended, as a value."""

from dataclasses import dataclass

from mchezo.core.errors import UserError

# Endings that are not on the board: decided by the players or by the clock.
OUTSIDE_REASONS = ("resignation", "time-out", "agreement", "abandoned")


@dataclass(frozen=True)
class Outcome:
    """The seats that won (none in a draw, several in a shared victory), the points of each seat, and why."""

    winners: tuple[int, ...]
    scores: tuple[float, ...]
    reason: str


def check_outside(outcome: Outcome, seats: int) -> None:
    """Raise an error if an outcome that was not decided on the board is impossible in a game with this many seats."""
    winners = outcome.winners
    if len(outcome.scores) != seats or len(set(winners)) != len(winners) or not set(winners) <= set(range(seats)):
        raise UserError("outcome-seats")
    nobody_wins = seats == 1 or outcome.reason == "agreement"
    if outcome.reason not in OUTSIDE_REASONS or bool(winners) == nobody_wins:
        raise UserError("outcome-reason", allowed=", ".join(OUTSIDE_REASONS))
