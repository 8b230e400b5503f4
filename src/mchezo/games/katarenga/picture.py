"""Katarenga as a picture: a board of glazed tiles in a walnut frame, drawn as SVG from a view.

Every kind of square has a pattern of its own, so that nobody depends on its colour. All shapes are made once, around
the point 0 0, and then put in their places: only the places depend on the view.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

SQUARE = 48  # side of a square
FRAME = 52  # breadth of the frame; the camps lie in its corners
BOARD = 8 * SQUARE
SIZE = BOARD + 2 * FRAME
MIDDLE = SIZE // 2

FILES = "abcdefgh"
RANKS = "12345678"
CAMPS = ("a9", "h9", "a0", "h0")
COLOURS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}
SIDES = {"white": "White", "black": "Black"}
VARIANTS = {"katarenga": "Katarenga", "congress": "Congress", "quebec": "Quebec", "isolation": "Isolation"}
FONT = "Georgia,'Times New Roman','DejaVu Serif',serif"

# Materials; several colours are a gradient, from light to deep.
GOLD, BRIGHT_GOLD, GROUT, GRAIN_COLOUR = "#e8bf62", "#ffd84d", "#1c1210", "#2a1409"
WALNUT = ("#7d4c2c", "#5c3520", "#452414")
HOLLOW = ("#062a2d", "#0f5557", "#1f8580")
GLAZES = {
    "red": ("#a3222b", "#7a101e"),
    "yellow": ("#8f5a0e", "#7c4a08"),
    "green": ("#1f8066", "#0f5a47"),
    "blue": ("#2450ab", "#142d70"),
}
PAWNS = {"white": ("#fffdf4", "#ecdab2", "#a9834c"), "black": ("#8d7b74", "#3a2c28", "#0f0a09")}
INLAYS = {"white": ("#f6ead0", "#d8c194"), "black": ("#3b2b26", "#1a1210")}
CONTRASTS = {"white": "#2e1c10", "black": "#f3e3c0"}  # the outline of a pawn, the lettering on an inlay

# Red: a grid.
GRID = "M-12-23V23M0-23V23M12-23V23M-23-12H23M-23 0H23M-23 12H23"
# Yellow: a diagonal weave. The rising bands lie above the falling ones, except at every second crossing.
FALLING = "M-24 8L-8 24M-24-8L8 24M-24-24L24 24M-8-24L24 8M8-24L24-8"
RISING = "M-24-8L-8-24M-24 8L8-24M-24 24L24-24M-8 24L24-8M8 24L24 8"
CROSSINGS = [(x, y) for y in (-16, 0, 16) for x in (-16, 0, 16)]
FALLING_ABOVE = "".join(f"M{x - 4} {y - 4}l8 8" for x, y in CROSSINGS)
FALLING_EDGES = "".join(f"M{x - 3.5} {y - 3.5}l7 7" for x, y in CROSSINGS)
# Green: four horse heads that look north, east, south and west, muzzle outwards, ears at the heart.
HORSE_HEAD = (
    "M0-22.4C2.6-22.4 4-21 3.6-18.8C3.4-16.8 6-15.4 6-12.4L7-8C5-8.2 3.4-9 2.6-10.2L2.4-5.2L0-4"
    "L-2.4-5.2L-2.6-10.2C-3.4-9-5-8.2-7-8L-6-12.4C-6-15.4-3.4-16.8-3.6-18.8C-4-21-2.6-22.4 0-22.4Z"
)
EYES = "M-4-14L-3-12.4M4-14L3-12.4"
# Blue: an eight-point star.
STAR = "M0-22L6.5-15.5H15.5V-6.5L22 0L15.5 6.5V15.5H6.5L0 22L-6.5 15.5H-15.5V6.5L-22 0L-15.5-6.5V-15.5H-6.5Z"
PATTERNS = {
    "red": (
        f'<path d="{GRID}" stroke="#5c0a16" stroke-width="4.5"/><path d="{GRID}" stroke="#efb08e" stroke-width="2"/>'
    ),
    "yellow": (
        f'<path d="{FALLING}" stroke="#efb02e" stroke-width="7.5"/>'
        f'<path d="{RISING}" stroke="#6b3e05" stroke-width="9.5"/>'
        f'<path d="{RISING}" stroke="#f7c64c" stroke-width="7.5"/>'
        f'<path d="{FALLING_EDGES}" stroke="#6b3e05" stroke-width="9.5"/>'
        f'<path d="{FALLING_ABOVE}" stroke="#efb02e" stroke-width="7.5"/>'
    ),
    "green": "".join(
        f'<g transform="rotate({turn})"><path d="{HORSE_HEAD}" fill="#d3f0d5"/>'
        f'<path d="{EYES}" stroke="#0b4636" stroke-width="1.5" stroke-linecap="round"/></g>'
        for turn in (0, 90, 180, 270)
    )
    + f'<path d="M0-3L3 0L0 3L-3 0Z" fill="{GOLD}"/>',
    "blue": (
        f'<path d="{STAR}" fill="#3f74d0" stroke="#dbe8ff" stroke-width="2.2" transform="scale(.93)"/>'
        f'<path d="{STAR}" fill="#16327c" stroke="{GOLD}" stroke-width="3" transform="scale(.5)"/>'
    ),
}

FOOT = '<path d="M-14 9V11.5A14 7 0 0 0 14 11.5V9A14 7 0 0 0-14 9Z"/>'
BODY = '<path d="M-10 8.5C-6 5-4.6 1-4.2-4H4.2C4.6 1 6 5 10 8.5A10 4.8 0 0 1-10 8.5Z"/>'
COLLAR = '<ellipse cy="-4" rx="7.6" ry="3.3"/>'
HEAD = '<circle cy="-11" r="7.8"/>'
STRIP = "M-189 0Q-183-4-180-12H180Q183-4 189 0Q183 4 180 12H-180Q-183 4-189 0Z"
GRAIN = "".join(
    f"M{FRAME} {y}Q160 {y + bow} {MIDDLE} {y}T{SIZE - FRAME} {y}"
    f"M{y} {FRAME}Q{y + bow} 160 {y} {MIDDLE}T{y} {SIZE - FRAME}"
    for near, bow in ((9, 3), (44, -4))
    for y in (near, SIZE - near)
)


def draw(view: Mapping[str, Any], *, flip: bool = False) -> str:
    """The position as a complete SVG document, seen from White's side or, flipped, from Black's."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE}" height="{SIZE}" viewBox="0 0 {SIZE} {SIZE}" role="img"'
        f' font-family="{FONT}" font-size="15" font-weight="bold" text-anchor="middle">',
        f"<title>{_title(view)}</title>",
        f"<desc>{_description(view, flip)}</desc>",
        f"<defs>{DEFINITIONS}</defs>",
        *_frame(flip),
        *_squares(view["board"], flip),
        *_last_move(view["last"] or (), flip),
        *_pawns(view, flip),
        *_in_hand(view["in_hand"], flip),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _title(view: Mapping[str, Any]) -> str:
    side = "White" if view["position"].split()[1] == "w" else "Black"
    doing = {"baseline": f"{side} chooses the baseline", "move": f"{side} to move", "place": f"{side} to place a pawn"}
    return f"{VARIANTS[view['variant']]}: {doing.get(view['decision'], 'the game is over')}"


