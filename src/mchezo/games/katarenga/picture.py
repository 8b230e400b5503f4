"""A view of Katarenga as an SVG picture; what the pieces look like is in `artwork.py`."""

from collections.abc import Iterator, Mapping
from typing import Any

from mchezo.core.svg import document
from mchezo.games.katarenga.artwork import (
    CENTRE,
    COLOURS,
    CONTRASTS,
    DEFINITIONS,
    HEIGHT,
    RAIL,
    SIDES,
    SQUARE,
    WIDTH,
)

FILES = "abcdefgh"
RANKS = "12345678"
GOALS = {"white": "#fffdf4", "black": "#3a2c28"}
CAMPS = ("a9", "h9", "a0", "h0")
# Where pawns stand that share a square, by their number: to the right, down, and the scale.
STACKS = {
    1: ((0, 0, 1.0),),
    2: ((-10, -5, 0.72), (10, 7, 0.72)),
    3: ((-11, -8, 0.6), (11, -8, 0.6), (0, 10, 0.6)),
    4: ((-11, -9, 0.55), (11, -9, 0.55), (-11, 11, 0.55), (11, 11, 0.55)),
}
CAMP_HEIGHTS = {"9": (HEIGHT - RAIL) // 2, "0": (RAIL - HEIGHT) // 2}  # above the middle of the board
CAMP_SCALE = 0.72  # of a pawn in a camp
INK, SOFT = "#1c1210", ' fill-opacity=".75"'


def draw(view: Mapping[str, Any], *, flip: bool = False) -> str:
    """Return an SVG document of the position, from White's side or, flipped, from Black's."""
    shapes = [
        *_frame(flip),
        *_squares(view["board"], flip),
        *_last_move(view, flip),
        *_marks(view, flip),
        *_pawns(view, flip),
        *_in_hand(view["in_hand"], flip),
    ]
    return document((WIDTH, HEIGHT), _title(view), _description(view, flip), DEFINITIONS, shapes, font_size=10)


def _title(view: Mapping[str, Any]) -> str:
    side = "White" if view["position"].split()[1] == "w" else "Black"
    doing = {
        "baseline": f"{side} chooses the baseline",
        "move": f"{side} to move",
        "place": f"{side} to place a pawn",
        "lift": f"{side} to place a pawn anew",
        "capture": f"{side} to capture",
        "enter": f"{side} chooses a corner",
    }
    name = view["variant"].replace("-", " ").title()
    return f"{name}: {doing.get(view['decision'], 'the game is over')}"


def _description(view: Mapping[str, Any], flip: bool) -> str:
    """Return the picture in words."""
    sentences = [f"The board seen from {'Black' if flip else 'White'}'s side."]
    for side, name in SIDES.items():
        pawns = view["pawns"][side]
        camps = [camp for camp in CAMPS if view["camps"][camp] == side]
        sentences.append(f"{name} pawns on {', '.join(pawns)}." if pawns else f"No {side} pawns on the board.")
        if camps:
            sentences.append(f"{name} holds {' and '.join(camps)}.")
        if view["in_hand"][side]:
            sentences.append(f"{name} pawns in hand: {view['in_hand'][side]}.")
        if view["goals"][side]:
            sentences.append(f"{name} wants to fill {', '.join(view['goals'][side])}.")
    if view["area"]:
        sentences.append(f"In play: {', '.join(view['area'])}.")
    if view["last"]:
        sentences.append(f"Last move: {' to '.join(view['last'])}.")
    for rank, row in _rows(view["board"]):
        sentences.append(f"Rank {rank} from a to h: {', '.join(COLOURS[letter] for letter in row)}.")
    return " ".join(sentences)


def _rows(board: str) -> Iterator[tuple[str, str]]:
    """Return the ranks with their letters, rank 8 first."""
    return zip(reversed(RANKS), board.split("/"), strict=True)


def _place(name: str, flip: bool) -> tuple[int, int]:
    """Return the centre of a square or a camp."""
    right = (2 * FILES.index(name[0]) - 7) * SQUARE // 2
    up = CAMP_HEIGHTS[name[1]] if name in CAMPS else (2 * RANKS.index(name[1]) - 7) * SQUARE // 2
    x, y = CENTRE
    return (x - right, y + up) if flip else (x + right, y - up)


def _put(shape: str, place: tuple[int, int], scale: float = 1) -> str:
    x, y = place
    where = f'x="{x}" y="{y}"' if scale == 1 else f'transform="translate({x} {y}) scale({scale})"'
    return f'<use href="#katarenga-{shape}" {where}/>'


def _text(words: str, place: tuple[float, float], colour: str, more: str = "") -> str:
    return f'<text x="{place[0]:g}" y="{place[1]:g}" fill="{colour}"{more}>{words}</text>'


def _inlay_height(side: str, flip: bool) -> int:
    """Return the height of the inlay behind a side's baseline."""
    return RAIL // 2 if (side == "black") != flip else HEIGHT - RAIL // 2


def _frame(flip: bool) -> Iterator[str]:
    """Yield the wooden frame, the inlays behind the two baselines, and the camps."""
    yield _put("frame", (0, 0))
    for side in SIDES:
        yield _put(f"{side}-inlay", (CENTRE[0], _inlay_height(side, flip)))
    for camp in CAMPS:
        yield _put("black-camp" if camp[1] == "9" else "white-camp", _place(camp, flip))


def _squares(board: str, flip: bool) -> Iterator[str]:
    """Yield the tiles, with the coordinates inside the squares of the left and the lowest line."""
    for rank, row in _rows(board):
        for file, letter in zip(FILES, row, strict=True):
            yield _put(COLOURS[letter], _place(file + rank, flip))
    yield _put("seams", CENTRE)
    for rank in RANKS:
        x, y = _place(("h" if flip else "a") + rank, flip)
        yield _text(rank, (x - 19, y - 13.5), INK, SOFT)
    for file in FILES:
        x, y = _place(file + ("8" if flip else "1"), flip)
        yield _text(file, (x + 19, y + 21), INK, SOFT)


def _marks(view: Mapping[str, Any], flip: bool) -> Iterator[str]:
    """Yield the goals as rings in the colour of their side, and a shade over squares that are not in play."""
    for side in SIDES:
        for name in view["goals"][side]:
            x, y = _place(name, flip)
            for width, colour in ((5, CONTRASTS[side]), (3, GOALS[side])):
                yield f'<circle cx="{x}" cy="{y}" r="20" fill="none" stroke="{colour}" stroke-width="{width}"/>'
    if view["area"]:
        for name in (file + rank for rank in RANKS for file in FILES):
            if name not in view["area"]:
                x, y = _place(name, flip)
                half = SQUARE // 2
                yield f'<rect x="{x - half}" y="{y - half}" width="{SQUARE}" height="{SQUARE}" opacity=".72"/>'


def _last_move(view: Mapping[str, Any], flip: bool) -> Iterator[str]:
    """Yield a fill on the squares of the last move, under the glyphs of their colours."""
    ranks = dict(_rows(view["board"]))
    for name in view["last"] or ():
        yield _put("camp-mark" if name in CAMPS else "square-mark", _place(name, flip))
        if name not in CAMPS:
            yield _put(f"{COLOURS[ranks[name[1]][FILES.index(name[0])]]}-glyph", _place(name, flip))


def _pawns(view: Mapping[str, Any], flip: bool) -> Iterator[str]:
    """Yield the pawns on the board and in the camps, back to front."""
    standing: dict[str, list[str]] = {}
    for side in SIDES:
        for name in view["pawns"][side]:
            standing.setdefault(name, []).append(side)
    standing |= {camp: [view["camps"][camp]] for camp in CAMPS if view["camps"][camp]}
    for name, sides in sorted(standing.items(), key=lambda pawn: _place(pawn[0], flip)[::-1]):
        x, y = _place(name, flip)
        for side, (right, down, scale) in zip(sides, STACKS[len(sides)], strict=True):
            yield _put(f"{side}-pawn", (x + right, y + down), CAMP_SCALE if name in CAMPS else scale)


def _in_hand(in_hand: Mapping[str, int], flip: bool) -> Iterator[str]:
    """Yield the number of pawns in hand, on a plaque in the middle of the frame behind the baseline."""
    for side in SIDES:
        if in_hand[side]:
            x, y = CENTRE[0], _inlay_height(side, flip)
            yield _put(f"{side}-plaque", (x, y))
            yield _put(f"{side}-pawn", (x - 11, y), 0.45)
            yield _text(f"&#215;{in_hand[side]}", (x + 9, y + 5), CONTRASTS[side], ' font-size="14"')
