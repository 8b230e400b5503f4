"""What a position is evaluated by: named features and the weight of each, set by hand or learned.

Learned weights are data: `weights.toml` in the game's folder has a table for each kind of game, with a line for each
feature and, above it, the command that learned the weights and the score they reached.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from mchezo.core import arrays
from mchezo.core.data import read_toml
from mchezo.core.structs import Numbers

LARGEST = 20_000  # thousandths of log-odds: bound of an evaluation, as good as won


class Feature(NamedTuple):
    """A feature's name, what it counts, and its weight before anything was learned."""

    name: str
    counts: str
    weight: float


@dataclass(frozen=True)
class Training:
    """How the weights of one kind of game are learned from games of the computer against itself."""

    features: tuple[Feature, ...]
    options: tuple[Mapping[str, Any], ...] = ({},)  # start options, used in turn
    opening: int = 0  # up to this many decisions at the start are random
    whole_turns: bool = False  # played by the planner of whole turns, not by alpha-beta


def hand_set(features: Sequence[Feature]) -> Numbers:
    """Return the weights before anything was learned."""
    return arrays.array([feature.weight for feature in features], arrays.float64)


def learned(package: str, kind: str, features: Sequence[Feature]) -> Numbers:
    """Return the weights in the package's `weights.toml`, or the hand-set ones if this kind was never trained."""
    table = read_weights(package).get(kind)
    if table is None:
        return hand_set(features)
    weights = table["weights"]
    if list(weights) != [feature.name for feature in features]:
        raise ValueError(f"the weights of {kind} were learned for other features: run `mchezo tune` again")
    return arrays.array([float(weight) for weight in weights.values()])


@cache
def read_weights(package: str) -> Mapping[str, Any]:
    """Read the package's `weights.toml`; empty if it has none."""
    return read_toml(package, "weights.toml") if (files(package) / "weights.toml").is_file() else {}
