"""The evaluation graph of an analysed game as SVG: every seat's chance of winning, move by move."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from mchezo.search.analysis import Analysis, Moment

COLOURS = ("#f2efe6", "#3b4252", "#c8963e", "#5d8a66")
INK, PAPER, MARKED = "#222222", "#ffffff", {"inaccuracy": "#d0a020", "mistake": "#d97a1e"}
WORST = "#c0392b"
LEFT, TOP, WIDE, HIGH = 48, 16, 640, 220
FONT = 'font-family="sans-serif" font-size="12"'


def draw(analysis: Analysis, names: Sequence[str]) -> str:
    """Return the graph as SVG, with the seats labelled by these names."""
    moments = analysis.moments
    seats = len(analysis.seats)
    width, height = LEFT + WIDE + 16, TOP + HIGH + 48
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
    ]
    for seat in range(seats):
        parts.append(area(moments, seat, COLOURS[seat]))
    parts.append(f'<rect x="{LEFT}" y="{TOP}" width="{WIDE}" height="{HIGH}" fill="none" stroke="{INK}"/>')
    for share in (0, 25, 50, 75, 100):
        y = TOP + HIGH * (1 - share / 100)
        parts.append(f'<line x1="{LEFT - 4}" y1="{y}" x2="{LEFT}" y2="{y}" stroke="{INK}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end" {FONT} fill="{INK}">{share} %</text>')
    for number, moment in enumerate(moments):
        if moment.mark:
            parts.append(dot(moments, number, moment))
    for seat, name in enumerate(names):
        x = LEFT + seat * WIDE / seats
        parts.append(
            f'<rect x="{x:.1f}" y="{TOP + HIGH + 20}" width="12" height="12" fill="{COLOURS[seat]}" stroke="{INK}"/>'
        )
        parts.append(f'<text x="{x + 18:.1f}" y="{TOP + HIGH + 31}" {FONT} fill="{INK}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def place(moments: Sequence[Moment], number: int, share: float) -> tuple[float, float]:
    """Return the coordinates of a share of the chances at a moment."""
    return LEFT + WIDE * number / max(1, len(moments) - 1), TOP + HIGH * (1 - share)


def area(moments: Sequence[Moment], seat: int, colour: str) -> str:
    """Return the area of a seat's chances, stacked on those of the seats before it."""
    below = [place(moments, number, sum(moment.after[:seat])) for number, moment in enumerate(moments)]
    above = [place(moments, number, sum(moment.after[: seat + 1])) for number, moment in enumerate(moments)]
    outline = " ".join(f"{x:.1f},{y:.1f}" for x, y in [*below, *reversed(above)])
    return f'<polygon points="{outline}" fill="{colour}"/>'


def dot(moments: Sequence[Moment], number: int, moment: Moment) -> str:
    """Return the marker of an annotated move."""
    x, y = place(moments, number, sum(moment.after[: max(1, moment.seat)]))
    label = escape(f"{moment.move}: {moment.mark}")
    colour = MARKED.get(moment.mark, WORST)
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}" stroke="{PAPER}"><title>{label}</title></circle>'
