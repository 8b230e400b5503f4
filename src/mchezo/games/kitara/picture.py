"""A view of Kitara as an SVG picture: the map on parchment, the row of cards below it, the kingdoms beside it.

The map is drawn in its own units and everything on it in those of the picture, so that pawns have the same size on
every map. What things look like is in `artwork.py`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import hypot
from typing import Any
from zlib import crc32

from mchezo.core.svg import document
from mchezo.games.kitara.artwork import (
    AGES,
    BONE,
    BRIGHT_GOLD,
    CARD_ROWS,
    CARD_WIDTH,
    COLOURS,
    DEEP_GOLD,
    DEFINITIONS,
    GOLD,
    INK,
    PARCHMENT,
    SCENES,
    SEATS,
    growth,
)

WIDTH, HEIGHT = 900, 760
SHEET_X, SHEET_Y, SHEET_WIDTH, SHEET_HEIGHT = 12, 12, 588, 562
PANEL_X, PANEL_WIDTH, PANEL_GAP, HEAD = 610, 278, 8, 30
ROW, ROW_Y, CARD_STEP = 6, 588, CARD_WIDTH + 8

LAND = {"savanna": ("#ecc873", "#e6bd62", "#f0d084"), "ruin": ("#94b866", "#88ae5b", "#9dbf70")}
SHORE, WATER_LINE = "#0d2536", "#bfe2f5"
HUNGRY = "#a01c10"
ROWS = {"D": "draft", "M": "move", "V": "prosperity"}
KINDS = {"W": "warrior", "A": "master-animal", "H": "hero"}
DOING = {
    "start": "choose a start space",
    "draft": "draft a card",
    "recruit": "place a recruit",
    "move": "move",
    "pawns": "choose the pawns that cross",
    "discard": "discard a card",
    "remove": "take a pawn off the board",
}
# By the number of kinds of pawns on a space: the offset and scale of each, and the offset of its count.
STANDS = {
    1: ((0.0, -2.0, 1.06, 18.0, 11.0),),
    2: ((-15.5, -2.0, 0.92, -20.0, 15.0), (15.5, -2.0, 0.92, 20.0, 15.0)),
    3: ((-19.0, 6.0, 0.8, -24.0, 20.0), (17.0, 7.0, 0.8, 24.0, 20.0), (-2.0, -15.0, 0.8, 15.0, -23.0)),
}
Point = tuple[float, float]


def draw(view: Mapping[str, Any], shapes: Mapping[str, Any]) -> str:
    """Return an SVG document of a view, on the map that is played."""
    key = f"kitara-{crc32(repr(shapes).encode()):08x}"  # keeps pictures of different maps apart on one page
    frame = f'x="4.5" y="4.5" width="{WIDTH - 9}" height="{HEIGHT - 9}" rx="11"'
    drawn = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="14" fill="url(#kitara-wood)"/>',
        f'<rect {frame} fill="none" stroke="{GOLD}" stroke-opacity=".55"/>',
        *_map(view, shapes, key),
        *_panels(view),
        *_row(view),
        *_stock(view),
    ]
    definitions = DEFINITIONS + _territories(shapes, key)
    return document((WIDTH, HEIGHT), _title(view), _description(view, shapes), definitions, drawn)


def _title(view: Mapping[str, Any]) -> str:
    decision = view["decision"]
    if decision is None:
        return f"Kitara: the game is over, won by {' and '.join(map(_player, _leaders(view)))}"
    if decision == "retreat":
        return f"Kitara: {_player(view['retreating'])} to choose where to retreat"
    if decision in DOING:
        return f"Kitara: {_player(view['turn'])} to {DOING[decision]}"
    return "Kitara: a card is turned up" if decision == "card" else "Kitara: a hero token is drawn"


def _description(view: Mapping[str, Any], shapes: Mapping[str, Any]) -> str:
    """Return the picture in words."""
    sentences = [f"Round {view['round']}."]
    for seat, kingdom in enumerate(view["kingdoms"]):
        mine = {name: pawns for name, pawns in view["spaces"].items() if pawns["seat"] == seat}
        held = "; ".join(f"{_counted(pawns)} on {name}" for name, pawns in mine.items())
        sentences.append(
            f"{_player(seat)}: points {view['points'][seat]}, hero tokens {view['tokens'][seat]['kept']},"
            f" cards {', '.join(kingdom) or 'none'}; {held or 'no pawns on the map'}."
        )
    row = [f"{card} {view['cards'][card]}" for card in view["row"]]
    sentences.append(f"The row from left to right: {', '.join(row)}." if row else "The row is empty.")
    if view["choices"]:
        sentences.append(f"Cards to choose from: {view['choices']}.")
    sentences.append(f"Cards in the deck: {view['deck_left']}. Tokens in the bag: {view['bag']}.")
    for kind in ("ruin", "lake"):
        places = [space["id"] for space in shapes["spaces"] if space["kind"] == kind]
        sentences.append(f"{kind.capitalize()}s: {', '.join(places) or 'none'}.")
    return " ".join(sentences)


def _player(seat: int) -> str:
    return f"Player {seat + 1} ({SEATS[seat]})"


def _counted(pawns: Mapping[str, int]) -> str:
    """Return pawns in words."""
    endings = {kind: "es" if kind == "H" else "s" for kind in KINDS}
    return ", ".join(
        f"{pawns[kind]} {name}{endings[kind] if pawns[kind] > 1 else ''}" for kind, name in KINDS.items() if pawns[kind]
    )


def _leaders(view: Mapping[str, Any]) -> list[int]:
    """Return the leading seats: by points, then by hero tokens."""
    standing = [(points, tokens["kept"]) for points, tokens in zip(view["points"], view["tokens"], strict=True)]
    return [seat for seat, reached in enumerate(standing) if reached == max(standing)]


def _symbols(card: str) -> dict[str, int]:
    """Return the number of symbols of a card by letter."""
    return {letter: int(count or 1) for letter, count in re.findall(r"([DWAHMVN])(\d*)", card)}


def _put(shape: str, x: float, y: float, scale: float = 1) -> str:
    x, y = round(x, 1), round(y, 1)
    where = f'x="{x:g}" y="{y:g}"' if scale == 1 else f'transform="translate({x:g} {y:g}) scale({scale:.3g})"'
    return f'<use href="#kitara-{shape}" {where}/>'


def _text(words: object, x: float, y: float, size: float, colour: str = INK, more: str = "") -> str:
    """Return text centred on a point."""
    x, y = round(x, 1), round(y + size * 0.35, 1)
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:.3g}" fill="{colour}"{more}>{words}</text>'


# The map


def _territories(shapes: Mapping[str, Any], key: str) -> str:
    """Return the outlines of the spaces, grouped by kind, to be filled and stroked in several ways."""
    groups = []
    for kind in ("savanna", "ruin", "lake"):
        spaces = [space for space in shapes["spaces"] if space["kind"] == kind]
        outlines = "".join(f'<path id="{key}-{space["id"]}" d="{space["shape"]}"/>' for space in spaces)
        groups.append(f'<g id="{key}-{kind}s">{outlines}</g>')
    return "".join(groups) + f'<g id="{key}-land"><use href="#{key}-savannas"/><use href="#{key}-ruins"/></g>'


def _map(view: Mapping[str, Any], shapes: Mapping[str, Any], key: str) -> Iterator[str]:
    """Yield the sheet with the map and everything on it, back to front."""
    width, height = shapes["size"]
    scale = min((SHEET_WIDTH - 8) / width, (SHEET_HEIGHT - 8) / height)
    left, top = SHEET_X + (SHEET_WIDTH - scale * width) / 2, SHEET_Y + (SHEET_HEIGHT - scale * height) / 2
    places = {space["id"]: (left + scale * space["at"][0], top + scale * space["at"][1]) for space in shapes["spaces"]}
    yield from _sheet()
    yield f'<g fill="none" stroke-linejoin="round" transform="translate({left:g} {top:g}) scale({scale:.4g})">'
    yield from _ground(shapes["spaces"], key)
    yield "</g>"
    yield from _margins(view)
    grown = [
        (top + scale * y, left + scale * x, name)
        for number, space in enumerate(shapes["spaces"])
        for name, x, y in growth(
            space["kind"], space["shape"], *space["at"], number, 42 / scale, start=space.get("start", False)
        )
    ]
    yield from (_put(name, x, y) for y, x, name in sorted(grown))
    for space in shapes["spaces"]:
        yield from _site(space, *places[space["id"]], free=space["id"] not in view["spaces"])
    if view["crossing"]:
        yield _crossing(*(places[name] for name in view["crossing"]))
    for name, pawns in sorted(view["spaces"].items(), key=lambda item: places[item[0]][1]):
        yield from _group(pawns, pawns["seat"], *places[name])
    if view["retreating"] is not None and view.get("fleeing"):
        x, y = places[view["crossing"][1]]
        yield from _group(view["fleeing"], view["retreating"], x + 34, y - 32)


def _sheet() -> Iterator[str]:
    """Yield the parchment with a compass rose in a corner."""
    for inset, style in (
        (0, f'rx="8" fill="url(#kitara-parchment)" stroke="{DEEP_GOLD}"'),
        (6, 'rx="5" fill="none" stroke="#8a6230" stroke-opacity=".6"'),
    ):
        yield (
            f'<rect x="{SHEET_X + inset}" y="{SHEET_Y + inset}" width="{SHEET_WIDTH - 2 * inset}"'
            f' height="{SHEET_HEIGHT - 2 * inset}" {style}/>'
        )
    yield _put("rose", SHEET_X + SHEET_WIDTH - 40, SHEET_Y + 40)


def _margins(view: Mapping[str, Any]) -> Iterator[str]:
    """Yield the round, and the source of map and cards."""
    yield _put("hourglass", SHEET_X + 24, SHEET_Y + 27, 1.1)
    last = f"/{view['last_round']}" if view["last_round"] else ""
    yield _text(f"{view['round']}{last}", SHEET_X + 38, SHEET_Y + 27, 17, more=' text-anchor="start"')
    if view["pack"] == "Reconstruction":
        right, bottom = SHEET_X + SHEET_WIDTH, SHEET_Y + SHEET_HEIGHT
        more = ' text-anchor="end" font-style="italic" font-weight="normal"'
        yield _text("Reconstruction", right - 12, bottom - 14, 12, "#5a3a1a", more)


def _ground(spaces: Sequence[Mapping[str, Any]], key: str) -> Iterator[str]:
    """Yield land, borders and lakes, in the units of the map."""
    for breadth in (72, 62, 52, 42, 32, 22):
        yield f'<use href="#{key}-land" y="7" stroke="#6b4218" stroke-opacity=".1" stroke-width="{breadth}"/>'
    for number, space in enumerate(spaces):
        if space["kind"] in LAND:
            tints = LAND[space["kind"]]
            yield f'<use href="#{key}-{space["id"]}" fill="{tints[number % len(tints)]}"/>'
    for breadth, opacity in ((54, 0.07), (36, 0.09), (20, 0.12)):
        for kind, colour in (("savannas", "#8a4f12"), ("ruins", "#23501a")):
            pen = f'stroke="{colour}" stroke-opacity="{opacity}" stroke-width="{breadth}"'
            yield f'<use href="#{key}-{kind}" {pen}/>'
    yield f'<use href="#{key}-land" stroke="#5a3510" stroke-width="11"/>'
    yield f'<use href="#{key}-land" stroke="#fffdf3" stroke-width="6.5"/>'
    yield f'<use href="#{key}-lakes" stroke="{SHORE}" stroke-width="15"/>'
    yield f'<use href="#{key}-lakes" fill="url(#kitara-lake)" stroke="#8ccbe8" stroke-width="3"/>'
    for space in spaces:
        if space["kind"] == "lake":
            x, y = space["at"]
            for scale, opacity in ((0.84, 0.75), (0.68, 0.5), (0.52, 0.3)):
                yield (
                    f'<use href="#{key}-{space["id"]}" stroke="{WATER_LINE}" stroke-opacity="{opacity}" stroke-width='
                    f'"{2.4 / scale:.3g}" transform="translate({x} {y}) scale({scale}) translate({-x} {-y})"/>'
                )


def _site(space: Mapping[str, Any], x: float, y: float, *, free: bool) -> Iterator[str]:
    """Yield the fence of a start space (with a hut while it is free), the ruin, and the name of the space."""
    if space["kind"] == "lake":
        return
    if space.get("start"):
        yield _put("kraal", x, y)
        if free:
            yield _put("hut", x, y - 2)
    if space["kind"] == "ruin":
        yield _put("ruin", x, y - 4, 1.05)
    halo = ' paint-order="stroke" stroke="#fff6da" stroke-opacity=".75" stroke-width="3"'
    yield _text(space["id"], x, y + 30, 11, more=halo)


def _crossing(start: Point, end: Point) -> str:
    """Return an arrow across the border that is being crossed."""
    (x, y), (to_x, to_y) = start, end
    length = hypot(to_x - x, to_y - y) or 1.0
    along_x, along_y = (to_x - x) / length, (to_y - y) / length
    x, y, to_x, to_y = x + 24 * along_x, y + 24 * along_y, to_x - 26 * along_x, to_y - 26 * along_y
    head = "".join(
        f"L{to_x - 13 * along_x - side * along_y:.1f} {to_y - 13 * along_y + side * along_x:.1f}" for side in (9, -9)
    )
    line = f"M{x:.1f} {y:.1f}L{to_x - 9 * along_x:.1f} {to_y - 9 * along_y:.1f}M{to_x:.1f} {to_y:.1f}{head}Z"
    return (
        f'<g stroke-linejoin="round" stroke-linecap="round"><path d="{line}" stroke="{INK}" stroke-width="9"/>'
        f'<path d="{line}" fill="{BRIGHT_GOLD}" stroke="{BRIGHT_GOLD}" stroke-width="4.5"/></g>'
    )


def _group(pawns: Mapping[str, int], seat: int, x: float, y: float) -> Iterator[str]:
    """Yield the pawns of a space: one of each kind, with a count if there are several."""
    kinds = [kind for kind in KINDS if pawns[kind]]
    stands = list(zip(kinds, STANDS[len(kinds)], strict=True))
    for kind, (right, down, scale, _, _) in sorted(stands, key=lambda stand: stand[1][1]):
        yield _put(f"{kind}{seat}", x + right, y + down, scale)
    for kind, (_, _, _, right, down) in stands:
        if pawns[kind] > 1:
            yield _put("count", x + right, y + down)
            yield _text(f"&#215;{pawns[kind]}", x + right, y + down, 12)


# The kingdoms


def _panels(view: Mapping[str, Any]) -> Iterator[str]:
    players = len(view["kingdoms"])
    height = (SHEET_HEIGHT - PANEL_GAP * (players - 1)) / players
    for seat in range(players):
        yield f'<g transform="translate({PANEL_X} {SHEET_Y + seat * (height + PANEL_GAP):g})">'
        yield from _panel(view, seat, height)
        yield "</g>"


def _panel(view: Mapping[str, Any], seat: int, height: float) -> Iterator[str]:
    """Yield a kingdom: the player at the top, the cards with the sum of each row of symbols, and the feeding."""
    size = f'width="{PANEL_WIDTH}" height="{height:g}" rx="9"'
    band = f"M0 {HEAD}V9Q0 0 9 0H{PANEL_WIDTH - 9}Q{PANEL_WIDTH} 0 {PANEL_WIDTH} 9V{HEAD}Z"
    yield f'<rect {size} fill="{PARCHMENT[1]}"/><path d="{band}" fill="url(#kitara-band{seat})"/>'
    active = _active(view, seat)
    yield from _head(view, seat, active)
    pitch = min(42.0, (height - HEAD - 8) / 5)
    top, scale = (HEAD + height - 5 * pitch) / 2, pitch / 26
    heights = {name: top + (number + 0.5) * pitch for number, name in enumerate((*CARD_ROWS, "bowl"))}
    for name in ("draft", "move", "bowl"):
        place = f'x="5" y="{heights[name] - pitch / 2:.1f}" width="{PANEL_WIDTH - 10}" height="{pitch:.1f}"'
        yield f'<rect {place} rx="4" fill="#a8803c" fill-opacity=".16"/>'
    cards = [_symbols(view["cards"][card]) for card in view["kingdoms"][seat]]
    step = min(4 + 1.1 * pitch, 190 / max(1, len(cards)))
    for number, card in enumerate(cards):
        yield from _small_card(card, 38 + number * step, step - 2, heights, pitch)
    yield _put("clay-W", 20, heights["pawns"], scale * 0.5)
    for letter, name in ROWS.items():
        total = str(sum(card.get(letter, 0) for card in cards))
        if letter == "M" and seat == view["turn"] and view["moves_left"] is not None:
            total = f"{view['moves_left']}/{total}"
        yield _put(name, 20, heights[name], scale)
        yield _text(total, PANEL_WIDTH - 24, heights[name], min(23, 13 * scale + 5))
    yield from _larder(view, seat, heights["bowl"], scale)
    edge = f'stroke="{BRIGHT_GOLD}" stroke-width="3"' if active else f'stroke="{DEEP_GOLD}"'
    yield f'<rect {size} fill="none" {edge}/>'


def _active(view: Mapping[str, Any], seat: int) -> bool:
    """Return whether it is this seat's decision; once the game is over, whether it has won."""
    if view["decision"] is None:
        return seat in _leaders(view)
    return bool(seat == (view["turn"] if view["retreating"] is None else view["retreating"]))


