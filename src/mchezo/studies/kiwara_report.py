"""The report on Kiwara: ratings of openings, the cost of solving, reduced boards; and the opening book."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from mchezo.arena import charts
from mchezo.arena.charts import BLUE, INK, RED
from mchezo.arena.markdown import percent, table
from mchezo.arena.statistics import Z95, Rate, wilson
from mchezo.core.structs import Numbers
from mchezo.games.kiwara.components import SPACES
from mchezo.studies.fairness import log_odds, logistic, odds_score
from mchezo.studies.kiwara import BEST, Batch, BestLine, Endings, Reduced, Replies

LEAST_SHARE = 1e-3  # of the variance between openings: the expectation counts for less than a thousand games
ALTERNATIVES = 3  # openings in the book
RESAMPLES = 1000
FIRST_COST = 8  # empty spaces from which on the growth is fitted; below, small trees are no trend
PER_SECOND = 1.5e6  # nodes, about what one core does: see docs/balance-kiwara.md


@dataclass(frozen=True)
class Opening:
    """A first position of the totem; scores are the first player's."""

    number: int
    chance: float  # by the longest search there is
    games: int
    wins: int
    rating: Rate
    answer: list[str]  # the best one, by the longest search
    played: list[tuple[list[str], int, int]]  # answers by how often they were drawn, with games and wins

    @property
    def score(self) -> Rate:
        """The raw score and half the width of its interval."""
        low, high = wilson(self.wins / self.games, self.games)
        return self.wins / self.games, (high - low) / 2


def rate(replies: Sequence[Replies], lines: Sequence[BestLine], batches: Sequence[Batch]) -> list[Opening]:
    """Return the openings with their ratings, the best for the first player first.

    A rating is the raw score shrunk towards what the search expects, as in `fairness`: a regression over all games says
    what a search means, and the scatter around it for how many games it counts.
    """
    longest = {line.opening: line for line in lines}
    chances = np.array([longest[one.opening].chances[0] if longest else one.replies[0].chance for one in replies])
    games, wins = np.zeros(len(replies)), np.zeros(len(replies))
    played = []
    for index, one in enumerate(replies):
        mine = [batch for batch in batches if batch.opening == one.opening]
        drawn = np.sum([batch.games for batch in mine], axis=0, dtype=int) if mine else np.zeros(BEST, int)
        won = np.sum([batch.wins for batch in mine], axis=0, dtype=int) if mine else drawn
        games[index], wins[index] = drawn.sum(), won.sum()
        order = np.argsort(-drawn, kind="stable")
        played.append([(one.replies[at].moves, int(drawn[at]), int(won[at])) for at in order if drawn[at]])
    expected, counts = expectation(chances, games, wins)
    found = []
    for index, one in enumerate(replies):
        total = games[index] + counts
        mean = (wins[index] + counts * expected[index]) / total
        half = Z95 * sqrt(mean * (1 - mean) / (total + 1))
        line = longest.get(one.opening)
        answer = line.turns[0] if line else one.replies[0].moves
        rating = (float(mean), float(half))
        found.append(
            Opening(
                one.opening, float(chances[index]), int(games[index]), int(wins[index]), rating, answer, played[index]
            )
        )
    return sorted(found, key=lambda opening: -opening.rating[0])


def expectation(chances: Numbers, games: Numbers, wins: Numbers) -> tuple[Numbers, float]:
    """Return the expected score of every opening, and for how many games the expectation counts."""
    if games.min() < 2:
        return chances, 1.0
    known = np.column_stack([np.ones(len(chances)), log_odds(chances)])
    expected = odds_score(known @ np.array(logistic(known, games, wins)))
    one_game = expected * (1 - expected)
    share = float(((wins / games - expected) ** 2 / one_game - 1 / games).sum() / (1 - 1 / games).sum())
    return expected, 1 / min(max(share, LEAST_SHARE), 1.0) - 1


def in_short(openings: Sequence[Opening]) -> list[str]:
    """Return the answers to the questions, as sentences."""
    games, wins = sum(one.games for one in openings), sum(one.wins for one in openings)
    if not games:
        return []
    best, worst = openings[0], openings[-1]
    low, high = wilson(wins / games, games)
    return [
        f"- After a random opening Yellow, who sets the totem, scores {percent((wins / games, (high - low) / 2))} %.",
        f"- The best opening is T{best.number} with {percent(best.rating)} %, the worst T{worst.number} with "
        f"{percent(worst.rating)} %.",
    ]


