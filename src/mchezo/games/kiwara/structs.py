"""The state of a game of Kiwara, its set-up, and the numbers of its decisions and actions.

A set of spaces is one number with a bit for each of the 30 spaces, a1 lowest, f5 highest; one space alone is a set of
one. Sets of cards are written likewise.
"""

from typing import Annotated

import numpy as np
import numpy.typing as npt

from mchezo.core.compiled import compiled
from mchezo.core.structs import Bytes, Int8, Int16, Int32, Shorts, bits, layout, wide
from mchezo.games.kiwara.components import ANIMALS, CARDS, EDGE, PATH

Sets = npt.NDArray[np.int32]

SPACES = 30
ALL = (1 << SPACES) - 1
EDGE_SPACES = sum(1 << space for space in EDGE)
TERRITORIES = 6
POSITIONS = len(PATH)  # of the totem
KINDS = len(ANIMALS)
GAZELLE, ZEBRA, CROCODILE, ELEPHANT, LION = range(KINDS)
VALUES = np.array([animal.value for animal in ANIMALS])
# Each card is a set of one.
OKAPI, BOA, BABOON, VULTURE, RHINOCEROS, PORCUPINE, WILDEBEEST, HYENA, WARTHOG, GIRAFFE = (
    wide(1 << card) for card in range(len(CARDS))
)
GIRAFFE_DRAWS = 3
NOBODY = -1
NOWHERE = -1  # the totem before it is set
CLOCKWISE, BACKWARDS = wide(1), wide(-1)
FARTHEST = POSITIONS - 1  # steps of the totem: every line is faced from two positions

# Actions. All are 64 bits wide: functions are compiled anew for every plain number that they are called with.
PLACE = wide(0)  # + animal * 30 + space
USE_BABOON = PLACE + KINDS * SPACES  # + animal * 30 + space
USE_HYENA = USE_BABOON + KINDS * SPACES  # + from * 30 + to
SWAP = USE_HYENA + SPACES * SPACES  # + space of the gazelle
USE_VULTURE = SWAP + SPACES  # + space
USE_RHINOCEROS = USE_VULTURE + SPACES  # + space
USE_BOA = USE_RHINOCEROS + SPACES  # + space
USE_PORCUPINE = USE_BOA + SPACES  # + space
SET_TOTEM = USE_PORCUPINE + SPACES  # + position
MOVE_TOTEM = SET_TOTEM + POSITIONS  # + steps
USE_WILDEBEEST = MOVE_TOTEM + POSITIONS  # + steps backwards
KEEP = USE_WILDEBEEST + POSITIONS  # + card
DRAW = KEEP + len(CARDS)  # + card, by CHANCE
ANNOUNCE_HYENA = DRAW + len(CARDS)
USE_WARTHOG = ANNOUNCE_HYENA + 1
USE_GIRAFFE = ANNOUNCE_HYENA + 2
STOP = ANNOUNCE_HYENA + 3
ACTIONS = ANNOUNCE_HYENA + 4
# In a line 6 spaces, in its two neighbours 11 more, for 5 animals; 30 for Vulture and Rhinoceros together, 9 for Hyena.
MOST_CHOICES = 150

# The card that is used up by an action.
CARD_OF = np.zeros(ACTIONS, np.int64)
for _card, _first, _count in (
    (BABOON, USE_BABOON, KINDS * SPACES),
    (HYENA, USE_HYENA, SPACES * SPACES),
    (VULTURE, USE_VULTURE, SPACES),
    (RHINOCEROS, USE_RHINOCEROS, SPACES),
    (BOA, USE_BOA, SPACES),
    (PORCUPINE, USE_PORCUPINE, SPACES),
    (WILDEBEEST, USE_WILDEBEEST, POSITIONS),
    (HYENA, ANNOUNCE_HYENA, 1),
    (WARTHOG, USE_WARTHOG, 1),
    (GIRAFFE, USE_GIRAFFE, 1),
):
    CARD_OF[_first : _first + _count] = _card

