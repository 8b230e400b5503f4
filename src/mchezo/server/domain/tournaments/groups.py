"""Tables of two, three or four players: equal scores together, new opponents first, seats in turn.

There is no pairing library for three and four seats. Players are put to tables in the order of their ranking. Then
players of two tables are exchanged as long as that leads to fewer repeated meetings, or to as many at tables with more
equal scores. The result depends on the arguments alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations

REPEATED = 1_000_000  # one repeated meeting outweighs all differences of scores
MAX_PASSES = 50

Meetings = Mapping[tuple[int, int], int]


def pick_byes(ranked: Sequence[int], seats: int, byes: Mapping[int, int]) -> list[int]:
    """Return who sits out: those with the fewest byes so far, the last in the ranking first."""
    left_over = len(ranked) % seats
    order = sorted(range(len(ranked)), key=lambda place: (byes.get(ranked[place], 0), -place))
    return [ranked[place] for place in order[:left_over]]


def make_tables(ranked: Sequence[int], seats: int, met: Meetings, scores: Mapping[int, float]) -> list[list[int]]:
    """Return tables of ranked players, whose number the seats divide."""
    tables = [list(ranked[start : start + seats]) for start in range(0, len(ranked), seats)]
    costs = [table_cost(table, met, scores) for table in tables]
    for _ in range(MAX_PASSES):
        if not exchange(tables, costs, met, scores):
            break
    return tables


def exchange(tables: list[list[int]], costs: list[int], met: Meetings, scores: Mapping[int, float]) -> bool:
    """Exchange players between each two tables where that is better; return whether anything changed."""
    changed = False
    for one, other in combinations(range(len(tables)), 2):
        for first in range(len(tables[one])):
            for second in range(len(tables[other])):
                left, right = list(tables[one]), list(tables[other])
                left[first], right[second] = right[second], left[first]
                cost = table_cost(left, met, scores), table_cost(right, met, scores)
                if sum(cost) < costs[one] + costs[other]:
                    tables[one], tables[other] = left, right
                    costs[one], costs[other] = cost
                    changed = True
    return changed


def table_cost(table: Sequence[int], met: Meetings, scores: Mapping[int, float]) -> int:
    """Return what speaks against a table: repeated meetings, the often repeated most; then unequal scores."""
    cost = 0
    for pair in combinations(sorted(table), 2):
        first, second = pair
        difference = round(2 * (scores.get(first, 0.0) - scores.get(second, 0.0)))
        cost += REPEATED * met.get(pair, 0) ** 2 + difference**2
    return cost


def seat_order(table: Sequence[int], taken: Mapping[int, Sequence[int]], last: Mapping[int, int]) -> list[int]:
    """Return the players by seat: everybody gets each seat equally often, and not the same one twice in a row."""

    def cost(order: tuple[int, ...]) -> int:
        total = 0
        for seat, player in enumerate(order):
            had = taken.get(player, ())
            total += 4 * (had[seat] if seat < len(had) else 0) + (last.get(player) == seat)
        return total

    orders: list[tuple[int, ...]] = list(permutations(table))
    best = min(orders, key=cost)
    return list(best)
