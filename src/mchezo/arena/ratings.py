"""Maximum-likelihood ratings with error bars, from all results at once.

The model is Bradley-Terry on the Elo scale: a player rated 400 points higher scores ten times as much as the other. A
draw counts as half a win. A perfect score has no finite maximum-likelihood rating, so every two players who met are
credited with PRIOR additional draws. Error bars come from the Fisher information of independent games; pairs of games
with seats swapped vary less, so the bars are conservative.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from mchezo.arena.statistics import Z95
from mchezo.core.structs import Numbers

SCALE = 400 / log(10)
PRIOR = 1.0
STEPS = 100


@dataclass(frozen=True)
class PairResult:
    """One player's points in a number of games against another."""

    first: str
    second: str
    games: int
    points: float


@dataclass(frozen=True)
class PlayerRating:
    """A rating and half the width of its 95 % interval, with the anchor taken as known."""

    name: str
    rating: float
    half: float
    games: int
    points: float


def expected(difference: float) -> float:
    """Return the expected score of a player rated `difference` higher."""
    return 1 / (1 + 10 ** (-difference / 400))


def difference(score: float) -> float:
    """Return the rating difference that gives an expected score."""
    return SCALE * log(score / (1 - score))


def rate(results: Sequence[PairResult], anchor: str, at: float = 0.0) -> list[PlayerRating]:
    """Return the ratings of all players, best first; the anchor's rating is fixed at `at`.

    All players must be connected by games, directly or through others.
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
        rated.append(PlayerRating(name, rating, float(halves.get(number, 0)), sum(one.games for one in played), points))
    return sorted(rated, key=lambda one: -one.rating)


def tally(results: Sequence[PairResult], numbers: Mapping[str, int]) -> tuple[Numbers, Numbers]:
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
    """Raise ValueError if some players are not connected to the others by games."""
    reached = np.linalg.matrix_power((met > 0) + np.eye(len(names)), len(names))[0] > 0
    if not reached.all():
        apart = [name for name, tied in zip(names, reached, strict=True) if not tied]
        raise ValueError(f"{', '.join(apart)} not connected to {names[0]} by games")


def likeliest(met: Numbers, won: Numbers, free: Sequence[int]) -> Numbers:
    """Return the maximum-likelihood strengths (natural logarithms) by Newton's method; the anchor's is 0."""
    strengths = np.zeros(len(met))
    for _ in range(STEPS):
        chances = chance_matrix(strengths)
        gradient = (won - met * chances).sum(axis=1)[free]
        step = np.linalg.solve(information(met, chances)[np.ix_(free, free)], gradient)
        # Far from the maximum Newton's steps overshoot.
        step *= min(1.0, 2.0 / max(1e-12, float(np.abs(step).max(initial=0.0))))
        strengths[free] += step
        if np.abs(step).max(initial=0.0) < 1e-10:
            break
    return strengths


def chance_matrix(strengths: Numbers) -> Numbers:
    """Return the expected scores of everyone (rows) against everyone (columns)."""
    chances: Numbers = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    return chances


def information(met: Numbers, chances: Numbers) -> Numbers:
    """Return the Fisher information of the strengths: the negative Hessian of the log-likelihood."""
    variance = met * chances * (1 - chances)
    hessian: Numbers = np.diag(variance.sum(axis=1)) - variance
    return hessian