def _description(view: Mapping[str, Any], flip: bool) -> str:
    """The picture in words."""
    sentences = [f"The board seen from {'Black' if flip else 'White'}'s side."]
    for side, name in SIDES.items():
        pawns = view["pawns"][side]
        camps = [camp for camp in CAMPS if view["camps"][camp] == side]
        sentences.append(f"{name} pawns on {', '.join(pawns)}." if pawns else f"No {side} pawns on the board.")
        if camps:
            sentences.append(f"{name} holds {' and '.join(camps)}.")
        if view["in_hand"][side]:
            sentences.append(f"{name} pawns in hand: {view['in_hand'][side]}.")
    if view["last"]:
        sentences.append(f"Last move: {' to '.join(view['last'])}.")
    for rank, row in _rows(view["board"]):
        sentences.append(f"Rank {rank} from a to h: {', '.join(COLOURS[letter] for letter in row)}.")
    return " ".join(sentences)


def _rows(board: str) -> Iterator[tuple[str, str]]:
    """The ranks of a board with their letters, rank 8 first, as boards are written."""
    return zip(reversed(RANKS), board.split("/"), strict=True)


def _place(name: str, flip: bool) -> tuple[int, int]:
    """Where the middle of a square or a camp lies in the picture."""
    if name in CAMPS:
        corner = MIDDLE - FRAME // 2
        right, up = (corner if name[0] == "h" else -corner), (corner if name[1] == "9" else -corner)
    else:
        right = (2 * FILES.index(name[0]) - 7) * SQUARE // 2
        up = (2 * RANKS.index(name[1]) - 7) * SQUARE // 2
    return (MIDDLE - right, MIDDLE + up) if flip else (MIDDLE + right, MIDDLE - up)