def _head(view: Mapping[str, Any], seat: int, active: bool) -> Iterator[str]:
    """Yield the player's colour and mark, hero tokens and points; a pointer to decide, a crown for a victory."""
    ink, middle = COLOURS[seat]["ink"], HEAD / 2
    yield _put(f"H{seat}", 21, middle + 1, 0.62)
    yield _text(seat + 1, 46, middle, 18, ink)
    yield '<g opacity=".75">'
    yield from (_put(f"sign{seat}", 66 + 15 * number, middle, 0.8) for number in range(4))
    yield "</g>"
    if active:
        yield _put("crown" if view["decision"] is None else "pointer", 138, middle)
    kept, drawn = view["tokens"][seat]["kept"], view["tokens"][seat]["drawn"]
    yield _put("token", 162, middle, 1.05)
    yield _text(f"{kept}+{drawn}" if drawn else kept, 175, middle, 15, ink, ' text-anchor="start"')
    yield _put("prosperity", 224, middle, 1.15)
    yield _text(view["points"][seat], 252, middle, 22, ink)


def _small_card(
    card: Mapping[str, int], x: float, width: float, heights: Mapping[str, float], pitch: float
) -> Iterator[str]:
    """Yield a card of a kingdom: the number in each of its rows, and its pawns."""
    top, middle = heights["draft"] - 0.46 * pitch, x + width / 2
    yield (
        f'<rect x="{x:.1f}" y="{top:.1f}" width="{width:.1f}" height="{3.92 * pitch:.1f}" rx="3" fill="#fbf2d8"'
        f' stroke="{DEEP_GOLD}" stroke-opacity=".5"/>'
    )
    for letter, name in ROWS.items():
        if letter in card:
            yield _text(card[letter], middle, heights[name], min(16, 8 + pitch / 4))
    pawns = [f"clay-{kind}" for kind in KINDS for _ in range(card.get(kind, 0))]
    for number, pawn in enumerate(pawns):
        off = (number - (len(pawns) - 1) / 2) * width / 3.4
        yield _put(pawn, middle + off, heights["pawns"], min(0.4, width / 84))
    if "N" in card:
        yield _put("unfed", x + width - 5, top + 4, 0.4 + pitch / 110)


