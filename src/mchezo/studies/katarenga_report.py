"""The report on Katarenga's boards: Markdown tables and charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mchezo.arena import charts
from mchezo.arena.charts import BLUE, INK, PALE, RED
from mchezo.arena.markdown import percent, table
from mchezo.arena.statistics import Rate
from mchezo.studies.fairness import (
    FEATURES,
    Agreement,
    FeatureEffects,
    Rated,
    Spread,
    chosen_turns,
    difference,
    has_safe_side,
    spread,
)
from mchezo.studies.katarenga import TURNS, BoardResult

RULE_NAMES = {"printed": "captures from the first move on", "never": "no captures on the first move"}
STEP = 0.05  # bins of a histogram


@dataclass(frozen=True)
class SecondSample:
    """A second sample of boards that were selected by their first one: White's scores where Black chooses."""

    boards: int
    first: Rate  # raw score in the sample they were selected by
    rating: float  # mean rating
    expected: float  # standard deviation between boards that the ratings' intervals predict
    second: Rate
    found: float  # standard deviation observed


def spread_table(spreads: Mapping[str, Mapping[str, Spread]]) -> str:
    """White's score by rule, without Black's choice and with it."""
    rows = []
    for who, by_rule in spreads.items():
        for rule, one in by_rule.items():
            rows.append(
                [
                    f"{who}, {RULE_NAMES[rule]}",
                    f"{one.boards:,}",
                    f"{one.games:,}",
                    percent(one.mean),
                    f"{100 * one.deviation:.1f}",
                    f"{100 * one.unfairness:.1f}",
                ]
            )
    heads = ["White's score, %", "boards", "games", "mean", "standard deviation between boards", "unfairness"]
    return table(heads, rows)


def ban_table(printed: Sequence[BoardResult], banned: Sequence[BoardResult]) -> str:
    """The effect of the ban where Black chooses, on boards with and without a baseline that is safe at the start."""
    safe = {board.board: has_safe_side(board.board) for board in banned}
    rows = []
    for name, wanted in (("some baseline is safe", True), ("no baseline is safe", False)):
        before, after = ([one for one in played if safe.get(one.board) is wanted] for played in (printed, banned))
        if after:
            means = [percent(spread(played, chosen_turns(played)).mean) for played in (before, after)]
            rows.append([name, str(len(after)), *means, percent(difference(before, after, chosen_turns))])
    return table(["White's score where Black chooses, %", "boards", *RULE_NAMES.values(), "change"], rows)


def second_table(sample: SecondSample) -> str:
    """Selected boards in a second sample."""
    row = [
        str(sample.boards),
        percent(sample.first),
        f"{100 * sample.rating:.1f}",
        percent(sample.second),
        f"{100 * sample.expected:.1f}",
        f"{100 * sample.found:.1f}",
    ]
    heads = ["boards", "first sample", "rating", "second sample", "expected deviation", "observed deviation"]
    return table(heads, [row])


def agreement_table(nodes: int, found: Agreement) -> str:
    """The same boards played by another player."""
    row = [
        f"{nodes:,}",
        f"{found.boards:,}",
        f"{found.games:,}",
        f"{100 * found.same:.0f} %",
        f"{found.likeness:.2f}",
        percent(found.any_baseline),
        percent(found.chosen),
    ]
    heads = [
        "nodes per move",
        "boards",
        "games",
        "Black chooses the same baseline",
        "correlation of scores by baseline",
        "White's score changes by, any baseline",
        "where Black chooses",
    ]
    return table(heads, [row])


def effect_table(effects: FeatureEffects) -> str:
    """The effect of each feature on White's score."""
    by_size = sorted(effects.by_name.items(), key=lambda item: -abs(item[1][0]) / max(item[1][1], 1e-9))
    rows = [[FEATURES[name], f"{100 * rate:+.1f} ± {100 * half:.1f}"] for name, (rate, half) in by_size]
    return table(["per unit of", "change in White's score, percentage points"], rows)


def board_table(boards: Sequence[Rated]) -> str:
    """Boards with their ratings."""
    rows = [
        [f"`{board.played.board}`", percent(board.white), *(percent(turn) for turn in board.turns)] for board in boards
    ]
    heads = ["board", "Black chooses", *(f"turned by {90 * turn}°" for turn in range(TURNS))]
    return table(heads, rows)


