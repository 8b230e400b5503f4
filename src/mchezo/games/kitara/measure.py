"""A plain count of what a seat of Kitara has, for the reference opponents: it stays when evaluations improve."""

from mchezo.core import arrays
from mchezo.core.compiled import compiled
from mchezo.core.structs import Numbers, wide
from mchezo.games.kitara.evaluate import IN_POINTS, features
from mchezo.games.kitara.structs import Setup, State

POINTS: Numbers = arrays.array([weight for _, _, weight in IN_POINTS])


@compiled
def measure(state: State, setup: Setup, seat: int) -> float:
    """Return the features at their hand-set weights, in points."""
    counts = arrays.empty(len(POINTS))
    features(state, setup, wide(seat), counts)
    total = 0.0
    for index in range(len(POINTS)):
        total += POINTS[index] * counts[index]
    return total
