"""The final points that both sides can expect, from the end of a variation and the chance of winning there.

Fitted to 100 games of the computer against itself (2,500 nodes a decision, 6,203 positions): the more spaces are free,
the more points a change of the chances is about. How many points both sides have together hardly varies at the end, and
varies much on the way, when most territories have no leader.
"""

from math import log

from mchezo.core import arrays
from mchezo.core.kernels import result
from mchezo.core.structs import Structs
from mchezo.games.kiwara.structs import empty

LEAD, LEAD_PER_SPACE = 5.0, 0.6  # points of the lead for log-odds of 1
TOTAL = 84.0  # points of both sides together at the end
SETTLED = 8  # free spaces; the fewer, the more of the points are there already
MOST_LOG_ODDS = 5.0  # nothing beyond is told apart


def expected(states: Structs, setups: Structs, chance: float) -> tuple[float, float]:
    """Return the points that both seats can expect; `chance` is seat 0's chance of winning, 0 or 1 if it is certain."""
    unused, scores = arrays.zeros(2), arrays.zeros(2)
    result(states, setups, unused, scores)
    first, second = scores.tolist()
    free = int(empty(states[0])).bit_count()
    if free == 0:
        return first, second
    if 0.0 < chance < 1.0:
        log_odds = min(MOST_LOG_ODDS, max(-MOST_LOG_ODDS, log(chance / (1 - chance))))
        lead = (LEAD + LEAD_PER_SPACE * free) * log_odds
    else:  # the winner is known, by how much is not: the lead so far
        lead = max(1.0, first - second) if chance else min(-1.0, first - second)
    open_share = min(1.0, free / SETTLED)
    both = max(abs(lead), open_share * TOTAL + (1 - open_share) * (first + second))
    return (both + lead) / 2, (both - lead) / 2
