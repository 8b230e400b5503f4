"""Chance in Kitara: the cards of the deck, the tokens of the bag, and what the rival does in a game alone."""

from mchezo.core.compiled import compiled
from mchezo.core.structs import Actions, Weights, bits, wide
from mchezo.games.kitara import rival, structs
from mchezo.games.kitara.components import VALUES
from mchezo.games.kitara.structs import NOBODY, Setup, State


@compiled
def chance(state: State, setup: Setup, actions: Actions, weights: Weights) -> int:
    """Write the outcomes of a chance node with their weights; return their number."""
    if state.phase == structs.DRAWING_TOKEN:
        return tokens(state, actions, weights)
    if state.rival != NOBODY:
        if not rival.decides(state):
            return cards(state, setup, next_age(state, setup), actions, weights)
        if state.phase == structs.DRAFTING:
            own = wide(setup.rival_ages[rival.cards_turned(state, setup)])
            return cards(state, setup, own, actions, weights)
        return rival.outcomes(state, setup, actions, weights)
    age = 0
    count = 0
    for card in range(1, wide(setup.cards) + 1):
        if state.unseen >> bits(card) & bits(1):
            if age == 0:
                age = wide(setup.age[card])
            if setup.age[card] != age:
                break
            actions[count] = structs.CARD + card
            weights[count] = 1
            count += 1
    return count


@compiled
def tokens(state: State, actions: Actions, weights: Weights) -> int:
    """Write the tokens in the bag by count; return the number of values."""
    count = 0
    for value in range(len(VALUES)):
        if state.bag[value]:
            actions[count] = structs.TOKEN + value
            weights[count] = state.bag[value]
            count += 1
    return count


@compiled
def cards(state: State, setup: Setup, age: int, actions: Actions, weights: Weights) -> int:
    """Write the unseen cards of an age; return their number."""
    count = 0
    for card in range(1, wide(setup.cards) + 1):
        if setup.age[card] == age and state.unseen >> bits(card) & bits(1):
            actions[count] = structs.CARD + card
            weights[count] = 1
            count += 1
    return count


@compiled
def next_age(state: State, setup: Setup) -> int:
    """Return the earliest age of which not all unseen cards are in the rival's deck."""
    age = 0
    unseen = kept = wide(0)
    while unseen == kept:
        age += 1
        kept = rival.kept_of_age(state, setup, age)
        unseen = wide(0)
        for card in range(1, wide(setup.cards) + 1):
            if setup.age[card] == age and state.unseen >> bits(card) & bits(1):
                unseen += 1
    return age
