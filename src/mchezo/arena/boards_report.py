"""The study of Katarenga's boards on paper: Markdown tables, and charts as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from mchezo.arena.fairness import (
    FEATURES,
    Agreement,
    Effects,
    Rated,
    Spread,
    chosen_turns,
    difference,
    has_safe_side,
    spread,
)
from mchezo.arena.katarenga import TURNS, Played
from mchezo.arena.paper import BLUE, INK, PALE, RED, Rate, bar, error_bar, label, line, percent, picture, table

RULE_NAMES = {"printed": "captures from the first move on", "never": "no captures on the first move"}
WIDTH = 640
STEP = 0.05  # of a histogram


@dataclass(frozen=True)
class Second:
    """What a second sample says of boards that were picked by their first one: scores with Black's baseline."""

    boards: int
    first: Rate  # plain, in the sample they were picked by
    rating: float  # the mean of their ratings
    expected: float  # how much the boards should differ by the ratings' own error bars (a standard deviation)
    second: Rate
    found: float  # how much they do differ


def spread_table(spreads: Mapping[str, Mapping[str, Spread]]) -> str:
    """White's score by rule: without Black's choice and with it."""
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
    heads = ["White's score, %", "boards", "games", "mean", "boards differ by (standard deviation)", "from even by"]
    return table(heads, rows)


def ban_table(printed: Sequence[Played], banned: Sequence[Played]) -> str:
    """What the ban does where Black chooses: boards with a side on which no pawn hangs, and those without."""
    safe = {board.board: has_safe_side(board.board) for board in banned}
    rows = []
    for name, wanted in (("some side is safe", True), ("no side is safe", False)):
        before, after = ([one for one in played if safe.get(one.board) is wanted] for played in (printed, banned))
        if after:
            means = [percent(spread(played, chosen_turns(played)).mean) for played in (before, after)]
            rows.append([name, str(len(after)), *means, percent(difference(before, after, chosen_turns))])
    return table(["White's score where Black chooses, %", "boards", *RULE_NAMES.values(), "change"], rows)


def second_table(sample: Second) -> str:
    """What became of picked boards in a second sample."""
    row = [
        str(sample.boards),
        percent(sample.first),
        f"{100 * sample.rating:.1f}",
        percent(sample.second),
        f"{100 * sample.expected:.1f}",
        f"{100 * sample.found:.1f}",
    ]
    heads = ["boards", "first sample", "rating", "second sample", "boards should differ by", "and do by"]
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
        "nodes a move",
        "boards",
        "games",
        "Black chooses the same baseline",
        "correlation of scores, baseline by baseline",
        "White's score changes by, any baseline",
        "where Black chooses",
    ]
    return table(heads, [row])


def effect_table(effects: Effects) -> str:
    """What one more of each quantity does to White's score."""
    by_size = sorted(effects.by_name.items(), key=lambda item: -abs(item[1][0]) / max(item[1][1], 1e-9))
    rows = [[FEATURES[name], f"{100 * rate:+.1f} ± {100 * half:.1f}"] for name, (rate, half) in by_size]
    return table(["one more of", "White's score changes by, % points"], rows)


def board_table(boards: Sequence[Rated]) -> str:
    """Boards with their ratings, the fairest first."""
    rows = [
        [f"`{board.played.board}`", percent(board.white), *(percent(turn) for turn in board.turns)] for board in boards
    ]
    heads = ["board", "Black chooses", *(f"turned by {90 * turn}°" for turn in range(TURNS))]
    return table(heads, rows)


def histogram(title: str, panels: Mapping[str, Sequence[float]], colours: Sequence[str]) -> str:
    """A panel for each list of White's scores, with the even score as a dashed line."""
    panel, base, top = 300, 200, 44
    parts = [label(len(panels) * panel / 2 + 10, 18, title, 13)]
    counted = {
        name: np.histogram(scores, np.arange(0, 1 + STEP, STEP))[0] / len(scores) for name, scores in panels.items()
    }
    most = max(0.05, *(float(shares.max()) for shares in counted.values()))
    for column, (name, shares) in enumerate(counted.items()):
        left = column * panel + 20
        parts.append(label(left + panel / 2 - 10, 36, name, 11))
        room = (panel - 40) / len(shares)
        for number, share in enumerate(shares.tolist()):
            high = share / most * (base - top)
            parts.append(bar(left + 10 + number * room, base, room - 1, high, colours[column % len(colours)]))
        even = left + 10 + (panel - 40) / 2
        parts.append(line(even, top, even, base, INK, 'stroke-dasharray="5 3"'))
        parts.append(line(left + 10, base, left + panel - 30, base, INK))
        for tenth in range(0, 11, 2):
            parts.append(label(left + 10 + tenth / 10 * (panel - 40), base + 14, f"{10 * tenth} %", 9))
        parts.append(label(left + panel / 2 - 10, base + 30, "White's score", 10))
    return picture(len(panels) * panel + 20, 240, parts)


