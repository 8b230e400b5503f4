"""What is in the box of Kitara, as far as it is certain; maps, cards and token counts are in packs."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

SEAT_NAMES = ("first", "second", "third", "fourth")
PLAYERS = (2, 3, 4)  # for whom there are maps; alone, one player meets a rival on the map for two
ALONE = 1
ALONE_NAMES = ("first", "rival")
DECKS = ("blue", "red")
KINDS = ("savanna", "ruin", "lake")

# Pawns of each player by their letters: warriors, master-animals, heroes.
PAWNS = "WAH"
PAWNS_EACH = (10, 5, 3)
FIRST_WARRIORS = 3  # on the start space

# 39 hero tokens of these values; the number of each is unknown.
TOKENS = 39
VALUES = (2, 3, 4, 5)

ROW = 6  # face-up cards
AGES = 5
PRINTED_CARDS = 32  # of ages 1 to 5, as best understood: 36 of a colour, 4 of them starting cards
PRINTED_TURNS = {2: 7, 3: 9, 4: 7}  # number of players -> turns of each

# Two ways to divide the reconstruction's cards into ages: as it lists them, or shorter.
TURNS = ("7/9", "6/8")
SHORT_AGES = (6, 6, 6, 6, 8)

# Points
RUIN_POINTS = 2
CARD_POINTS = 2

# The symbols of a card, row by row from the top, with the most of each that a pack may print.
SYMBOLS = {"D": 6, "W": 3, "A": 3, "H": 3, "M": 6, "V": 9, "N": 1}
MOST_PAWNS = 3  # on one card


# Kitara alone, our own design: docs/kitara-alone.md. The wishes of the rival stand around a wheel.
ATTACK, RUIN, SAVANNA = range(3)
WISHES = 3
NO_WISH = -1


@dataclass(frozen=True)
class Difficulty:
    """How strong the rival is."""

    ages: tuple[int, ...]  # of the cards in its deck, top first
    yours: int  # the points with which you start
    points: int  # those of the rival


@dataclass(frozen=True)
class Scenario:
    """How a game alone differs from the usual one."""

    pawns: tuple[int, int, int] = (0, 0, 0)  # the rival's further warriors, master-animals and heroes at the start
    points: int = 0  # its further points at the start
    wish: int = NO_WISH  # where its wheel begins in every turn; NO_WISH: its new card decides


DIFFICULTIES = {
    1: Difficulty((1, 1, 1, 2, 2, 3, 3), 15, 0),
    2: Difficulty((1, 1, 2, 2, 3, 3, 4), 5, 0),
    3: Difficulty((1, 1, 2, 2, 3, 3, 4), 0, 5),
    4: Difficulty((1, 2, 2, 3, 3, 4, 4), 0, 12),
    5: Difficulty((1, 2, 3, 3, 4, 4, 4), 0, 20),
}
SCENARIOS = {
    "open": Scenario(),
    "raiders": Scenario(pawns=(0, 0, 2), wish=ATTACK),
    "guardians": Scenario(pawns=(0, 2, 0), wish=RUIN),
    "settlers": Scenario(pawns=(3, 0, 0), wish=SAVANNA),
    "heirs": Scenario(points=8),
    "empire": Scenario(pawns=(1, 1, 1), points=4),
}


@dataclass(frozen=True)
class Card:
    """A Kingdom card: the number of symbols in each row."""

    draft: int = 0
    warriors: int = 0
    animals: int = 0
    heroes: int = 0
    moves: int = 0
    prosperity: int = 0
    marked: bool = False  # need not be fed and cannot be discarded

    @property
    def pawns(self) -> tuple[int, int, int]:
        """Warriors, master-animals and heroes."""
        return self.warriors, self.animals, self.heroes

    @cached_property
    def text(self) -> str:
        """The card in the notation of packs, row by row from the top: `D1W1M1`."""
        counts = zip("DWAHMV", (self.draft, *self.pawns, self.moves, self.prosperity), strict=True)
        return "".join(f"{letter}{count}" for letter, count in counts if count) + "N" * self.marked


@dataclass(frozen=True)
class Space:
    """A territory of a map."""

    id: str
    kind: str
    start: bool
    borders: tuple[str, ...]  # the spaces across white borders
    at: tuple[float, float]  # where pawns stand
    shape: str  # an SVG path


@dataclass(frozen=True)
class Map:
    """The map for one number of players."""

    size: tuple[float, float]
    spaces: tuple[Space, ...]

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The names of the spaces, in order."""
        return tuple(space.id for space in self.spaces)

    def count(self, kind: str) -> int:
        """Return the number of spaces of a kind."""
        return sum(space.kind == kind for space in self.spaces)

    def distances(self, start: str) -> dict[str, int]:
        """Return the distance, in white borders, from a space to every space that can be reached from it."""
        borders = {space.id: space.borders for space in self.spaces}
        reached, near = {start: 0}, [start]
        for space in near:  # grows during the loop
            for other in borders[space]:
                if other not in reached:
                    reached[other] = reached[space] + 1
                    near.append(other)
        return reached


@dataclass(frozen=True, eq=False)
class Pack:
    """Everything in the box that the rulebook does not specify."""

    name: str
    note: str
    starting_card: Card
    tokens: tuple[int, ...]  # count of each value
    decks: Mapping[str, tuple[tuple[Card, ...], ...]]  # deck -> the cards of ages 1 to 5
    maps: Mapping[int, Map]  # players -> map


def turns_each(early_cards: int, players: int) -> int:
    """Return the number of turns of each player for a number of cards of ages 1 to 4.

    The first card of age 5 is revealed after all early cards: six in the row at the start, then one a turn (two with
    two players). The round after that is the last.
    """
    revealed_after_deal = early_cards + 1 - ROW
    if revealed_after_deal <= 0:
        return 2
    turns = -(-revealed_after_deal // 2) if players == 2 else revealed_after_deal
    return -(-turns // players) + 1
