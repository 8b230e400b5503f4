"""State, setup, phases and actions of Kiwara.

A set of spaces is one integer with a bit for each of the 30 spaces, from a1 (lowest) to f5; a single space is a set of
one. Sets of cards are stored in the same way.
"""

from typing import Annotated

from mchezo.core import arrays
from mchezo.core.compiled import compiled
from mchezo.core.structs import Bytes, Int8, Int16, Int32, Shorts, layout, wide
from mchezo.games.kiwara.components import ANIMALS, CARDS, EDGE, PATH

Sets = arrays.NDArray[arrays.int32]

SPACES = 30
ALL = (1 << SPACES) - 1
EDGE_SPACES = sum(1 << space for space in EDGE)
TERRITORIES = 6
POSITIONS = len(PATH)  # of the totem
KINDS = len(ANIMALS)
GAZELLE, ZEBRA, CROCODILE, ELEPHANT, LION = range(KINDS)
VALUES = arrays.array([animal.value for animal in ANIMALS])
# Each card is a set of one.
OKAPI, BOA, BABOON, VULTURE, RHINOCEROS, PORCUPINE, WILDEBEEST, HYENA, WARTHOG, GIRAFFE = (
    wide(1 << card) for card in range(len(CARDS))
)
GIRAFFE_DRAWS = 3
NOBODY = -1
NOWHERE = -1  # the totem before it is set
CLOCKWISE, BACKWARDS = wide(1), wide(-1)
FARTHEST = POSITIONS - 1  # steps of the totem

# Actions. All are 64 bits wide: Numba compiles a function again for every literal argument.
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
# 6 spaces in a line and 11 in its two neighbours, for 5 animals; 30 for Vulture and Rhinoceros, 9 for Hyena.
MOST_CHOICES = 150

# The card that an action uses up, as a set; 0 if none.
CARD_OF = arrays.zeros(ACTIONS, arrays.int64)
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

# Phases
(
    SETTING_TOTEM,
    PLACING,
    SWAPPING,
    MOVING_SECOND_ANIMAL,  # with the Hyena
    MOVING_TOTEM,
    ANNOUNCING,  # cards after the totem has moved
    KEEPING,  # one of the Giraffe's cards
    DRAWING,
    GAME_OVER,
) = range(9)

# What cards are drawn for
NO_DRAW, FOR_HANDICAP, FOR_REINFORCEMENT, FOR_GIRAFFE = range(4)

# What the Hyena does in this turn
NO_HYENA, FIRST_MOVE, SECOND_MOVE, FIRST_PLACING, SECOND_PLACING = range(5)

# How a game ends, indexed by `State.ending`
REASONS = ("", "points", "reinforcement")
NOT_ENDED, POINTS, REINFORCEMENT = range(3)


class Setup:
    """What stays the same during a game."""

    neighbours: Annotated[Sets, arrays.int32, SPACES]
    across_river: Annotated[Sets, arrays.int32, SPACES]
    river_right: Int32  # the spaces with a river on their right
    river_below: Int32
    territory_of: Annotated[Bytes, arrays.int8, SPACES]
    territories: Annotated[Sets, arrays.int32, TERRITORIES]
    lines: Annotated[Sets, arrays.int32, POSITIONS]
    hidden_pile: Int8  # the reinforcement is drawn from the pile; otherwise it is the face-up Okapi
    rhinoceros_neighbour: Int8
    hyena_places: Int8


class State:
    """What changes during a game; everything that belongs to a single turn is 0 between turns."""

    own: Annotated[Sets, arrays.int32, 2]  # the spaces of each seat's animals
    kinds: Annotated[Sets, arrays.int32, KINDS]  # the spaces of each kind of animal
    hidden: Int32
    boa: Int32  # the only space where this turn may place
    porcupine: Int32  # the space where this turn may not place
    placed: Int32  # the current space of the animal placed last in this turn
    crocodile: Int32  # the crocodile that may swap
    visited: Int32  # the spaces it has been on in this chain of swaps
    moved: Int32  # the current space of the animal that the Hyena moved first
    cards: Annotated[Shorts, arrays.int16, 2]  # face up in front of each seat
    pile: Int16
    used: Int16  # used and discarded
    drawn: Int16  # by the Giraffe, to choose from
    hands: Annotated[Bytes, arrays.int8, 2, KINDS]
    resting: Annotated[Bytes, arrays.int8, KINDS]  # returned to the hand of `seat` in this turn
    seat: Int8  # whose turn it is
    phase: Int8
    totem: Int8
    hyena: Int8
    warthog: Int8  # this turn places nothing
    announced: Int8  # Boa, Porcupine or Warthog has been used since the totem moved
    filled: Int8  # the animal arriving now has filled the first full territory
    reinforced: Int8  # the seat that received the card for the first full territory, or NOBODY
    draws: Int8  # cards still to be drawn
    draw_cause: Int8
    resume: Int8  # the phase in which the Giraffe was used
    ending: Int8
    winner: Int8


STATE = layout(State)
SETUP = layout(Setup)


@compiled
def empty(state: State) -> int:
    """Return the empty spaces."""
    return ALL & ~(wide(state.own[0]) | wide(state.own[1]))


@compiled
def totem_line(state: State, setup: Setup) -> int:
    """Return the spaces that the totem faces."""
    return wide(setup.lines[state.totem])


@compiled
def has_tokens(state: State, seat: int) -> bool:
    """Return whether this seat has a token in hand; a seat without one has no turn."""
    hand = state.hands[seat]
    return bool(hand[0] | hand[1] | hand[2] | hand[3] | hand[4])
