"""Why a move of Kiwara is not allowed: which rule it breaks, in words."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mchezo.core.errors import IllegalMove
from mchezo.games.kiwara import choices, structs
from mchezo.games.kiwara.components import ANIMALS, CARDS, PATH, SPACES
from mchezo.games.kiwara.notation import TEXTS, WORDS, space_of
from mchezo.games.kiwara.structs import (
    AFTER_TOTEM,
    DRAWING,
    HYENA_AGAIN,
    KEEPING,
    MOVING_TOTEM,
    PLACING,
    POSITIONS,
    SETTING_TOTEM,
    SWAPPING,
)
from mchezo.games.kiwara.view import DECISIONS

Reason = tuple[str, dict[str, object]]  # the key of a refusal and its values


@dataclass(frozen=True)
class Table:
    """What an explanation looks at."""

    state: Any
    setup: Any

    def occupied(self, space: int) -> bool:
        """Whether an animal stands there."""
        return not int(structs.empty(self.state)) >> space & 1

    def stands(self, animal: int, space: int) -> bool:
        """Whether an animal of this kind stands there."""
        return bool(self.state.kinds[animal] >> space & 1)

    def hidden(self, space: int) -> bool:
        """Whether a hidden animal stands there."""
        return bool(self.state.hidden >> space & 1)

    def faces(self, position: int, space: int) -> bool:
        """Whether a position of the totem faces this space."""
        return bool(self.setup.lines[position % POSITIONS] >> space & 1)

    @property
    def totem(self) -> int:
        """The position of the totem."""
        return int(self.state.totem)


def explain(action: int, state: Any, setup: Any) -> IllegalMove:
    """The refusal of an action that is not legal."""
    family = next(family for family in reversed(FAMILIES) if family.first <= action)
    table = Table(state, setup)
    reason = out_of_turn(family, table) or family.why(action - family.first, table)
    assert reason is not None, f"{TEXTS[action]} is legal"
    key, values = reason
    return IllegalMove(key, WORDS, move=TEXTS[action], **values)


def out_of_turn(family: "Family", table: Table) -> Reason | None:
    """A card that is not there, or an action at another moment than its own."""
    state = table.state
    decision = int(state.decision)
    if family.first == structs.DRAW and decision != DRAWING:
        return "only-chance", {}
    card = int(structs.CARD_OF[family.first])
    if card and decision != HYENA_AGAIN and not card & state.cards[state.seat]:
        return "not-held", {"card": CARDS[card.bit_length() - 1]}
    if decision not in family.moments:
        places = PLACING in family.moments and MOVING_TOTEM not in family.moments
        if state.warthog and decision == MOVING_TOTEM and places:
            return "warthog-in-force", {}
        return f"now-{DECISIONS[decision]}", {}
    barred = {structs.FIRST_PLACING: int(structs.BABOON), structs.SECOND_PLACING: card}
    if card & barred.get(int(state.hyena), 0):
        return "hyena-two-placements", {}
    return None


def why_not_place(number: int, table: Table) -> Reason | None:
    """A placement in the totem's line."""
    animal, space = divmod(number, structs.SPACES)
    if table.state.boa and table.state.hyena != structs.SECOND_PLACING and not table.state.boa >> space & 1:
        return "boa-in-force", {"space": space_of(table.state.boa)}
    return why_not_in_line(space, table) or why_not_free(space, table) or why_not_animal(animal, table)


def why_not_in_line(space: int, table: Table) -> Reason | None:
    """A space that the totem does not face."""
    if not table.faces(table.totem, space):
        return "not-in-line", {"space": SPACES[space], "line": PATH[table.totem]}
    return None


def why_not_free(space: int, table: Table) -> Reason | None:
    """A space that is occupied or forbidden."""
    if table.occupied(space):
        return "occupied", {"space": SPACES[space]}
    if table.state.porcupine >> space & 1:
        return "porcupine-in-force", {"space": SPACES[space]}
    return None


def why_not_animal(animal: int, table: Table) -> Reason | None:
    """An animal that is not in hand, or rests there."""
    if not table.state.hands[table.state.seat, animal]:
        return f"none-{ANIMALS[animal].name}", {}
    if not choices.may_place(table.state, animal):
        return "resting", {}
    return None


def why_not_baboon(number: int, table: Table) -> Reason | None:
    """A placement beside the totem's line."""
    animal, space = divmod(number, structs.SPACES)
    if table.state.boa:
        return "boa-stops-baboon", {"space": space_of(table.state.boa)}
    if not (table.faces(table.totem - 1, space) or table.faces(table.totem + 1, space)):
        behind, ahead = (PATH[(table.totem + step) % POSITIONS] for step in (-1, 1))
        return "baboon-lines", {"space": SPACES[space], "behind": behind, "ahead": ahead}
    return why_not_free(space, table) or why_not_animal(animal, table)


def why_not_hyena(number: int, table: Table) -> Reason | None:
    """A move of an own animal along the totem's line."""
    start, target = divmod(number, structs.SPACES)
    if table.setup.hyena_places:
        return "hyena-reading-place", {}
    if not table.state.own[table.state.seat] >> start & 1:
        return "hyena-own", {"space": SPACES[start]}
    if table.state.moved >> start & 1:
        return "hyena-other", {"space": SPACES[start]}
    if table.state.boa >> target & 1:
        return "boa-stops-hyena", {"space": SPACES[target]}
    return why_not_in_line(start, table) or why_not_in_line(target, table) or why_not_free(target, table)


def why_not_two_placements(number: int, table: Table) -> Reason:
    """The Hyena's two placements."""
    return "hyena-reading-move", {}


