"""The layout of a game of Kitara: what the set-up and the state hold, what steps and actions there are.

Spaces are numbered from 0 in the order of the pack's map, cards from 1 in the order of the deck; card 0 is the starting
card. Pawns have three kinds: 0 warriors, 1 master-animals, 2 heroes. An action is one number; each kind of decision has
a stretch of its own.
"""

from typing import Annotated

import numpy as np

from mchezo.core.structs import Bytes, Int8, Shorts, UInt64, layout
from mchezo.games.kitara.components import ROW, TOKENS, VALUES

# How large a pack may be
SEATS = 4
SPACES = 48
BORDERS = 8
CARDS = 1 + 48
KINGDOM = 16  # no seat has more than 15 turns: three players, 47 cards before age 5

KINDS = 3  # of pawns
WARRIOR, ANIMAL, HERO = 0, 1, 2
SAVANNA, RUIN, LAKE = 0, 1, 2
FREE = 0  # the owner of an empty space; else seat + 1
NOWHERE = -1  # the border that nobody crosses
NOBODY = -1  # the seat that does not retreat

# Actions
START = 0  # + space: take it as start space
CARD = START + SPACES  # + card: chance turns it up
TOKEN = CARD + CARDS  # + value - 2: chance draws it
DRAFT = TOKEN + len(VALUES)  # + card
RECRUIT = DRAFT + CARDS  # + kind * SPACES + space
CROSS = RECRUIT + KINDS * SPACES  # + from * SPACES + to
END_MOVES = CROSS + SPACES * SPACES
PAWNS = END_MOVES + 1  # + (warriors * 6 + master-animals) * 4 + heroes
RETREAT = PAWNS + 11 * 6 * 4  # + space
DISCARD = RETREAT + SPACES  # + card
REMOVE = DISCARD + CARDS  # + kind * SPACES + space
ACTIONS = REMOVE + KINDS * SPACES
MOST_CHOICES = 11 * 6 * 4

# Steps: what is decided now. Cards are turned up at three moments.
(
    DEAL_CARD,
    CHOOSE_START,
    DRAFT_CARD,
    REFILL,
    RECRUIT_PAWN,
    MOVE,
    CHOOSE_PAWNS,
    DRAW_TOKEN,
    CHOOSE_RETREAT,
    DISCARD_CARD,
    REMOVE_PAWN,
    LAST_REFILL,
    NOTHING,
) = range(13)

# How a game ends, by number
REASONS = ("", "prosperity", "tokens", "shared")
GOES_ON, PROSPERITY, MORE_TOKENS, SHARED = range(4)


class Setup:
    """What does not change during a game: the map, the cards, the tokens."""

    pack: Annotated[Bytes, np.int8, 32]  # SHA-256 of the pack
    players: Int8
    deck: Int8  # of components.DECKS
    turns: Int8  # of components.TURNS
    spaces: Int8  # how many
    kind: Annotated[Bytes, np.int8, SPACES]
    start: Annotated[Bytes, np.int8, SPACES]  # whether it is a start space
    border_count: Annotated[Bytes, np.int8, SPACES]
    borders: Annotated[Bytes, np.int8, SPACES, BORDERS]  # the spaces across white borders
    distance: Annotated[Bytes, np.int8, SPACES, SPACES]  # how many white borders apart
    cards: Int8  # how many in the deck, all ages
    age: Annotated[Bytes, np.int8, CARDS]
    draft: Annotated[Bytes, np.int8, CARDS]
    pawns: Annotated[Bytes, np.int8, CARDS, KINDS]
    moves: Annotated[Bytes, np.int8, CARDS]
    prosperity: Annotated[Bytes, np.int8, CARDS]
    marked: Annotated[Bytes, np.int8, CARDS]  # need not be fed, cannot be discarded
    tokens: Annotated[Bytes, np.int8, len(VALUES)]  # in the bag at the start, by value


class State:
    """What changes from decision to decision."""

    unseen: UInt64  # the cards still in the deck, as bits
    discarded: UInt64  # the deck's cards that are out of the game, as bits
    points: Annotated[Shorts, np.int16, SEATS]  # the Prosperity Track; once over, the final points
    step: Int8
    turn: Int8  # the seat whose turn it is; during the set-up the seat that chooses
    round_number: Int8  # from 1
    last_round: Int8  # 0 until the first card of age 5 is revealed
    owner: Annotated[Bytes, np.int8, SPACES]  # FREE or seat + 1
    pawns: Annotated[Bytes, np.int8, SPACES, KINDS]
    supply: Annotated[Bytes, np.int8, SEATS, KINDS]
    held: Annotated[Bytes, np.int8, SEATS]  # how many spaces each seat occupies
    row_count: Int8
    row: Annotated[Bytes, np.int8, ROW]  # from the oldest card, leftmost
    kingdom_count: Annotated[Bytes, np.int8, SEATS]
    kingdoms: Annotated[Bytes, np.int8, SEATS, KINGDOM]  # in the order taken
    pending: Annotated[Bytes, np.int8, KINDS]  # pawns still to recruit, or to remove
    moves_left: Int8
    crossing: Annotated[Bytes, np.int8, 2]  # the border of the present move, NOWHERE where there is none
    retreating: Int8  # the seat that was attacked, -1 where there is none
    fleeing: Annotated[Bytes, np.int8, KINDS]  # its pawns, on no space until it has chosen one
    capacity: Int8  # how many cards can be fed, found at the start of Manage
    bag: Annotated[Bytes, np.int8, len(VALUES)]
    drawn: Annotated[Bytes, np.int8, len(VALUES)]  # in the present turn
    kept: Annotated[Bytes, np.int8, SEATS, len(VALUES)]
    logged: Int8
    ending: Int8  # of REASONS
    winners: Int8  # the seats that have won, as bits
    log: Annotated[Bytes, np.int8, TOKENS, 1 + len(VALUES)]  # turns with tokens: seat, how many drawn of each value


STATE = layout(State)
SETUP = layout(Setup)