def _larder(view: Mapping[str, Any], seat: int, y: float, scale: float) -> Iterator[str]:
    """Yield how many cards would be fed, and the supply of pawns; once the game is over, the hero tokens."""
    cards, fed = view["forecast"][seat]["cards"], view["forecast"][seat]["fed"]
    size = min(20, 13 * scale + 4)
    yield _put("bowl", 20, y, scale)
    yield _text(f"{fed}/{cards}", 40, y, size, HUNGRY if fed < cards else INK, ' text-anchor="start"')
    if view["all_tokens"]:
        yield from _tokens(view["all_tokens"][seat], [], 118, y, 148)
        return
    for number, kind in enumerate(KINDS):
        x, pawn_scale = 108 + 57 * number, min(scale, 1.2) * 0.62
        yield _put(f"{kind}{seat}", x, y, pawn_scale)
        yield _text(view["supply"][seat][kind], x + 4 + 18 * pawn_scale, y, size, more=' text-anchor="start"')


# The row


def _row(view: Mapping[str, Any]) -> Iterator[str]:
    """Yield the row, oldest card first; cards that may be drafted are lit, the others shaded."""
    choices = view["choices"]
    for number in range(len(view["row"]), ROW):
        yield _put("slot", SHEET_X + number * CARD_STEP, ROW_Y)
    for number, name in enumerate(view["row"]):
        yield f'<g transform="translate({SHEET_X + number * CARD_STEP} {ROW_Y})">'
        yield from _card(name, _symbols(view["cards"][name]), view["deck"])
        if choices:
            yield _put("glow" if number < choices else "shade", 0, 0)
        yield "</g>"


