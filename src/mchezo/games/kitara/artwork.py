"""The artwork of Kitara: pawns, card symbols, plants, huts and ruins, each as data around the point 0 0.

A drawing is a sequence of outlines with their fill and stroke. A colour in braces depends on the player: {light},
{main}, {deep}, {ink} (drawn on top of these), {rim} and {halo} (around the whole pawn).
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import cos, hypot, pi, sin, sqrt

from mchezo.core.svg import linear_gradient

INK, BONE, PALE = "#2c1a10", "#f7ecd0", "#fff7df"
GOLD, BRIGHT_GOLD, DEEP_GOLD = "#efb428", "#ffd860", "#8a5a0a"
WOOD = ("#4a2c1a", "#341d10", "#27140a")
PARCHMENT, PAPER = ("#f1e3bf", "#e9d8ae", "#d9c08a"), ("#fdf6e0", "#f3e4bd")
LAKE = ("#2f7fb0", "#4c9bc8")
DECKS = {"blue": ("#3d6ca8", "#1f3f70"), "red": ("#b5483a", "#6f1f18")}
CARD_WIDTH, CARD_HEIGHT = 116, 158
CARD_ROWS = {"draft": 15, "pawns": 64, "move": 106, "prosperity": 138}  # y of a card's rows of symbols
SCENE_TOP, SCENE_BOTTOM = 29, 89  # of the landscape on a card, in which its pawns stand
AGES = ("0", "I", "II", "III", "IV", "V")
# The sky of each age, from dawn to night, and the colours of its far and near land.
SKIES = (
    ("#f7e3b2", "#fbd08a"),
    ("#fbd9a0", "#f5b07a"),
    ("#bfe0ea", "#f3e6bd"),
    ("#9fd0e6", "#e6eec8"),
    ("#f2a15e", "#f7d08a"),
    ("#5b4a86", "#d9826a"),
)

# The players: colours that also differ in lightness, and a mark for those who do not see colours.
SEATS = ("red", "blue", "black", "white")
MARKS = ("plain", "striped", "dotted", "crossed")
COLOURS: tuple[Mapping[str, str], ...] = (
    {"light": "#e2563c", "main": "#b8261c", "deep": "#7d120f", "ink": "#ffe9c9", "rim": "#2c0a06", "halo": PALE},
    {"light": "#7cb2f5", "main": "#3b7bd8", "deep": "#1c4a9c", "ink": "#ffffff", "rim": "#081d42", "halo": PALE},
    {"light": "#5d5663", "main": "#312c36", "deep": "#15121a", "ink": "#ffe08a", "rim": "#08060a", "halo": PALE},
    {"light": "#ffffff", "main": "#f4f1ea", "deep": "#cfc8ba", "ink": "#3a2412", "rim": "#8a7660", "halo": "#2a1a10"},
)
CLAY: Mapping[str, str] = {
    "light": "#a3643a",
    "main": "#83472a",
    "deep": "#5c2d18",
    "ink": BONE,
    "rim": INK,
    "halo": PALE,
}

STAR = "M0-5.6L1.5-1.9L5.4-1.7L2.4.8L3.4 4.6L0 2.5L-3.4 4.6L-2.4.8L-5.4-1.7L-1.5-1.9Z"
SUN_RAYS = (
    "M0-10L2-5.6H-2ZM0 10L2 5.6H-2ZM-10 0L-5.6-2V2ZM10 0L5.6-2V2Z"
    "M-7.1-7.1L-5.4-2.6L-2.6-5.4ZM7.1-7.1L5.4-2.6L2.6-5.4ZM-7.1 7.1L-5.4 2.6L-2.6 5.4ZM7.1 7.1L5.4 2.6L2.6 5.4Z"
)

BURST = (
    "M"
    + "L".join(
        f"{reach * sin(point * pi / 12):.1f} {-reach * cos(point * pi / 12):.1f}"
        for point, reach in enumerate((18, 12.5) * 12)
    )
    + "Z"
)

# Pawns, about 34 wide and 42 high: (outline, fill) from back to front; lines on top of them; where the mark goes.
SHIELD = "M-2.5-8.5C6-5.5 8 5.5-2.5 16.5C-13 5.5-11-5.5-2.5-8.5Z"
PAWNS: Mapping[str, tuple[tuple[tuple[str, str], ...], str, tuple[float, float]]] = {
    "W": (
        (
            ("M10.4 18.5V-12H12.6V18.5Z", "#6b4423"),
            ("M11.5-22L15-14.5L11.5-10.8L8-14.5Z", BONE),
            ("M-9 10L-9.6 18.5H-4L-3 12L-1 18.5H4.6L3.6 9Z", "{deep}"),
            ("M-9.5-1C-9-6-7-7.4-3.5-7.6H1C5-7.4 7 .2 9-.6L10-2.6L14-1.4C14 3 11.4 5.4 8.6 5.4L3.5 5V9H-9Z", "{main}"),
            (
                "M-2-20C1.6-20 3.8-17.2 3.8-14C3.8-10.8 1.4-8-2-8C-5.4-8-7.8-10.8-7.8-14C-7.8-17.2-5.6-20-2-20Z",
                "{main}",
            ),
            (SHIELD, "{light}"),
        ),
        "M-2.5-5.6C3.6-3 5 5-2.5 13.2C-10 5-8.6-3-2.5-5.6ZM-7.2-15.6Q-2-13.4 3.2-15.6",
        (-2.5, 3),
    ),
    "A": (  # a centaur: the body of a cheetah, the head and arms of a human being
        (
            ("M-11 4C-19 4-20.5-4-16.6-9.6C-15-10.6-13.4-9-14.4-7.4C-16-3-13.4-.6-9 .4Z", "{main}"),
            ("M-11 6L-10.4 12L-12.6 18.5H-8.2L-6 11.6L-4.6 8ZM3 8L5.4 13L4.6 18.5H8.8L9.4 12L8 7Z", "{deep}"),
            ("M15.2 18.5L13.8-15H15.8L17.2 18.5Z", "#6b4423"),
            ("M14.4-23.5L17.6-16.4L14.8-13.4L11.8-16Z", BONE),
            (
                "M-15.4 7C-16.4.6-11-2.4-5-1.4C-1-.8 1.6-1.2 3.4-3.6L10.6-1.4C12 3 11.4 7 8.8 9.4"
                "L11.4 13.4L11 18.5H6.6L5.8 13.4L1 10.4C-3 11.4-6.4 11-9 10.4L-12 13.4L-12.6 18.5H-17L-16.6 12.6Z",
                "{light}",
            ),
            (
                "M2.6-2.4C1.4-8 2.6-11.4 6.6-11.8C10.4-11.6 12.2-9 15.6-7.2L16.4-3.4L13-3C11.6-3.6 11-4.4 10.8-4.6"
                "L10.8-.8C8 1 4.6.4 2.6-2.4Z",
                "{main}",
            ),
            ("M6.6-21.4A4.9 5.1 0 0 1 6.6-11.2A4.9 5.1 0 0 1 6.6-21.4Z", "{main}"),
            ("M2-17.8C1.4-21.8 4-23.2 6.6-23C9.4-23 11.8-21.6 11.2-17.8C9-19.6 4.4-19.6 2-17.8Z", "{deep}"),
            (
                "M-13.6 3.2a1.2 1.2 0 1 0 .1 0ZM-12.4 7.6a1.2 1.2 0 1 0 .1 0ZM1 4.2a1.2 1.2 0 1 0 .1 0Z"
                "M3.8 .6a1.1 1.1 0 1 0 .1 0ZM7.4 4.4a1.2 1.2 0 1 0 .1 0ZM-10-.4a1.1 1.1 0 1 0 .1 0Z",
                "{deep}",
            ),
        ),
        "",
        (-5, 4.6),
    ),
    "H": (
        (
            ("M0-6C6-6 8.6-3.4 10 1.4L16 18.5C9 16-9 16-16 18.5L-10 1.4C-8.6-3.4-6-6 0-6Z", "{deep}"),
            ("M0-6C3.6-6 5.4-4 6 0L8.4 17C4 16-4 16-8.4 17L-6 0C-5.4-4-3.6-6 0-6Z", "{light}"),
            ("M0-14.6A5.7 5.6 0 0 1 0-3.4A5.7 5.6 0 0 1 0-14.6Z", "{main}"),
            ("M0-26L1.7-21.8L6.2-21.5L2.7-18.6L3.9-14.2L0-16.7L-3.9-14.2L-2.7-18.6L-6.2-21.5L-1.7-21.8Z", BRIGHT_GOLD),
        ),
        "",
        (0, 6.5),
    ),
}
# The marks, drawn in {ink} where the pawn has room for them.
SIGNS: Mapping[str, str] = {
    "plain": "",
    "striped": '<path d="M-4.2-2.6H4.2M-4.2 2.4H4.2" stroke="{ink}" stroke-width="2.5"/>',
    "dotted": '<circle r="3.5" fill="{ink}"/>',
    "crossed": '<path d="M-3.4-3.4L3.4 3.4M-3.4 3.4L3.4-3.4" stroke="{ink}" stroke-width="2.7"/>',
}

# Symbols of the cards and of the panels, about 20 wide and high: (attributes of a path, in order).
ICONS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "draft": (
        ("M-9.4-4.6L-3.4-7.8L1.8 3.4L-4.2 6.6Z", 'fill="#b9a5d8"'),
        ("M9.4-4.6L3.4-7.8L-1.8 3.4L4.2 6.6Z", 'fill="#b9a5d8"'),
        ("M-4.4-8.4H4.4V6.6H-4.4Z", 'fill="#6a4aa5"'),
        ("M0-4.4V2.8M-3.2-.8H3.2", 'stroke="#fff" stroke-width="2" fill="none"'),
    ),
    "move": (("M-9.2-3.4H-.6V-8.6L9.6 0L-.6 8.6V3.4H-9.2L-6.6 0Z", 'fill="#d0562b"'),),
    "prosperity": (
        (SUN_RAYS, f'fill="{GOLD}"'),
        ("M0-5A5 5 0 0 1 0 5A5 5 0 0 1 0-5Z", f'fill="{BRIGHT_GOLD}"'),
    ),
    "bowl": (
        ("M-7.4-.6C-6.4-5.6-3-7.6 0-7.6S6.4-5.6 7.4-.6Z", 'fill="#e9d9a6"'),
        ("M-9.4-1H9.4C9.4 5.4 5.6 8.4 0 8.4S-9.4 5.4-9.4-1Z", 'fill="#9c5a2e"'),
        ("M-6 3L-3 1L0 3L3 1L6 3", f'stroke="{BONE}" stroke-width="1.3" fill="none"'),
    ),
    "unfed": (
        ("M-7.4-.6C-6.4-5.6-3-7.6 0-7.6S6.4-5.6 7.4-.6Z", 'fill="#e9d9a6"'),
        ("M-9.4-1H9.4C9.4 5.4 5.6 8.4 0 8.4S-9.4 5.4-9.4-1Z", 'fill="#9c5a2e"'),
        ("M-8.6 8.6L8.6-8.6", f'stroke="{BONE}" stroke-width="5" fill="none"'),
        ("M-8.6 8.6L8.6-8.6", 'stroke="#b8261c" stroke-width="2.8" fill="none"'),
    ),
    "token": (
        ("M0-9A9 9 0 0 1 0 9A9 9 0 0 1 0-9Z", 'fill="#4f7f3a"'),
        ("M0-6.6A6.6 6.6 0 0 1 0 6.6A6.6 6.6 0 0 1 0-6.6Z", 'fill="none" stroke="#cfe0a8" stroke-width=".9"'),
        (STAR, f'fill="{BRIGHT_GOLD}" stroke-width=".8"'),
    ),
    "bag": (
        ("M-3-5C-9-1-11 9-6 9.6H6C11 9 9-1 3-5Z", 'fill="#a9743c"'),
        ("M-3.4-5L-5.6-9.4L-1.8-8L0-10L1.8-8L5.6-9.4L3.4-5Z", 'fill="#c9995c"'),
        ("M-4-4.8H4", f'stroke="{BONE}" stroke-width="2" fill="none"'),
    ),
    "clash": (  # two spears crossed before a burst
        (BURST, 'fill="#c8281c" stroke="#fff7df" stroke-width="1.6"'),
        ("M-9.2 7.6L5.4-7L7-5.4L-7.6 9.2ZM9.2 7.6L-5.4-7L-7 -5.4L7.6 9.2Z", f'fill="{BONE}" stroke-width=".8"'),
        ("M3.8-6.2L11-11L6.2-3.8ZM-3.8-6.2L-11-11L-6.2-3.8Z", 'fill="#fff" stroke-width=".8"'),
    ),
    "pointer": (("M-7-7L8 0L-7 7L-4 0Z", f'fill="{BRIGHT_GOLD}"'),),
    "hourglass": (
        ("M-6-9H6C6-3 1.4-1.6 1.4 0C1.4 1.6 6 3 6 9H-6C-6 3-1.4 1.6-1.4 0C-1.4-1.6-6-3-6-9Z", 'fill="#f6e7b8"'),
        ("M-4.4 8C-3.6 4.6 3.6 4.6 4.4 8ZM-3.6-4.6H3.6L0-1.4Z", f'fill="{GOLD}" stroke="none"'),
        ("M-7.6-9.4H7.6M-7.6 9.4H7.6", 'stroke-width="2.4"'),
    ),
    "rose": (
        ("M0-17A17 17 0 0 1 0 17A17 17 0 0 1 0-17ZM0-14A14 14 0 0 1 0 14A14 14 0 0 1 0-14Z", 'fill="none"'),
        ("M0-25L4-4L25 0L4 4L0 25L-4 4L-25 0L-4-4Z", 'fill="#f6e7c2"'),
        ("M0-25L4-4L0 0ZM25 0L4 4L0 0ZM0 25L-4 4L0 0ZM-25 0L-4-4L0 0Z", 'fill="#9c4a22"'),
    ),
    "crown": (("M-9 6.5L-10-5.5L-4.6-.6L0-8.5L4.6-.6L10-5.5L9 6.5Z", f'fill="{BRIGHT_GOLD}"'),),
}

KRAAL = "M-11 26.2A28.5 28.5 0 1 1 11 26.2"  # the fence of a start space, its gate below
# What grows and stands on the land: (attributes of a path, in order).
SCENERY: Mapping[str, tuple[tuple[str, str], ...]] = {
    "grass": (("M-4.5 3Q-4-.5-6.5-3M-1.6 3Q-1.6-3-2.8-6.4M1 3Q1.4-2.6 3-5.4M3.4 3Q4-.4 6.6-2.4", 'stroke="#8c6a1e"'),),
    "tuft": (("M-2.6 2Q-2.6-1-4.4-3M0 2Q0-2 .4-5M2.4 2Q2.8-.8 4.6-2.4", 'stroke="#a5822f"'),),
    "stones": (
        ("M-5 2Q-5-2-1.6-2Q1.4-2 1.4 2ZM2 2.4Q2.4-.4 4.6-.2Q6.6 0 6.4 2.4Z", 'fill="#c9a968" stroke="#8a6a30"'),
    ),
    "acacia": (
        ("M-7 8.6Q0 7 8 8.6Q0 10.6-7 8.6Z", 'fill="#6b4a14" fill-opacity=".35"'),
        ("M-.8 8.4L-.4 1.4L-6-4.4M.8 8.4L.4 1.4L6-4.4M0 4V-5", 'stroke="#5b3a18" stroke-width="1.7"'),
        ("M-14-3.4Q-12.6-8.4-6-8.6Q0-12.4 6-9Q12.8-8.6 14-3.4Q7-5 0-4Q-7-5-14-3.4Z", 'fill="#6f8a2e" stroke="#3f5216"'),
        ("M-9.6-6Q-5-8 0-7.4M3-8.6Q8-7.8 10.4-6", 'stroke="#a9bd56"'),
    ),
    "fern": (("M0 4Q-1-1-6-3M0 4Q0-3-2-7M0 4Q1-3 3.4-6.6M0 4Q1.6-.6 6.6-2.2", 'stroke="#35582a" stroke-width="1.5"'),),
    "bush": (
        ("M-8 4Q-10-1-5.4-2.4Q-4-7 .4-5.6Q5-6.6 6-2.2Q10-.8 8 4Z", 'fill="#58843c" stroke="#31521f"'),
        ("M-4.6 1Q-3.4-1.6-1 0M1.6-1.8Q3.4-3 4.4-.6", 'stroke="#8fb765"'),
    ),
    "rubble": (("M-7 3L-6-2L-1-3L1 3ZM1.6 3.2L2.6-.6L6.4-.2L7 3.2Z", 'fill="#d9d2bb" stroke="#4d5240"'),),
    "ripple": (("M-9 0Q-6.8-2.6-4.5 0T0 0T4.5 0T9 0", 'stroke="#e6f4ff" stroke-width="1.4"'),),
    "hut": (
        ("M-17 11.4Q0 8 19 11.6Q2 16-17 11.4Z", 'fill="#5b3a18" fill-opacity=".4"'),
        ("M-10.5 0H10.5V11Q0 13.4-10.5 11Z", 'fill="#c78f54" stroke="#3d2412"'),
        ("M-3 12V5.4Q0 2.4 3 5.4V12Z", 'fill="#3d2412"'),
        ("M0-17Q6-5 16.5 2.2Q0 6.8-16.5 2.2Q-6-5 0-17Z", 'fill="#a9712c" stroke="#3d2412"'),
        ("M-1-12Q-5-3-10 2.4M0-12V4M1-12Q5-3 10 2.4", 'stroke="#6b4314"'),
        ("M0-20.6V-15", 'stroke="#3d2412" stroke-width="2"'),
    ),
    "ruin": (
        ("M-34 14Q0 8 35 14Q4 20-34 14Z", 'fill="#1f3a16" fill-opacity=".38"'),
        ("M-32 13V-3L-27.4-6L-25-2.6L-20-4V-12L-15-15L-12.4-10.6L-8-9V13Z", 'fill="#e7e0ca" stroke="#41472f"'),
        ("M-32 4.6H-8M-20-3.6H-8M-26 4.6V13M-15 4.6V13M-14-3.6V4.6M-22-3.4V4.6", 'stroke="#8b8a6e"'),
        ("M-2.4 10V-18L1-21.6L4-18.4L6.4-20V10Z", 'fill="#f2ecd9" stroke="#41472f"'),
        ("M.6-15V9M3.6-15V9", 'stroke="#a9a688"'),
        ("M-5 13V9.4H9V13Z", 'fill="#e7e0ca" stroke="#41472f"'),
        ("M17.6 10V-7L20-4.6L23-9.4L26.4-6.6V10Z", 'fill="#f2ecd9" stroke="#41472f"'),
        ("M20.6-2V9M23.6-3.4V9", 'stroke="#a9a688"'),
        ("M15 13V9.4H29V13Z", 'fill="#e7e0ca" stroke="#41472f"'),
        ("M9.6 13.6L11 9L15 10.4L14.4 14Z", 'fill="#d6cfb4" stroke="#41472f"'),
        ("M-30 13Q-30 7-33 5M-10-9Q-12-5-9.6-2Q-12 1-9.4 4M5.4-19Q3-14 5.6-11", 'stroke="#4d7a34" stroke-width="1.8"'),
    ),
}

# What grows on which land, and the trees between.
GROWTH = {
    "savanna": ("grass", "tuft", "grass", "stones", "tuft", "grass", "tuft"),
    "ruin": ("fern", "rubble", "fern", "fern"),
    "lake": ("ripple",),
}
TREES = {"savanna": "acacia", "ruin": "bush"}
# The lands on the cards: x of the sun, height and line of the hills, height and colour of the ground, its plants.
SCENES = (
    (88, 66, "Q28 50 52 62T115.5 58", 76, "#dfb866", (("acacia", 92, 66, 1.4), ("grass", 14, 82, 1.2))),
    (24, 62, "L24 54L40 60L66 48L92 60L115.5 54", 77, "#d3a858", (("hut", 20, 68, 0.9), ("tuft", 102, 82, 1.4))),
    (64, 64, "Q60 44 115.5 62", 75, "#a9bd6a", (("ruin", 76, 64, 0.8), ("fern", 12, 82, 1.1))),
    (100, 60, "Q20 66 36 58T76 60T115.5 52", 77, "#e2c27a", (("acacia", 18, 67, 1.3), ("stones", 98, 82, 1.2))),
    (40, 64, "L30 50L58 66L84 52L115.5 66", 76, "#c3b25f", (("bush", 98, 72, 1.4), ("acacia", 74, 64, 0.9))),
)
# How many numbers a command of a path takes.
NUMBERS = {"M": 2, "L": 2, "T": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "A": 7}
Point = tuple[float, float]


def pawn(kind: str, mark: str, colours: Mapping[str, str]) -> str:
    """Return a pawn with its shadow: a light halo, a dark outline around all its parts, the parts and its mark."""
    parts, lines, (x, y) = PAWNS[kind]
    silhouette = "".join(outline for outline, _ in parts)
    filled = "".join(f'<path d="{outline}" fill="{fill}"/>' for outline, fill in parts)
    drawing = (
        '<ellipse cx="1" cy="18.5" rx="16" ry="4.5" opacity=".4"/><g stroke-linejoin="round">'
        f'<path d="{silhouette}" fill="{{halo}}" stroke="{{halo}}" stroke-width="5"/>'
        f'<path d="{silhouette}" fill="{{rim}}" stroke="{{rim}}" stroke-width="2.8"/>'
        f'<g stroke="{{rim}}" stroke-width=".9">{filled}</g></g>'
        f'<path d="{lines}" fill="none" stroke="{{ink}}" stroke-opacity=".8"/>'
        f'<g transform="translate({x} {y})">{SIGNS[mark]}</g>'
    )
    for name, colour in colours.items():
        drawing = drawing.replace(f"{{{name}}}", colour)
    return drawing


def icon(name: str) -> str:
    """Return a symbol with an even dark outline."""
    paths = "".join(f'<path d="{outline}" {style}/>' for outline, style in ICONS[name])
    return f'<g stroke="{INK}" stroke-width="1.1" stroke-linejoin="round">{paths}</g>'


def scenery(name: str) -> str:
    """Return a piece of scenery, drawn with a fine pen."""
    paths = "".join(f'<path d="{outline}" {style}/>' for outline, style in SCENERY[name])
    return f'<g fill="none" stroke-linecap="round" stroke-linejoin="round">{paths}</g>'


def corners_of(path: str) -> list[Point]:
    """Return the points of an SVG path, without its control points."""
    corners: list[Point] = []
    x = y = 0.0
    for letter, text in re.findall("([MmLlHhVvCcSsQqTtAa])([^MmLlHhVvCcSsQqTtAaZz]*)", path):
        numbers = [float(number) for number in re.findall(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", text)]
        takes = NUMBERS[letter.upper()]
        for end in range(takes, len(numbers) + 1, takes):
            from_x, from_y = (x, y) if letter.islower() else (0.0, 0.0)
            if letter in "Hh":
                x = from_x + numbers[end - 1]
            elif letter in "Vv":
                y = from_y + numbers[end - 1]
            else:
                x, y = from_x + numbers[end - 2], from_y + numbers[end - 1]
            corners.append((x, y))
    return corners


def clearance_at(corners: Sequence[Point], x: float, y: float) -> float:
    """Return the distance of a point from the border of a polygon, negative outside."""
    inside, clearance = False, float("inf")
    for (from_x, from_y), (to_x, to_y) in pairwise([*corners, *corners[:1]]):
        along_x, along_y = to_x - from_x, to_y - from_y
        length = along_x * along_x + along_y * along_y or 1.0
        share = min(1.0, max(0.0, ((x - from_x) * along_x + (y - from_y) * along_y) / length))
        clearance = min(clearance, hypot(from_x + share * along_x - x, from_y + share * along_y - y))
        if (from_y > y) != (to_y > y) and x < from_x + (y - from_y) / along_y * along_x:
            inside = not inside
    return clearance if inside else -clearance


@lru_cache(maxsize=128)
def growth(
    kind: str, shape: str, middle_x: float, middle_y: float, number: int, clear: float, *, start: bool
) -> tuple[tuple[str, float, float], ...]:
    """Return the plants of a space in units of the map, placed along a spiral; trees stay clear of the pawns."""
    corners = corners_of(shape)
    bare = clear if kind == "ruin" else 0.9 * clear if start else 0.0
    trees = 2 if kind in TREES else 0
    grown: list[tuple[str, float, float]] = []
    taken: list[tuple[float, float, float]] = []
    for step in range(3, 150):
        angle, distance = 2.39996 * step + 1.7 * number, 14 * sqrt(step)
        x, y = middle_x + distance * cos(angle), middle_y + distance * sin(angle)
        clearance = clearance_at(corners, x, y)
        apart = min((hypot(x - to_x, y - to_y) - size for to_x, to_y, size in taken), default=99.0)
        if trees and clearance > 27 and apart > 30 and distance > 1.15 * clear:
            trees -= 1
            taken.append((x, y, 26))
            grown.append((TREES[kind], x, y))
        elif clearance > 21 and apart > 26 and distance > bare:
            taken.append((x, y, 8))
            grown.append((GROWTH[kind][len(taken) % len(GROWTH[kind])], x, y))
    return tuple(grown)


def gradient(name: str, colours: Sequence[str], x2: str) -> str:
    """Return a gradient, slanted by x2."""
    return linear_gradient(f"kitara-{name}", colours, x2)


def card(deck: str) -> str:
    """Return the front of a deck's cards, without landscape and symbols, and the pile of their backs."""
    deep, right = DECKS[deck][1], CARD_WIDTH - 0.5
    bands = "".join(
        f'<rect x="5" y="{CARD_ROWS[row] - 14}" width="{CARD_WIDTH - 10}" height="28" rx="5" fill="#a8803c"'
        ' fill-opacity=".15"/>'
        for row in ("move", "prosperity")
    )
    head = f"M.5 {SCENE_TOP}V9Q.5.5 9 .5H{right - 8.5}Q{right}.5 {right} 9V{SCENE_TOP}Z"
    return (
        f'<g id="kitara-{deck}-card">'
        f'<rect x="1.5" y="3" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="9" opacity=".35"/>'
        f'<rect width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="9" fill="url(#kitara-paper)" stroke="{deep}"/>'
        f'<path d="{head}" fill="url(#kitara-{deck})"/>{bands}</g>'
        f'<g id="kitara-{deck}-pile" stroke="{deep}"><rect x="6" y="6" width="66" height="92" rx="7" fill="{deep}"/>'
        f'<rect x="3" y="3" width="66" height="92" rx="7" fill="{BONE}"/>'
        f'<rect width="66" height="92" rx="7" fill="url(#kitara-{deck})"/><g stroke="{GOLD}" fill="{deep}">'
        '<rect x="4" y="4" width="58" height="84" rx="5" fill="none"/><path d="M33 10L56 46L33 82L10 46Z"/></g></g>'
    )


