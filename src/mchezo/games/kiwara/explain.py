"""Why an action of Kiwara is illegal: the rule that it breaks."""

from typing import Any

from mchezo.core import arrays
from mchezo.core.bitsets import bit_index
from mchezo.core.errors import IllegalMove
from mchezo.core.explanations import Explanation, Family, explanation_of
from mchezo.games.kiwara import legal, structs
from mchezo.games.kiwara.components import ANIMALS, CARDS, PATH, SPACES
from mchezo.games.kiwara.notation import TEXTS, space_of, write
from mchezo.games.kiwara.view import DECISIONS
from mchezo.games.kiwara.words import WORDS


def explain(action: int, state: Any, setup: Any) -> IllegalMove:
    """Return the error for an action that is not legal."""
    key, values = explanation_of(action, state, setup, FAMILIES, out_of_phase)
    return IllegalMove(key, WORDS, move=write(action, state, setup), **values)


def out_of_phase(family: Family, state: Any) -> Explanation | None:
    """Explain a card that the seat does not hold, or an action that belongs to another phase."""
    phase = int(state.phase)
    if family.first == structs.DRAW and phase != structs.DRAWING:
        return "only-chance", {}
    card = int(structs.CARD_OF[family.first])
    if card and phase != structs.MOVING_SECOND_ANIMAL and not card & state.cards[state.seat]:
        return "not-held", {"card": CARDS[card.bit_length() - 1]}
    if phase not in family.phases:
        places = structs.PLACING in family.phases and structs.MOVING_TOTEM not in family.phases
        if state.warthog and phase == structs.MOVING_TOTEM and places:
            return "warthog-in-force", {}
        return f"now-{DECISIONS[phase]}", {}
    barred = {structs.FIRST_PLACING: int(structs.BABOON), structs.SECOND_PLACING: card}
    if card & barred.get(int(state.hyena), 0):
        return "hyena-two-placements", {}
    return None


def occupied(space: int, state: Any) -> bool:
    """Return whether an animal stands on a space."""
    return not int(structs.empty(state)) >> space & 1


def faces(position: int, space: int, setup: Any) -> bool:
    """Return whether the totem faces a space from a position."""
    return bool(setup.lines[position % structs.POSITIONS] >> space & 1)


def why_not_place(number: int, state: Any, setup: Any) -> Explanation | None:
    """Explain a placement in the totem's line."""
    animal, space = divmod(number, structs.SPACES)
    if state.boa and state.hyena != structs.SECOND_PLACING and not state.boa >> space & 1:
        return "boa-in-force", {"space": space_of(state.boa)}
    return why_not_in_line(space, state, setup) or why_not_free(space, state) or why_not_animal(animal, state)


def why_not_in_line(space: int, state: Any, setup: Any) -> Explanation | None:
    """Explain a space that the totem does not face; None if it does."""
    if not faces(int(state.totem), space, setup):
        return "not-in-line", {"space": SPACES[space], "line": PATH[state.totem]}
    return None


def why_not_free(space: int, state: Any) -> Explanation | None:
    """Explain a space that is occupied or forbidden; None if it is open."""
    if occupied(space, state):
        return "occupied", {"space": SPACES[space]}
    if state.porcupine >> space & 1:
        return "porcupine-in-force", {"space": SPACES[space]}
    return None


def why_not_animal(animal: int, state: Any) -> Explanation | None:
    """Explain an animal that is not in hand or rests there; None if it can be placed."""
    if not state.hands[state.seat, animal]:
        return f"none-{ANIMALS[animal].name}", {}
    if not legal.may_place(state, animal):
        return "resting", {}
    return None


def why_not_baboon(number: int, state: Any, setup: Any) -> Explanation | None:
    """Explain a placement next to the totem's line."""
    animal, space = divmod(number, structs.SPACES)
    if state.boa:
        return "boa-stops-baboon", {"space": space_of(state.boa)}
    totem = int(state.totem)
    if not (faces(totem - 1, space, setup) or faces(totem + 1, space, setup)):
        behind, ahead = (PATH[(totem + step) % structs.POSITIONS] for step in (-1, 1))
        return "baboon-lines", {"space": SPACES[space], "behind": behind, "ahead": ahead}
    return why_not_free(space, state) or why_not_animal(animal, state)


def why_not_hyena(number: int, state: Any, setup: Any) -> Explanation | None:
    """Explain a move of an animal along the totem's line."""
    start, target = divmod(number, structs.SPACES)
    if setup.hyena_places:
        return "hyena-reading-place", {}
    if not state.own[state.seat] >> start & 1:
        return "hyena-own", {"space": SPACES[start]}
    if state.moved >> start & 1:
        return "hyena-other", {"space": SPACES[start]}
    if state.boa >> target & 1:
        return "boa-stops-hyena", {"space": SPACES[target]}
    return why_not_in_line(start, state, setup) or why_not_in_line(target, state, setup) or why_not_free(target, state)


def why_not_two_placements(number: int, state: Any, setup: Any) -> Explanation:
    """Explain the Hyena's two placements, which only one of its options allows."""
    return "hyena-reading-move", {}


def why_not_swap(space: int, state: Any, setup: Any) -> Explanation:
    """Explain a gazelle out of the crocodile's reach."""
    crocodile = int(bit_index(int(state.crocodile)))
    values: dict[str, object] = {"space": SPACES[space], "crocodile": SPACES[crocodile]}
    if not state.kinds[structs.GAZELLE] >> space & 1:
        return "no-gazelle", values
    if state.hidden >> space & 1:
        return "gazelle-hidden", values
    if state.visited >> space & 1:
        return "crocodile-was-there", values
    if setup.neighbours[crocodile] >> space & 1:
        return "no-river", values
    return "not-beside-crocodile", values


