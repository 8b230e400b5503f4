"""Ratings by maximum likelihood, with error bars: all results together, not one after the other.

The model is Bradley and Terry's on Elo's scale: a player rated 400 points higher scores ten times as much as the
other. A draw counts as half a win. A perfect score has no likeliest rating, so every two players who met are given
PRIOR further games that were drawn. Error bars come from the information matrix, for games that are independent; games
in pairs with seats swapped scatter less, so the bars are rather too long than too short.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from mchezo.arena.balance import Z95
from mchezo.core.structs import Numbers

SCALE = 400 / log(10)
PRIOR = 1.0
STEPS = 100


@dataclass(frozen=True)
class Result:
    """What one player scored in so many games against another."""

    first: str
    second: str
    games: int
    points: float


@dataclass(frozen=True)
class Rating:
    """A rating and half the width of its 95 % interval, with the anchor taken as known."""

    name: str
    rating: float
    half: float
    games: int
    points: float


def expected(difference: float) -> float:
    """What a player rated so much higher scores."""
    return 1 / (1 + 10 ** (-difference / 400))


def difference(score: float) -> float:
    """How much higher a player is rated that scores so much."""
    return SCALE * log(score / (1 - score))


def rate(results: Sequence[Result], anchor: str, at: float = 0.0) -> list[Rating]:
    """The ratings of all who played, best first; the anchor's rating is given.

    Everybody must have met everybody else, directly or by way of others.
    """
    names = list(dict.fromkeys(name for result in results for name in (result.first, result.second)))
    if anchor not in names:
        raise ValueError(f"{anchor} has not played")
    numbers = {name: number for number, name in enumerate(names)}
    met, won = tally(results, numbers)
    check_connected(met, names)
    free = [number for name, number in numbers.items() if name != anchor]
    strengths = likeliest(met, won, free)
    chances = chance_matrix(strengths)
    covariance = np.linalg.inv(information(met, chances)[np.ix_(free, free)])
    halves = dict(zip(free, Z95 * SCALE * np.sqrt(np.diag(covariance)), strict=True))
    rated = []
    for name, number in numbers.items():
        played = [result for result in results if name in (result.first, result.second)]
        points = sum(result.points if result.first == name else result.games - result.points for result in played)
        rating = at + SCALE * float(strengths[number])
        rated.append(Rating(name, rating, float(halves.get(number, 0)), sum(one.games for one in played), points))
    return sorted(rated, key=lambda one: -one.rating)


def tally(results: Sequence[Result], numbers: Mapping[str, int]) -> tuple[Numbers, Numbers]:
    """Games and points of everyone (rows) against everyone (columns), with the prior's drawn games."""
    met, won = np.zeros((len(numbers), len(numbers))), np.zeros((len(numbers), len(numbers)))
    for result in results:
        one, other = numbers[result.first], numbers[result.second]
        met[one, other] += result.games
        met[other, one] += result.games
        won[one, other] += result.points
        won[other, one] += result.games - result.points
    prior = PRIOR * (met > 0)
    return met + prior, won + prior / 2


def check_connected(met: Numbers, names: Sequence[str]) -> None:
    """Refuse results of groups that never met: nothing ties their ratings together."""
    reached = np.linalg.matrix_power((met > 0) + np.eye(len(names)), len(names))[0] > 0
    if not reached.all():
        apart = [name for name, tied in zip(names, reached, strict=True) if not tied]
        raise ValueError(f"nothing ties {', '.join(apart)} to {names[0]}")


def likeliest(met: Numbers, won: Numbers, free: Sequence[int]) -> Numbers:
    """The strengths (natural logarithms) that make the results likeliest, by Newton's method; the anchor's is 0."""
    strengths = np.zeros(len(met))
    for _ in range(STEPS):
        chances = chance_matrix(strengths)
        slope = (won - met * chances).sum(axis=1)[free]
        step = np.linalg.solve(information(met, chances)[np.ix_(free, free)], slope)
        # Far from the goal Newton's steps are too long.
        step *= min(1.0, 2.0 / max(1e-12, float(np.abs(step).max(initial=0.0))))
        strengths[free] += step
        if np.abs(step).max(initial=0.0) < 1e-10:
            break
    return strengths


def chance_matrix(strengths: Numbers) -> Numbers:
    """What everyone (rows) is expected to score against everyone (columns)."""
    chances: Numbers = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    return chances


def information(met: Numbers, chances: Numbers) -> Numbers:
    """How much the games tell about the strengths: minus the second derivatives of the log-likelihood."""
    scatter = met * chances * (1 - chances)
    told: Numbers = np.diag(scatter.sum(axis=1)) - scatter
    return told
