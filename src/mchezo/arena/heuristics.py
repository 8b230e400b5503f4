"""Heuristics of the reference opponents: the games' simple counts, nothing learned.

The strength of players is measured against these opponents, so they do not change when evaluations improve.
"""

from mchezo.core.compiled import compiled, kernel
from mchezo.core.structs import Setups, States
from mchezo.core.verbs import Setup, State, measure


@compiled
def lead(state: State, setup: Setup, seat: int, seats: int) -> float:
    """Return a seat's measure minus the mean of the others'."""
    others = 0.0
    for other in range(seats):
        if other != seat:
            others += measure(state, setup, other)
    return measure(state, setup, seat) - others / (seats - 1)


@kernel
def lead_of(states: States, setups: Setups, seat: int, seats: int) -> float:
    """`lead` for callers in Python."""
    return lead(states[0], setups[0], seat, seats)