def why_not_vulture(space: int, state: Any, setup: Any) -> Explanation:
    """Explain an animal that the Vulture cannot send home."""
    return ("not-hidden" if occupied(space, state) else "nobody-there"), {"space": SPACES[space]}


def why_not_rhinoceros(space: int, state: Any, setup: Any) -> Explanation:
    """Explain an animal that the Rhinoceros cannot send home."""
    values: dict[str, object] = {"space": SPACES[space]}
    if setup.rhinoceros_neighbour and not state.placed:
        return "rhinoceros-after-placing", values
    if not occupied(space, state):
        return "nobody-there", values
    if state.hidden >> space & 1:
        return "rhinoceros-hidden", values
    if not setup.rhinoceros_neighbour:
        return "rhinoceros-edge", values
    return "rhinoceros-neighbour", values | {"placed": space_of(state.placed)}


def why_not_announce(number: int, state: Any, setup: Any) -> Explanation | None:
    """Explain an announcement, be it Boa, Porcupine or Warthog."""
    if state.announced:
        return "one-announcement", {}
    if not structs.has_tokens(state, 1 - int(state.seat)):
        return "opponent-without-tokens", {}
    return None


def why_not_boa(space: int, state: Any, setup: Any) -> Explanation | None:
    """Explain a space that the Boa cannot name."""
    return why_not_announce(space, state, setup) or why_not_in_line(space, state, setup) or why_not_free(space, state)


def why_not_porcupine(space: int, state: Any, setup: Any) -> Explanation | None:
    """Explain a space that the Porcupine cannot forbid."""
    return why_not_boa(space, state, setup) or ("porcupine-alone", {"space": SPACES[space]})


def why_not_steps(steps: int, state: Any, setup: Any, action: int, direction: int) -> Explanation:
    """Explain a totem move of no steps, onto a full line, or too far."""
    if steps == 0:
        return "totem-must-move", {}
    position = (int(state.totem) + direction * steps) % structs.POSITIONS
    if not int(setup.lines[position]) & int(structs.empty(state)):
        return "line-full", {"line": PATH[position]}
    out = arrays.zeros(structs.MOST_CHOICES, arrays.int32)
    count = legal.add_steps(state, setup, out, 0, action, direction)
    return "totem-too-far", {"allowed": ", ".join(TEXTS[allowed] for allowed in out[:count])}


def why_not_move_totem(steps: int, state: Any, setup: Any) -> Explanation:
    """Explain a totem move."""
    return why_not_steps(steps, state, setup, structs.MOVE_TOTEM, 1)


def why_not_wildebeest(steps: int, state: Any, setup: Any) -> Explanation:
    """Explain a totem move backwards."""
    return why_not_steps(steps, state, setup, structs.USE_WILDEBEEST, -1)


def why_not_keep(card: int, state: Any, setup: Any) -> Explanation:
    """Explain a card that the Giraffe did not draw."""
    return "not-drawn", {"card": CARDS[card]}


def why_not_draw(card: int, state: Any, setup: Any) -> Explanation:
    """Explain a card that is not in the pile."""
    return "not-in-pile", {"card": CARDS[card]}


def why_not_otherwise(number: int, state: Any, setup: Any) -> Explanation:
    """Explain an action that is always legal in its phases, and so belongs to another one."""
    return f"now-{DECISIONS[state.phase]}", {}


FAMILIES = (
    Family(structs.PLACE, (structs.PLACING,), why_not_place),
    Family(structs.USE_BABOON, (structs.PLACING,), why_not_baboon),
    Family(structs.USE_HYENA, (structs.PLACING, structs.MOVING_SECOND_ANIMAL), why_not_hyena),
    Family(structs.SWAP, (structs.SWAPPING,), why_not_swap),
    Family(structs.USE_VULTURE, (structs.PLACING, structs.MOVING_TOTEM), why_not_vulture),
    Family(structs.USE_RHINOCEROS, (structs.PLACING, structs.MOVING_TOTEM), why_not_rhinoceros),
    Family(structs.USE_BOA, (structs.ANNOUNCING,), why_not_boa),
    Family(structs.USE_PORCUPINE, (structs.ANNOUNCING,), why_not_porcupine),
    Family(structs.SET_TOTEM, (structs.SETTING_TOTEM,), why_not_otherwise),
    Family(structs.MOVE_TOTEM, (structs.MOVING_TOTEM,), why_not_move_totem),
    Family(structs.USE_WILDEBEEST, (structs.MOVING_TOTEM,), why_not_wildebeest),
    Family(structs.KEEP, (structs.KEEPING,), why_not_keep),
    Family(structs.DRAW, (structs.DRAWING,), why_not_draw),
    Family(structs.ANNOUNCE_HYENA, (structs.PLACING,), why_not_two_placements),
    Family(structs.USE_WARTHOG, (structs.ANNOUNCING,), why_not_announce),
    Family(structs.USE_GIRAFFE, (structs.PLACING, structs.MOVING_TOTEM, structs.ANNOUNCING), why_not_otherwise),
    Family(structs.STOP, (structs.SWAPPING, structs.MOVING_SECOND_ANIMAL, structs.ANNOUNCING), why_not_otherwise),
)
