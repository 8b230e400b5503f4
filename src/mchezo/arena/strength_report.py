"""Reports on matches and ratings: Markdown tables, and a chart of ratings with error bars."""

from __future__ import annotations

from collections.abc import Sequence

from mchezo.arena import charts
from mchezo.arena.charts import BLUE, INK
from mchezo.arena.markdown import table
from mchezo.arena.ratings import PlayerRating
from mchezo.arena.tournament import Pairing

PAIRING_HEADS = ("first", "second", "games", "+ = -", "score (95 %)")  # won, drawn or shared, lost
RATING_HEADS = ("player", "rating", "± (95 %)", "games", "points")


def pairing_rows(pairings: Sequence[Pairing]) -> list[list[str]]:
    """Return a row for each pairing, under PAIRING_HEADS; where a claim was tested, its verdict comes last."""
    rows = []
    for pairing in pairings:
        score = pairing.score
        drawn = score.games - score.wins - score.losses
        row = [pairing.first, pairing.second, str(score.games), f"{score.wins} {drawn} {score.losses}"]
        rows.append([*row, str(score), *([pairing.verdict.value] if pairing.verdict else [])])
    return rows


def pairing_table(pairings: Sequence[Pairing]) -> str:
    """Return the scores of all pairings as a Markdown table."""
    tested = any(pairing.verdict for pairing in pairings)
    return table([*PAIRING_HEADS, *(["claim"] if tested else [])], pairing_rows(pairings))


def rating_rows(ratings: Sequence[PlayerRating]) -> list[list[str]]:
    """Return a row for each player, under RATING_HEADS."""
    return [
        [one.name, f"{one.rating:.0f}", f"{one.half:.0f}" if one.half else "", str(one.games), f"{one.points:.1f}"]
        for one in ratings
    ]


def rating_table(ratings: Sequence[PlayerRating]) -> str:
    """Return the ratings as a Markdown table."""
    return table(RATING_HEADS, rating_rows(ratings))


def rating_chart(title: str, ratings: Sequence[PlayerRating]) -> str:
    """Draw a bar for each player, weakest first, with its error bar."""
    in_order = sorted(ratings, key=lambda one: one.rating)
    figure, (axis,) = charts.panels(1, 0.6 + 0.75 * len(ratings), 3.2)
    labels = [f"{one.name}\n{one.rating:.0f}" for one in in_order]
    charts.rate_bars(axis, labels, [(one.rating, one.half) for one in in_order], BLUE)
    axis.axhline(0, color=INK, linewidth=0.8)
    axis.set_title(title)
    axis.grid(axis="y")
    return charts.svg(figure)
