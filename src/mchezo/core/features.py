"""What a position is judged by: named quantities and what each is worth, set by hand or learned.

Learned worths are data: `weights.toml` in the game's folder, a table for each kind of game it can be played as, with a
line for each quantity and, above it, the command that learned them and what came of it.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import numpy as np

from mchezo.core.structs import Numbers

LARGEST = 20_000  # thousandths of log-odds: beyond it a position is as good as won


class Feature(NamedTuple):
    """A quantity, the sentence that says what it counts, and the worth of one of it before anything was learned."""

    name: str
    counts: str
    worth: float


def hand_set(features: Sequence[Feature]) -> Numbers:
    """The worths before anything was learned."""
    return np.array([feature.worth for feature in features])


def learned(package: str, kind: str, features: Sequence[Feature]) -> Numbers:
    """The worths in the game's `weights.toml`; the hand-set ones where that kind of game has not been learned."""
    table = read_weights(package).get(kind)
    if table is None:
        return hand_set(features)
    worths = table["worth"]
    if list(worths) != [feature.name for feature in features]:
        raise ValueError(f"the weights of {kind} were learned for other features: run `mchezo tune` again")
    return np.array([float(worth) for worth in worths.values()])


@cache
def read_weights(package: str) -> Mapping[str, Any]:
    """The game's `weights.toml`; empty if it has none."""
    file = resources.files(package) / "weights.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