def landscapes() -> str:
    """Return what the pawns of a card stand in: the sky of its age, and one of several lands."""
    top, bottom, tall = SCENE_TOP, SCENE_BOTTOM, SCENE_BOTTOM - SCENE_TOP
    skies = "".join(
        f'<rect id="kitara-sky-{age}" x=".5" y="{top}" width="{CARD_WIDTH - 1}" height="{tall}"'
        f' fill="url(#kitara-sky-{age}-light)"/>'
        for age in range(len(SKIES))
    )
    return skies + "".join(
        f'<g id="kitara-scene-{number}">'
        f'<circle cx="{sun}" cy="{top + 15}" r="8" fill="#fff6d8" fill-opacity=".85"/>'
        f'<path d="M.5 {bottom}V{far}{hills}V{bottom}Z" fill="#b98d4a" fill-opacity=".55"/>'
        f'<path d="M.5 {bottom}V{near}Q30 {near - 5} 60 {near}T115.5 {near - 2}V{bottom}Z" fill="{ground}"/>'
        f"{''.join(place(*plant) for plant in plants)}</g>"
        for number, (sun, far, hills, near, ground, plants) in enumerate(SCENES)
    )


def place(name: str, x: float, y: float, scale: float) -> str:
    """Return a drawing at a place."""
    return f'<use href="#kitara-{name}" transform="translate({x:g} {y:g}) scale({scale:g})"/>'


