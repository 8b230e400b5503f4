"""Compiled functions that move many games on at once, and look at them.

They take the arrays of a slice of a batch, so that threads can share it out.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from mchezo.core import verbs
from mchezo.core.compiled import compiled
from mchezo.core.dice import throw
from mchezo.core.kernels import weighted
from mchezo.core.structs import CHANCE, OVER, Actions, Bytes, Numbers, Structs, Weights, Words64, wide

Flags = npt.NDArray[np.bool_]


@compiled
def settle(state: Any, setup: Any, choices: Actions, weights: Weights, throws: Words64) -> int:
    """Let chance decide until a seat is to move or the game is over; return which."""
    seat = verbs.to_move(state)
    while seat == CHANCE:
        count = verbs.chance(state, setup, choices, weights)
        verbs.apply(state, setup, choices[weighted(weights, count, throws)])
        seat = verbs.to_move(state)
    return seat


@compiled
def deal(
    states: Structs,
    dealt: Actions,
    starts: Structs,
    setups: Structs,
    throws: Words64,
    choices: Structs,
    weights: Weights,
    game: int,
) -> int:
    """Begin one game, with a set-up drawn by its own dice; return the seat to move."""
    own = throws[game : game + 1]
    dealt[game] = throw(own, len(starts))
    states[game] = starts[dealt[game]]
    return settle(states[game], setups[dealt[game]], choices[game], weights, own)


@compiled
def begin(
    states: Structs,
    dealt: Actions,
    starts: Structs,
    setups: Structs,
    throws: Words64,
    seats: Bytes,
    choices: Structs,
    counts: Actions,
    weights: Weights,
) -> None:
    """Begin every game."""
    for game in range(len(states)):
        seats[game] = deal(states, dealt, starts, setups, throws, choices, weights, game)
        counts[game] = verbs.legal(states[game], setups[dealt[game]], choices[game])


@compiled
def advance(
    actions: Actions,
    rewards: Numbers,
    ended: Flags,
    states: Structs,
    dealt: Actions,
    starts: Structs,
    setups: Structs,
    throws: Words64,
    seats: Bytes,
    choices: Structs,
    counts: Actions,
    weights: Weights,
) -> None:
    """Make one action in every game; one that is over writes its result and begins anew."""
    for game in range(len(states)):
        setup = setups[dealt[game]]
        verbs.apply(states[game], setup, wide(actions[game]))
        seat = settle(states[game], setup, choices[game], weights, throws[game : game + 1])
        if seat == OVER:
            verbs.returns(states[game], setup, rewards[game])
            ended[game] = True
            seat = deal(states, dealt, starts, setups, throws, choices, weights, game)
        seats[game] = seat
        counts[game] = verbs.legal(states[game], setups[dealt[game]], choices[game])


@compiled
def draw(throws: Words64, choices: Structs, counts: Actions, actions: Actions) -> None:
    """Choose a legal action in every game, each as likely as any other."""
    for game in range(len(counts)):
        actions[game] = choices[game, throw(throws[game : game + 1], wide(counts[game]))]


@compiled
def first_illegal(choices: Structs, counts: Actions, actions: Actions) -> int:
    """The first game whose action is not legal; -1 if all are."""
    for game in range(len(counts)):
        known = False
        for number in range(counts[game]):
            known |= choices[game, number] == actions[game]
        if not known:
            return game
    return -1


@compiled
def look(states: Structs, dealt: Actions, setups: Structs, seats: Bytes, out: Structs) -> None:
    """Write what the seat to move sees, in every game."""
    for game in range(len(states)):
        verbs.observe(states[game], setups[dealt[game]], wide(seats[game]), out[game])


@compiled
def look_ahead(
    states: Structs,
    dealt: Actions,
    setups: Structs,
    seats: Bytes,
    choices: Structs,
    counts: Actions,
    tried: Structs,
    out: Structs,
) -> None:
    """Write what the seat to move would see after each of its choices, game after game; chance does not follow."""
    row = wide(0)
    for game in range(len(states)):
        setup = setups[dealt[game]]
        for number in range(counts[game]):
            tried[0] = states[game]
            verbs.apply(tried[0], setup, wide(choices[game, number]))
            verbs.observe(tried[0], setup, wide(seats[game]), out[row])
            row += 1


@compiled
def mark_legal(choices: Structs, counts: Actions, out: Structs) -> None:
    """Write a mask of the legal actions, in every game."""
    for game in range(len(counts)):
        out[game, :] = False
        for number in range(counts[game]):
            out[game, choices[game, number]] = True
