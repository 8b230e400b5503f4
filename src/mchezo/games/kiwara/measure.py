"""A plain count of what a seat of Kiwara has, for the reference opponents: it stays when evaluations improve."""

from mchezo.core.compiled import compiled
from mchezo.core.structs import wide
from mchezo.games.kiwara.rules import points
from mchezo.games.kiwara.structs import Setup, State


@compiled
def measure(state: State, setup: Setup, seat: int) -> float:
    """Return the points, as if the game were scored now."""
    return float(points(state, setup, wide(seat)))
