"""A plain count of what a seat of Katarenga has, for the reference opponents: it stays when evaluations improve."""

from mchezo.core.compiled import compiled
from mchezo.core.structs import wide
from mchezo.games.katarenga.alone import placed
from mchezo.games.katarenga.structs import (
    CENTRAL_PARK,
    ISOLATION,
    ISOLATION_ALONE,
    KATARENGA,
    OUT,
    PAWNS,
    QUARTERMASTER,
    SQUARES,
    WHITE,
    Setup,
    State,
    on_board,
)

# A pawn counts one, a rank it has advanced a twentieth, a camp held one and a half.
RANK, CAMP = 0.05, 1.5
# Congress and Quebec: what a pawn loses for each square between it and the middle of its side.
APART = 0.1
# Games with a goal from Central Park on: what a pawn loses for each move that it is away.
AWAY = 0.1


@compiled
def measure(state: State, setup: Setup, seat: int) -> float:
    """Pawns and how far they have come; in Congress and Quebec how near they are to each other."""
    if setup.variant == ISOLATION:
        return 0.0
    if setup.variant > ISOLATION:
        return measure_variant(state, setup, seat)
    total = files = ranks = 0.0
    for pawn in range(PAWNS):
        place = wide(state.places[seat, pawn])
        if place == OUT:
            continue
        total += 1.0
        if place >= SQUARES:
            total += CAMP
            continue
        files += place % 8
        ranks += place // 8
        if setup.variant == KATARENGA:
            total += RANK * (place // 8 if seat == WHITE else 7 - place // 8)
    if setup.variant == KATARENGA:
        return total
    # A capture in these variants costs nothing: fewer pawns are sooner connected.
    total, pawns = 0.0, max(1.0, float(state.pawns[seat]))
    for pawn in range(PAWNS):
        place = wide(state.places[seat, pawn])
        if place != OUT:
            total -= APART * (abs(place % 8 - files / pawns) + abs(place // 8 - ranks / pawns))
    return total


@compiled
def measure_variant(state: State, setup: Setup, seat: int) -> float:
    """Pawns; in the games with a goal how near they are to it."""
    if setup.variant == ISOLATION_ALONE:
        return float(placed(state))
    total = 0.0
    for pawn in range(PAWNS):
        place = wide(state.places[seat, pawn])
        if on_board(place):
            total += 1.0 if setup.variant <= CENTRAL_PARK else 0.0
            if setup.variant > QUARTERMASTER:
                total -= AWAY * setup.moves_away[state.turned, seat, place]
    return total