def _put(shape: str, place: tuple[int, int], scale: float = 1) -> str:
    x, y = place
    where = f'x="{x}" y="{y}"' if scale == 1 else f'transform="translate({x} {y}) scale({scale})"'
    return f'<use href="#katarenga-{shape}" {where}/>'


def _text(words: str, place: tuple[int, int], colour: str) -> str:
    return f'<text x="{place[0]}" y="{place[1] + 5}" fill="{colour}">{words}</text>'


def _inlay_height(side: str, flip: bool) -> int:
    """How far down the inlay behind a side's baseline lies."""
    return FRAME // 2 if (side == "black") != flip else SIZE - FRAME // 2


def _frame(flip: bool) -> Iterator[str]:
    """The wood, what lies behind the two baselines, the camps and the coordinates."""
    yield _put("frame", (0, 0))
    for side in SIDES:
        y = _inlay_height(side, flip)
        yield _put(f"{side}-inlay", (MIDDLE, y))
        for file in FILES:
            yield _text(file, (_place(f"{file}1", flip)[0], y), CONTRASTS[side])
    for rank in RANKS:
        for x in (FRAME // 2, SIZE - FRAME // 2):
            yield _text(rank, (x, _place(f"a{rank}", flip)[1]), GOLD)
    for camp in CAMPS:
        yield _put("black-camp" if camp[1] == "9" else "white-camp", _place(camp, flip))


def _squares(board: str, flip: bool) -> Iterator[str]:
    for rank, row in _rows(board):
        for file, letter in zip(FILES, row, strict=True):
            yield _put(COLOURS[letter], _place(file + rank, flip))
    yield _put("seams", (MIDDLE, MIDDLE))


def _last_move(last: Sequence[str], flip: bool) -> Iterator[str]:
    for name in last:
        yield _put("camp-mark" if name in CAMPS else "square-mark", _place(name, flip))


def _pawns(view: Mapping[str, Any], flip: bool) -> Iterator[str]:
    """The pawns on the board and in the camps, the farthest first."""
    standing = [(name, side) for side in SIDES for name in view["pawns"][side]]
    standing += [(camp, view["camps"][camp]) for camp in CAMPS if view["camps"][camp]]
    for name, side in sorted(standing, key=lambda pawn: _place(pawn[0], flip)[::-1]):
        yield _put(f"{side}-pawn", _place(name, flip), 0.85 if name in CAMPS else 1)


def _in_hand(in_hand: Mapping[str, int], flip: bool) -> Iterator[str]:
    """How many pawns are not yet on the board, on a plaque near the own baseline."""
    for side in SIDES:
        if in_hand[side]:
            x, y = SIZE - FRAME // 2, _place("a8" if side == "black" else "a1", flip)[1]
            y += SQUARE // 2 if y < MIDDLE else -SQUARE // 2
            yield _put(f"{side}-plaque", (x, y))
            yield _put(f"{side}-pawn", (x - 10, y), 0.45)
            yield _text(f"&#215;{in_hand[side]}", (x + 8, y), CONTRASTS[side])


def _gradient(name: str, colours: Sequence[str], *, round_: bool = False) -> str:
    last = len(colours) - 1
    stops = "".join(f'<stop offset="{step / last:g}" stop-color="{colour}"/>' for step, colour in enumerate(colours))
    if round_:
        return f'<radialGradient id="katarenga-{name}" cx=".35" cy=".3" r=".8">{stops}</radialGradient>'
    return f'<linearGradient id="katarenga-{name}" x2=".6" y2="1">{stops}</linearGradient>'


def _tile(colour: str) -> str:
    """One square: grout, glaze, pattern, and light from the upper left on its edges."""
    return (
        f'<g id="katarenga-{colour}" fill="none"><path d="M-24-24H24V24H-24Z" fill="{GROUT}"/>'
        f'<g clip-path="url(#katarenga-edge)">'
        f'<path d="M-24-24H24V24H-24Z" fill="url(#katarenga-{colour}-glaze)"/>{PATTERNS[colour]}</g>'
        '<path d="M-22.5 22V-22.5H22" stroke="#fff" stroke-opacity=".35"/>'
        '<path d="M-22 22.5H22.5V-22" stroke="#000" stroke-opacity=".4"/></g>'
    )


def _pawn(side: str) -> str:
    """A turned pawn seen from slightly above, over its shadow, with one outline around all its parts."""
    rim = CONTRASTS[side]
    return (
        f'<g id="katarenga-{side}-pawn"><ellipse cx="2" cy="13" rx="16.5" ry="8" opacity=".4"/>'
        f'<g stroke="{rim}" stroke-width="2.6">{FOOT}{BODY}{COLLAR}{HEAD}</g>'
        f'<g fill="url(#katarenga-{side}-turned)">{FOOT}'
        f'<ellipse cy="9" rx="14" ry="7" stroke="{rim}" stroke-opacity=".35" stroke-width=".8"/>'
        f"{BODY}{COLLAR}{HEAD}</g>"
        '<ellipse cx="-2.6" cy="-14" rx="2.6" ry="1.8" fill="#fff" opacity=".75"/></g>'
    )


def _inlay(side: str) -> str:
    """What lies behind a baseline: a strip of ivory or ebony, and the star of the same around each hollow camp."""
    material = f'fill="url(#katarenga-{side}-strip)" stroke="{GOLD}"'
    return (
        f'<path id="katarenga-{side}-inlay" d="{STRIP}" {material}/>'
        f'<rect id="katarenga-{side}-plaque" x="-20" y="-11" width="40" height="22" rx="5" {material}/>'
        f'<g id="katarenga-{side}-camp"><path d="{STAR}" {material}/><g fill="none">'
        f'<circle r="15.5" fill="url(#katarenga-hollow)" stroke="{GOLD}" stroke-width="1.4"/>'
        '<path d="M-13.3-3A13.6 13.6 0 0 1 13.3-3" stroke="#000" stroke-opacity=".45" stroke-width="2.6"/>'
        '<path d="M-11.5 4A12.2 12.2 0 0 0 11.5 4" stroke="#7fd0c4" stroke-opacity=".55" stroke-width="1.4"/></g></g>'
    )


def _wood() -> str:
    """The frame without its inlays: grain, a gold line, and a beaded edge around the board."""
    board = f'x="{FRAME}" y="{FRAME}" width="{BOARD}" height="{BOARD}"'
    return (
        '<g id="katarenga-frame" fill="none">'
        f'<rect width="{SIZE}" height="{SIZE}" rx="12" fill="url(#katarenga-walnut)"/>'
        f'<path d="{GRAIN}" stroke="{GRAIN_COLOUR}" stroke-opacity=".35"/>'
        f'<rect x="3.5" y="3.5" width="{SIZE - 7}" height="{SIZE - 7}" rx="9" stroke="{GOLD}" stroke-opacity=".7"/>'
        f'<rect {board} stroke="{GROUT}" stroke-width="9"/>'
        f'<rect {board} stroke="{GOLD}" stroke-width="5" stroke-dasharray="3"/></g>'
    )


def _mark(name: str, outline: str) -> str:
    """A thin golden outline for the last move, dark underneath so that it also shows on yellow."""
    return (
        f'<g id="katarenga-{name}-mark" fill="none">'
        f'<g stroke="#000" stroke-opacity=".6" stroke-width="4.5">{outline}</g>'
        f'<g stroke="{BRIGHT_GOLD}" stroke-width="2.5">{outline}</g></g>'
    )


def _definitions() -> str:
    return "".join(
        (
            _gradient("walnut", WALNUT),
            _gradient("hollow", HOLLOW, round_=True),
            *(_gradient(f"{colour}-glaze", glaze) for colour, glaze in GLAZES.items()),
            *(_gradient(f"{side}-turned", pawn, round_=True) for side, pawn in PAWNS.items()),
            *(_gradient(f"{side}-strip", inlay) for side, inlay in INLAYS.items()),
            '<clipPath id="katarenga-edge"><rect x="-23" y="-23" width="46" height="46" rx="1.5"/></clipPath>',
            _wood(),
            *(_tile(colour) for colour in COLOURS.values()),
            *(_inlay(side) + _pawn(side) for side in SIDES),
            f'<path id="katarenga-seams" d="M0-192V192M-192 0H192" stroke="{GROUT}" stroke-width="2.5"/>',
            _mark("square", '<rect x="-22" y="-22" width="44" height="44" rx="2"/>'),
            _mark("camp", '<circle r="18"/>'),
        )
    )


DEFINITIONS = _definitions()
