"""Why an action of the games from Troika on is illegal: the rule that it breaks."""

from typing import Any

from mchezo.core.explanations import Explanation
from mchezo.core.structs import bits
from mchezo.games.katarenga import bitboards, central_park, exchange, following, structs
from mchezo.games.katarenga.notation import PLACES, SQUARES

# What an action of another kind is answered with, by phase.
IN_PHASE = {
    structs.FOLLOWING: "only-placing-now",
    structs.LIFTING: "only-lifting",
    structs.STATIONING: "only-placing-now",
    structs.BATTLING: "only-capturing",
    structs.PARKING: "only-moving-now",
    structs.ENTERING: "only-entering",
    structs.CROSSING: "only-moving-now",
    structs.EXCHANGING: "only-moving-now",
    structs.ALONE: "only-placing-now",
}


def holds(squares: int, square: int) -> bool:
    """Return whether a set has this square."""
    return bool(int(squares) >> square & 1)


def why_not_place(square: int, state: Any, setup: Any) -> Explanation:
    """Explain a square where no pawn can be placed."""
    if state.phase == structs.ENTERING:
        corner = holds(int(central_park.CORNERS), square)
        return ("corner-full" if corner else "only-entering"), {"square": SQUARES[square]}
    if state.cells[square] != structs.EMPTY:
        return "occupied", {"square": SQUARES[square]}
    if state.phase == structs.ALONE:
        return "not-isolated", {}
    if not holds(int(setup.area), square):
        return "outside-quarter", {"square": SQUARES[square]}
    return why_not_reached(square, state, setup, occupied(state))


def why_not_reached(square: int, state: Any, setup: Any, pawns: int) -> Explanation:
    """Troika, Cornered, Quartermaster: explain an empty square where the next pawn cannot go."""
    last = int(state.last[1])
    if not holds(following.reached_by_last(setup, last, bits(pawns)), square):
        return "not-reached", {"last": SQUARES[last], "square": SQUARES[square]}
    if setup.variant == structs.QUARTERMASTER:
        return "no-room", {}
    return "leaves-none", {}


def occupied(state: Any) -> int:
    """Return the squares of all pawns."""
    return int(bitboards.pawns_of(state, 0)) | int(bitboards.pawns_of(state, 1))


def why_not_lift(start: int, target: int, state: Any, setup: Any) -> Explanation:
    """Troika: explain a pawn that cannot be placed anew there."""
    if state.cells[target] != structs.EMPTY:
        return "occupied", {"square": SQUARES[target]}
    return why_not_reached(target, state, setup, occupied(state) & ~(1 << start))


def why_not_this_pawn(start: int, state: Any, setup: Any) -> Explanation | None:
    """Explain a pawn that may not move now; None if it may."""
    if setup.variant == structs.CENTRAL_PARK:
        if state.homing[state.seat] == start:
            return "settled", {"square": SQUARES[start]}
        free = int(central_park.obliged(state, setup))
    elif setup.variant >= structs.PASSAGE:
        seat = int(state.seat)
        free = int(exchange.movable(bitboards.pawns_of(state, seat), bitboards.pawns_of(state, 1 - seat)))
    else:
        return None
    if holds(free, start):
        return None
    leaving = ", ".join(SQUARES[square] for square in range(structs.SQUARES) if holds(free, square))
    return "has-to-leave", {"square": leaving}


def why_not_target(start: int, target: int, state: Any, setup: Any) -> Explanation:
    """Explain a free path that ends on a square where the pawn may not go."""
    variant = setup.variant
    if variant == structs.CENTRAL_PARK:
        if target == state.homing[1 - state.seat]:
            return "closed", {"square": SQUARES[target]}
        if holds(int(central_park.CORNERS), target):
            return "corner-full", {"square": SQUARES[target]}
    there = state.cells[target]
    if there == structs.EMPTY:
        return "only-capturing", {}
    if there == state.seat + 1:
        return "own-pawn", {"square": PLACES[target]}
    if variant == structs.CENTRAL_PARK:
        return "corner-captures", {"square": SQUARES[start]}
    if variant == structs.COLORADO:
        return ("no-first-capture" if setup.no_first_capture and state.moves_made < 2 else "safe-at-home"), {
            "square": SQUARES[target]
        }
    if holds(int(setup.goals[state.seat]), target):
        return "cannot-leave", {"square": SQUARES[target]}
    return "not-a-goal", {"square": SQUARES[target]}
