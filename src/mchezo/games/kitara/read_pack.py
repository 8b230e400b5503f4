"""Parsing and checking packs; an error names the faulty entry and says what would be right."""

import re
from collections.abc import Mapping
from typing import Any

from mchezo.core import bounded_toml
from mchezo.core.errors import InvalidSetup
from mchezo.games.kitara import structs
from mchezo.games.kitara.components import (
    AGES,
    DECKS,
    KINDS,
    MOST_PAWNS,
    PLAYERS,
    SYMBOLS,
    TOKENS,
    VALUES,
    Card,
    Map,
    Pack,
    Space,
)
from mchezo.games.kitara.voronoi import voronoi_paths
from mchezo.games.kitara.words import WORDS

MOST_CARDS = structs.CARDS - 1  # of one deck, without the starting card
LONGEST_NAME = 40
LARGEST = 1_000_000  # in a drawing
BOUNDS = bounded_toml.Bounds()  # no valid pack comes close: its tables, keys and lists are counted
ID = re.compile("[a-z][a-z0-9]{0,2}")
SYMBOL = re.compile("([DWAHMV])([0-9]{1,2})|N")
PATH = re.compile(r"\s*[Mm][MmLlHhVvCcSsQqTtAaZz0-9eE+\-.,\s]*")


def read(text: str) -> Pack:
    """Parse and check a pack."""
    pack = table(parse(text), "pack", ("name", "starting_card", "tokens", "decks", "maps"), ("note",))
    return Pack(
        name=read_name(pack["name"]),
        note=read_text(pack.get("note", ""), "note"),
        starting_card=read_card(pack["starting_card"], "starting_card"),
        tokens=read_tokens(pack["tokens"]),
        decks=read_decks(pack["decks"]),
        maps=read_maps(pack["maps"]),
    )


def parse(text: str) -> dict[str, Any]:
    """Parse the TOML of a pack."""
    try:
        return bounded_toml.loads(text, BOUNDS)
    except bounded_toml.BeyondBounds as error:
        raise invalid(f"pack-bound-{error.bound}", line=error.line, most=error.most) from error
    except ValueError as error:
        raise invalid("pack-toml", reason=error) from error


def read_name(given: object) -> str:
    """Check the name of a pack: one short line, for records write it before a #."""
    name = read_text(given, "name").strip()
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or set(name) & set('#"\\'):
        raise invalid("pack-name", given=name, most=LONGEST_NAME)
    return name


def read_card(given: object, where: str) -> Card:
    """Parse a card: letters of symbols with their numbers, in any order."""
    text = read_text(given, where).strip()
    if not text:
        raise invalid("pack-card-empty", where=where)
    counts = dict.fromkeys(SYMBOLS, 0)
    at = 0
    while at < len(text):
        match = SYMBOL.match(text, at)
        if match is None:
            raise invalid("pack-card", where=where, given=text)
        letter, count = match[0][0], int(match[2] or 1)
        if counts[letter]:
            raise invalid("pack-card-twice", where=where, given=text, letter=letter)
        if not 0 < count <= SYMBOLS[letter]:
            raise invalid("pack-card-count", where=where, given=text, letter=letter, most=SYMBOLS[letter])
        counts[letter] = count
        at = match.end()
    draft, warriors, animals, heroes, moves, prosperity, marked = counts.values()
    if warriors + animals + heroes > MOST_PAWNS:
        raise invalid("pack-card-pawns", where=where, given=text, most=MOST_PAWNS)
    return Card(draft, warriors, animals, heroes, moves, prosperity, bool(marked))


def read_tokens(given: object) -> tuple[int, ...]:
    """Parse the number of hero tokens of each value."""
    values = tuple(map(str, VALUES))
    tokens = table(given, "tokens", values)
    for value in values:
        if not isinstance(tokens[value], int) or isinstance(tokens[value], bool) or not 0 <= tokens[value] <= TOKENS:
            raise invalid("pack-token", where=f"tokens.{value}", given=tokens[value], most=TOKENS)
    counts = tuple(int(tokens[value]) for value in values)
    if sum(counts) != TOKENS:
        raise invalid("pack-token-sum", given=sum(counts), right=TOKENS)
    return counts


def read_decks(given: object) -> dict[str, tuple[tuple[Card, ...], ...]]:
    """Parse the decks by colour."""
    decks = table(given, "decks", (), DECKS)
    if not decks:
        raise invalid("pack-no-deck")
    return {deck: read_deck(decks[deck], f"decks.{deck}") for deck in DECKS if deck in decks}


def read_deck(given: object, where: str) -> tuple[tuple[Card, ...], ...]:
    """Parse the cards of a deck: a list for each age."""
    if not isinstance(given, list) or len(given) != AGES or not all(isinstance(age, list) for age in given):
        raise invalid("pack-ages", where=where)
    for number, age in enumerate(given, start=1):
        if not age:
            raise invalid("pack-age-empty", where=where, age=number)
    if (count := sum(map(len, given))) > MOST_CARDS:
        raise invalid("pack-too-many-cards", where=where, given=count, most=MOST_CARDS)
    return tuple(
        tuple(read_card(card, f"{where} {number}.{place}") for place, card in enumerate(age, start=1))
        for number, age in enumerate(given, start=1)
    )


def read_maps(given: object) -> dict[int, Map]:
    """Parse the maps by number of players."""
    maps = table(given, "maps", (), tuple(map(str, PLAYERS)))
    if not maps:
        raise invalid("pack-no-map")
    return {players: read_map(maps[str(players)], players) for players in PLAYERS if str(players) in maps}


