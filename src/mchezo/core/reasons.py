"""Why one course of a game is better than another: the quantities in which they differ, by what these are worth."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from mchezo.core import kernels
from mchezo.core.deeds import Value
from mchezo.core.features import Feature
from mchezo.core.structs import Numbers, Structs


class Reason(NamedTuple):
    """What the better course has over the other, and what that is worth; the game's word `why-KEY` says it."""

    worth: float
    key: str
    arguments: Mapping[str, Value]


class Gap(NamedTuple):
    """By how much a seat is better off in one respect: in worth, and in number."""

    theme: str
    worth: float
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
    """What a seat has more in the better course, summed up by themes: patterns of the names of features."""
    more = counted(best, setups, seat, len(features)) - counted(played, setups, seat, len(features))
    for theme, pattern in themes.items():
        worth = number = 0.0
        for feature, weight, difference in zip(features, weights, more, strict=True):
            if difference and re.fullmatch(pattern, feature.name):
                worth += weight * difference
                # Of a numbered family a seat has exactly one: the number is what it counts.
                numbered = NUMBERED.fullmatch(feature.name)
                number += difference * (int(numbered[1]) if numbered else 1)
        yield Gap(theme, worth, round(number))


def counted(states: Structs, setups: Structs, seat: int, count: int) -> Numbers:
    """The quantities of a seat."""
    out = np.zeros(count)
    kernels.count_features(states, setups, seat, out)
    return out
