"""The report on Kitara's balance: Markdown tables and charts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mchezo.arena import charts
from mchezo.arena.charts import BLUE, INK, RED
from mchezo.arena.markdown import percent, table
from mchezo.studies.kitara import PLANS, SOURCES, SYMBOLS, USUAL, MatchupStatistics

COLOURS = {"blue": BLUE, "red": RED}
STEP, LAST = 5, 110  # points: bins of the histogram


def title(study: MatchupStatistics) -> str:
    """Return the name of a matchup: `blue, 3 players`."""
    return f"{study.match.deck}, {study.match.players} players"


def seat_table(studies: Sequence[MatchupStatistics]) -> str:
    """Wins by seat, the largest deviation from a fair share, and the gap between the best and the worst seat."""
    most = max(study.match.players for study in studies)
    heads = ["% of wins", "games", *(f"seat {seat}" for seat in range(most)), "fair", "largest deviation", "widest gap"]
    rows = []
    for study in studies:
        seats = [percent(rate) for rate in study.seats] + [""] * (most - len(study.seats))
        fair = 1 / study.match.players
        furthest = max(abs(rate - fair) for rate, _ in study.seats)
        shares = f"{100 * fair:.1f}", f"{100 * furthest:.1f}", percent(study.gap)
        rows.append([title(study), f"{study.games:,}", *seats, *shares])
    return table(heads, rows)


def score_table(studies: Sequence[MatchupStatistics]) -> str:
    """Final scores."""
    rows = []
    for study in studies:
        low, high = np.quantile(study.scores, (0.05, 0.95))
        seats = " / ".join(f"{score:.1f}" for score in study.scores.mean(axis=0))
        winners = study.scores.max(axis=1).mean()
        rows.append([title(study), seats, f"{winners:.1f}", f"{low:.0f} to {high:.0f}"])
    return table(["final points", "mean by seat", "winners' mean", "90 % of scores"], rows)


def quantity_table(studies: Sequence[MatchupStatistics]) -> str:
    """What winners and all seats draft, and where their points come from."""
    heads = ["winners / all", *(f"{name} symbols" for name in SYMBOLS[1:6]), *(f"points: {name}" for name in SOURCES)]
    rows = []
    for study in studies:
        pairs = [f"{won:.1f} / {every:.1f}" for won, every in zip(study.by_winners, study.by_all, strict=True)]
        rows.append([title(study), *pairs[1:6], *pairs[len(SYMBOLS) :]])
    return table(heads, rows)


def plan_table(studies: Sequence[MatchupStatistics]) -> str:
    """How often the seat with a plan wins among usual players."""
    plans = [plan for plan in PLANS if plan != USUAL]
    matches = sorted({(study.match.deck, study.match.players) for study in studies})
    found = {(study.match.deck, study.match.players, study.match.plan): study for study in studies}
    rows = []
    for deck, players in matches:
        cells = [found.get((deck, players, plan)) for plan in plans]
        rates = [percent(cell.plan) if cell else "" for cell in cells]
        rows.append([f"{deck}, {players} players", f"{100 / players:.1f}", *rates])
    return table(["% of wins of the seat that values more", "fair", *plans], rows)


def card_table(names: Sequence[str], studies: Sequence[MatchupStatistics]) -> str:
    """How often each card is drafted when it is on offer."""
    heads = ["% of games drafted in", *(f"{study.match.players} players" for study in studies)]
    columns = [study.drafted for study in studies]
    return table(
        heads,
        [[name, *(f"{100 * column[number]:.0f}" for column in columns)] for number, name in enumerate(names)],
    )


def seat_chart(studies: Sequence[MatchupStatistics]) -> str:
    """Wins by seat with their intervals, one panel per matchup; the fair share is dashed."""
    figure, panels = charts.panels(len(studies), 2.1, 2.7)
    top = max(0.6, *(rate + half for study in studies for rate, half in study.seats))
    for axis, study in zip(panels, studies, strict=True):
        labels = [f"{seat}\n{100 * rate:.1f}" for seat, (rate, _) in enumerate(study.seats)]
        charts.rate_bars(axis, labels, study.seats, COLOURS[study.match.deck])
        axis.axhline(1 / study.match.players, color=INK, linestyle="--", linewidth=1)
        axis.set_title(title(study))
        axis.set_xlabel("seat, % of wins")
        axis.set_ylim(0, top)
        charts.percent_axis(axis)
    return charts.svg(figure)


def card_chart(names: Sequence[str], studies: Sequence[MatchupStatistics]) -> str:
    """How often each card is drafted when it is on offer, with a bar per number of players."""
    deck = studies[0].match.deck
    figure, (axis,) = charts.panels(1, 6.5, 0.6 + 0.15 * len(names) * (len(studies) + 0.5))
    height = 0.8 / len(studies)
    for place, study in enumerate(studies):
        rows = [number + (place - (len(studies) - 1) / 2) * height for number in range(len(names))]
        label = f"{study.match.players} players"
        axis.barh(rows, study.drafted, height, color=COLOURS[deck], alpha=1 - 0.25 * place, label=label)
    axis.set_yticks(range(len(names)), names)
    axis.invert_yaxis()
    axis.margins(y=0.01)
    axis.set_xlim(0, 1)
    axis.set_title(f"{deck} deck: how often a card is drafted when it is on offer")
    figure.legend(loc="outside lower center", ncols=len(studies))
    charts.percent_axis(axis, "x")
    return charts.svg(figure)


def score_chart(studies: Sequence[MatchupStatistics]) -> str:
    """Histogram of final points, one panel per matchup."""
    figure, panels = charts.panels(len(studies), 2.1, 2.4)
    for axis, study in zip(panels, studies, strict=True):
        scores = study.scores.ravel()
        weights = np.full(len(scores), 1 / len(scores))
        axis.hist(scores, range(0, LAST + STEP, STEP), weights=weights, color=COLOURS[study.match.deck], rwidth=0.9)
        axis.set_title(title(study))
        axis.set_xlabel("final points of a seat")
        axis.set_ylim(0, 0.35)
        charts.percent_axis(axis)
    return charts.svg(figure)