def read_map(given: object, players: int) -> Map:
    """Parse a map; check its spaces one by one and then together."""
    where = f"maps.{players}"
    board = table(given, where, ("size", "spaces"))
    size = read_point(board["size"], f"{where} size", "pack-size")
    if min(size) <= 0:
        raise invalid("pack-size", where=f"{where} size")
    if not isinstance(board["spaces"], list) or not board["spaces"]:
        raise invalid("pack-spaces", where=where)
    if len(board["spaces"]) > structs.SPACES:
        raise invalid("pack-too-many-spaces", where=where, given=len(board["spaces"]), most=structs.SPACES)
    spaces = [read_space(space, where, number, size) for number, space in enumerate(board["spaces"], start=1)]
    check_places(spaces, where)
    shapes = voronoi_paths(size, [space.at for space in spaces])
    drawn = tuple(
        space if space.shape else Space(space.id, space.kind, space.start, space.borders, space.at, shape)
        for space, shape in zip(spaces, shapes, strict=True)
    )
    check_borders(drawn, where)
    check_land(Map(size, drawn), where, players)
    return Map(size, drawn)


def read_space(given: object, where: str, number: int, size: tuple[float, float]) -> Space:
    """Parse one space."""
    space = table(given, f"{where} ({number})", ("id", "kind", "at"), ("start", "borders", "shape"))
    name = read_text(space["id"], f"{where} ({number}) id")
    if not ID.fullmatch(name):
        raise invalid("pack-id", where=f"{where} ({number})", given=name)
    where = f"{where} {name}"
    kind, start, borders = space["kind"], space.get("start", False), space.get("borders", [])
    if kind not in KINDS:
        raise invalid("pack-kind", where=where, given=kind, allowed=", ".join(KINDS))
    if not isinstance(start, bool):
        raise invalid("pack-yes-no", where=f"{where} start", given=start)
    if start and kind != "savanna":
        raise invalid("pack-start-kind", where=where)
    if not isinstance(borders, list) or not all(isinstance(border, str) for border in borders):
        raise invalid("pack-borders", where=f"{where} borders")
    if len(borders) > structs.BORDERS:
        raise invalid("pack-too-many-borders", where=where, given=len(borders), most=structs.BORDERS)
    if kind == "lake" and borders:
        raise invalid("pack-lake-borders", where=where)
    at = read_point(space["at"], f"{where} at", "pack-at")
    if not (0 <= at[0] <= size[0] and 0 <= at[1] <= size[1]):
        raise invalid("pack-at-outside", where=where)
    shape = read_text(space.get("shape", ""), f"{where} shape").strip()
    if shape and not PATH.fullmatch(shape):
        raise invalid("pack-shape", where=f"{where} shape")
    return Space(name, str(kind), start, tuple(borders), at, shape)


def check_places(spaces: list[Space], where: str) -> None:
    """Check that no two spaces share a name or a place."""
    for number, space in enumerate(spaces):
        for other in spaces[:number]:
            if other.id == space.id:
                raise invalid("pack-id-twice", where=where, given=space.id)
            if other.at == space.at:
                raise invalid("pack-at-twice", where=where, space=other.id, other=space.id)


def check_borders(spaces: tuple[Space, ...], where: str) -> None:
    """Check that borders lead to other land spaces, once each, and are listed on both sides."""
    known = {space.id: space for space in spaces}
    for space in spaces:
        for number, border in enumerate(space.borders):
            here = {"where": f"{where} {space.id}", "space": space.id, "other": border}
            if border not in known:
                raise invalid("pack-border-unknown", **here)
            if border == space.id:
                raise invalid("pack-border-self", **here)
            if border in space.borders[:number]:
                raise invalid("pack-border-twice", **here)
            if known[border].kind == "lake":
                raise invalid("pack-border-lake", **here)
            if space.id not in known[border].borders:
                raise invalid("pack-border-one-sided", **here)


def check_land(board: Map, where: str, players: int) -> None:
    """Check that all land is connected, so that every retreat is possible, and that there are enough start spaces."""
    starts = sum(space.start for space in board.spaces)
    if starts < players:
        raise invalid("pack-start-spaces", where=where, given=starts, players=players)
    land = [space.id for space in board.spaces if space.kind != "lake"]
    reached = board.distances(land[0])
    for space in land:
        if space not in reached:
            raise invalid("pack-not-connected", where=where, space=space, other=land[0])


def table(given: object, where: str, needed: tuple[str, ...], others: tuple[str, ...] = ()) -> Mapping[str, Any]:
    """Check that a TOML table has all required entries and no unknown ones."""
    if not isinstance(given, dict):
        raise invalid("pack-table", where=where)
    for name in given:
        if name not in needed + others:
            raise invalid("pack-unknown", where=where, given=name, allowed=", ".join(needed + others))
    for name in needed:
        if name not in given:
            raise invalid("pack-lacks", where=where, entry=name)
    return given


def read_text(given: object, where: str) -> str:
    """Check a text."""
    if not isinstance(given, str):
        raise invalid("pack-text", where=where, given=given)
    return given


def read_point(given: object, where: str, key: str) -> tuple[float, float]:
    """Check a point: two numbers."""
    if isinstance(given, list) and len(given) == 2 and all(type(number) in (int, float) for number in given):
        x, y = given
        if abs(x) < LARGEST and abs(y) < LARGEST:  # no NaN either
            return float(x), float(y)
    raise invalid(key, where=where)


def invalid(key: str, **values: object) -> InvalidSetup:
    """Return the error for a pack."""
    return InvalidSetup(key, WORDS, option="pack", **values)
