"""Determinization of Kitara: redrawing the values of the other seats' hero tokens."""

from mchezo.core.compiled import compiled
from mchezo.core.rng import randbelow
from mchezo.core.structs import Bytes, Words64, wide
from mchezo.games.kitara.components import VALUES
from mchezo.games.kitara.structs import GAME_OVER, NOBODY, SEATS, Setup, State


@compiled
def determinize(state: State, setup: Setup, seat: int, rng: Words64) -> None:
    """Redraw the tokens of the other seats, turn by turn, consistently with everything this seat has seen.

    Each turn draws as many tokens as before and keeps one of the best. It draws from the tokens that, as far as the
    seat knows, were in the bag: not those that the seat keeps or draws later. Draws without replacement can be made in
    any order, so the distribution is exact as long as no token is returned to the bag.
    """
    if state.phase == GAME_OVER or state.rival != NOBODY:  # a player who plays alone sees everything
        return
    for other in range(SEATS):
        if other != seat:
            for value in range(len(VALUES)):
                state.kept[other, value] = 0
    for turn in range(wide(state.logged)):
        entry = state.log[turn]
        if entry[0] != seat:
            fill_bag(state, setup, seat, turn)
            redraw(state.bag, entry[1:], rng)
            state.kept[entry[0], best_drawn(entry)] += 1
    fill_bag(state, setup, seat, wide(state.logged))
    if state.seat != seat:
        redraw(state.bag, state.drawn, rng)


@compiled
def fill_bag(state: State, setup: Setup, seat: int, turn: int) -> None:
    """Fill the bag with what the others can have drawn in a logged turn, as far as this seat knows.

    In every later turn of the seat the bag must still contain what the seat drew then, and now it must contain nothing
    that the seat has.
    """
    for value in range(len(VALUES)):
        left = wide(setup.tokens[value])  # considering only the tokens of the seat itself
        least = left
        for number in range(wide(state.logged)):
            entry = state.log[number]
            if entry[0] == seat:
                if number > turn:
                    least = min(least, left - entry[1 + value])
                if best_drawn(entry) == value:
                    left -= 1
        if state.seat == seat:
            left -= state.drawn[value]
        least = min(least, left)
        for other in range(SEATS):
            if other != seat:
                least -= state.kept[other, value]
        state.bag[value] = least


@compiled
def redraw(bag: Bytes, drawn: Bytes, rng: Words64) -> None:
    """Draw the same number of tokens again; fewer only if the bag runs out."""
    count = min(count_tokens(drawn), count_tokens(bag))
    for value in range(len(VALUES)):
        drawn[value] = 0
    for left in range(count_tokens(bag), count_tokens(bag) - count, -1):
        index = randbelow(rng, left)
        value = 0
        while index >= bag[value]:
            index -= bag[value]
            value += 1
        bag[value] -= 1
        drawn[value] += 1


@compiled
def count_tokens(tokens: Bytes) -> int:
    """Return the number of tokens of all values."""
    return wide(tokens[0]) + wide(tokens[1]) + wide(tokens[2]) + wide(tokens[3])


@compiled
def best_drawn(entry: Bytes) -> int:
    """Return the index of the highest value drawn in a logged turn: that token was kept."""
    value = len(VALUES) - 1
    while entry[1 + value] == 0:
        value -= 1
    return value
