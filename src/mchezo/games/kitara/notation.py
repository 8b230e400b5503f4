"""Notation of actions of Kitara. See docs/kitara.md."""

import re
from collections.abc import Iterable
from typing import Any

from mchezo.core.errors import InvalidMove
from mchezo.games.kitara import structs
from mchezo.games.kitara.components import PAWNS, PAWNS_EACH, VALUES
from mchezo.games.kitara.pack import Material
from mchezo.games.kitara.setup import material_of
from mchezo.games.kitara.words import WORDS

SPACE = "([a-z][a-z0-9]{0,2})"
NAME_OF_CARD = r"(0|[0-9]\.[0-9]{1,2})"
PAWN = f"([{PAWNS}])"

# The first action of each family by its sign.
ON_SPACES = {"@": structs.START, ">": structs.RETREAT}
ON_CARDS = {"=": structs.CARD, "+": structs.DRAFT, "-": structs.DISCARD}
OF_PAWNS = {"": structs.RECRUIT, "x": structs.REMOVE}

SPACE_SIGN = re.compile(f"([@>]){SPACE}")
CARD_SIGN = re.compile(rf"([=+-]){NAME_OF_CARD}")
TOKEN = re.compile("=([2-5])")
PAWN_SIGN = re.compile(f"(x?){PAWN}@{SPACE}")
BORDER = re.compile(f"{SPACE}-{SPACE}")
GROUP = re.compile("(?=.)(?:W([0-9]{1,2}))?(?:A([0-9]))?(?:H([0-9]))?")
END_MOVES = "."


def parse(text: str, state: Any, setup: Any) -> int:
    """Return the action that a text denotes."""
    material = material_of(setup)
    known = material.written.get(text)
    if known is not None:
        return known
    if text == END_MOVES:
        return structs.END_MOVES
    if match := TOKEN.fullmatch(text):
        return structs.TOKEN + VALUES.index(int(match[1]))
    if match := CARD_SIGN.fullmatch(text):
        return ON_CARDS[match[1]] + card_number(match[2], text, material)
    if match := SPACE_SIGN.fullmatch(text):
        return ON_SPACES[match[1]] + space_number(match[2], text, material)
    if match := PAWN_SIGN.fullmatch(text):
        kind, space = PAWNS.index(match[2]), space_number(match[3], text, material)
        return OF_PAWNS[match[1]] + kind * structs.SPACES + space
    if match := BORDER.fullmatch(text):
        start, target = (space_number(name, text, material) for name in match.groups())
        return structs.CROSS + start * structs.SPACES + target
    if match := GROUP.fullmatch(text):
        warriors, animals, heroes = (int(count or 0) for count in match.groups())
        if any(count > most for count, most in zip((warriors, animals, heroes), PAWNS_EACH, strict=True)):
            raise InvalidMove("no-such-group", WORDS, move=text)
        return structs.PAWNS + structs.group_number(warriors, animals, heroes)
    raise InvalidMove("unreadable", WORDS, move=text)


def space_number(name: str, move: str, material: Material) -> int:
    """Return the number of a space of this map."""
    if name not in material.space_numbers:
        raise InvalidMove("no-such-space", WORDS, move=move, space=name)
    return material.space_numbers[name]


def card_number(name: str, move: str, material: Material) -> int:
    """Return the number of a card of this deck."""
    if name not in material.card_numbers:
        raise InvalidMove("no-such-card", WORDS, move=move, card=name)
    return material.card_numbers[name]


def write(action: int, state: Any, setup: Any) -> str:
    """Return the text of an action."""
    return write_several([action], state, setup)[0]


def write_several(actions: list[int], state: Any, setup: Any) -> list[str]:
    """Return the texts of actions; those of a map and deck are composed once."""
    material = material_of(setup)
    texts = material.texts
    for action in actions:
        if action not in texts:
            texts[action] = compose(action, material)
            material.written[texts[action]] = action
    return [texts[action] for action in actions]


def compose(action: int, material: Material) -> str:
    """Return the text of an action."""
    if action >= structs.REMOVE:
        return f"x{write_pawn(action - structs.REMOVE, material)}"
    if action >= structs.DISCARD:
        return f"-{material.names[action - structs.DISCARD]}"
    if action >= structs.RETREAT:
        return f">{material.map.ids[action - structs.RETREAT]}"
    if action >= structs.PAWNS:
        return write_group(structs.group_of(action - structs.PAWNS))
    if action == structs.END_MOVES:
        return END_MOVES
    if action >= structs.CROSS:
        return "-".join(material.map.ids[space] for space in divmod(action - structs.CROSS, structs.SPACES))
    if action >= structs.RECRUIT:
        return write_pawn(action - structs.RECRUIT, material)
    if action >= structs.DRAFT:
        return f"+{material.names[action - structs.DRAFT]}"
    if action >= structs.TOKEN:
        return f"={VALUES[action - structs.TOKEN]}"
    if action >= structs.CARD:
        return f"={material.names[action - structs.CARD]}"
    return f"@{material.map.ids[action - structs.START]}"


def write_pawn(number: int, material: Material) -> str:
    """Return the text of a pawn on a space: `W@a1`."""
    kind, space = divmod(number, structs.SPACES)
    return f"{PAWNS[kind]}@{material.map.ids[space]}"


def write_group(pawns: Iterable[int]) -> str:
    """Return the text of a group of pawns: `W2A1H1`."""
    return "".join(f"{letter}{count}" for letter, count in zip(PAWNS, pawns, strict=True) if count)


def secret(action: int, state: Any, setup: Any) -> int | None:
    """Return the only seat that may see an action: the value of a hero token is for the seat that draws it.

    Alone, tokens lie face up.
    """
    return int(state.seat) if structs.TOKEN <= action < structs.DRAFT and not setup.rival else None
