"""What reports are made of: Markdown tables, and the pieces of charts as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

Rate = tuple[float, float]  # and half the width of its 95 % interval

INK, PALE, BLUE, RED = "#333333", "#cccccc", "#4878a8", "#b5524a"
FONT = 'font-family="sans-serif"'


def percent(rate: Rate) -> str:
    """A rate with its interval: `33.4 ± 0.9`."""
    return f"{100 * rate[0]:.1f} ± {100 * rate[1]:.1f}"


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown, everything but the first column to the right."""
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def picture(width: int, height: int, parts: Sequence[str]) -> str:
    """An SVG picture."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    return "\n".join([head, f'<rect width="{width}" height="{height}" fill="#ffffff"/>', *parts, "</svg>"]) + "\n"


def label(x: float, y: float, text: str, size: int = 12, anchor: str = "middle") -> str:
    """A piece of text."""
    where = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {where} font-size="{size}" {FONT} fill="{INK}">{escape(text)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, colour: str, more: str = "") -> str:
    """A straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" {more}/>'


def bar(x: float, base: float, wide: float, high: float, colour: str) -> str:
    """A bar that stands on its base."""
    return f'<rect x="{x:.1f}" y="{base - high:.1f}" width="{wide:.1f}" height="{high:.1f}" fill="{colour}"/>'


def error_bar(x: float, low: float, high: float) -> list[str]:
    """An upright error bar from one height to the other."""
    upright = line(x, low, x, high, INK, 'stroke-width="1.5"')
    return [upright, *(line(x - 4, end, x + 4, end, INK, 'stroke-width="1.5"') for end in (low, high))]
