"""Free boards: all ways to part the savanna into six connected territories of 3, 5, 7 or 9 spaces, numbered.

Territories are laid one after the other, each over the first space that is still free, so that every board comes about
in exactly one way. Forward, `layers` counts in how many ways the spaces covered so far can have been covered; backward,
`free_board` takes away the territory that belongs to the number asked for. A number drawn at random thus gives every
board with the same probability.

Here spaces are counted column by column, and a set of them is one number with a bit for each: the free spaces then
differ little from one another, and few sets of covered spaces have to be told apart.
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
NEARBY = 12  # spaces, the first free one included, on which covered sets are compared before anything else
NO_SHAPE = np.zeros(0, np.int64)


def free_board(number: int) -> str:
    """The board of that number, from 0 below FREE_BOARDS, its territories named in the order of reading."""
    candidates, covered, territories = shapes(), ALL, []
    for before, ways in reversed(layers()[:-1]):
        # Which territory was laid last? One that leaves a set of the layer before, and lies over its first free space.
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
    """A board in letters: A for the territory of a1, B for the next that is met in the order of reading."""
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
    """For 0 to 6 territories laid: the sets of spaces they can cover, and in how many ways."""
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
    """All sets after one more territory over the first free space, with their numbers of ways."""
    # Sets that agree on the spaces near the first free one are taken together: they admit the same few shapes there.
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
    """Whether the free spaces have the area of so many territories, and no part of them is too small for one."""
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
    """Every connected set of spaces of one of these sizes."""
    found, grown = [], 1 << np.arange(COUNT)
    for size in range(2, max(sizes) + 1):
        borders = beside(grown) & ~grown
        grown = np.unique(np.concatenate([grown[borders >> space & 1 == 1] | 1 << space for space in range(COUNT)]))
        if size in sizes:
            found.append(grown)
    return np.concatenate(found)


def beside(spaces: Sets) -> Sets:
    """The spaces next to those of a set."""
    return (spaces << HEIGHT | spaces >> HEIGHT | (spaces & ~BOTTOM_ROW) << 1 | (spaces & ~TOP_ROW) >> 1) & ALL


def lowest(spaces: Sets) -> Sets:
    """The first space of a set, as a bit."""
    return spaces & -spaces


def first_free(covered: Sets) -> Sets:
    """The first space outside a set, as a bit."""
    return ~covered & covered + 1
