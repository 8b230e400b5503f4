"""The games from Troika on: which file has the rules for a phase or a variant."""

from mchezo.core.bitsets import popcount
from mchezo.core.compiled import compiled
from mchezo.core.structs import Actions, wide
from mchezo.games.katarenga import alone, battle_stations, central_park, colorado, exchange, following, structs
from mchezo.games.katarenga.bitboards import pawns_of
from mchezo.games.katarenga.structs import Setup, State


@compiled
def legal(state: State, setup: Setup, out: Actions) -> int:
    """Write the legal actions of the seat to move; return their number."""
    phase = wide(state.phase)
    if phase <= structs.LIFTING:
        return following.legal(state, setup, out)
    if phase <= structs.BATTLING:
        return battle_stations.legal(state, setup, out)
    if phase <= structs.ENTERING:
        return central_park.legal(state, setup, out)
    if phase == structs.CROSSING:
        return colorado.legal(state, setup, out)
    if phase == structs.ALONE:
        return alone.legal(state, setup, out)
    return exchange.legal(state, setup, out)


@compiled
def apply(state: State, setup: Setup, action: int) -> None:
    """Apply one legal action."""
    phase = wide(state.phase)
    if phase <= structs.LIFTING:
        following.apply(state, setup, action)
    elif phase <= structs.BATTLING:
        battle_stations.apply(state, setup, action)
    elif phase <= structs.ENTERING:
        central_park.apply(state, setup, action)
    elif phase == structs.CROSSING:
        colorado.apply(state, setup, action)
    elif phase == structs.ALONE:
        alone.apply(state, setup, action)
    else:
        exchange.apply(state, setup, action)


@compiled
def settle(state: State, setup: Setup) -> None:
    """Find the phase of a position, and end the game if it is decided."""
    variant = wide(setup.variant)
    if variant == structs.ISOLATION_ALONE:
        alone.settle(state, setup)
    elif variant == structs.BATTLE_STATIONS:
        battle_stations.settle(state, setup)
    elif variant <= structs.QUARTERMASTER:
        following.settle(state, setup)
    elif variant == structs.CENTRAL_PARK:
        central_park.settle(state, setup)
    elif variant == structs.COLORADO:
        colorado.settle(state, setup)
    else:
        exchange.settle(state, setup)


@compiled
def points(state: State, setup: Setup) -> int:
    """Return what the winner of a finished game scores: by the pawns left, placed, or short of their goal."""
    winner = wide(state.winner)
    if setup.variant == structs.BATTLE_STATIONS:
        return wide(state.pawns[winner])
    if setup.variant == structs.PASSAGE:
        return popcount(pawns_of(state, 1 - winner) & ~setup.goals[1 - winner])
    return wide(state.pawns[0]) + wide(state.pawns[1])
