"""Why a move of Katarenga is not allowed: which rule it breaks, in words."""

from typing import Any

from mchezo.core.errors import IllegalMove
from mchezo.games.katarenga import rules, structs
from mchezo.games.katarenga.components import COLOURS
from mchezo.games.katarenga.notation import PLACES, SQUARES, TURNS, WORDS


def explain(action: int, state: Any, setup: Any) -> IllegalMove:
    """The refusal of an action that is not legal."""
    if action >= structs.TURN:
        return refused("not-choosing", TURNS[action - structs.TURN])
    if state.decision == structs.CHOOSE_BASELINE:
        return refused("choose-first", "")
    if action >= structs.PLACE:
        return explain_placing(action - structs.PLACE, state, setup)
    return explain_move(*divmod(action, structs.PLACES), state, setup)


def explain_move(start: int, target: int, state: Any, setup: Any) -> IllegalMove:
    """A pawn that cannot go there."""
    move, square = f"{SQUARES[start]}-{PLACES[target]}", PLACES[target]
    if state.decision == structs.PLACE_PAWN:
        return refused("only-placing", move)
    if state.cells[start] == structs.EMPTY:
        return refused("no-pawn", move, square=SQUARES[start])
    if state.cells[start] != state.seat + 1:
        return refused("not-your-pawn", move, square=SQUARES[start])
    if target >= structs.SQUARES:
        return explain_camp(start, target, state, setup)
    if start == target:
        return refused("no-step", move)
    return explain_way(start, target, state, setup) or explain_target(move, square, target, state, setup)


def explain_camp(start: int, target: int, state: Any, setup: Any) -> IllegalMove:
    """A camp that cannot be entered."""
    move = f"{SQUARES[start]}-{PLACES[target]}"
    if setup.variant != structs.KATARENGA:
        return refused("no-camps", move)
    if target not in (first := rules.first_camp(state.seat), first + 1):
        return refused("own-camp", move)
    if state.cells[target] != structs.EMPTY:
        return refused("camp-taken", move, camp=PLACES[target])
    return refused("camp-from-baseline", move, rank=8 if state.seat == structs.WHITE else 1)


def explain_way(start: int, target: int, state: Any, setup: Any) -> IllegalMove | None:
    """What is wrong with the way, by the colour of the square the pawn leaves; None if the way is free."""
    move = f"{SQUARES[start]}-{PLACES[target]}"
    colour = COLOURS[setup.colours[state.turned, start]]
    count = setup.target_count[state.turned, start]
    targets = setup.targets[state.turned, start, :count].tolist()
    if target not in targets:
        (rank, file), (to_rank, to_file) = divmod(start, 8), divmod(target, 8)
        up, across = to_rank - rank, to_file - file
        in_line = {"R": up == 0 or across == 0, "Y": abs(up) == abs(across)}.get(colour, False)
        if not in_line:
            return refused(f"way-{colour}", move, square=SQUARES[start])
        step = (up > 0) - (up < 0), (across > 0) - (across < 0)
        last = start
        while last != target and (last == start or setup.colours[state.turned, last] != COLOURS.index(colour)):
            last += step[0] * 8 + step[1]
        return refused(f"far-{colour}", move, square=SQUARES[start], last=SQUARES[last])
    at = targets.index(target)
    paths = setup.next_path[state.turned, start, :count].tolist()
    between = [targets[i] for i in range(at) if paths[i] == paths[at]]
    for passed in between:
        if state.cells[passed] != structs.EMPTY:
            return refused("blocked", move, square=SQUARES[passed])
    return None


def explain_target(move: str, square: str, target: int, state: Any, setup: Any) -> IllegalMove:
    """A way that is free, but not its end."""
    if state.cells[target] == state.seat + 1:
        return refused("own-pawn", move, square=square)
    if setup.variant == structs.CONGRESS:
        return refused("no-captures", move)
    return refused("no-first-capture", move)


def explain_placing(square: int, state: Any, setup: Any) -> IllegalMove:
    """A square where no pawn can be placed."""
    move = f"@{SQUARES[square]}"
    if state.decision != structs.PLACE_PAWN:
        return refused("only-moving", move)
    if state.cells[square] != structs.EMPTY:
        return refused("occupied", move, square=SQUARES[square])
    return refused("not-isolated", move)


def refused(key: str, move: str, **values: object) -> IllegalMove:
    """A refusal of a move."""
    return IllegalMove(key, WORDS, move=move, **values)
