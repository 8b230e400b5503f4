"""A bar chart as SVG, on a logarithmic scale, readable on light and dark pages."""

import math
from collections.abc import Sequence
from html import escape

ROW, LEFT, WIDTH, RIGHT, TOP = 24, 400, 520, 110, 34
OURS, THEIRS, INK, LINE = "#2a9d6f", "#8a93a6", "#20242c", "#c9ced8"


def bars(title: str, rows: Sequence[tuple[str, float, bool]]) -> str:
    """The chart of rows: what, how much, and whether it is ours; the largest first."""
    rows = sorted(rows, key=lambda row: -row[1])
    low = math.floor(math.log10(min(value for _, value, _ in rows)))
    high = math.log10(max(value for _, value, _ in rows))
    height = TOP + ROW * len(rows) + 30

    def across(value: float) -> float:
        return LEFT + WIDTH * (math.log10(value) - low) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + RIGHT} {height}" role="img" '
        f'font-family="system-ui,sans-serif" font-size="13" fill="{INK}"><title>{escape(title)}</title>',
        '<rect width="100%" height="100%" rx="8" fill="#ffffff"/>',
        f'<text x="14" y="22" font-weight="600">{escape(title)}</text>',
    ]
    for power in range(low, math.ceil(high)):
        x, bottom = across(10**power), height - 24
        parts.append(f'<path d="M{x:.0f} {TOP}V{bottom}" stroke="{LINE}"/>')
        parts.append(f'<text x="{x:.0f}" y="{bottom + 15}" text-anchor="middle">{10**power:,}</text>')
    for number, (name, value, ours) in enumerate(rows):
        y, end = TOP + number * ROW, across(value)
        parts.append(f'<text x="{LEFT - 8}" y="{y + 16}" text-anchor="end">{escape(name)}</text>')
        colour = OURS if ours else THEIRS
        parts.append(
            f'<rect x="{LEFT}" y="{y + 4}" width="{max(end - LEFT, 1):.0f}" height="16" rx="2" fill="{colour}"/>'
        )
        parts.append(f'<text x="{end + 6:.0f}" y="{y + 16}">{value:,.0f}</text>')
    return "\n".join([*parts, "</svg>\n"])
