"""The artwork of Katarenga: tiles, pawns and a wooden frame, each drawn around the point 0 0.

Every tile has the glyph of its colour in a corner, where a pawn does not cover it, so that nobody depends on colour.
The full Persian patterns are a second set of tiles.
"""

from collections.abc import Sequence

from mchezo.core.svg import linear_gradient, radial_gradient

SQUARE = 48  # side of a square
EDGE = 8  # width of the frame left and right of the board
RAIL = 36  # height of the frame above and below it; the camps lie at its ends
BOARD = 8 * SQUARE
WIDTH, HEIGHT = BOARD + 2 * EDGE, BOARD + 2 * RAIL
CENTRE = (WIDTH // 2, HEIGHT // 2)

COLOURS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}
SIDES = {"white": "White", "black": "Black"}

# Materials; several colours form a gradient from light to dark.
GOLD, GROUT, GRAIN_COLOUR = "#e8bf62", "#1c1210", "#2a1409"
WALNUT = ("#6b4a35", "#563927", "#442b1c")
HOLLOW = ("#1d120b", "#3a2719", "#5c4330")
FIELDS = {"red": "#b4625a", "yellow": "#d9b766", "green": "#7ba585", "blue": "#6a86b4"}
GLYPH_INKS = {"red": "#571f1b", "yellow": "#6a4a0c", "green": "#1f4a33", "blue": "#1f3566"}
GLAZES = {
    "red": ("#a3222b", "#7a101e"),
    "yellow": ("#8f5a0e", "#7c4a08"),
    "green": ("#1f8066", "#0f5a47"),
    "blue": ("#2450ab", "#142d70"),
}
PAWNS = {"white": ("#fffdf6", "#f0e2c2", "#bb9a68"), "black": ("#6f625c", "#362b27", "#14100e")}
INLAYS = {"white": ("#f3e8cf", "#dcc9a2"), "black": ("#3b2f2a", "#1f1714")}
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

# The glyph of a colour, about 11 wide: the lines of rook and bishop, the knight's head, the king's crown.
GLYPHS = {
    "red": "M-1.5-5.5H1.5V-1.5H5.5V1.5H1.5V5.5H-1.5V1.5H-5.5V-1.5H-1.5Z",
    "yellow": "M-4.9-2.8L-2.8-4.9L0-2.1L2.8-4.9L4.9-2.8L2.1 0L4.9 2.8L2.8 4.9L0 2.1L-2.8 4.9L-4.9 2.8L-2.1 0Z",
    "green": "M-3 5.5C-3 2.5-1.2 1.6-1 .4L-3.9 2L-5.4.2L-2.4-3.4L-2.6-5.6L-.4-4.4C3.4-4.2 5 0 4.2 5.5Z",
    "blue": "M-5.5-3.6L-2.6-1L0-5.2L2.6-1L5.5-3.6L4.4 4.8H-4.4Z",
}

FOOT = '<path d="M-14 9V11.5A14 7 0 0 0 14 11.5V9A14 7 0 0 0-14 9Z"/>'
BODY = '<path d="M-10 8.5C-6 5-4.6 1-4.2-4H4.2C4.6 1 6 5 10 8.5A10 4.8 0 0 1-10 8.5Z"/>'
COLLAR = '<ellipse cy="-4" rx="7.6" ry="3.3"/>'
HEAD = '<circle cy="-11" r="7.8"/>'
STRIP = "M-138 0Q-134-2-132-5H132Q134-2 138 0Q134 2 132 5H-132Q-134 2-138 0Z"
GRAIN = "".join(
    f"M{EDGE} {y}Q{WIDTH // 4} {y + bow} {WIDTH // 2} {y}T{WIDTH - EDGE} {y}"
    for near, bow in ((7, 3), (13, -2), (24, 3), (29, -2))
    for y in (near, HEIGHT - near)
)


def _gradient(name: str, colours: Sequence[str]) -> str:
    return linear_gradient(f"katarenga-{name}", colours, x2=".6")


def _round_gradient(name: str, colours: Sequence[str]) -> str:
    return radial_gradient(f"katarenga-{name}", colours, cx=".35", cy=".3", r=".8")


def _tile(colour: str) -> str:
    """Return a square with the glyph of its colour faintly in the middle; the glyph for its corner; a small tile."""
    glyph = f'<path d="{GLYPHS[colour]}" fill="{GLYPH_INKS[colour]}"'
    return (
        f'<path id="katarenga-{colour}-field" d="M-24-24H24V24H-24Z" fill="{FIELDS[colour]}"/>'
        f'<g id="katarenga-{colour}-glyph">{glyph} opacity=".72" transform="translate(16.5-16.5)scale(.8)"/></g>'
        f'<g id="katarenga-{colour}"><use href="#katarenga-{colour}-field"/>'
        '<path d="M-23.5-23.5H23.5V23.5H-23.5Z" fill="none" stroke="#000" stroke-opacity=".16"/>'
        f'{glyph} opacity=".1" transform="scale(2.4)"/><use href="#katarenga-{colour}-glyph"/></g>'
        f'<g id="katarenga-{colour}-sign"><use href="#katarenga-{colour}-field"/>'
        f'{glyph} opacity=".85" transform="scale(2.9)"/></g>'
    )