def ladder_picture(boards: Sequence[Rated]) -> str:
    """Every board in the order of its rating, with its interval; the even score as a dashed line."""
    left, top, base, wide = 50, 30, 300, WIDTH - 70
    in_order = sorted(boards, key=lambda board: board.white[0])
    parts = [label(WIDTH / 2, 18, "White's score when Black chooses, board by board, with 95 % intervals", 13)]

    def height(score: float) -> float:
        return base - min(max(score, 0), 1) * (base - top)

    for tenth in range(0, 11, 2):
        y = height(tenth / 10)
        parts += [
            line(left, y, left + wide, y, PALE, 'stroke-width="0.5"'),
            label(left - 6, y + 4, f"{10 * tenth} %", 10, "end"),
        ]
    for number, board in enumerate(in_order):
        x = left + (number + 0.5) * wide / len(in_order)
        score, half = board.white
        stroke = f'stroke-width="{max(0.5, 0.6 * wide / len(in_order)):.2f}"'
        parts.append(line(x, height(score - half), x, height(score + half), RED if board.balanced else PALE, stroke))
    points = " ".join(
        f"{left + (number + 0.5) * wide / len(in_order):.1f},{height(board.white[0]):.1f}"
        for number, board in enumerate(in_order)
    )
    parts.append(f'<polyline points="{points}" fill="none" stroke="{BLUE}" stroke-width="2"/>')
    parts.append(line(left, height(0.5), left + wide, height(0.5), INK, 'stroke-dasharray="5 3"'))
    parts.append(label(WIDTH / 2, base + 20, f"{len(in_order):,} boards; called balanced: red", 10))
    return picture(WIDTH, 330, parts)


def rule_picture(spreads: Mapping[str, Mapping[str, Spread]]) -> str:
    """White's mean score by rule, without Black's choice and with it, with intervals."""
    base, top, wide = 220, 40, 110
    parts = [label(WIDTH / 2, 18, "White's mean score", 13)]
    for tenth in range(0, 9, 2):
        y = base - tenth / 8 * (base - top)
        parts += [
            line(50, y, WIDTH - 20, y, PALE, 'stroke-width="0.5"'),
            label(44, y + 4, f"{10 * tenth} %", 10, "end"),
        ]
    at = 0
    for who, by_rule in spreads.items():
        for rule, one in by_rule.items():
            x = 75 + at * (wide + 30)
            score, half = one.mean
            parts.append(bar(x, base, wide, score / 0.8 * (base - top), BLUE if rule == "printed" else RED))
            low, high = (base - end / 0.8 * (base - top) for end in (score - half, score + half))
            parts += error_bar(x + wide / 2, low, high)
            names = "captures at once" if rule == "printed" else "no first captures"
            parts += [
                label(x + wide / 2, base + 14, who, 10),
                label(x + wide / 2, base + 28, names, 10),
                label(x + wide / 2, base + 42, f"{100 * score:.1f} %", 10),
                label(x + wide / 2, base + 56, f"boards from even by {100 * one.unfairness:.1f}", 10),
            ]
            at += 1
    even = base - 0.5 / 0.8 * (base - top)
    parts.append(line(50, even, WIDTH - 20, even, INK, 'stroke-dasharray="5 3"'))
    return picture(WIDTH, 290, parts)


def effect_picture(effects: Effects) -> str:
    """For each quantity a dot with its interval, in points of White's score."""
    row, left, wide = 22, 400, 340
    shown = sorted(effects.by_name.items(), key=lambda item: -item[1][0])
    far = max(0.02, *(abs(rate) + half for _, (rate, half) in shown))
    limit = ceil(far * 50) / 50
    tall = 40 + row * len(shown) + 24
    middle = left + wide / 2
    parts = [label(left + wide / 2, 18, "one more of it changes White's score by, % points", 12)]
    for share in (-1.0, -0.5, 0.0, 0.5, 1.0):
        x = middle + share * wide / 2
        parts += [
            line(x, 28, x, tall - 24, INK if share == 0 else PALE, 'stroke-width="0.7"'),
            label(x, tall - 8, f"{100 * share * limit:+.0f}", 10),
        ]
    for number, (name, (rate, half)) in enumerate(shown):
        y = 40 + number * row
        parts.append(label(left - 10, y + 4, FEATURES[name], 10, "end"))
        x, reach = middle + rate / limit * wide / 2, half / limit * wide / 2
        parts.append(line(x - reach, y, x + reach, y, INK, 'stroke-width="1.5"'))
        parts.append(f'<circle cx="{x:.1f}" cy="{y}" r="4" fill="{BLUE if rate > 0 else RED}"/>')
    return picture(left + wide + 30, tall, parts)


def lengths(boards: Sequence[Played]) -> tuple[float, float]:
    """Moves of a game, of both sides together, and the share of draws."""
    games = sum(sum(board.games) for board in boards)
    return (
        sum(sum(board.moves) for board in boards) / games,
        sum(sum(board.draws) for board in boards) / games,
    )
