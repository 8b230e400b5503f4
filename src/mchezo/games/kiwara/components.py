"""What is in the box of Kiwara: animals, cards, boards, and the path of the totem.

Spaces are named by column a-f and row 1-5 from the top, and numbered from 0 in the order of reading: a1 b1 ... f5.
A board is 30 letters A-F, the territory of each space in that order, rows parted by `/`.
"""

from dataclasses import dataclass

COLUMNS = "abcdef"
ROWS = "12345"
SPACES = tuple(column + row for row in ROWS for column in COLUMNS)


@dataclass(frozen=True)
class Animal:
    """A kind of animal, and how many tokens of it each player has."""

    letter: str
    name: str
    count: int
    value: int


ANIMALS = (
    Animal("G", "gazelle", 6, 2),
    Animal("Z", "zebra", 5, 6),
    Animal("C", "crocodile", 2, 0),
    Animal("E", "elephant", 1, 5),
    Animal("L", "lion", 1, 1),
)
LETTERS = "".join(animal.letter for animal in ANIMALS)

CARDS = (
    "okapi",
    "boa",
    "baboon",
    "vulture",
    "rhinoceros",
    "porcupine",
    "wildebeest",
    "hyena",
    "warthog",
    "giraffe",
)

BOARDS = {
    "classic": "ABCCCC/ABBCDD/AABCCD/EABBBF/EEFFFF",
    "president": "ABBBCC/ADDBBC/ADEEBB/DDEFFB/EEEEFB",  # the second board of the first edition
}
TERRITORIES = "ABCDEF"
SIZES = (3, 5, 7, 9)  # of a territory, in spaces

# The column or row that the totem faces from each position of its path, clockwise from above column a:
#       0  1  2  3  4  5
#   21                    6
#   20                    7
#   19                    8
#   18                    9
#   17                   10
#      16 15 14 13 12 11
PATH = "abcdef" + "12345" + "fedcba" + "54321"

OKAPI_POINTS = 5


def line(position: int) -> tuple[int, ...]:
    """The spaces that the totem faces."""
    return tuple(space for space, name in enumerate(SPACES) if PATH[position] in name)


def neighbours(space: int) -> tuple[int, ...]:
    """The two to four spaces beside a space."""
    row, column = divmod(space, len(COLUMNS))
    beside = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return tuple(y * len(COLUMNS) + x for y, x in beside if 0 <= y < len(ROWS) and 0 <= x < len(COLUMNS))


def across_river(board: str, space: int) -> tuple[int, ...]:
    """The neighbours in another territory: a river runs along every edge between two territories."""
    letters = board.replace("/", "")
    return tuple(other for other in neighbours(space) if letters[other] != letters[space])


EDGE = tuple(space for space in range(len(SPACES)) if len(neighbours(space)) < 4)
