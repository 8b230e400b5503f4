"""State, setup, phases and actions of Kitara.

Spaces are numbered from 0 in the order of the pack's map, cards from 1 in the order of the deck; card 0 is the starting
card. There are three kinds of pawns: 0 warriors, 1 master-animals, 2 heroes.
"""

from typing import Annotated

from mchezo.core import arrays
from mchezo.core.compiled import compiled
from mchezo.core.encoding import Floats
from mchezo.core.structs import Bytes, Int8, Shorts, UInt64, Words64, layout
from mchezo.games.kitara.components import PAWNS_EACH, ROW, SEAT_NAMES, TOKENS, VALUES

SEATS = len(SEAT_NAMES)

# The largest pack
SPACES = 48
BORDERS = 8
CARDS = 1 + 48
KINGDOM = 16  # cards: no seat has more than 15 turns (three players, 47 cards before age 5)

SUM_BITS = 16  # of each number in the sums of a kingdom

KINDS = 3  # of pawns
WARRIOR, ANIMAL, HERO = 0, 1, 2
SAVANNA, RUIN, LAKE = 0, 1, 2
FREE = 0  # the owner of an empty space; any other owner is seat + 1
NOWHERE = -1  # the ends of `crossing` while no border is crossed
NOBODY = -1  # the value of `retreating` while no seat retreats, and of `rival` unless one plays alone
RIVAL = 1  # the seat of the rival of a player who plays alone

# A group of pawns that crosses a border is numbered by its warriors, master-animals and heroes, in mixed radix.
GROUP_SHAPE = tuple(most + 1 for most in PAWNS_EACH)
GROUPS = GROUP_SHAPE[0] * GROUP_SHAPE[1] * GROUP_SHAPE[2]

# Actions
START = 0  # + space: take it as start space
CARD = START + SPACES  # + card: chance reveals it
TOKEN = CARD + CARDS  # + value - 2: chance draws it
DRAFT = TOKEN + len(VALUES)  # + card
RECRUIT = DRAFT + CARDS  # + kind * SPACES + space
CROSS = RECRUIT + KINDS * SPACES  # + from * SPACES + to
END_MOVES = CROSS + SPACES * SPACES
PAWNS = END_MOVES + 1  # + number of the group
RETREAT = PAWNS + GROUPS  # + space
DISCARD = RETREAT + SPACES  # + card
REMOVE = DISCARD + CARDS  # + kind * SPACES + space
ACTIONS = REMOVE + KINDS * SPACES
MOST_CHOICES = GROUPS

# Phases
(
    DEALING,
    CHOOSING_START,
    DRAFTING,
    REFILLING_AFTER_DRAFT,
    RECRUITING,
    MOVING,
    CHOOSING_PAWNS,
    DRAWING_TOKEN,
    RETREATING,
    DISCARDING,
    REMOVING,
    REFILLING_AFTER_TURN,
    GAME_OVER,
) = range(13)

# How a game ends, indexed by `State.ending`
REASONS = ("", "prosperity", "tokens", "shared")
NOT_ENDED, PROSPERITY, MORE_TOKENS, SHARED = range(4)


