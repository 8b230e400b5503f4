"""What the reference opponents make of a position: material, distance and points, nothing learned.

The strength of a player is told against these opponents, so they stay what they are when evaluations get better.
"""

import numpy as np

from mchezo.core.compiled import compiled
from mchezo.core.structs import Numbers, wide
from mchezo.core.verbs import Setup, State, enter, verb
from mchezo.games.katarenga import structs as katarenga
from mchezo.games.kitara import evaluate as kitara
from mchezo.games.kitara import structs as kitara_structs
from mchezo.games.kiwara import rules as kiwara
from mchezo.games.kiwara import structs as kiwara_structs


@verb
def measure(state: State, setup: Setup, seat: int) -> float:
    """What a seat has, by a plain count."""
    raise NotImplementedError


@compiled
def lead(state: State, setup: Setup, seat: int, seats: int) -> float:
    """What a seat has more than the others have on average."""
    others = 0.0
    for other in range(seats):
        if other != seat:
            others += measure(state, setup, other)
    return measure(state, setup, seat) - others / (seats - 1)


# Katarenga: a pawn counts one, a rank it has advanced a twentieth, a camp held one and a half.
RANK, CAMP = 0.05, 1.5
# Congress and Quebec: what a pawn loses for each square between it and the middle of its side.
APART = 0.1


@compiled
def katarenga_measure(state: katarenga.State, setup: katarenga.Setup, seat: int) -> float:
    """Pawns and how far they have come; in Congress and Quebec how near they are to each other."""
    if setup.variant == katarenga.ISOLATION:
        return 0.0
    total = files = ranks = 0.0
    for pawn in range(katarenga.PAWNS):
        place = wide(state.places[seat, pawn])
        if place == katarenga.OUT:
            continue
        total += 1.0
        if place >= katarenga.SQUARES:
            total += CAMP
            continue
        files += place % 8
        ranks += place // 8
        if setup.variant == katarenga.KATARENGA:
            total += RANK * (place // 8 if seat == katarenga.WHITE else 7 - place // 8)
    if setup.variant == katarenga.KATARENGA:
        return total
    # A capture in these variants costs nothing: fewer pawns are sooner connected.
    total, pawns = 0.0, max(1.0, float(state.pawns[seat]))
    for pawn in range(katarenga.PAWNS):
        place = wide(state.places[seat, pawn])
        if place != katarenga.OUT:
            total -= APART * (abs(place % 8 - files / pawns) + abs(place // 8 - ranks / pawns))
    return total


@compiled
def kiwara_measure(state: kiwara_structs.State, setup: kiwara_structs.Setup, seat: int) -> float:
    """The points, as if the game were scored now."""
    return float(kiwara.points(state, setup, wide(seat)))


WORTHS: Numbers = np.array([worth for _, _, worth in kitara.IN_POINTS])


@compiled
def kitara_measure(state: kitara_structs.State, setup: kitara_structs.Setup, seat: int) -> float:
    """The features of the game at their hand-set worths, in points."""
    room = np.empty(len(WORTHS))
    kitara.features(state, setup, wide(seat), room)
    total = 0.0
    for index in range(len(WORTHS)):
        total += WORTHS[index] * room[index]
    return total


enter(katarenga.STATE, measure=katarenga_measure)
enter(kiwara_structs.STATE, measure=kiwara_measure)
enter(kitara_structs.STATE, measure=kitara_measure)
