"""Free boards: a numbering of all partitions of the savanna into six connected territories of 3, 5, 7 or 9 spaces.

Territories are laid one after another, each over the first free space, so that every board arises in exactly one way.
Forwards, `layers` counts in how many ways each set of spaces can be covered; backwards, `free_board` removes the
territories that belong to a number. A number drawn uniformly thus gives a uniformly distributed board.

Spaces are numbered column by column here, and a set of them is one integer with a bit for each: this keeps the number
of distinct covered sets small.
"""

from functools import cache

import numpy as np
import numpy.typing as npt

from mchezo.games.kiwara.components import COLUMNS, ROWS, SIZES, TERRITORIES

Sets = npt.NDArray[np.int64]

FREE_BOARDS = 10_967_346

HEIGHT = len(ROWS)
COUNT = len(COLUMNS) * HEIGHT
ALL = (1 << COUNT) - 1
TOP_ROW = sum(1 << column * HEIGHT for column in range(len(COLUMNS)))
BOTTOM_ROW = TOP_ROW << HEIGHT - 1
NEARBY = 12  # spaces from the first free one on, by which covered sets are grouped
NO_SHAPE = np.zeros(0, np.int64)


def free_board(number: int) -> str:
    """Return the board of a number below FREE_BOARDS, its territories named in reading order."""
    candidates, covered, territories = shapes(), ALL, []
    for before, ways in reversed(layers()[:-1]):
        # The last territory leaves a set of the previous layer, and covers the first free space of it.
        candidates = candidates[candidates & ~covered == 0]
        rests = covered & ~candidates
        at = np.minimum(np.searchsorted(before, rests), len(before) - 1)
        fits = (before[at] == rests) & (first_free(rests) == lowest(candidates))
        sums = np.cumsum(np.where(fits, ways[at], 0))
        chosen = int(np.searchsorted(sums, number, side="right"))
        number -= int(sums[chosen - 1]) if chosen else 0
        territories.append(int(candidates[chosen]))
        covered = int(rests[chosen])
    return in_letters(territories)


def in_letters(territories: list[int]) -> str:
    """Return a board in letters: A for the territory of a1, B for the next one in reading order."""
    met: list[int] = []
    rows = []
    for row in range(HEIGHT):
        letters = ""
        for column in range(len(COLUMNS)):
            territory = next(shape for shape in territories if shape >> column * HEIGHT + row & 1)
            if territory not in met:
                met.append(territory)
            letters += TERRITORIES[met.index(territory)]
        rows.append(letters)
    return "/".join(rows)


@cache
def layers(sizes: tuple[int, ...] = SIZES) -> list[tuple[Sets, Sets]]:
    """Return, for 0 to 6 territories, the sets of spaces they can cover and the number of ways for each."""
    every_shape = shapes(sizes)
    firsts = lowest(every_shape)
    by_first = {int(first): every_shape[firsts == first] for first in np.unique(firsts)}
    laid = [(np.zeros(1, np.int64), np.ones(1, np.int64))]
    for left in reversed(range(len(TERRITORIES))):
        covered, ways = lay_one_more(*laid[-1], by_first)
        whole = can_be_covered(covered, left)
        laid.append((covered[whole], ways[whole]))
    return laid


def lay_one_more(covered: Sets, ways: Sets, by_first: dict[int, Sets]) -> tuple[Sets, Sets]:
    """Return all sets after one more territory over the first free space, with their numbers of ways."""
    # Sets that agree near the first free space are handled together, for they admit the same few shapes there.
    near, group = np.unique(covered & ((first_free(covered) << NEARBY) - 1), return_inverse=True)
    order = np.argsort(group, kind="stable")
    sets, counts = [], []
    for same, members in zip(near, np.split(order, np.cumsum(np.bincount(group))[:-1]), strict=True):
        begin = by_first.get(int(first_free(same)), NO_SHAPE)
        begin = begin[begin & same == 0]
        row, column = np.nonzero(covered[members, None] & begin == 0)
        sets.append(covered[members][row] | begin[column])
        counts.append(ways[members][row])
    unions, which = np.unique(np.concatenate(sets), return_inverse=True)
    return unions, np.bincount(which, np.concatenate(counts)).astype(np.int64)


def can_be_covered(covered: Sets, left: int) -> npt.NDArray[np.bool_]:
    """Return which sets leave room for a number of territories, without a region too small for one."""
    rest = ALL & ~covered
    area = np.bitwise_count(rest)
    possible: npt.NDArray[np.bool_] = (min(SIZES) * left <= area) & (area <= max(SIZES) * left)
    while rest.any():
        part = lowest(rest)
        while not np.array_equal(part, grown := (part | beside(part)) & rest):
            part = grown
        possible &= ~np.isin(np.bitwise_count(part), (1, 2, 4))
        rest = rest & ~part
    return possible


@cache
def shapes(sizes: tuple[int, ...] = SIZES) -> Sets:
    """Return every connected set of spaces of one of these sizes."""
    found, grown = [], 1 << np.arange(COUNT)
    for size in range(2, max(sizes) + 1):
        borders = beside(grown) & ~grown
        grown = np.unique(np.concatenate([grown[borders >> space & 1 == 1] | 1 << space for space in range(COUNT)]))
        if size in sizes:
            found.append(grown)
    return np.concatenate(found)


def beside(spaces: Sets) -> Sets:
    """Return the spaces adjacent to those of a set."""
    return (spaces << HEIGHT | spaces >> HEIGHT | (spaces & ~BOTTOM_ROW) << 1 | (spaces & ~TOP_ROW) >> 1) & ALL


def lowest(spaces: Sets) -> Sets:
    """Return the first space of a set, as a set of one."""
    return spaces & -spaces


def first_free(covered: Sets) -> Sets:
    """Return the first space outside a set, as a set of one."""
    return ~covered & covered + 1
