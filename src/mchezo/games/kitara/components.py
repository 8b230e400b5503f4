"""What is in the box of Kitara. The numbers here are certain; maps, cards and token counts are in packs."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

PLAYERS = (2, 3, 4)
DECKS = ("blue", "red")
KINDS = ("savanna", "ruin", "lake")

# Pawns of each player by their letters: warriors, master-animals, heroes.
PAWNS = "WAH"
PAWNS_EACH = (10, 5, 3)
FIRST_WARRIORS = 3  # on the start space

# 39 hero tokens of these values; how many there are of each is not known.
TOKENS = 39
VALUES = (2, 3, 4, 5)

ROW = 6  # face-up cards
AGES = 5
PRINTED_CARDS = 32  # of ages 1 to 5, best reading: 36 of a colour, 4 of them starting cards
PRINTED_TURNS = {2: 7, 3: 9, 4: 7}  # of each player, by the number of players

# The two ways of cutting the reconstruction's cards into ages: as it lists them, or shorter.
TURNS = ("7/9", "6/8")
SHORT_AGES = (6, 6, 6, 6, 8)

# Points
RUIN_POINTS = 2
CARD_POINTS = 2

# The symbols of a card, by the rows from top to bottom, and the most that a pack may print of each.
SYMBOLS = {"D": 6, "W": 3, "A": 3, "H": 3, "M": 6, "V": 9, "N": 1}
MOST_PAWNS = 3  # on one card


@dataclass(frozen=True)
class Card:
    """A Kingdom card: how many symbols it has in each row."""

    draft: int = 0
    warriors: int = 0
    animals: int = 0
    heroes: int = 0
    moves: int = 0
    prosperity: int = 0
    marked: bool = False  # need not be fed, cannot be discarded

    @property
    def pawns(self) -> tuple[int, int, int]:
        """Warriors, master-animals and heroes."""
        return self.warriors, self.animals, self.heroes

    @property
    def text(self) -> str:
        """The card as packs write it, rows from top to bottom: `D1W1M1`."""
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
    """A board for so many players."""

    size: tuple[float, float]
    spaces: tuple[Space, ...]

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The names of the spaces, in order."""
        return tuple(space.id for space in self.spaces)

    def count(self, kind: str) -> int:
        """How many spaces of a kind there are."""
        return sum(space.kind == kind for space in self.spaces)

    def distances(self, start: str) -> dict[str, int]:
        """How many white borders lie between a space and each that can be reached from it."""
        borders = {space.id: space.borders for space in self.spaces}
        reached, near = {start: 0}, [start]
        for space in near:  # grows while it is walked
            for other in borders[space]:
                if other not in reached:
                    reached[other] = reached[space] + 1
                    near.append(other)
        return reached


@dataclass(frozen=True, eq=False)
class Pack:
    """Everything of the box that the rulebook's text does not tell."""

    name: str
    note: str
    starting_card: Card
    tokens: tuple[int, ...]  # how many of each value
    decks: Mapping[str, tuple[tuple[Card, ...], ...]]  # deck -> the cards of ages 1 to 5
    maps: Mapping[int, Map]  # players -> map


def turns_each(early_cards: int, players: int) -> int:
    """How many turns each player has, if ages 1 to 4 have so many cards.

    The first card of age 5 is revealed when all the early ones have been: six in the row at the start, then one a
    turn, with two players two. It comes in the last round but one.
    """
    revealed_after_deal = early_cards + 1 - ROW
    if revealed_after_deal <= 0:
        return 2
    turns = -(-revealed_after_deal // 2) if players == 2 else revealed_after_deal
    return -(-turns // players) + 1