def _card(name: str, symbols: Mapping[str, int], deck: str) -> Iterator[str]:
    """Yield a card: its draft icons and age at the top, its pawns in a landscape, then moves and prosperity."""
    middle = CARD_WIDTH / 2
    age, _, number = name.partition(".")
    yield _put(f"{deck}-card", 0, 0)
    yield _put(f"sky-{age}", 0, 0)
    yield _put(f"scene-{int(number or 0) % len(SCENES)}", 0, 0)
    for index in range(symbols.get("D", 0)):
        yield _put("draft", 17 + 23 * index, CARD_ROWS["draft"], 1.2)
    yield _text(AGES[int(age)], CARD_WIDTH - 17, CARD_ROWS["draft"], 14, BRIGHT_GOLD)
    pawns = [f"clay-{kind}" for kind in KINDS for _ in range(symbols.get(kind, 0))]
    yield from _line(pawns, middle, CARD_ROWS["pawns"], 34, 1.05)
    for row, letter in (("move", "M"), ("prosperity", "V")):
        yield from _line([row] * symbols.get(letter, 0), middle, CARD_ROWS[row], 27, 1.28)
    if "N" in symbols:
        yield _put("unfed", CARD_WIDTH - 16, 44, 1.25)


def _line(shapes: Sequence[str], middle: float, y: float, step: float, scale: float) -> Iterator[str]:
    """Yield symbols in a line, closer together if there are many."""
    step = min(step, 104 / max(1, len(shapes)))
    for number, shape in enumerate(shapes):
        yield _put(shape, middle + (number - (len(shapes) - 1) / 2) * step, y, scale)


