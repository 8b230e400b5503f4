"""A view of Kiwara as an SVG picture: the savanna with its rivers, the path of stones around it, the hands below.

Every territory has its own ground and every seat its own rim, so that nobody depends on colour. All shapes are defined
once, around the point 0 0; only their places and the rivers depend on the view.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import cos, pi, sin
from typing import Any

from mchezo.core.svg import document, linear_gradient, radial_gradient
from mchezo.games.kiwara.artwork import ACACIA, ANIMALS, GROUNDS, HELPERS, INK, SCRUB, TOTEM, WARTHOG

SPACE = 72  # side of a space
PATH = 40  # width of the path of stones
EDGE = 8  # width of the frame
MARGIN = EDGE + PATH  # left of the savanna and above it
ACROSS, DOWN = 6 * SPACE, 5 * SPACE
WIDTH = ACROSS + 2 * MARGIN
MIDDLE = WIDTH // 2
HAND_WIDTH, HAND_HEIGHT = 212, 80
HANDS = DOWN + 2 * MARGIN + HAND_HEIGHT // 2  # y of the centre of the hands
HEIGHT = HANDS + HAND_HEIGHT // 2 + EDGE

COLUMNS = "abcdef"
ROWS = "12345"
NAMES = {"G": "gazelle", "Z": "zebra", "C": "crocodile", "E": "elephant", "L": "lion"}
VALUES = {"G": 2, "Z": 6, "C": 0, "E": 5, "L": 1}
SEATS = ("Yellow", "Red")
DECISIONS = {
    "totem-start": "the totem is to be set",
    "place": "an animal is to be placed",
    "swap": "a crocodile may lunge",
    "hyena": "the Hyena may move a second animal",
    "totem": "the totem is to be moved",
    "after": "a card may be used",
    "keep": "a card is to be chosen",
    "draw": "a card is to be drawn",
}

# Materials; several colours form a gradient from light to dark.
FRAME = ("#6f4424", "#4a2914", "#2f180b")
TRACK = ("#dfc08a", "#c69c5d")
TRACK_EDGE = "#7d5729"
STONE = ("#d3cabc", "#a99e90", "#7b7065")
CREAM, CARVED, PAPER, PAPER_EDGE, GOLD = "#fff3d2", "#33281f", "#f8ebcb", "#8a5a2b", "#d9a55c"
FACES = (("#ffe07a", "#f7bd2a", "#d8920f"), ("#e0604c", "#c2332a", "#8d1812"))  # of the tokens, by seat
BACKS = (("#d2a43a", "#94681a"), ("#8f2a22", "#5a100b"))
RIMS = ("#6b4204", "#470705")
TRIMS = ("#fff0b8", "#ffd9c2")
# A river from bank to water: colour, width, opacity. Then the gleams on it: colour, width, offset, dash pattern.
BED = (("#5f7434", 17, 0.4), ("#1d5a86", 13, 1.0), ("#3a8fc4", 10, 1.0))
GLEAMS = (("#6ebbe3", 4.2, 2.6, "none"), ("#fff", 1.2, -2.3, "13 31 7 22"), ("#d5f1ff", 1, 3.6, "9 38 15 29"))
SWAY = 3.0  # how far a river deviates from the straight line

PEBBLES = (
    "M-15-4C-14-12-5-16 3-15C11-14 16-8 16-1C16 8 10 15 1 15C-9 15-16 7-15-4Z",
    "M-16 1C-17-8-9-15-1-15C8-16 15-10 15-2C16 7 9 14 0 15C-8 15-15 10-16 1Z",
    "M-15-6C-11-14 2-17 10-12C17-8 17 3 13 9C8 15-4 17-11 11C-16 7-17 0-15-6Z",
)
PAW = (
    "m0-2.5c3 0 4 1 4 2.5s-1 2.5-4 2.5s-3-5 0-5m4-1a1.4 1.1 0 1 1 .1 0m2 2.5a1.4 1.1 0 1 1 .1 0m0 2.5"
    "a1.4 1.1 0 1 1 .1 0m-2 2a1.4 1.1 0 1 1 .1 0"
)
BARS = "M-30-18L-18-30M-30 0L0-30M-30 18L18-30M-30 30L30-30M-18 30L30-18M0 30L30 0M18 30L30 18"
CARD = 'x="-26" y="-38" width="52" height="76" rx="6"'
BACK = "M-26-24L-13-37L0-24L13-37L26-24M-26 24L-13 37L0 24L13 37L26 24M0-19L19 0L0 19L-19 0Z"
STAR = "M0-8L2.3-2.6L8-2.2L3.6 1.6L5 7.2L0 4.2L-5 7.2L-3.6 1.6L-8-2.2L-2.3-2.6Z"

Point = tuple[float, float]
Corner = tuple[int, int]  # of a space: the number of columns and rows before it


def draw(view: Mapping[str, Any]) -> str:
    """Return an SVG document of the position."""
    board = view["board"].split("/")
    shapes = [
        _put("frame", (0, 0)),
        *_grounds(board),
        *_line(view),
        *_rivers(board),
        _put("path", (0, 0)),
        *_stones(),
        *_marks(view),
        *_animals(view["animals"]),
        *_totem(view["totem"], view["warthog"]),
        *_hands(view),
        *_reinforcements(view),
    ]
    return document((WIDTH, HEIGHT), _title(view), _description(view), DEFINITIONS, shapes, font_size=13)


def _title(view: Mapping[str, Any]) -> str:
    return f"Kiwara: {DECISIONS.get(view['decision'], 'the game is over')}"


def _description(view: Mapping[str, Any]) -> str:
    """Return the picture in words."""
    sentences = [f"The totem {_facing(view['totem'])}."]
    for seat, name in enumerate(SEATS):
        standing = [
            f"{'hidden ' if token['hidden'] else ''}{NAMES[token['animal']]} {place}"
            for place, token in sorted(view["animals"].items())
            if token["seat"] == seat
        ]
        hand = [
            f"{number} {NAMES[animal]}{'s' if number > 1 else ''}"
            for animal, number in view["hands"][seat].items()
            if number
        ]
        sentences.append(f"{name} on the board: {', '.join(standing) or 'nothing'}.")
        sentences.append(f"{name} in hand: {', '.join(hand) or 'nothing'}.")
        if view["cards"][seat]:
            sentences.append(f"{name} holds {' and '.join(map(str.capitalize, view['cards'][seat]))}.")
        sentences.append(f"{name} would score {view['scores'][seat]} points now.")
    if view["okapi_open"]:
        sentences.append("The Okapi lies open beside the board.")
    elif view["reinforcement"] == "pile":
        sentences.append(f"Cards in the pile: {view['pile']}.")
    if view["drawn"]:
        sentences.append(f"Cards drawn: {', '.join(map(str.capitalize, view['drawn']))}.")
    if view["boa"]:
        sentences.append(f"The Boa demands {view['boa']}.")
    if view["porcupine"]:
        sentences.append(f"The Porcupine forbids {view['porcupine']}.")
    if view["warthog"]:
        sentences.append("The Warthog lets nobody place.")
    if view["crocodile"]:
        sentences.append(f"The crocodile on {view['crocodile']} may lunge.")
    for row, letters in zip(ROWS, view["board"].split("/"), strict=True):
        sentences.append(f"Territories in row {row} from a to f: {', '.join(letters)}.")
    return " ".join(sentences)


def _facing(totem: int | None) -> str:
    if totem is None:
        return "is not yet on the path"
    side, line = _side(totem)
    return f"stands {side} {'column' if line in COLUMNS else 'row'} {line}"


def _side(totem: int) -> tuple[str, str]:
    """Return on which side of the savanna a stone of the path lies, and the line that it faces."""
    if totem < 6:
        return "above", COLUMNS[totem]
    if totem < 11:
        return "right of", ROWS[totem - 6]
    if totem < 17:
        return "below", COLUMNS[16 - totem]
    return "left of", ROWS[21 - totem]


def _corner(column: float, row: float) -> Point:
    return MARGIN + column * SPACE, MARGIN + row * SPACE


def _space(name: str) -> Point:
    """Return the centre of a space."""
    return _corner(COLUMNS.index(name[0]) + 0.5, ROWS.index(name[1]) + 0.5)


def _stone(totem: int) -> Point:
    """Return the centre of a stone of the path."""
    side, line = _side(totem)
    near = EDGE + PATH / 2
    if line in COLUMNS:
        return _space(f"{line}1")[0], near if side == "above" else DOWN + 2 * MARGIN - near
    return near if side == "left of" else WIDTH - near, _space(f"a{line}")[1]


def _put(shape: str, place: Point, scale: float = 1, *, mirror: bool = False) -> str:
    x, y = place
    if scale == 1 and not mirror:
        where = f' x="{x:g}" y="{y:g}"' if x or y else ""
    else:
        where = f' transform="translate({x:g} {y:g}) scale({"-1 1" if mirror else f"{scale:g}"})"'
    return f'<use href="#kiwara-{shape}"{where}/>'


def _text(words: object, place: Point, colour: str, more: str = "") -> str:
    return f'<text x="{place[0]:g}" y="{place[1]:g}" fill="{colour}"{more}>{words}</text>'


def _grounds(board: Sequence[str]) -> Iterator[str]:
    """Yield the spaces of every territory with their vegetation."""
    for letter, ground in GROUNDS.items():
        spaces = [(column, row) for row in range(5) for column in range(6) if board[row][column] == letter]
        squares = "".join(f"M{x:g} {y:g}h{SPACE}v{SPACE}h-{SPACE}z" for x, y in (_corner(*space) for space in spaces))
        yield f'<path d="{squares}" fill="{ground.tint}"/>'
        for column, row in spaces:
            yield _put(f"ground-{letter}", _corner(column + 0.5, row + 0.5), mirror=(column + row) % 2 == 1)


def _line(view: Mapping[str, Any]) -> Iterator[str]:
    """Yield a highlight on the line that the totem faces, with bars if the Warthog forbids placing there."""
    if view["totem"] is None or view["decision"] is None:
        return
    line = _side(view["totem"])[1]
    spaces = [_space(line + row) for row in ROWS] if line in COLUMNS else [_space(column + line) for column in COLUMNS]
    (x1, y1), (x2, y2) = spaces[0], spaces[-1]
    box = f'<rect x="{x1 - 34:g}" y="{y1 - 34:g}" width="{x2 - x1 + 68:g}" height="{y2 - y1 + 68:g}" rx="12"'
    yield f'{box} fill="#fff9d6" fill-opacity=".5" stroke="#8a5f10" stroke-opacity=".4" stroke-width="5"/>'
    yield f'{box} fill="none" stroke="#fffdf0" stroke-width="2.5"/>'
    if view["warthog"]:
        yield from (_put("bars", space) for space in spaces)


def _rivers(board: Sequence[str]) -> Iterator[str]:
    """Yield the rivers between territories: bank, deep and shallow water, and gleams on it."""
    ways = _ways(board)
    streams = list(_streams(ways))
    course = "".join(_curve(stream, SWAY) for stream in streams)
    mouths = "".join(_mouth(corner, ends) for corner, ends in ways.items() if len(ends) > 2)
    yield (
        f'<defs><path id="kiwara-course" d="{course}" fill="none"/><path id="kiwara-mouths" d="{mouths}"/></defs>'
        '<g stroke-linecap="round" stroke-linejoin="round">'
    )
    for colour, breadth, opacity in BED:
        yield f'<g fill="{colour}" stroke="{colour}" stroke-width="{breadth}" opacity="{opacity}">'
        yield '<use href="#kiwara-course"/><use href="#kiwara-mouths"/></g>'
    for colour, thickness, drift, dashes in GLEAMS:
        path = "".join(_curve(stream, SWAY + drift) for stream in streams)
        yield f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{thickness}" stroke-dasharray="{dashes}"/>'
    yield "</g>"


def _ways(board: Sequence[str]) -> dict[Corner, list[Corner]]:
    """Return the graph of the rivers: for every corner they touch, the corners they lead to."""
    ways: dict[Corner, list[Corner]] = {}
    for row in range(5):
        for column in range(6):
            here = board[row][column]
            edges = []
            if column < 5 and board[row][column + 1] != here:
                edges.append(((column + 1, row), (column + 1, row + 1)))
            if row < 4 and board[row + 1][column] != here:
                edges.append(((column, row + 1), (column + 1, row + 1)))
            for one, other in edges:
                ways.setdefault(one, []).append(other)
                ways.setdefault(other, []).append(one)
    return ways


def _streams(ways: Mapping[Corner, Sequence[Corner]]) -> Iterator[list[Corner]]:
    """Yield the rivers as chains of corners: straight on where several meet, around the bend where only two do."""

    def onward(before: Corner, here: Corner) -> Corner | None:
        ends = [end for end in ways[here] if end != before]
        if len(ends) > 1:
            ends = [end for end in ends if end[0] + before[0] == 2 * here[0] and end[1] + before[1] == 2 * here[1]]
        return ends[0] if ends else None

    seen: set[frozenset[Corner]] = set()
    everywhere = [(here, after) for here, neighbours in ways.items() for after in neighbours]
    sources = [(here, after) for here, after in everywhere if onward(after, here) is None]
    for here, first in sources + everywhere:
        stream = [here]
        after: Corner | None = first
        while after and frozenset((stream[-1], after)) not in seen:
            seen.add(frozenset((stream[-1], after)))
            stream.append(after)
            after = onward(stream[-2], after)
        if len(stream) > 1:
            yield stream


def _curve(stream: Sequence[Corner], sway: float) -> str:
    """Return a river as a smooth path that sways along every edge and rounds its bends."""
    loop = stream[0] == stream[-1]
    points: list[Point] = []
    for step, here in enumerate(stream):
        before = stream[step - 1] if step else stream[-2] if loop else None
        after = stream[step + 1] if step + 1 < len(stream) else stream[1] if loop else None
        x, y = _corner(*here)
        if before and after:  # towards the inside of the bend; no shift where it is straight
            x, y = x + 5.5 * (before[0] + after[0] - 2 * here[0]), y + 5.5 * (before[1] + after[1] - 2 * here[1])
        points.append((x, y))
        if after and step + 1 < len(stream):
            points.append(_along(here, after, 0.5, sway))
    return _spline(points, loop)


def _along(here: Corner, after: Corner, part: float, sway: float) -> Point:
    """Return a point between two corners, off the straight line on alternating sides."""
    x, y = _corner(here[0] + part * (after[0] - here[0]), here[1] + part * (after[1] - here[1]))
    aside = sway if sum(here) + sum(after) & 2 else -sway
    return (x + aside, y) if here[0] == after[0] else (x, y + aside)


def _spline(points: Sequence[Point], loop: bool) -> str:
    """Return a smooth path through all the points."""
    last = len(points) - 1
    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for step in range(last):
        before = points[step - 1] if step else points[last - 1] if loop else points[0]
        start, end = points[step], points[step + 1]
        after = points[step + 2] if step + 1 < last else points[1] if loop else points[last]
        numbers = [
            *(start[axis] + (end[axis] - before[axis]) / 6 for axis in (0, 1)),
            *(end[axis] - (after[axis] - start[axis]) / 6 for axis in (0, 1)),
            *end,
        ]
        path += "C" + " ".join(f"{number:.1f}" for number in numbers)
    return path


def _mouth(corner: Corner, ends: Sequence[Corner]) -> str:
    """Return the rounded water between rivers that meet at a corner."""
    x, y = _corner(*corner)
    path = ""
    for beside in (end for end in ends if end[1] == corner[1]):
        for above in (end for end in ends if end[0] == corner[0]):
            (x1, y1), (x2, y2) = (_along(corner, end, 0.2, SWAY * 0.5) for end in (beside, above))
            path += f"M{x1:.1f} {y1:.1f}Q{x:g} {y:g} {x2:.1f} {y2:.1f}L{x:g} {y:g}Z"
    return path


def _stones() -> Iterator[str]:
    for totem in range(22):
        x, y = _stone(totem)
        yield _put(f"stone-{totem % len(PEBBLES)}", (x, y))
        yield _text(_side(totem)[1], (x, y + 4.5), CARVED)


def _marks(view: Mapping[str, Any]) -> Iterator[str]:
    """Yield the marks of Boa and Porcupine, and of the crocodile that may swap."""
    for mark in ("boa", "porcupine", "crocodile"):
        if view[mark]:
            yield _put(mark, _space(view[mark]))


def _animals(animals: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    for place in sorted(animals, key=lambda name: name[::-1]):
        token = animals[place]
        yield _put(f"{'hidden' if token['hidden'] else 'token'}-{token['seat']}-{token['animal']}", _space(place))


def _totem(totem: int | None, warthog: bool) -> Iterator[str]:
    """Yield the totem on its stone, and the Warthog at the other end of the line."""
    if totem is None:
        return
    yield _put("glow", _stone(totem))
    yield _put("totem", _stone(totem))
    if warthog:
        line = _side(totem)[1]
        yield from (_put("warthog", _stone(other)) for other in range(22) if other != totem and _side(other)[1] == line)


def _hands(view: Mapping[str, Any]) -> Iterator[str]:
    """Yield what each player has: tokens, cards and the current score; before the start, the totem."""
    for seat in (0, 1):
        left = EDGE + seat * (WIDTH - 2 * EDGE - HAND_WIDTH)
        top = HANDS - HAND_HEIGHT / 2
        first, score = (left + 22, left + HAND_WIDTH - 20) if seat == 0 else (left + 53, left + 20)
        cards = view["cards"][seat]
        y = top + (21 if cards else 31)
        yield _put(f"tray-{seat}", (left, top))
        for step, animal in enumerate(ANIMALS):
            number = view["hands"][seat][animal]
            place = (first + 34.5 * step, y)
            token = _put(f"hand-{seat}-{animal}", place, 0.53)
            yield token if number else f'<g opacity=".25">{token}</g>'
            if number:
                yield _text(f"&#215;{number}", (place[0], y + (32 if cards else 34)), CREAM)
        if view["totem"] is None and seat == 0:
            yield _put("totem", (score, y + 13))
        else:
            yield f'<path d="{STAR}" transform="translate({score:g} {y - 6:g})" fill="{FACES[seat][0]}"/>'
            yield _text(view["scores"][seat], (score, y + 22), CREAM, ' font-size="18"')
        for step, card in enumerate(cards):
            yield from _card(card, (left + 36.5 + 69.5 * step, top + HAND_HEIGHT - 13))


def _card(card: str, place: Point) -> Iterator[str]:
    yield _put("card", place)
    size = 11.5 if len(card) < 9 else 9.5  # a rhinoceros is long
    yield _text(card.capitalize(), (place[0], place[1] + 4), CARVED, f' font-size="{size}"')


def _reinforcements(view: Mapping[str, Any]) -> Iterator[str]:
    """Yield what lies between the hands: the cards to choose from, the face-up Okapi, or the pile."""
    if view["drawn"]:
        for step, card in enumerate(view["drawn"]):
            yield from _card(card, (MIDDLE, HANDS + 25 * (step - 1)))
    elif view["okapi_open"]:
        yield _put("okapi", (MIDDLE, HANDS))
    elif view["reinforcement"] == "pile" and view["pile"]:
        yield _put("pile", (MIDDLE, HANDS))
        yield _text(view["pile"], (MIDDLE, HANDS + 7), CREAM, ' font-size="20"')
    else:
        yield _put("slot", (MIDDLE, HANDS))


def _gradient(name: str, colours: Sequence[str]) -> str:
    return linear_gradient(f"kiwara-{name}", colours, x2=".3")


def _frame() -> str:
    """Return the wooden frame with a stitched line."""
    return (
        '<g id="kiwara-frame" fill="none">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="14" fill="url(#kiwara-wood)"/>'
        f'<rect x="3.5" y="3.5" width="{WIDTH - 7}" height="{HEIGHT - 7}" rx="11" stroke="{GOLD}" stroke-opacity=".8"'
        ' stroke-width="1.6" stroke-dasharray="7 3 2 3"/></g>'
    )


def _path() -> str:
    """Return the trodden path around the savanna, with paw prints and an acacia in every corner."""
    hole = (
        f"M{MARGIN + 8} {MARGIN}h{ACROSS - 16}q8 0 8 8v{DOWN - 16}q0 8-8 8h{16 - ACROSS}q-8 0-8-8v{16 - DOWN}q0-8 8-8Z"
    )
    across, down = ACROSS + 2 * PATH - 20, DOWN + 2 * PATH - 20
    rim = f"M{EDGE + 10} {EDGE}h{across}q10 0 10 10v{down}q0 10-10 10h-{across}q-10 0-10-10v-{down}q0-10 10-10Z"
    prints = ""
    for totem in range(21):
        (x1, y1), (x2, y2) = _stone(totem), _stone(totem + 1)
        if x1 == x2 or y1 == y2:
            turn = 0 if x1 < x2 else 90 if y1 < y2 else 180 if x1 > x2 else 270
            middle = f"{(x1 + x2) / 2:g} {(y1 + y2) / 2:g}"
            prints += f'<use href="#kiwara-paws" transform="translate({middle}) rotate({turn})"/>'
    near, right, low = EDGE + PATH / 2, WIDTH - EDGE - PATH / 2, DOWN + 2 * MARGIN - EDGE - PATH / 2
    return (
        f'<g id="kiwara-path"><path d="{rim}{hole}" fill="url(#kiwara-track)" fill-rule="evenodd"/>'
        f'<path d="{hole}" fill="none" stroke="{TRACK_EDGE}" stroke-width="2"/>'
        f'<g fill="{TRACK_EDGE}" fill-opacity=".45">{prints}</g>'
        f"{_put('acacia', (near, near))}{_put('acacia', (right, near), mirror=True)}"
        f"{_put('acacia', (near, low), mirror=True)}{_put('acacia', (right, low))}</g>"
    )


def _stone_shape(number: int) -> str:
    pebble = PEBBLES[number]
    return (
        f'<g id="kiwara-stone-{number}"><path d="{pebble}" transform="translate(1 2.5)" opacity=".35"/>'
        f'<path d="{pebble}" fill="{STONE[2]}" stroke="#51483f"/>'
        f'<path d="{pebble}" fill="url(#kiwara-rock)" transform="translate(-.6 -1.2) scale(.9)"/></g>'
    )


def _ground(letter: str) -> str:
    """Return a space of a territory: its vegetation and its edge."""
    _, ink, filling, glyph, spots = GROUNDS[letter]
    path = "".join(f"M{x} {y}{glyph}" for x, y in spots)
    return (
        f'<g id="kiwara-ground-{letter}"><path d="{path}" fill="{filling}" stroke="{ink}" stroke-opacity=".6"'
        ' stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round"/>'
        '<rect x="-33" y="-33" width="66" height="66" rx="9" fill="none" stroke="#fff" stroke-opacity=".45"/></g>'
    )


def _around(twelfths: float, reach: float) -> str:
    """Return a point on a circle, clockwise from the top."""
    return f"{reach * sin(twelfths * pi / 6):.1f} {-reach * cos(twelfths * pi / 6):.1f}"


def _token(seat: int) -> str:
    """Return the face and the back of a seat's bare token: round with a plain line, or notched with beads."""
    if seat == 0:
        rim = '<circle r="31"/>'
        trim = '<circle r="28.8" fill="none" stroke-width="1.3"/>'
    else:
        tooth = ((-0.3, 31.5), (0.3, 31.5), (0.5, 28.4))
        teeth = [_around(hour + turn, reach) for hour in range(12) for turn, reach in tooth]
        rim = f'<path d="M{"L".join(teeth)}Z"/>'
        beads = "".join(f"M{_around(hour, 29.3)}h.01" for hour in range(12))
        trim = f'<path d="{beads}" fill="none" stroke-width="2.4" stroke-linecap="round"/>'
    return "".join(
        f'<g id="kiwara-{side}-{seat}"><g transform="translate(1.5 2.5)" opacity=".35">{rim}</g>'
        f'<g fill="{RIMS[seat]}">{rim}</g><g stroke="{TRIMS[seat]}">{trim}</g>'
        f'<circle r="27" fill="url(#kiwara-{side}-{seat}-field)"/></g>'
        for side in ("face", "back")
    )


