"""Why one line of play is better than another: the features in which they differ, by weight."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from mchezo.core import arrays, kernels, verbs
from mchezo.core.effects import Value
from mchezo.core.features import Feature
from mchezo.core.structs import Numbers, Structs

if TYPE_CHECKING:
    from mchezo.core.position import Position


class Reason(NamedTuple):
    """One advantage of the better line and its value; the game's sentence `why-KEY` describes it."""

    value: float
    key: str
    arguments: Mapping[str, Value]


class Line:
    """A variation that was played out: the states before it, after each of its turns, and at its end."""

    def __init__(self, end: Position, first: int) -> None:
        states = [*(end.steps[number].before for number in range(first, len(end.steps))), end.states]
        self.before, self.end = states[0], states[-1]
        self.over = end.to_move is None
        self.turns = [
            after for before, after in pairwise(states) if verbs.turn_of(before[0]) != verbs.turn_of(after[0])
        ]
        if self.over or not self.turns:
            self.turns.append(self.end)


class Gap(NamedTuple):
    """By how much a seat is better off in one theme: in value, and in number."""

    theme: str
    value: float
    number: int


NUMBERED = re.compile(r".*-(\d+)")


def gaps(
    best: Structs,
    played: Structs,
    setups: Structs,
    seat: int,
    features: Sequence[Feature],
    weights: Numbers,
    themes: Mapping[str, str],
) -> Iterator[Gap]:
    """Yield what a seat has more in the better line, summed by theme; a theme is a pattern of feature names."""
    better, worse = (feature_values(states, setups, seat, len(features)) for states in (best, played))
    more = [one - another for one, another in zip(better, worse, strict=True)]
    for theme, pattern in themes.items():
        value = number = 0.0
        for feature, weight, difference in zip(features, weights.tolist(), more, strict=True):
            if difference and re.fullmatch(pattern, feature.name):
                value += weight * difference
                # A seat has exactly one feature of a numbered family: its number is the count.
                numbered = NUMBERED.fullmatch(feature.name)
                number += difference * (int(numbered[1]) if numbered else 1)
        yield Gap(theme, value, round(number))


def feature_values(states: Structs, setups: Structs, seat: int, count: int) -> list[float]:
    """Return the features of a seat."""
    out = arrays.zeros(count)
    kernels.count_features(states, setups, seat, out)
    values: list[float] = out.tolist()
    return values
