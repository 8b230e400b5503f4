"""What a seat of Kitara cannot see, the values of the others' hero tokens, and how they are redrawn for its sake."""

from mchezo.core.compiled import compiled
from mchezo.core.dice import throw
from mchezo.core.structs import Bytes, Words64, wide
from mchezo.games.kitara.components import VALUES
from mchezo.games.kitara.structs import NOTHING, SEATS, Setup, State


@compiled
def hide(state: State, setup: Setup, seat: int, dice: Words64) -> None:
    """Redraw the tokens of the other seats, turn by turn, so that all that this seat has seen could have happened.

    Each turn draws as many tokens as it did and keeps one of the best. It draws from those that the seat knows to have
    been in the bag: not what it keeps itself, nor what it will draw later. Draws without return may be taken in any
    order, so that this gives each token its right chance wherever nothing goes back.
    """
    if state.step == NOTHING:
        return
    for other in range(SEATS):
        if other != seat:
            for value in range(len(VALUES)):
                state.kept[other, value] = 0
    for turn in range(wide(state.logged)):
        entry = state.log[turn]
        if entry[0] != seat:
            fill_bag(state, setup, seat, turn)
            redraw(state.bag, entry[1:], dice)
            state.kept[entry[0], best_drawn(entry)] += 1
    fill_bag(state, setup, seat, wide(state.logged))
    if state.turn != seat:
        redraw(state.bag, state.drawn, dice)


@compiled
def fill_bag(state: State, setup: Setup, seat: int, turn: int) -> None:
    """Put into the bag what the others can draw in a logged turn, as far as this seat knows.

    For every later turn of the seat the bag must still have held what the seat then drew; and now it must hold nothing
    that the seat has.
    """
    for value in range(len(VALUES)):
        left = wide(setup.tokens[value])  # as far as the seat's own tokens go
        least = left
        for number in range(wide(state.logged)):
            entry = state.log[number]
            if entry[0] == seat:
                if number > turn:
                    least = min(least, left - entry[1 + value])
                if best_drawn(entry) == value:
                    left -= 1
        if state.turn == seat:
            left -= state.drawn[value]
        least = min(least, left)
        for other in range(SEATS):
            if other != seat:
                least -= state.kept[other, value]
        state.bag[value] = least


@compiled
def redraw(bag: Bytes, drawn: Bytes, dice: Words64) -> None:
    """Draw as many tokens anew; fewer only if the bag runs out."""
    count = min(count_tokens(drawn), count_tokens(bag))
    for value in range(len(VALUES)):
        drawn[value] = 0
    for left in range(count_tokens(bag), count_tokens(bag) - count, -1):
        lot = throw(dice, left)
        value = 0
        while lot >= bag[value]:
            lot -= bag[value]
            value += 1
        bag[value] -= 1
        drawn[value] += 1


@compiled
def count_tokens(tokens: Bytes) -> int:
    """How many tokens, of all values."""
    return wide(tokens[0]) + wide(tokens[1]) + wide(tokens[2]) + wide(tokens[3])


@compiled
def best_drawn(entry: Bytes) -> int:
    """The highest value that was drawn in a logged turn: that token was kept."""
    value = len(VALUES) - 1
    while entry[1 + value] == 0:
        value -= 1
    return value
