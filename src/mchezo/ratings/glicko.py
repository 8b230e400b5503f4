"""Glicko-2 (Mark Glickman, "Example of the Glicko-2 system"), updated after every game.

A rating is stored as whole numbers, and every update ends by rounding to them. The exponential and the logarithm have
the same bits everywhere (core/elementary.py). So the same results in the same order give the same ratings, whether
they are computed one at a time or all at once, on any machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sqrt
from typing import NamedTuple

from mchezo.core.elementary import exp, log

SCALE = 400 / 2.302585092994046  # points in one unit of the natural logarithm of the odds
POINT = 100  # the stored unit is a hundredth of a point
VOLATILITY_UNIT = 1_000_000
DAY = 86_400_000  # milliseconds

START, START_DEVIATION, START_VOLATILITY = 1500.0, 350.0, 0.06
MOST_DEVIATION, LEAST_DEVIATION = 350.0, 30.0
ESTABLISHED = 110.0  # a larger deviation is provisional
TAU = 0.5  # how much the volatility may change
TOLERANCE = 1e-6
DAILY_VARIANCE = 50.0  # square points that a day without games adds: from 60 to 150 points in a year


class Rating(NamedTuple):
    """A player's rating, in whole numbers; `at` is when their last rated game ended."""

    rating: int = round(START * POINT)
    deviation: int = round(START_DEVIATION * POINT)
    volatility: int = round(START_VOLATILITY * VOLATILITY_UNIT)
    games: int = 0
    at: int = 0

    @property
    def points(self) -> float:
        """The rating in points."""
        return self.rating / POINT

    @property
    def deviation_points(self) -> float:
        """The deviation in points."""
        return self.deviation / POINT

    @property
    def provisional(self) -> bool:
        """Whether the rating is not sure yet."""
        return self.deviation > ESTABLISHED * POINT

    def at_time(self, now: int) -> Rating:
        """Return the rating as it is at a later time: less sure after days without games."""
        days = max(0, now - self.at) / DAY if self.games else 0.0
        grown = sqrt(self.deviation_points**2 + DAILY_VARIANCE * days)
        return self._replace(deviation=round(min(MOST_DEVIATION, max(grown, self.deviation_points)) * POINT))


class Opponent(NamedTuple):
    """Whom a player met in a game: strength in points, how sure it is, and the player's score against them."""

    rating: float
    deviation: float
    score: float  # 1, 0.5 or 0


def expected(rating: float, opponent: float, deviation: float) -> float:
    """Return the expected score against an opponent whose rating has a deviation."""
    return 1 / (1 + exp(-attenuation(deviation / SCALE) * (rating - opponent) / SCALE))


def predicted(one: Rating, other: Rating) -> float:
    """Return the expected score of one player against another, with the uncertainty of both."""
    both = sqrt(one.deviation_points**2 + other.deviation_points**2)
    return expected(one.points, other.points, both)


def attenuation(deviation: float) -> float:
    """Return Glickman's g: by how much an uncertain opponent counts less."""
    return 1 / sqrt(1 + 3 * deviation * deviation / (pi * pi))


def update(player: Rating, opponents: Sequence[Opponent], at: int, weight: float = 1.0) -> Rating:
    """Return a player's rating after a game that ended at a time; each opponent counts with a weight."""
    now = player.at_time(at)
    mean, spread, volatility = (now.points - START) / SCALE, now.deviation_points / SCALE, now.volatility / 1e6
    information, gain = 0.0, 0.0
    for opponent in opponents:
        factor = attenuation(opponent.deviation / SCALE)
        chance = expected(now.points, opponent.rating, opponent.deviation)
        information += weight * factor * factor * chance * (1 - chance)
        gain += weight * factor * (opponent.score - chance)
    if information < 1e-12:  # nothing can be learned from a game whose result was certain
        return now._replace(games=now.games + 1, at=max(at, now.at))
    volatility = new_volatility(spread, volatility, 1 / information, gain / information)
    wider = spread * spread + volatility * volatility
    variance = 1 / (1 / wider + information)
    deviation = min(MOST_DEVIATION, max(LEAST_DEVIATION, sqrt(variance) * SCALE))
    return Rating(
        round((START + (mean + variance * gain) * SCALE) * POINT),
        round(deviation * POINT),
        round(volatility * VOLATILITY_UNIT),
        now.games + 1,
        max(at, now.at),
    )


def new_volatility(spread: float, volatility: float, variance: float, gain: float) -> float:
    """Return the new volatility: step 5 of Glickman's description, by the Illinois algorithm."""
    start = log(volatility * volatility)

    def slope(x: float) -> float:
        grown = spread * spread + variance + exp(x)
        return exp(x) * (gain * gain - grown) / (2 * grown * grown) - (x - start) / (TAU * TAU)

    low = start
    if gain * gain > spread * spread + variance:
        high = log(gain * gain - spread * spread - variance)
    else:
        steps = 1
        while slope(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    at_low, at_high = slope(low), slope(high)
    for _ in range(100):
        if abs(high - low) <= TOLERANCE:
            break
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)
