"""How well a seat played, from the analysis of its decisions.

The decisions of one turn count together. A turn's accuracy falls with what it gave away on the curve that lichess uses
for chess, and a game's accuracy is the mean of the arithmetic and the harmonic mean, so that a few blunders among many
good turns still show. Where only victory counts, turns of a decided game weigh less. Where points count, points given
away count in a decided game, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import exp, log, tanh
from typing import Protocol

CURVE = (1.031668, -4.354, -0.031669)  # accuracy = a * exp(b * loss) + c: lichess.org/page/accuracy
POINTS = 40.0  # ten points of a lead count like a quarter of the chances in an even game
MOST_CERTAIN = 0.999  # chances beyond this are not told apart
LEAST_WEIGHT = 0.1  # of a turn in a decided game
LEAST_ACCURACY = 0.01  # of a turn: keeps the harmonic mean finite


class Evaluated(Protocol):
    """A decision and its evaluation."""

    @property
    def seat(self) -> int:
        """Who decided."""

    @property
    def chances(self) -> Sequence[float]:
        """The chances of winning of every seat after the best move."""

    @property
    def after(self) -> Sequence[float]:
        """The same after the move played."""

    @property
    def points(self) -> Sequence[float]:
        """The expected points of every seat after the best move; empty in a game without points."""

    @property
    def points_after(self) -> Sequence[float]:
        """The same after the move played."""


def accuracy(decisions: Iterable[Evaluated], seat: int) -> float | None:
    """Return how well a seat played, from 0 to 1; None if it made no decision."""
    turns = turns_of(decisions, seat)
    if not turns:
        return None
    found = [(turn_accuracy(turn), weight(turn)) for turn in turns]
    total = sum(weight for _, weight in found)
    mean = sum(share * weight for share, weight in found) / total
    harmonic = total / sum(weight / share for share, weight in found)
    return (mean + harmonic) / 2


def points_lost(decisions: Iterable[Evaluated], seat: int) -> float:
    """Return by how many points a seat's turns worsened its lead over the best other seat."""
    return sum(lead_lost(turn) for turn in turns_of(decisions, seat))


def turns_of(decisions: Iterable[Evaluated], seat: int) -> list[list[Evaluated]]:
    """Return a seat's decisions, turn by turn."""
    return [list(turn) for mover, turn in groupby(decisions, key=lambda decision: decision.seat) if mover == seat]


def turn_accuracy(turn: Sequence[Evaluated]) -> float:
    """Return the accuracy of a turn, by its loss of chances or of points, whichever is greater."""
    seat = turn[0].seat
    loss = max(0.0, turn[0].chances[seat] - turn[-1].after[seat], as_chances(lead_lost(turn)))
    scale, steepness, offset = CURVE
    return min(1.0, max(LEAST_ACCURACY, scale * exp(steepness * loss) + offset))


def as_chances(points: float) -> float:
    """Return the loss of chances in an even game that counts like a loss of points."""
    return tanh(points / POINTS)


def as_in_even_game(chance: float, after: float) -> float:
    """Return the loss of chances in an even game that changes the odds as much as this one."""
    return tanh(max(0.0, log_odds(chance) - log_odds(after)) / 4)


def log_odds(chance: float) -> float:
    """Return the logarithm of the odds of a chance, within bounds."""
    within = min(MOST_CERTAIN, max(1 - MOST_CERTAIN, chance))
    return log(within / (1 - within))


def weight(turn: Sequence[Evaluated]) -> float:
    """Return how much a turn counts: by how open the game was, or fully where points count."""
    if turn[0].points:
        return 1.0
    chance = turn[0].chances[turn[0].seat]
    return max(LEAST_WEIGHT, 4 * chance * (1 - chance))


def lead_lost(turn: Sequence[Evaluated]) -> float:
    """Return by how many points a turn worsened the lead; 0 in a game without points."""
    if not turn[0].points:
        return 0.0
    return change_of_lead(turn[0].points, turn[-1].points_after, turn[0].seat)


def change_of_lead(points: Sequence[float], after: Sequence[float], seat: int) -> float:
    """Return by how many points a seat's lead shrinks; 0 if it grows."""
    return max(0.0, lead(points, seat) - lead(after, seat))


def lead(points: Sequence[float], seat: int) -> float:
    """Return by how many points a seat leads the best other one; alone its own points."""
    return points[seat] - max((one for other, one in enumerate(points) if other != seat), default=0.0)