def _tokens(seat: int, animal: str) -> str:
    """Return an animal's token in hand, on the board with its value, and hidden with its letter."""
    in_hand = f"hand-{seat}-{animal}"
    return (
        f'<g id="kiwara-{in_hand}">{_put(f"face-{seat}", (0, 0))}{_put(animal, (0, 0))}</g>'
        f'<g id="kiwara-token-{seat}-{animal}">{_put(in_hand, (0, 0))}{_badge(VALUES[animal], CREAM, INK)}</g>'
        f'<g id="kiwara-hidden-{seat}-{animal}">{_put(f"back-{seat}", (0, 0))}'
        f'<g opacity=".6">{_put(animal, (0, 0), 0.95)}</g>{_put("scrub", (0, 0))}{_badge(animal, INK, CREAM)}</g>'
    )


def _badge(words: object, ground: str, ink: str) -> str:
    """Return a small disc at the lower right of a token."""
    disc = f'<circle cx="20" cy="20" r="9.5" fill="{ground}" stroke="{ink}" stroke-width="1.6"/>'
    return disc + _text(words, (20, 25), ink, ' font-size="14"')


def _card_shapes() -> str:
    """Return a small card with room for a name, the Okapi, the pile, and an empty slot."""
    paper = f'fill="{PAPER}" stroke="{PAPER_EDGE}"'
    pile = "".join(
        f'<rect {CARD} fill="{brown}" stroke="#e6c58d" transform="translate({shift} {-shift / 4})"/>'
        for brown, shift in (("#4f2d14", 5), ("#633a1b", 2.5), ("#7a4a24", 0))
    )
    return (
        f'<rect id="kiwara-card" x="-33.5" y="-10" width="67" height="20" rx="4" {paper}/>'
        f'<g id="kiwara-okapi"><rect {CARD} stroke-width="1.5" {paper}/>{_put("okapi-head", (0, -14), 0.8)}'
        f'{_text("Okapi", (0, 18), CARVED)}<path d="{STAR}" transform="translate(-8 28)" fill="#c98a12"/>'
        f"{_text(5, (8, 33), CARVED)}</g>"
        f'<g id="kiwara-pile">{pile}<path d="{BACK}" fill="none" stroke="#e6c58d" stroke-opacity=".6"/></g>'
        f'<rect id="kiwara-slot" {CARD} fill-opacity=".2" stroke="{GOLD}" stroke-opacity=".5" stroke-dasharray="4 3"/>'
    )