def _stock(view: Mapping[str, Any]) -> Iterator[str]:
    """Yield the deck, the bag, and the tokens that only the viewer sees."""
    x, y = SHEET_X + ROW * CARD_STEP + 2, ROW_Y + 2
    yield _put(f"{view['deck']}-pile" if view["deck_left"] else "no-pile", x, y)
    yield _text(view["deck_left"], x + 33, y + 46, 22, BRIGHT_GOLD)
    yield _put("bag", x + 98, y + 34, 1.9)
    yield _text(view["bag"], x + 98, y + 70, 16, BONE)
    if view["own_tokens"]:
        yield from _tokens(view["own_tokens"]["kept"], view["own_tokens"]["drawn"], x + 12, y + 128, 108)


def _tokens(kept: Sequence[int], drawn: Sequence[int], x: float, y: float, breadth: float) -> Iterator[str]:
    """Yield hero tokens with their values; those of this turn are brighter."""
    step = min(22.0, breadth / max(1, len(kept) + len(drawn)))
    for number, value in enumerate([*kept, *drawn]):
        fill = BONE if number < len(kept) else BRIGHT_GOLD
        yield f'<circle cx="{x + number * step:.1f}" cy="{y:.1f}" r="10" fill="{fill}" stroke="{INK}"/>'
        yield _text(value, x + number * step, y, 14)
