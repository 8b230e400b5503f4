"""How a turn of Kitara ended: the measure of its puzzles."""

from __future__ import annotations

from mchezo.core.structs import Structs, plain
from mchezo.games.kitara import structs
from mchezo.games.kitara.components import CARD_POINTS, VALUES

TURN = (structs.RECRUITING, structs.MOVING, structs.CHOOSING_PAWNS, structs.RETREATING)


def is_within(states: Structs, seat: int) -> bool:
    """Return whether the moves of a seat's turn go on."""
    return int(states[0].seat) == seat and int(states[0].phase) in TURN


def points_of(states: Structs, setup: object, seat: int) -> int:
    """Return the points of a seat if the game ended after the moves of its turn; cards that starve do not count."""
    state, facts = plain(states), plain(setup)
    points = int(state.points[seat])
    if state.phase == structs.GAME_OVER:
        return points
    cards = state.kingdoms[seat][: state.kingdom_count[seat]]
    kept = len(cards)
    if state.phase == structs.DISCARDING and state.seat == seat:
        hungry = sum(not facts.marked[card] for card in cards)
        kept -= max(0, hungry - int(state.capacity))
    tokens = sum(value * int(count) for value, count in zip(VALUES, state.kept[seat], strict=True))
    return points + CARD_POINTS * kept + tokens
