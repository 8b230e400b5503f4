"""What is in the box of Kiwara: animals, cards, boards, and the path of the totem.

Spaces are named by column a-f and row 1-5 from the top, and numbered from 0 in reading order: a1 b1 ... f5.
A board is written as 30 letters A-F, the territory of each space in that order, rows separated by `/`.
"""

from dataclasses import dataclass

SEAT_NAMES = ("yellow", "red")

COLUMNS = "abcdef"
ROWS = "12345"
SPACES = tuple(column + row for row in ROWS for column in COLUMNS)


@dataclass(frozen=True)
class AnimalKind:
    """A kind of animal: its letter, its name, the number of tokens of each player, and its points."""

    letter: str
    name: str
    count: int
    value: int


ANIMALS = (
    AnimalKind("G", "gazelle", 6, 2),
    AnimalKind("Z", "zebra", 5, 6),
    AnimalKind("C", "crocodile", 2, 0),
    AnimalKind("E", "elephant", 1, 5),
    AnimalKind("L", "lion", 1, 1),
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

# The column or row that the totem faces from each position of its path, clockwise, starting above column a:
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
    """Return the spaces that the totem faces."""
    return tuple(space for space, name in enumerate(SPACES) if PATH[position] in name)


def neighbours(space: int) -> tuple[int, ...]:
    """Return the two to four adjacent spaces."""
    row, column = divmod(space, len(COLUMNS))
    beside = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return tuple(y * len(COLUMNS) + x for y, x in beside if 0 <= y < len(ROWS) and 0 <= x < len(COLUMNS))


def across_river(board: str, space: int) -> tuple[int, ...]:
    """Return the neighbours in another territory: a river runs along every edge between two territories."""
    letters = board.replace("/", "")
    return tuple(other for other in neighbours(space) if letters[other] != letters[space])


EDGE = tuple(space for space in range(len(SPACES)) if len(neighbours(space)) < 4)
