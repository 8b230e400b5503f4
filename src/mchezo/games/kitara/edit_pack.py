"""Packs while they are edited: as JSON that may still lack things, as TOML, and drawn as far as possible."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from mchezo.core.errors import InvalidSetup
from mchezo.games.kitara import structs
from mchezo.games.kitara.components import DECKS, KINDS, PLAYERS, VALUES
from mchezo.games.kitara.pack import FOLDER, SHIPPED
from mchezo.games.kitara.read_pack import LARGEST, PATH, parse, read
from mchezo.games.kitara.schema import KitaraMap, KitaraMapSpace
from mchezo.games.kitara.voronoi import voronoi_paths


def contents(text: str | None) -> dict[str, Any]:
    """Return what a pack's text says, for editing; without a text the reconstruction. It need not be complete."""
    if text is None:
        text = (FOLDER / f"{SHIPPED}.toml").read_text(encoding="utf-8")
    return parse(text)


def write(given: Mapping[str, Any]) -> str:
    """Return edited contents as the TOML of a pack; whatever is wrong in them is for `read` to name."""
    return "\n".join(lines(given)).rstrip("\n") + "\n"


def lines(given: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a pack: name, starting card, tokens, decks, maps."""
    for name in ("name", "note", "starting_card"):
        if name in given:
            yield f"{name} = {value(given[name])}"
    tokens = table(given.get("tokens"))
    yield from ("", "[tokens]")
    yield from (f"{number} = {value(tokens[str(number)])}" for number in VALUES if str(number) in tokens)
    decks = table(given.get("decks"))
    yield from ("", "[decks]")
    for deck in DECKS:
        if deck in decks:
            yield f"{deck} = ["
            yield from (f"    {value(age)}," for age in listed(decks[deck]))
            yield "]"
    maps = table(given.get("maps"))
    for players in PLAYERS:
        if str(players) in maps:
            yield from map_lines(players, table(maps[str(players)]))


def map_lines(players: int, board: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a map."""
    yield from ("", f"[maps.{players}]", f"size = {value(board.get('size'))}")
    for space in map(table, listed(board.get("spaces"))):
        yield from ("", f"[[maps.{players}.spaces]]")
        for name in ("id", "kind", "start", "borders", "at", "shape"):
            if space.get(name) not in (None, False, "") and not (name == "borders" and space.get("kind") == "lake"):
                yield f"{name} = {value(space[name])}"


def value(given: object) -> str:
    """Return a value in TOML; what has no place in a pack becomes an empty text."""
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, int | float):
        return '""' if not abs(given) < LARGEST else str(int(given)) if given == int(given) else str(round(given, 2))
    if isinstance(given, list):
        return f"[{', '.join(map(value, given))}]"
    return json.dumps(given if isinstance(given, str) else "", ensure_ascii=False).replace("\x7f", "\\u007f")


def table(given: object) -> Mapping[str, Any]:
    """Return a table; anything else is an empty one."""
    return given if isinstance(given, dict) else {}


def listed(given: object) -> list[Any]:
    """Return a list; anything else is an empty one."""
    return given if isinstance(given, list) else []


def refusal(text: str) -> InvalidSetup | None:
    """Return what is wrong with a pack's text; None if nothing is."""
    try:
        read(text)
    except InvalidSetup as error:
        return error
    return None


def draw_sketch(given: Mapping[str, Any]) -> dict[str, KitaraMap]:
    """Return the maps of edited contents by number of players, as far as they can be drawn."""
    maps = table(given.get("maps"))
    drawn = {str(players): sketch_map(table(maps[str(players)])) for players in PLAYERS if str(players) in maps}
    return {players: board for players, board in drawn.items() if board is not None}


def sketch_map(board: Mapping[str, Any]) -> KitaraMap | None:
    """Return a map with every space that has a place; None if it has no size."""
    size = point(board.get("size"))
    if size is None or min(size) <= 0:
        return None
    given = map(table, listed(board.get("spaces"))[: structs.SPACES])
    spaces = [(space, at) for space in given if (at := point(space.get("at")))]
    shapes = voronoi_paths(size, [at for _, at in spaces])
    return KitaraMap(
        "",
        "",
        list(size),
        [
            KitaraMapSpace(
                str(space.get("id", "")),
                space["kind"] if space.get("kind") in KINDS else "savanna",
                space.get("start") is True,
                [border for border in listed(space.get("borders")) if isinstance(border, str)],
                list(at),
                own_shape(space) or shape,
            )
            for (space, at), shape in zip(spaces, shapes, strict=True)
        ],
    )


def own_shape(space: Mapping[str, Any]) -> str:
    """Return the territory that a space brings; empty if it has none."""
    shape = space.get("shape")
    return shape if isinstance(shape, str) and PATH.fullmatch(shape) else ""


def point(given: object) -> tuple[float, float] | None:
    """Return two numbers; None if there are none."""
    if isinstance(given, list) and len(given) == 2 and all(type(one) in (int, float) for one in given):
        x, y = given
        if abs(x) < LARGEST and abs(y) < LARGEST:
            return float(x), float(y)
    return None
