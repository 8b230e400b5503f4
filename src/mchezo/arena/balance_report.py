"""The study of Kitara's balance on paper: Markdown tables, and bar charts with error bars as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np

from mchezo.arena.kitara import PLANS, SOURCES, SYMBOLS, USUAL, Figures
from mchezo.arena.paper import BLUE, INK, PALE, RED, bar, error_bar, label, line, percent, picture, table

BARS = {"blue": BLUE, "red": RED}


def title(figures: Figures) -> str:
    """What was played: `blue, 3 players`."""
    return f"{figures.match.deck}, {figures.match.players} players"


def seat_table(studies: Sequence[Figures]) -> str:
    """Victories by seat; how far the furthest is from its fair share, and from one another the best and the worst."""
    most = max(study.match.players for study in studies)
    heads = ["% of victories", "games", *(f"seat {seat}" for seat in range(most)), "fair", "furthest", "widest gap"]
    rows = []
    for study in studies:
        seats = [percent(rate) for rate in study.seats] + [""] * (most - len(study.seats))
        fair = 1 / study.match.players
        furthest = max(abs(rate - fair) for rate, _ in study.seats)
        shares = f"{100 * fair:.1f}", f"{100 * furthest:.1f}", percent(study.gap)
        rows.append([title(study), f"{study.games:,}", *seats, *shares])
    return table(heads, rows)


def score_table(studies: Sequence[Figures]) -> str:
    """Final scores."""
    rows = []
    for study in studies:
        low, high = np.quantile(study.scores, (0.05, 0.95))
        seats = " / ".join(f"{score:.1f}" for score in study.scores.mean(axis=0))
        winners = study.scores.max(axis=1).mean()
        rows.append([title(study), seats, f"{winners:.1f}", f"{low:.0f} to {high:.0f}"])
    return table(["final points", "mean by seat", "winners' mean", "nine scores of ten"], rows)


def quantity_table(studies: Sequence[Figures]) -> str:
    """What winners and all seats draft, and where their points come from."""
    heads = ["winners / all", *(f"{name} symbols" for name in SYMBOLS[1:6]), *(f"points: {name}" for name in SOURCES)]
    rows = []
    for study in studies:
        pairs = [f"{won:.1f} / {every:.1f}" for won, every in zip(study.by_winners, study.by_all, strict=True)]
        rows.append([title(study), *pairs[1:6], *pairs[len(SYMBOLS) :]])
    return table(heads, rows)


def plan_table(studies: Sequence[Figures]) -> str:
    """How often the seat with a plan of its own wins among usual players."""
    plans = [plan for plan in PLANS if plan != USUAL]
    matches = sorted({(study.match.deck, study.match.players) for study in studies})
    found = {(study.match.deck, study.match.players, study.match.plan): study for study in studies}
    rows = []
    for deck, players in matches:
        cells = [found.get((deck, players, plan)) for plan in plans]
        rates = [percent(cell.plan) if cell else "" for cell in cells]
        rows.append([f"{deck}, {players} players", f"{100 / players:.1f}", *rates])
    return table(["% of victories of one seat that values more", "fair", *plans], rows)


def card_table(names: Sequence[str], studies: Sequence[Figures]) -> str:
    """In what share of the games a card is drafted in which it could be."""
    heads = ["% of games drafted in", *(f"{study.match.players} players" for study in studies)]
    columns = [study.drafted for study in studies]
    return table(
        heads,
        [[name, *(f"{100 * column[number]:.0f}" for column in columns)] for number, name in enumerate(names)],
    )


def seat_picture(studies: Sequence[Figures]) -> str:
    """A panel for each match: victories by seat with their intervals, and the fair share as a dashed line."""
    panel, tall, base, top = 200, 250, 210, 30
    tenths = max(6, *(ceil(10 * (rate + half)) for study in studies for rate, half in study.seats))
    scale = (base - top) / tenths * 10
    parts = []
    for column, study in enumerate(studies):
        left = column * panel + 10
        parts.append(label(left + panel / 2, 18, title(study), 13))
        for tenth in range(1, tenths + 1):
            y = base - tenth / 10 * scale
            parts.append(line(left + 30, y, left + panel - 5, y, PALE, 'stroke-width="0.5"'))
            parts.append(label(left + 26, y + 4, f"{10 * tenth} %", 9, "end"))
        room = (panel - 40) / study.match.players
        for seat, (rate, half) in enumerate(study.seats):
            x = left + 33 + seat * room
            middle = x + room / 2 - 2
            parts.append(bar(x, base, room - 4, rate * scale, BARS[study.match.deck]))
            parts += error_bar(middle, base - max(rate - half, 0) * scale, base - (rate + half) * scale)
            parts.append(label(middle, base + 14, f"seat {seat}", 10))
            parts.append(label(middle, base + 28, f"{100 * rate:.1f}", 10))
        fair = base - scale / study.match.players
        parts.append(line(left + 30, fair, left + panel - 5, fair, INK, 'stroke-dasharray="5 3"'))
    return picture(len(studies) * panel + 20, tall, parts)


def card_picture(names: Sequence[str], studies: Sequence[Figures]) -> str:
    """For each card, in how many of the games it is drafted in which it could be: a bar for each number of players."""
    row, left, wide = 12 * len(studies) + 8, 140, 400
    parts = [
        label(left + wide / 2, 18, f"{studies[0].match.deck} deck: drafted, % of the games in which it could be", 13)
    ]
    tall = 30 + row * len(names) + 24
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        x = left + share * wide
        parts += [line(x, 28, x, tall - 20, PALE, 'stroke-width="0.5"'), label(x, tall - 6, f"{100 * share:.0f} %", 10)]
    for number, name in enumerate(names):
        y = 30 + number * row
        parts.append(label(left - 8, y + row / 2 + 3, name, 11, "end"))
        for place, study in enumerate(studies):
            rate = study.drafted[number]
            parts.append(
                f'<rect x="{left}" y="{y + 4 + 12 * place}" width="{rate * wide:.1f}" height="10" '
                f'fill="{BARS[study.match.deck]}" opacity="{1 - 0.25 * place}"/>'
            )
            parts.append(
                label(left + rate * wide + 4, y + 13 + 12 * place, f"{study.match.players} players", 8, "start")
            )
    return picture(left + wide + 70, tall, parts)


def score_picture(studies: Sequence[Figures]) -> str:
    """A panel for each match: how often a seat ends with how many points, in steps of five."""
    panel, base, top, step, last = 200, 190, 40, 5, 110
    parts = []
    for column, study in enumerate(studies):
        left = column * panel + 10
        parts.append(label(left + panel / 2, 18, title(study), 13))
        counts, _ = np.histogram(study.scores, np.arange(0, last + step, step))
        shares = counts / study.scores.size
        room = (panel - 20) / len(shares)
        for number, share in enumerate(shares):
            high = share / 0.35 * (base - top)
            parts.append(bar(left + 10 + number * room, base, room - 1, high, BARS[study.match.deck]))
        for points in range(0, last + 1, 20):
            parts.append(label(left + 10 + points / step * room, base + 14, str(points), 10))
        parts.append(label(left + panel / 2, base + 30, "final points of a seat", 10))
    return picture(len(studies) * panel + 20, 230, parts)