def opening_table(openings: Sequence[Opening]) -> str:
    """The openings with their ratings and answers."""
    rows = []
    for one in openings:
        drawn = ", ".join(f"{' '.join(moves)} ({games})" for moves, games, _ in one.played[:3])
        score, rating = (percent(one.score), percent(one.rating)) if one.games else ("", "")
        cells = [f"{one.games:,}", score, f"{100 * one.chance:.1f}", rating, " ".join(one.answer), drawn]
        rows.append([f"`T{one.number}`", *cells])
    heads = ["opening", "games", "score, %", "by search, %", "rating, %", "best answer", "most played (games)"]
    return table(heads, rows)


def opening_chart(openings: Sequence[Opening]) -> str:
    """Draw the ratings, and what the search says."""
    figure, (axis,) = charts.panels(1, 8.0, 3.2, "Yellow's score by opening")
    places = range(len(openings))
    rated = [(place, one.rating) for place, one in enumerate(openings) if one.games]
    if rated:
        rates = [rating for _, rating in rated]
        axis.errorbar(
            [place for place, _ in rated], [rate[0] for rate in rates], yerr=[rate[1] for rate in rates],
            fmt="o", color=BLUE, label="rating", ecolor=INK, elinewidth=1.2, capsize=3,
        )  # fmt: skip
    axis.plot(places, [one.chance for one in openings], "x", color=RED, label="by search")
    axis.axhline(0.5, color=INK, linewidth=0.8)
    axis.set_xticks(list(places), [f"T{one.number}" for one in openings])
    axis.legend(frameon=False)
    charts.percent_axis(axis)
    return charts.svg(figure)


@dataclass(frozen=True)
class Cost:
    """What solving positions with this many empty spaces cost, in nodes; a position that cost too much has infinite."""

    empty: int
    nodes: list[float]
    first_wins: int  # of the solved ones

    @property
    def median(self) -> float:
        """The median, of the unsolved ones too."""
        return float(np.median(self.nodes))

    @property
    def solved(self) -> int:
        """How many positions were solved."""
        return sum(np.isfinite(self.nodes))


def costs(endings: Sequence[Endings]) -> list[Cost]:
    """Return the cost by empty spaces, where at least half of the positions were solved."""
    found: dict[int, list[tuple[float, int | None]]] = {}
    for one in endings:
        for empty, winner, nodes in zip(one.empty, one.winners, one.nodes, strict=True):
            found.setdefault(empty, []).append((nodes if winner is not None else float("inf"), winner))
    every = [
        Cost(empty, [nodes for nodes, _ in rows], sum(winner == 0 for _, winner in rows))
        for empty, rows in sorted(found.items())
    ]
    return [cost for cost in every if np.isfinite(cost.median)]


def cost_table(costs: Sequence[Cost]) -> str:
    """The cost by empty spaces."""
    rows = []
    for cost in costs:
        quarters = np.quantile([nodes if np.isfinite(nodes) else 1e30 for nodes in cost.nodes], [0.1, 0.9])
        most = f"{quarters[1]:,.0f}" if quarters[1] < 1e29 else "not all solved"
        share = f"{cost.solved} of {len(cost.nodes)}"
        rows.append([str(cost.empty), share, f"{cost.median:,.0f}", f"{quarters[0]:,.0f}", most])
    return table(["empty spaces", "solved", "median nodes", "10 % need at most", "90 % need at most"], rows)


@dataclass(frozen=True)
class Growth:
    """Median nodes = exp(level + slope * empty spaces); the interval of the slope is bootstrapped over positions."""

    level: float
    slope: float
    slopes: tuple[float, float]
    full: tuple[float, float, float]  # nodes for all 30 spaces, with its 95 % interval

    def nodes(self, empty: int) -> float:
        """Return the median that the fit expects."""
        return float(np.exp(self.level + self.slope * empty))