def histogram(title: str, panels: Mapping[str, Sequence[float]], colours: Sequence[str]) -> str:
    """Histogram of White's scores, one panel per list; the even score is dashed."""
    figure, axes = charts.panels(len(panels), 3.2, 2.6, title)
    for axis, (name, scores), colour in zip(axes, panels.items(), colours, strict=True):
        weights = np.full(len(scores), 1 / len(scores))
        axis.hist(scores, np.arange(0, 1 + STEP, STEP).tolist(), weights=weights, color=colour, rwidth=0.9)
        axis.axvline(0.5, color=INK, linestyle="--", linewidth=1)
        axis.set_title(name)
        axis.set_xlabel("White's score")
        axis.set_xlim(0, 1)
        charts.percent_axis(axis)
        charts.percent_axis(axis, "x")
        axis.grid(visible=False)
    return charts.svg(figure)


def board_chart(boards: Sequence[Rated]) -> str:
    """All boards sorted by rating, with intervals; the even score is dashed."""
    in_order = sorted(boards, key=lambda board: board.white[0])
    figure, (axis,) = charts.panels(1, 6.6, 3.4)
    places = np.arange(len(in_order))
    scores, halves = np.array([board.white for board in in_order]).T
    colours = [RED if board.balanced else PALE for board in in_order]
    axis.vlines(places, np.clip(scores - halves, 0, 1), np.clip(scores + halves, 0, 1), colours, linewidth=0.8)
    axis.plot(places, scores, color=BLUE, linewidth=2)
    axis.axhline(0.5, color=INK, linestyle="--", linewidth=1)
    axis.set_title("White's score when Black chooses, board by board, with 95 % intervals")
    axis.set_xlabel(f"{len(in_order):,} boards; balanced ones in red")
    axis.set_xticks([])
    axis.set_ylim(0, 1)
    charts.percent_axis(axis)
    return charts.svg(figure)


def rule_chart(spreads: Mapping[str, Mapping[str, Spread]]) -> str:
    """White's mean score by rule, without Black's choice and with it, with intervals."""
    columns = [(who, rule, one) for who, by_rule in spreads.items() for rule, one in by_rule.items()]
    labels = [
        f"{who}\n{'captures at once' if rule == 'printed' else 'no first captures'}\n{100 * one.mean[0]:.1f} %\n"
        f"unfairness {100 * one.unfairness:.1f}"
        for who, rule, one in columns
    ]
    figure, (axis,) = charts.panels(1, 6.6, 3.2)
    colours = [BLUE if rule == "printed" else RED for _, rule, _ in columns]
    charts.rate_bars(axis, labels, [one.mean for _, _, one in columns], colours)
    axis.axhline(0.5, color=INK, linestyle="--", linewidth=1)
    axis.set_title("White's mean score")
    axis.set_ylim(0, 0.8)
    charts.percent_axis(axis)
    return charts.svg(figure)


def effect_chart(effects: FeatureEffects) -> str:
    """The effect of each feature on White's score, with its interval."""
    in_order = sorted(effects.by_name.items(), key=lambda item: -item[1][0])
    figure, (axis,) = charts.panels(1, 7.6, 0.8 + 0.24 * len(in_order))
    for row, (_, (rate, half)) in enumerate(in_order):
        colour = BLUE if rate > 0 else RED
        axis.errorbar(100 * rate, row, xerr=100 * half, fmt="o", color=colour, ecolor=INK, capsize=2)
    axis.axvline(0, color=INK, linewidth=0.8)
    axis.set_yticks(range(len(in_order)), [FEATURES[name] for name, _ in in_order])
    axis.invert_yaxis()
    axis.set_xlabel("change in White's score, in points")
    axis.grid(axis="x")
    return charts.svg(figure)


def lengths(boards: Sequence[BoardResult]) -> tuple[float, float]:
    """Return the mean length of a game in plies, and the share of draws."""
    games = sum(sum(board.games) for board in boards)
    return (
        sum(sum(board.moves) for board in boards) / games,
        sum(sum(board.draws) for board in boards) / games,
    )