# Decisions
SETTING_TOTEM, PLACING, SWAPPING, HYENA_AGAIN, MOVING_TOTEM, AFTER_TOTEM, KEEPING, DRAWING, NONE = range(9)

# What the Hyena is doing
NO_HYENA, FIRST_MOVE, SECOND_MOVE, FIRST_PLACING, SECOND_PLACING = range(5)

# How a game ends, by number
REASONS = ("", "points", "reinforcement")
POINTS, REINFORCEMENT = 1, 2


class Setup:
    """What does not change during a game."""

    neighbours: Annotated[Sets, np.int32, SPACES]
    across_river: Annotated[Sets, np.int32, SPACES]
    river_right: Int32  # the spaces with a river on their right
    river_below: Int32
    territory_of: Annotated[Bytes, np.int8, SPACES]
    territories: Annotated[Sets, np.int32, TERRITORIES]
    lines: Annotated[Sets, np.int32, POSITIONS]
    hidden_pile: Int8  # the reinforcement is drawn from the pile; else it is the open Okapi
    rhinoceros_neighbour: Int8
    hyena_places: Int8


class State:
    """What changes from decision to decision; everything that belongs to one turn is 0 between turns."""

    own: Annotated[Sets, np.int32, 2]  # where each seat's animals stand
    kinds: Annotated[Sets, np.int32, KINDS]  # where each kind of animal stands
    hidden: Int32
    boa: Int32  # the only space allowed in this turn
    porcupine: Int32  # the space forbidden in this turn
    placed: Int32  # where the animal placed last in this turn stands now
    crocodile: Int32  # the one that may swap
    left: Int32  # where it has been in this chain of swaps
    moved: Int32  # where the animal that the Hyena moved first stands now
    cards: Annotated[Shorts, np.int16, 2]  # face up before each seat
    pile: Int16
    used: Int16  # and discarded
    drawn: Int16  # by the Giraffe, to choose from
    hands: Annotated[Bytes, np.int8, 2, KINDS]
    resting: Annotated[Bytes, np.int8, KINDS]  # came home to the seat's hand in this turn
    seat: Int8  # whose turn it is
    decision: Int8
    totem: Int8
    hyena: Int8
    warthog: Int8  # nothing is placed in this turn
    announced: Int8  # Boa, Porcupine or Warthog has been used since the totem moved
    filled: Int8  # the animal arriving now has filled the first full territory
    reinforced: Int8  # who obtained the card for the first full territory
    draws: Int8  # cards still to be drawn
    resume: Int8  # the decision that comes after the draws; SWAPPING: what follows an arrival
    ending: Int8
    winner: Int8


STATE = layout(State)
SETUP = layout(Setup)

# A single bit divided by 37 leaves a remainder of its own.
NUMBERS = np.zeros(37, np.int64)
NUMBERS[(1 << np.arange(36)) % 37] = np.arange(36)


@compiled
def number(single: int) -> int:
    """The number of the space, or of the card, in a set of one."""
    return wide(NUMBERS[bits(single) % bits(37)])


@compiled
def size(spaces: int) -> int:
    """How many spaces a set has; the compiler knows this loop and makes one instruction of it."""
    count = wide(0)
    while spaces:
        spaces &= spaces - 1
        count += 1
    return count


@compiled
def empty(state: State) -> int:
    """The empty spaces."""
    return ALL & ~(wide(state.own[0]) | wide(state.own[1]))


@compiled
def totem_line(state: State, setup: Setup) -> int:
    """The spaces that the totem faces."""
    return wide(setup.lines[state.totem])


@compiled
def has_tokens(state: State, seat: int) -> bool:
    """Whether this seat has a token in hand: only then does it have a turn."""
    hand = state.hands[seat]
    return bool(hand[0] | hand[1] | hand[2] | hand[3] | hand[4])
