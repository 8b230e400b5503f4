"""How decisions of Kitara are written. See docs/kitara.md."""

import re
from typing import Any

from mchezo.core.errors import InvalidMove
from mchezo.games.kitara import structs
from mchezo.games.kitara.components import PAWNS, PAWNS_EACH, VALUES
from mchezo.games.kitara.pack import Table
from mchezo.games.kitara.read_pack import WORDS
from mchezo.games.kitara.setup import table_of

SPACE = "([a-z][a-z0-9]{0,2})"
NAME_OF_CARD = r"(0|[0-9]\.[0-9]{1,2})"
PAWN = f"([{PAWNS}])"

# Sign and name of one thing: where the stretch of these actions begins.
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
    """The action that a text means."""
    table = table_of(setup)
    if text == END_MOVES:
        return structs.END_MOVES
    if match := TOKEN.fullmatch(text):
        return structs.TOKEN + VALUES.index(int(match[1]))
    if match := CARD_SIGN.fullmatch(text):
        return ON_CARDS[match[1]] + card_number(match[2], text, table)
    if match := SPACE_SIGN.fullmatch(text):
        return ON_SPACES[match[1]] + space_number(match[2], text, table)
    if match := PAWN_SIGN.fullmatch(text):
        kind, space = PAWNS.index(match[2]), space_number(match[3], text, table)
        return OF_PAWNS[match[1]] + kind * structs.SPACES + space
    if match := BORDER.fullmatch(text):
        start, target = (space_number(name, text, table) for name in match.groups())
        return structs.CROSS + start * structs.SPACES + target
    if match := GROUP.fullmatch(text):
        warriors, animals, heroes = (int(count or 0) for count in match.groups())
        if any(count > most for count, most in zip((warriors, animals, heroes), PAWNS_EACH, strict=True)):
            raise InvalidMove("no-such-group", WORDS, move=text)
        return structs.PAWNS + (warriors * 6 + animals) * 4 + heroes
    raise InvalidMove("unreadable", WORDS, move=text)


def space_number(name: str, move: str, table: Table) -> int:
    """The number of a space of this map."""
    if name not in table.space_numbers:
        raise InvalidMove("no-such-space", WORDS, move=move, space=name)
    return table.space_numbers[name]


def card_number(name: str, move: str, table: Table) -> int:
    """The number of a card of this deck."""
    if name not in table.card_numbers:
        raise InvalidMove("no-such-card", WORDS, move=move, card=name)
    return table.card_numbers[name]


def write(action: int, state: Any, setup: Any) -> str:
    """The text of an action."""
    table = table_of(setup)
    if action >= structs.REMOVE:
        return f"x{write_pawn(action - structs.REMOVE, table)}"
    if action >= structs.DISCARD:
        return f"-{table.names[action - structs.DISCARD]}"
    if action >= structs.RETREAT:
        return f">{table.map.ids[action - structs.RETREAT]}"
    if action >= structs.PAWNS:
        return write_group(action - structs.PAWNS)
    if action == structs.END_MOVES:
        return END_MOVES
    if action >= structs.CROSS:
        return "-".join(table.map.ids[space] for space in divmod(action - structs.CROSS, structs.SPACES))
    if action >= structs.RECRUIT:
        return write_pawn(action - structs.RECRUIT, table)
    if action >= structs.DRAFT:
        return f"+{table.names[action - structs.DRAFT]}"
    if action >= structs.TOKEN:
        return f"={VALUES[action - structs.TOKEN]}"
    if action >= structs.CARD:
        return f"={table.names[action - structs.CARD]}"
    return f"@{table.map.ids[action - structs.START]}"


def write_pawn(number: int, table: Table) -> str:
    """One pawn on a space: `W@a1`."""
    kind, space = divmod(number, structs.SPACES)
    return f"{PAWNS[kind]}@{table.map.ids[space]}"


def write_group(number: int) -> str:
    """The pawns that cross a border: `W2A1H1`."""
    return "".join(f"{letter}{count}" for letter, count in zip(PAWNS, read_group(number), strict=True) if count)


def read_group(number: int) -> tuple[int, int, int]:
    """Warriors, master-animals and heroes of a group's number."""
    return number // 24, number // 4 % 6, number % 4


def secret(action: int, state: Any, setup: Any) -> int | None:
    """The only seat that may see an action: a hero token is shown to whoever draws it."""
    return int(state.turn) if structs.TOKEN <= action < structs.DRAFT else None