def why_not_swap(space: int, table: Table) -> Reason:
    """A gazelle out of the crocodile's reach."""
    crocodile = int(structs.number(int(table.state.crocodile)))
    values: dict[str, object] = {"space": SPACES[space], "crocodile": SPACES[crocodile]}
    if not table.stands(structs.GAZELLE, space):
        return "no-gazelle", values
    if table.hidden(space):
        return "gazelle-hidden", values
    if table.state.left >> space & 1:
        return "crocodile-was-there", values
    if table.setup.neighbours[crocodile] >> space & 1:
        return "no-river", values
    return "not-beside-crocodile", values


def why_not_vulture(space: int, table: Table) -> Reason:
    """An animal that the Vulture cannot send home."""
    return ("not-hidden" if table.occupied(space) else "nobody-there"), {"space": SPACES[space]}


def why_not_rhinoceros(space: int, table: Table) -> Reason:
    """An animal that the Rhinoceros cannot send home."""
    values: dict[str, object] = {"space": SPACES[space]}
    if table.setup.rhinoceros_neighbour and not table.state.placed:
        return "rhinoceros-after-placing", values
    if not table.occupied(space):
        return "nobody-there", values
    if table.hidden(space):
        return "rhinoceros-hidden", values
    if not table.setup.rhinoceros_neighbour:
        return "rhinoceros-edge", values
    return "rhinoceros-neighbour", values | {"placed": space_of(table.state.placed)}


def why_not_announce(number: int, table: Table) -> Reason | None:
    """Boa, Porcupine and Warthog alike."""
    if table.state.announced:
        return "one-announcement", {}
    if not structs.has_tokens(table.state, 1 - int(table.state.seat)):
        return "opponent-without-tokens", {}
    return None


def why_not_boa(space: int, table: Table) -> Reason | None:
    """A space that the Boa cannot name."""
    return why_not_announce(space, table) or why_not_in_line(space, table) or why_not_free(space, table)


def why_not_porcupine(space: int, table: Table) -> Reason | None:
    """A space that the Porcupine cannot forbid."""
    return why_not_boa(space, table) or ("porcupine-alone", {"space": SPACES[space]})


def why_not_steps(steps: int, table: Table, action: int, direction: int) -> Reason:
    """Steps of the totem that are none, onto a full line, or too many."""
    if steps == 0:
        return "totem-must-move", {}
    position = (table.totem + direction * steps) % POSITIONS
    if not int(table.setup.lines[position]) & int(structs.empty(table.state)):
        return "line-full", {"line": PATH[position]}
    out = np.zeros(structs.MOST_CHOICES, np.int32)
    count = choices.add_steps(table.state, table.setup, out, 0, action, direction)
    return "totem-too-far", {"allowed": ", ".join(TEXTS[allowed] for allowed in out[:count])}


def why_not_move_totem(steps: int, table: Table) -> Reason:
    """Steps of the totem, clockwise."""
    return why_not_steps(steps, table, structs.MOVE_TOTEM, 1)


def why_not_wildebeest(steps: int, table: Table) -> Reason:
    """Steps of the totem, backwards."""
    return why_not_steps(steps, table, structs.USE_WILDEBEEST, -1)


def why_not_keep(card: int, table: Table) -> Reason:
    """A card that the Giraffe did not draw."""
    return "not-drawn", {"card": CARDS[card]}


def why_not_draw(card: int, table: Table) -> Reason:
    """A card that is not in the pile."""
    return "not-in-pile", {"card": CARDS[card]}


def why_not_otherwise(number: int, table: Table) -> Reason:
    """What is always allowed at its moment."""
    return f"now-{DECISIONS[table.state.decision]}", {}


@dataclass(frozen=True)
class Family:
    """Actions of one kind: their first number, when they may be made, and why one of them may not."""

    first: int
    moments: tuple[int, ...]
    why: Callable[[int, Table], Reason | None]


FAMILIES = (
    Family(structs.PLACE, (PLACING,), why_not_place),
    Family(structs.USE_BABOON, (PLACING,), why_not_baboon),
    Family(structs.USE_HYENA, (PLACING, HYENA_AGAIN), why_not_hyena),
    Family(structs.SWAP, (SWAPPING,), why_not_swap),
    Family(structs.USE_VULTURE, (PLACING, MOVING_TOTEM), why_not_vulture),
    Family(structs.USE_RHINOCEROS, (PLACING, MOVING_TOTEM), why_not_rhinoceros),
    Family(structs.USE_BOA, (AFTER_TOTEM,), why_not_boa),
    Family(structs.USE_PORCUPINE, (AFTER_TOTEM,), why_not_porcupine),
    Family(structs.SET_TOTEM, (SETTING_TOTEM,), why_not_otherwise),
    Family(structs.MOVE_TOTEM, (MOVING_TOTEM,), why_not_move_totem),
    Family(structs.USE_WILDEBEEST, (MOVING_TOTEM,), why_not_wildebeest),
    Family(structs.KEEP, (KEEPING,), why_not_keep),
    Family(structs.DRAW, (DRAWING,), why_not_draw),
    Family(structs.ANNOUNCE_HYENA, (PLACING,), why_not_two_placements),
    Family(structs.USE_WARTHOG, (AFTER_TOTEM,), why_not_announce),
    Family(structs.USE_GIRAFFE, (PLACING, MOVING_TOTEM, AFTER_TOTEM), why_not_otherwise),
    Family(structs.STOP, (SWAPPING, HYENA_AGAIN, AFTER_TOTEM), why_not_otherwise),
)
