"""Why an action of Katarenga is illegal: the rule that it breaks."""

from typing import Any

from mchezo.core.errors import IllegalMove
from mchezo.core.explanations import Explanation, Family, explanation_of
from mchezo.games.katarenga import explain_variants, structs
from mchezo.games.katarenga.components import COLOURS
from mchezo.games.katarenga.effects import moves_of
from mchezo.games.katarenga.notation import PLACES, SQUARES, plain_word, write
from mchezo.games.katarenga.words import WORDS


def explain(action: int, state: Any, setup: Any) -> IllegalMove:
    """Return the error for an action that is not legal."""
    if plain := plain_word(action, state):
        return IllegalMove(f"may-not-{plain}", WORDS, move=plain)
    key, values = explanation_of(action, state, setup, FAMILIES, out_of_phase)
    # An illegal move is written with a dash, whatever stands on its target.
    return IllegalMove(key, WORDS, move=write(action, state, setup).replace("x", "-"), **values)


def out_of_phase(family: Family, state: Any) -> Explanation | None:
    """Explain an action that belongs to another phase."""
    if state.phase in family.phases:
        return None
    if family.first == structs.TURN:
        return "not-choosing", {}
    return IN_PHASE[state.phase], {}


IN_PHASE = {
    structs.CHOOSING_BASELINE: "choose-first",
    structs.MOVING: "only-moving",
    structs.PLACING: "only-placing",
    **explain_variants.IN_PHASE,
}


def why_not_move(number: int, state: Any, setup: Any) -> Explanation:
    """Explain a move of a pawn."""
    start, target = divmod(number, structs.PLACES)
    if state.cells[start] == structs.EMPTY:
        return "no-pawn", {"square": SQUARES[start]}
    if not state.cells[start] & (state.seat + 1):
        return "not-your-pawn", {"square": SQUARES[start]}
    if target >= structs.SQUARES:
        return why_not_camp(target, state, setup)
    if start == target:
        return why_not_at_all(start, state, setup)
    if state.phase == structs.LIFTING:
        return explain_variants.why_not_lift(start, target, state, setup)
    return (
        explain_variants.why_not_this_pawn(start, state, setup)
        or why_not_path(start, target, state, setup)
        or why_not_target(start, target, state, setup)
    )


def why_not_at_all(start: int, state: Any, setup: Any) -> Explanation:
    """Explain why a pawn has no legal move; one that has some must leave its square."""
    if start in (origin for origin, _ in moves_of(state, setup)):
        return "no-step", {}
    count = setup.targets[state.turned, start, structs.COUNT]
    reached = [
        target
        for target in setup.targets[state.turned, start, :count].tolist()
        if why_not_path(start, target, state, setup) is None
    ]
    could_capture = any(state.cells[target] == 2 - state.seat for target in reached)
    return ("stuck-first" if could_capture else "stuck"), {"square": SQUARES[start]}


def why_not_camp(target: int, state: Any, setup: Any) -> Explanation:
    """Explain a camp that cannot be entered."""
    if setup.variant != structs.KATARENGA:
        return "no-camps", {}
    if target not in (first := structs.first_camp(state.seat), first + 1):
        return "own-camp", {}
    if state.cells[target] != structs.EMPTY:
        return "camp-taken", {"camp": PLACES[target]}
    return "camp-from-baseline", {"rank": structs.last_rank(state.seat) + 1}


def why_not_path(start: int, target: int, state: Any, setup: Any) -> Explanation | None:
    """Explain a path that the colour of the start square does not allow or that is blocked; None if it is free."""
    colour = COLOURS[setup.colours[state.turned, start]]
    count = setup.targets[state.turned, start, structs.COUNT]
    targets = setup.targets[state.turned, start, :count].tolist()
    if target not in targets:
        (rank, file), (to_rank, to_file) = divmod(start, 8), divmod(target, 8)
        up, across = to_rank - rank, to_file - file
        in_line = {"R": up == 0 or across == 0, "Y": abs(up) == abs(across)}.get(colour, False)
        if not in_line:
            return f"way-{colour}", {"square": SQUARES[start]}
        step = (up > 0) - (up < 0), (across > 0) - (across < 0)
        last = start
        while last != target and (last == start or setup.colours[state.turned, last] != COLOURS.index(colour)):
            last += step[0] * 8 + step[1]
        return f"far-{colour}", {"square": SQUARES[start], "last": SQUARES[last]}
    at = targets.index(target)
    paths = setup.next_path[state.turned, start, :count].tolist()
    between = [targets[i] for i in range(at) if paths[i] == paths[at]]
    for passed in between:
        if state.cells[passed] != structs.EMPTY:
            return "blocked", {"square": SQUARES[passed]}
    return None


def why_not_target(start: int, target: int, state: Any, setup: Any) -> Explanation:
    """Explain a free path that ends on a square where the pawn may not go."""
    if setup.variant > structs.ISOLATION:
        return explain_variants.why_not_target(start, target, state, setup)
    if state.cells[target] == state.seat + 1:
        return "own-pawn", {"square": PLACES[target]}
    return "no-captures" if setup.variant == structs.CONGRESS else "no-first-capture", {}


def why_not_place(square: int, state: Any, setup: Any) -> Explanation:
    """Explain a square where no pawn can be placed."""
    if setup.variant > structs.ISOLATION:
        return explain_variants.why_not_place(square, state, setup)
    if state.cells[square] != structs.EMPTY:
        return "occupied", {"square": SQUARES[square]}
    return "not-isolated", {}


def why_not_turn(quarters: int, state: Any, setup: Any) -> None:
    """Explain nothing: Black may choose any turn of the board."""


PLACE_PHASES = (structs.PLACING, structs.FOLLOWING, structs.STATIONING, structs.ENTERING, structs.ALONE)
MOVE_PHASES = (
    structs.MOVING,
    structs.LIFTING,
    structs.BATTLING,
    structs.PARKING,
    structs.CROSSING,
    structs.EXCHANGING,
)
FAMILIES = (
    Family(structs.MOVE, MOVE_PHASES, why_not_move),
    Family(structs.PLACE, PLACE_PHASES, why_not_place),
    Family(structs.TURN, (structs.CHOOSING_BASELINE,), why_not_turn),
)
