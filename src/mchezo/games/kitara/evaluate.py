"""What a position of Kitara is worth to a seat: quantities in the words of the game, and how much each counts."""

from typing import Any

import numpy as np

from mchezo.core import verbs
from mchezo.core.compiled import compiled
from mchezo.core.structs import Numbers, bits, wide
from mchezo.games.kitara.choices import group_size
from mchezo.games.kitara.components import AGES, CARD_POINTS, RUIN_POINTS, VALUES
from mchezo.games.kitara.rules import feeding_capacity, hungry_cards
from mchezo.games.kitara.state import (
    ANIMAL,
    CHOOSE_START,
    FREE,
    HERO,
    NOTHING,
    REFILL,
    RUIN,
    STATE,
    WARRIOR,
    Setup,
    State,
)

# Name, what it counts, and what one of it is worth in points at the end.
FEATURES = (
    ("points", "points on the track and on own tokens", 1.0),
    ("cards", "final points of the cards held", 1.0),
    ("prosperity", "prosperity symbols, for each turn to come", 0.9),
    ("ruins", "points of ruins held by a master-animal, for each turn to come", 0.7),
    ("unfed", "cards that the savannas cannot feed", -3.5),
    ("reserve", "savannas with a warrior beyond what the cards need, up to two", 0.7),
    ("draft", "draft symbols beyond the first, for each turn to come", 0.15),
    ("moves", "move symbols, for each turn to come", 0.25),
    ("warriors", "warriors on the board", 0.5),
    ("animals", "master-animals on the board", 0.8),
    ("heroes", "heroes on the board", 1.0),
    ("spaces", "spaces held, beyond the first", 0.3),
    ("raid", "a hero stands in a group that can attack", 1.5),
    ("idle", "master-animals that stand on no ruin", -0.6),
)
COUNT = len(FEATURES)


def weights(setup: Any) -> Numbers:
    """What each quantity is worth."""
    return np.array([worth for _, _, worth in FEATURES])


@compiled
def features(state: State, setup: Setup, seat: int, out: Numbers) -> None:
    """The quantities of `FEATURES` for one seat."""
    for index in range(COUNT):
        out[index] = 0.0
    out[0] = state.points[seat]
    if state.step == NOTHING:
        return
    left = turns_left(state, setup, seat)
    for value in range(len(VALUES)):
        out[0] += VALUES[value] * wide(state.kept[seat, value])
    out[1] = CARD_POINTS * wide(state.kingdom_count[seat])
    draft = moves = prosperity = wide(0)
    for place in range(wide(state.kingdom_count[seat])):
        card = state.kingdoms[seat, place]
        draft += setup.draft[card]
        moves += setup.moves[card]
        prosperity += setup.prosperity[card]
    out[2] = prosperity * left
    spare = feeding_capacity(state, setup, seat) - hungry_cards(state, setup, seat)
    out[4] = max(0, -spare)
    out[5] = min(2, max(0, spare))
    out[6] = max(0, draft - 1) * left
    out[7] = moves * left
    out[11] = max(0, wide(state.held[seat]) - 1)
    for space in range(wide(setup.spaces)):
        if state.owner[space] != seat + 1:
            continue
        out[8] += state.pawns[space, WARRIOR]
        out[9] += state.pawns[space, ANIMAL]
        out[10] += state.pawns[space, HERO]
        if setup.kind[space] == RUIN and state.pawns[space, ANIMAL]:
            out[3] += RUIN_POINTS * left
        else:
            out[13] += state.pawns[space, ANIMAL]
        if left and state.pawns[space, HERO] and can_raid(state, setup, seat, space):
            out[12] = 1.0
    if left == 0:
        # Pawns and spaces count for what they bring later; after the last turn that is nothing.
        for index in range(4, COUNT):
            out[index] = 0.0


@compiled
def can_raid(state: State, setup: Setup, seat: int, space: int) -> bool:
    """Whether the group on a space could attack a neighbour now."""
    for border in range(wide(setup.border_count[space])):
        target = wide(setup.borders[space, border])
        there = wide(state.owner[target])
        if (
            there not in (FREE, seat + 1)
            and state.held[there - 1] > 1
            and group_size(state, space) > group_size(state, target)
        ):
            return True
    return False


@compiled
def turns_left(state: State, setup: Setup, seat: int) -> int:
    """How many turns the seat has still to come; the deck tells when its first card of age 5 will be revealed."""
    last = wide(state.last_round)
    turn = wide(state.turn) if state.step > CHOOSE_START else 0
    if last == 0:
        missing = wide(1)  # cards to be revealed until the first of age 5 is
        for card in range(1, wide(setup.cards) + 1):
            if setup.age[card] < AGES and state.unseen >> bits(card) & bits(1):
                missing += 1
        # A turn reveals a card after the draft, with two players another at its end.
        each = 2 if setup.players == 2 else 1
        missing -= each if state.step <= REFILL else each - 1
        later = max(0, -(-missing // each))
        last = wide(state.round_number) + (turn + later) // wide(setup.players) + 1
    return max(0, last - wide(state.round_number) + (1 if seat >= turn else 0))


@compiled
def turn_of(state: State) -> int:
    """The seat whose turn it is, also while another retreats."""
    return wide(state.turn)


verbs.enter(STATE, features=features, turn_of=turn_of)