class Setup:
    """What stays the same during a game: the map, the cards, the tokens."""

    pack: Annotated[Bytes, arrays.int8, 32]  # SHA-256 of the pack
    players: Int8
    deck: Int8  # index of components.DECKS
    turns: Int8  # index of components.TURNS
    spaces: Int8  # number of spaces
    kind: Annotated[Bytes, arrays.int8, SPACES]
    start: Annotated[Bytes, arrays.int8, SPACES]  # 1 for a start space
    border_count: Annotated[Bytes, arrays.int8, SPACES]
    borders: Annotated[Bytes, arrays.int8, SPACES, BORDERS]  # the spaces across white borders
    distance: Annotated[Bytes, arrays.int8, SPACES, SPACES]  # in white borders
    cards: Int8  # number of cards in the deck, all ages
    age: Annotated[Bytes, arrays.int8, CARDS]
    draft: Annotated[Bytes, arrays.int8, CARDS]
    pawns: Annotated[Bytes, arrays.int8, CARDS, KINDS]
    moves: Annotated[Bytes, arrays.int8, CARDS]
    prosperity: Annotated[Bytes, arrays.int8, CARDS]
    marked: Annotated[Bytes, arrays.int8, CARDS]  # need not be fed, cannot be discarded
    tokens: Annotated[Bytes, arrays.int8, len(VALUES)]  # in the bag at the start, by value
    rival: Int8  # the difficulty of a game alone; 0: there is no rival
    scenario: Int8  # index of components.SCENARIOS
    wish: Int8  # where the rival's wheel begins in every turn, or NO_WISH
    rival_cards: Int8  # number of cards in its deck at the start
    rival_ages: Annotated[Bytes, arrays.int8, KINGDOM]  # of these cards, top first
    rival_pawns: Annotated[Bytes, arrays.int8, KINDS]  # that it has on its start space beside the first warriors
    first_points: Annotated[Bytes, arrays.int8, SEATS]  # with which each seat starts
    seen_map: Annotated[Floats, arrays.float32, (KINDS + 1) * SPACES]  # savannas, ruins, lakes and starts, as observed
    sums: Annotated[Words64, arrays.uint64, CARDS]  # what a card adds to a kingdom: draft, moves, prosperity, to feed


class State:
    """What changes during a game."""

    unseen: UInt64  # the cards still in the deck, as a bit set
    discarded: UInt64  # the cards of the deck that are out of the game, as a bit set
    rival: Annotated[
        int, arrays.int64
    ]  # the seat that the rules play, or NOBODY; eight bytes, so that nothing is padded
    points: Annotated[Shorts, arrays.int16, SEATS]  # the Prosperity Track; the final points once the game is over
    phase: Int8
    seat: Int8  # whose turn it is; during setup, the seat that chooses its start space
    round_number: Int8  # from 1
    last_round: Int8  # 0 until the first card of age 5 is revealed
    owner: Annotated[Bytes, arrays.int8, SPACES]  # FREE or seat + 1
    pawns: Annotated[Bytes, arrays.int8, SPACES, KINDS]
    supply: Annotated[Bytes, arrays.int8, SEATS, KINDS]
    held: Annotated[Bytes, arrays.int8, SEATS]  # number of spaces that each seat occupies
    row_count: Int8
    row: Annotated[Bytes, arrays.int8, ROW]  # oldest card first
    kingdom_count: Annotated[Bytes, arrays.int8, SEATS]
    kingdoms: Annotated[Bytes, arrays.int8, SEATS, KINGDOM]  # in the order drafted
    pending: Annotated[Bytes, arrays.int8, KINDS]  # pawns still to recruit, or to remove
    moves_left: Int8
    crossing: Annotated[Bytes, arrays.int8, 2]  # from and to of the current move, or NOWHERE
    retreating: Int8  # the seat under attack, or NOBODY
    fleeing: Annotated[Bytes, arrays.int8, KINDS]  # its pawns, on no space until it has chosen one
    capacity: Int8  # cards that can be fed, determined at the start of Manage
    bag: Annotated[Bytes, arrays.int8, len(VALUES)]
    drawn: Annotated[Bytes, arrays.int8, len(VALUES)]  # in this turn
    kept: Annotated[Bytes, arrays.int8, SEATS, len(VALUES)]
    logged: Int8  # entries of `log`
    ending: Int8  # index of REASONS
    winners: Int8  # the seats that have won, as a bit set
    log: Annotated[Bytes, arrays.int8, TOKENS, 1 + len(VALUES)]  # turns with tokens: seat, tokens drawn of each value


STATE = layout(State)
SETUP = layout(Setup)


@compiled
def group_number(warriors: int, animals: int, heroes: int) -> int:
    """Return the number of a group of pawns."""
    return (warriors * GROUP_SHAPE[1] + animals) * GROUP_SHAPE[2] + heroes


@compiled
def group_of(number: int) -> tuple[int, int, int]:
    """Return the warriors, master-animals and heroes of a group."""
    rest, heroes = number // GROUP_SHAPE[2], number % GROUP_SHAPE[2]
    return rest // GROUP_SHAPE[1], rest % GROUP_SHAPE[1], heroes
