"""Why an action of Kitara is illegal: the rule that it breaks."""

from typing import Any

from mchezo.core.errors import IllegalMove
from mchezo.core.explanations import Explanation, Family, explanation_of
from mchezo.games.kitara import legal, rival, structs
from mchezo.games.kitara.components import PAWNS
from mchezo.games.kitara.notation import write
from mchezo.games.kitara.setup import material_of
from mchezo.games.kitara.view import DECISIONS
from mchezo.games.kitara.words import WORDS


def explain(action: int, state: Any, setup: Any) -> IllegalMove:
    """Return the error for an action that is not legal."""
    if setup.rival and rival.decides(state):
        return IllegalMove("rival-otherwise", WORDS, move=write(action, state, setup))
    key, values = explanation_of(action, state, setup, FAMILIES, out_of_phase)
    return IllegalMove(key, WORDS, move=write(action, state, setup), **values)


def out_of_phase(family: Family, state: Any) -> Explanation | None:
    """Explain an action that belongs to another phase."""
    return None if state.phase in family.phases else (f"now-{DECISIONS[state.phase]}", {})


def space_name(space: int, setup: Any) -> str:
    """Return the name of a space."""
    return material_of(setup).map.ids[space]


def card_name(card: int, setup: Any) -> str:
    """Return the name of a card."""
    return material_of(setup).names[card]


def why_not_start(space: int, state: Any, setup: Any) -> Explanation:
    """Explain a space that is not a start space, or is taken."""
    key = "start-taken" if setup.start[space] else "not-a-start"
    return key, {"space": space_name(space, setup)}


def why_not_card(card: int, state: Any, setup: Any) -> Explanation:
    """Explain a card that chance cannot reveal now."""
    return "not-next", {"card": card_name(card, setup)}


def why_not_token(value: int, state: Any, setup: Any) -> Explanation:
    """Explain a token that is not in the bag."""
    return "no-such-token", {}


def why_not_draft(card: int, state: Any, setup: Any) -> Explanation:
    """Explain a card that is not in the row, or too far to the right."""
    if card not in state.row[: state.row_count]:
        return "not-in-row", {"card": card_name(card, setup)}
    return "too-far", {"choices": legal.draft_choices(state, setup)}


def why_not_recruit(number: int, state: Any, setup: Any) -> Explanation:
    """Explain a recruit of the wrong kind, or on the wrong space."""
    kind, space = divmod(number, structs.SPACES)
    if (wanted := legal.next_kind(state)) != kind:
        return f"recruit-{PAWNS[wanted]}", {}
    entry = legal.entry_rank(state, setup)
    if entry == legal.HAS_A_SPACE:
        return "recruit-elsewhere", {"space": space_name(space, setup)}
    if state.owner[space] != structs.FREE:
        return "enter-taken", {"space": space_name(space, setup)}
    if entry == legal.ENTER_ON_START:
        return "enter-start", {}
    return "enter-savanna" if entry == legal.ENTER_ON_SAVANNA else "enter-land", {}


def why_not_cross(number: int, state: Any, setup: Any) -> Explanation:
    """Explain a border that the seat's pawns cannot cross."""
    start, target = divmod(number, structs.SPACES)
    if state.owner[start] != state.seat + 1:
        return "not-your-space", {"space": space_name(start, setup)}
    if setup.kind[target] == structs.LAKE:
        return "lake", {"space": space_name(target, setup)}
    if target not in setup.borders[start, : setup.border_count[start]]:
        return "no-border", {"space": space_name(start, setup), "other": space_name(target, setup)}
    if state.held[state.owner[target] - 1] == 1:
        return "only-space", {"space": space_name(target, setup)}
    return too_few(target, legal.group_size(state, start), state, setup)


def why_not_pawns(number: int, state: Any, setup: Any) -> Explanation:
    """Explain a group with pawns that are not there, or too small for an attack."""
    group = structs.group_of(number)
    start, target = state.crossing.tolist()
    if sum(group) == 0:
        return "no-pawns", {}
    standing = state.pawns[start].tolist()
    if any(count > there for count, there in zip(group, standing, strict=True)):
        warriors, animals, heroes = standing
        here = {"space": space_name(start, setup), "warriors": warriors, "animals": animals, "heroes": heroes}
        return "not-so-many", here
    return too_few(target, sum(group), state, setup)


def too_few(target: int, attackers: int, state: Any, setup: Any) -> Explanation:
    """Explain an attack with too few pawns."""
    defenders = legal.group_size(state, target)
    return "too-few", {"space": space_name(target, setup), "attackers": attackers, "defenders": defenders}


def why_not_retreat(space: int, state: Any, setup: Any) -> Explanation:
    """Explain a space that does not belong to the retreating seat, or is not the nearest."""
    if state.owner[space] != state.retreating + 1:
        return "retreat-elsewhere", {"space": space_name(space, setup)}
    return "not-nearest", {"space": space_name(space, setup), "left": space_name(state.crossing[1], setup)}


def why_not_discard(card: int, state: Any, setup: Any) -> Explanation:
    """Explain a card that is not in the kingdom, or is marked."""
    held = card in state.kingdoms[state.seat, : state.kingdom_count[state.seat]]
    return "marked" if held else "not-in-kingdom", {"card": card_name(card, setup)}


def why_not_remove(number: int, state: Any, setup: Any) -> Explanation:
    """Explain the removal of a pawn of the wrong kind, or one that is not there."""
    kind, space = divmod(number, structs.SPACES)
    if (wanted := legal.next_kind(state)) != kind:
        return f"remove-{PAWNS[wanted]}", {}
    return f"none-there-{PAWNS[kind]}", {"space": space_name(space, setup)}


FAMILIES = (
    Family(structs.START, (structs.CHOOSING_START,), why_not_start),
    Family(
        structs.CARD,
        (structs.DEALING, structs.REFILLING_AFTER_DRAFT, structs.REFILLING_AFTER_TURN),
        why_not_card,
    ),
    Family(structs.TOKEN, (structs.DRAWING_TOKEN,), why_not_token),
    Family(structs.DRAFT, (structs.DRAFTING,), why_not_draft),
    Family(structs.RECRUIT, (structs.RECRUITING,), why_not_recruit),
    Family(structs.CROSS, (structs.MOVING,), why_not_cross),
    Family(structs.PAWNS, (structs.CHOOSING_PAWNS,), why_not_pawns),
    Family(structs.RETREAT, (structs.RETREATING,), why_not_retreat),
    Family(structs.DISCARD, (structs.DISCARDING,), why_not_discard),
    Family(structs.REMOVE, (structs.REMOVING,), why_not_remove),
)