def _patterned_tile(colour: str) -> str:
    """Return a square with its full pattern: grout, glaze, pattern, and edges lit from the upper left."""
    return (
        f'<g id="katarenga-patterned-{colour}" fill="none"><path d="M-24-24H24V24H-24Z" fill="{GROUT}"/>'
        f'<g clip-path="url(#katarenga-edge)">'
        f'<path d="M-24-24H24V24H-24Z" fill="url(#katarenga-{colour}-glaze)"/>{PATTERNS[colour]}</g>'
        '<path d="M-22.5 22V-22.5H22" stroke="#fff" stroke-opacity=".35"/>'
        '<path d="M-22 22.5H22.5V-22" stroke="#000" stroke-opacity=".4"/></g>'
    )


def _pawn(side: str) -> str:
    """Return a turned wooden pawn seen from slightly above, with its shadow and an outline around all its parts."""
    rim = CONTRASTS[side]
    return (
        f'<g id="katarenga-{side}-pawn"><g transform="translate(0 1)scale(1.16)">'
        '<ellipse cx="1.5" cy="13" rx="16" ry="7.4" opacity=".3"/>'
        f'<g stroke="{rim}" stroke-width="2.2">{FOOT}{BODY}{COLLAR}{HEAD}</g>'
        f'<g fill="url(#katarenga-{side}-turned)">{FOOT}'
        f'<ellipse cy="9" rx="14" ry="7" stroke="{rim}" stroke-opacity=".3" stroke-width=".8"/>'
        f"{BODY}{COLLAR}{HEAD}</g>"
        '<ellipse cx="-2.6" cy="-13.6" rx="2.4" ry="1.6" fill="#fff" opacity=".4"/></g></g>'
    )


def _inlay(side: str) -> str:
    """Return the inlay behind a baseline: a strip of ivory or ebony, a plaque, and a camp."""
    material = f'fill="url(#katarenga-{side}-strip)" stroke="{GOLD}" stroke-opacity=".7"'
    return (
        f'<path id="katarenga-{side}-inlay" d="{STRIP}" {material}/>'
        f'<rect id="katarenga-{side}-plaque" x="-24" y="-12" width="48" height="24" rx="6" {material}/>'
        f'<g id="katarenga-{side}-camp"><rect x="-22" y="-16" width="44" height="32" rx="16" {material}/>'
        '<rect x="-18" y="-12.5" width="36" height="25" rx="12.5" fill="url(#katarenga-hollow)"/>'
        '<path d="M-17-2A12 12 0 0 1-5.5-12.5H5.5A12 12 0 0 1 17-2" fill="none" stroke="#000" stroke-opacity=".5"'
        ' stroke-width="2"/></g>'
    )


def _wood() -> str:
    """Return the frame without its inlays: grain, a gold line, and a dark edge around the board."""
    return (
        '<g id="katarenga-frame" fill="none">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="url(#katarenga-walnut)"/>'
        f'<path d="{GRAIN}" stroke="{GRAIN_COLOUR}" stroke-opacity=".25"/>'
        f'<rect x="2.5" y="2.5" width="{WIDTH - 5}" height="{HEIGHT - 5}" rx="8" stroke="{GOLD}" stroke-opacity=".35"/>'
        f'<rect x="{EDGE}" y="{RAIL}" width="{BOARD}" height="{BOARD}" stroke="{GROUT}" stroke-width="4"/></g>'
    )


def _mark(name: str, field: str) -> str:
    """Return the mark of the last move: a pale fill with an outline, which shows on every colour."""
    paint = 'fill="#fff3b8" fill-opacity=".46" stroke="#fffbe8" stroke-width="2.5"'
    return f'<g id="katarenga-{name}-mark" {paint}>{field}</g>'


def _definitions() -> str:
    return "".join(
        (
            _gradient("walnut", WALNUT),
            _round_gradient("hollow", HOLLOW),
            *(_round_gradient(f"{side}-turned", pawn) for side, pawn in PAWNS.items()),
            *(_gradient(f"{side}-strip", inlay) for side, inlay in INLAYS.items()),
            _wood(),
            *(_tile(colour) for colour in COLOURS.values()),
            *(_inlay(side) + _pawn(side) for side in SIDES),
            f'<path id="katarenga-seams" d="M0-192V192M-192 0H192" stroke="{GROUT}" stroke-width="2" opacity=".7"/>',
            _mark("square", '<rect x="-22.5" y="-22.5" width="45" height="45" rx="2"/>'),
            _mark("camp", '<rect x="-18" y="-12.5" width="36" height="25" rx="12.5"/>'),
        )
    )


def _pattern_definitions() -> str:
    return "".join(
        (
            *(_gradient(f"{colour}-glaze", glaze) for colour, glaze in GLAZES.items()),
            '<clipPath id="katarenga-edge"><rect x="-23" y="-23" width="46" height="46" rx="1.5"/></clipPath>',
            *(_patterned_tile(colour) for colour in COLOURS.values()),
        )
    )


DEFINITIONS = _definitions()
PATTERN_DEFINITIONS = _pattern_definitions()