def growth(costs: Sequence[Cost]) -> Growth:
    """Fit the growth of the median."""
    used = [cost for cost in costs if cost.empty >= FIRST_COST]
    used = used if len(used) > 1 else list(costs)
    level, slope = fit(used, [cost.median for cost in used])
    generator = np.random.default_rng(1)
    slopes, full = [], []
    for _ in range(RESAMPLES):
        medians = [float(np.median(generator.choice(cost.nodes, len(cost.nodes)))) for cost in used]
        if not np.isfinite(medians).all():
            continue
        a, b = fit(used, medians)
        slopes.append(b)
        full.append(a + b * len(SPACES))
    low, high = np.quantile(slopes, [0.025, 0.975])
    least, most = np.exp(np.quantile(full, [0.025, 0.975]))
    return Growth(
        level, slope, (float(low), float(high)), (float(np.exp(level + slope * len(SPACES))), float(least), float(most))
    )


def fit(costs: Sequence[Cost], medians: Sequence[float]) -> tuple[float, float]:
    """Return level and slope of a line through the logarithms."""
    slope, level = np.polyfit([cost.empty for cost in costs], [log(median) for median in medians], 1)
    return float(level), float(slope)


def growth_text(growth: Growth) -> str:
    """The growth, and what a full solution would cost if it went on."""
    low, high = (np.exp(slope) for slope in growth.slopes)
    nodes, least, most = growth.full
    years = nodes / PER_SECOND / 3600 / 24 / 365.25
    return (
        f"Every further empty space multiplies the median by {np.exp(growth.slope):.1f} ({low:.1f} to {high:.1f}). If "
        f"that went on, the game from its first move would take {nodes:.0e} nodes ({least:.0e} to {most:.0e}): "
        f"{years:.0e} years of one core at {PER_SECOND:,.0f} nodes a second.\n"
    )


def cost_chart(costs: Sequence[Cost], growth: Growth) -> str:
    """Draw the cost of solving on a logarithmic scale."""
    figure, (axis,) = charts.panels(1, 5.5, 3.4, "Nodes to solve a position")
    for cost in costs:
        nodes = [one for one in cost.nodes if np.isfinite(one)]
        axis.plot([cost.empty] * len(nodes), nodes, ".", color=charts.PALE, markersize=4)
    axis.plot([cost.empty for cost in costs], [cost.median for cost in costs], "o-", color=BLUE, label="median")
    ends = [FIRST_COST, costs[-1].empty + 2]
    axis.plot(ends, [growth.nodes(end) for end in ends], "--", color=RED, label="fit")
    axis.set_yscale("log")
    axis.set_xlabel("empty spaces")
    axis.legend(frameon=False)
    axis.grid(axis="y")
    return charts.svg(figure)


def reduced_table(reduced: Sequence[Reduced]) -> str:
    """The reduced boards that were solved."""
    rows = []
    for one in sorted(reduced, key=lambda board: board.rows * board.columns):
        known = [winner for winner in one.winners.values() if winner is not None]
        wins = [f"T{opening}" for opening, winner in one.winners.items() if winner == 0]
        nodes = f"{sum(one.nodes.values()):,}"
        solved = f"{len(known)} of {len(one.winners)}"
        winner = "Yellow" if wins else "Red" if len(known) == len(one.winners) else "not known"
        rows.append([f"{one.rows} by {one.columns}", one.tokens, solved, winner, " ".join(wins), nodes])
    heads = ["board", "animals each", "openings solved", "winner", "Yellow wins after", "nodes"]
    return table(heads, rows)


def book(openings: Sequence[Opening], lines: Sequence[BestLine]) -> str:
    """Return the opening book: the moves so far, and the turns to choose from."""
    entries: dict[str, list[list[str]]] = {"": [[f"T{one.number}"] for one in openings[:ALTERNATIVES]]}
    for line in lines:
        first, second = line.turns
        entries[f"T{line.opening}"] = [first]
        entries[" ".join([f"T{line.opening}", *first])] = [second]
    head = "# As `mchezo balance kiwara --book` writes it: the moves so far, and the turns to choose from.\n"
    return head + "".join(f"{json.dumps(moves)} = {json.dumps(turns)}\n" for moves, turns in sorted(entries.items()))