def fittings() -> str:
    """Return what surrounds cards and pawns: light and shade, empty slots, labels, and the fence of a start space."""
    face = f'width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="9"'
    empty = f'fill="#000" fill-opacity=".18" stroke="{GOLD}" stroke-opacity=".4" stroke-dasharray="5 5"'
    return (
        f'<rect id="kitara-glow" x="-3" y="-3" width="{CARD_WIDTH + 6}" height="{CARD_HEIGHT + 6}" rx="12" fill="none"'
        f' stroke="{BRIGHT_GOLD}" stroke-width="6"/><rect id="kitara-shade" {face} fill="#1a0d05" fill-opacity=".34"/>'
        f'<rect id="kitara-slot" {face} {empty}/><rect id="kitara-no-pile" width="66" height="92" rx="7" {empty}/>'
        f'<rect id="kitara-count" x="-10.5" y="-7.5" width="21" height="15" rx="7" fill="#fff8e2" stroke="{INK}"/>'
        f'<g id="kitara-kraal" fill="none"><path d="{KRAAL}" stroke="#fff3cf" stroke-width="7" opacity=".7"/>'
        f'<path d="{KRAAL}" stroke="#6b4218" stroke-width="5" stroke-dasharray="2.6 3"/></g>'
    )


def definitions() -> str:
    """Return all shapes."""
    bands = {
        f"band{seat}": [colours[tone] for tone in ("light", "main", "deep")] for seat, colours in enumerate(COLOURS)
    }
    shades = {"paper": PAPER, "lake": LAKE, **DECKS, **bands}
    things = {
        **{name: icon(name) for name in ICONS},
        **{name: scenery(name) for name in SCENERY},
        **{f"clay-{kind}": pawn(kind, "plain", CLAY) for kind in PAWNS},
    }
    for seat, (mark, colours) in enumerate(zip(MARKS, COLOURS, strict=True)):
        things |= {f"{kind}{seat}": pawn(kind, mark, colours) for kind in PAWNS}
        things[f"sign{seat}"] = SIGNS[mark].replace("{ink}", colours["ink"])
    return "".join(
        (
            gradient("wood", WOOD, "0.7"),
            gradient("parchment", PARCHMENT, "0.7"),
            *(gradient(name, colours, "0") for name, colours in shades.items()),
            *(gradient(f"sky-{age}-light", colours, "0") for age, colours in enumerate(SKIES)),
            *map(card, DECKS),
            *(f'<g id="kitara-{name}">{drawing}</g>' for name, drawing in things.items()),
            landscapes(),
            fittings(),
        )
    )


DEFINITIONS = definitions()
