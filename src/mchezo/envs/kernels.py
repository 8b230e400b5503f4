"""Compiled functions that step and observe many games at once.

They take the arrays of a slice of a batch, so that each thread can work on its own slice.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mchezo.core import verbs
from mchezo.core.compiled import compiled, kernel
from mchezo.core.kernels import settle
from mchezo.core.prefetch import prefetch, prefetch_struct, settle_streams, stream
from mchezo.core.rng import randbelow
from mchezo.core.structs import (
    OVER,
    ActionRows,
    Actions,
    Array,
    Bytes,
    NumberRows,
    Setups,
    States,
    Weights,
    Words64,
    bits,
    wide,
)

Flags = Annotated[npt.NDArray[np.bool_], Array(np.bool_)]
Masks = Annotated[npt.NDArray[np.bool_], Array(np.bool_, 2)]
Observations = Annotated[npt.NDArray[np.float32], Array(np.float32, 2)]


class Slice(NamedTuple):
    """The arrays of a slice of a batch: one row per game, but for the set-ups that games are dealt from."""

    states: States
    dealt: Actions  # index of each game's set-up
    starts: States  # first states, one per set-up
    setups: Setups
    rng: Words64
    seats: Bytes  # to move
    choices: ActionRows  # legal actions
    counts: Actions  # how many there are
    weights: Weights  # scratch space for chance

    @property
    def dtype(self) -> Any:
        """The layout of the states, by which kernels find the game."""
        return self.states.dtype


AHEAD, NEAR = 4, 2  # games for which memory is announced, first the state, then what it refers to
LINE = 16  # actions in a line of the processor's cache


@compiled
def prefetch_choices(choices: ActionRows, game: int) -> None:
    """Announce that the first choices of a game will be used soon, nearly all that a game has as a rule."""
    for line in range(3):
        prefetch(choices, game, line * LINE)


@compiled
def deal(games: Slice, game: int) -> int:
    """Start one game with a set-up drawn by its own generator; return the seat to move."""
    own = games.rng[game : game + 1]
    number = randbelow(own, len(games.starts))
    games.dealt[game] = number
    games.states[game] = games.starts[number]
    settle(games.states[game], games.setups[number], games.choices[game], games.weights, own)
    return verbs.to_move(games.states[game])


@compiled
def list_legal(games: Slice, game: int, seat: int) -> None:
    """Write the seat to move and its legal actions."""
    games.seats[game] = seat
    games.counts[game] = verbs.legal(games.states[game], games.setups[games.dealt[game]], games.choices[game])


@kernel
def begin(games: Slice) -> None:
    """Start every game."""
    for game in range(len(games.states)):
        list_legal(games, game, deal(games, game))


@kernel
def advance(games: Slice, actions: Actions, rewards: NumberRows, ended: Flags) -> None:
    """Apply one action in every game; a finished game writes its result and restarts."""
    for game in range(len(games.states)):
        prefetch_choices(games.choices, game + AHEAD)
        prefetch_struct(games.states, game + AHEAD)
        near = game + NEAR
        if near < len(games.states):
            verbs.announce(games.states[near], games.setups[games.dealt[near]])
        state, setup = games.states[game], games.setups[games.dealt[game]]
        verbs.apply(state, setup, wide(actions[game]))
        settle(state, setup, games.choices[game], games.weights, games.rng[game : game + 1])
        seat = verbs.to_move(state)
        if seat == OVER:
            verbs.returns(state, setup, rewards[game])
            ended[game] = True
            seat = deal(games, game)
        list_legal(games, game, seat)


@kernel
def draw(rng: Words64, choices: ActionRows, counts: Actions, actions: Actions) -> None:
    """Draw a uniformly random legal action in every game."""
    for game in range(len(counts)):
        prefetch_choices(choices, game + AHEAD)
        actions[game] = choices[game, randbelow(rng[game : game + 1], wide(counts[game]))]


@kernel
def first_illegal(choices: ActionRows, counts: Actions, actions: Actions) -> int:
    """Return the first game whose action is not legal, -1 if there is none."""
    for game in range(len(counts)):
        prefetch_choices(choices, game + AHEAD)
        known = False
        for number in range(counts[game]):
            known |= choices[game, number] == actions[game]
        if not known:
            return game
    return -1


@kernel
def observe(states: States, dealt: Actions, setups: Setups, seats: Bytes, out: Observations) -> None:
    """Write the observation of the seat to move in every game."""
    for game in range(len(states)):
        prefetch_struct(states, game + AHEAD)
        verbs.observe(states[game], setups[dealt[game]], wide(seats[game]), out[game])


@kernel
def look_ahead(
    states: States,
    dealt: Actions,
    setups: Setups,
    seats: Bytes,
    choices: ActionRows,
    counts: Actions,
    tried: States,
    out: Observations,
) -> None:
    """Write the afterstate observations of the seat to move for each of its actions, game by game, before chance."""
    row = wide(0)
    for game in range(len(states)):
        setup = setups[dealt[game]]
        for number in range(counts[game]):
            tried[0] = states[game]
            verbs.apply(tried[0], setup, wide(choices[game, number]))
            verbs.observe(tried[0], setup, wide(seats[game]), out[row])
            row += 1


@kernel
def mark_legal(choices: ActionRows, counts: Actions, out: Masks) -> None:
    """Write the mask of legal actions in every game."""
    for game in range(len(counts)):
        prefetch_choices(choices, game + AHEAD)
        out[game, :] = False
        for number in range(counts[game]):
            out[game, bits(choices[game, number])] = True  # an index without a sign needs no check


@kernel
def stream_masks(choices: ActionRows, counts: Actions, out: Masks) -> None:
    """Do the same in an array larger than the caches, so that they keep the games."""
    row = np.zeros(out.shape[1], np.bool_)
    for game in range(len(counts)):
        prefetch_choices(choices, game + AHEAD)
        for number in range(counts[game]):
            row[bits(choices[game, number])] = True
        stream(row, out[game])
        for number in range(counts[game]):
            row[bits(choices[game, number])] = False
    settle_streams()