def _definitions() -> str:
    outlined = f'stroke="{INK}" stroke-width="1.6" stroke-linejoin="round"'
    return "".join(
        (
            _gradient("wood", FRAME),
            _gradient("track", TRACK),
            _gradient("rock", STONE[:2]),
            *(
                radial_gradient(f"kiwara-face-{seat}-field", FACES[seat], cx=".38", cy=".32", r=".75")
                for seat in (0, 1)
            ),
            *(_gradient(f"back-{seat}-field", BACKS[seat]) for seat in (0, 1)),
            f'<g id="kiwara-acacia">{ACACIA}</g><path id="kiwara-paws" d="M-9-4{PAW}M5 5{PAW}"/>',
            _frame(),
            _path(),
            *(_ground(letter) for letter in GROUNDS),
            *(_stone_shape(number) for number in range(len(PEBBLES))),
            '<circle id="kiwara-glow" r="17.5" fill="#ffe27a" fill-opacity=".75" stroke="#fff" stroke-width="2"/>',
            f'<g id="kiwara-totem" {outlined}><g transform="translate(0 7) scale(.83)">{TOTEM}</g></g>',
            *(f'<g id="kiwara-{animal}" {outlined}>{drawing}</g>' for animal, drawing in ANIMALS.items()),
            f'<g id="kiwara-scrub">{SCRUB}</g>',
            *(_token(seat) for seat in (0, 1)),
            *(_tokens(seat, animal) for seat in (0, 1) for animal in ANIMALS),
            f'<g id="kiwara-okapi-head" {outlined}>{HELPERS["okapi"]}</g>',
            f'<g id="kiwara-warthog" {outlined}><circle r="18" fill="{CREAM}"/>{WARTHOG}</g>',
            f'<g id="kiwara-porcupine" {outlined}>{HELPERS["porcupine"]}</g>',
            f'<g id="kiwara-boa" {outlined}>{HELPERS["boa"]}</g>',
            '<circle id="kiwara-crocodile" r="33" fill="none" stroke="#e9f8ff" stroke-width="4"/>',
            f'<path id="kiwara-bars" d="{BARS}" stroke="#4a2c14" stroke-opacity=".35" stroke-width="3"/>',
            *(
                f'<rect id="kiwara-tray-{seat}" width="{HAND_WIDTH}" height="{HAND_HEIGHT}" rx="9" fill="#1d0e06"'
                f' fill-opacity=".45" stroke="{FACES[seat][1]}" stroke-width="2"/>'
                for seat in (0, 1)
            ),
            _card_shapes(),
        )
    )


DEFINITIONS = _definitions()
