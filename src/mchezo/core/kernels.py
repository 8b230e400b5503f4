"""Compiled functions that serve every game: the doors from Python to the verbs, perft and random playouts.

They take arrays of one struct because a call with a bare record costs ten times as much.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mchezo.core import verbs
from mchezo.core.compiled import compiled
from mchezo.core.dice import dice, throw
from mchezo.core.structs import CHANCE, OVER, Actions, Numbers, Structs, Weights, Words64, wide


@compiled
def who(states: Structs) -> int:
    """The seat to move, CHANCE or OVER."""
    return verbs.to_move(states[0])


@compiled
def choices(state: Any, setup: Any, actions: Actions, weights: Weights) -> int:
    """Everything that can happen next, by choice or by chance (then with weights); nothing once the game is over."""
    seat = verbs.to_move(state)
    if seat == OVER:
        return 0
    if seat == CHANCE:
        return verbs.chance(state, setup, actions, weights)
    return verbs.legal(state, setup, actions)


@compiled
def list_choices(states: Structs, setups: Structs, actions: Actions, weights: Weights) -> int:
    """`choices`, entered from Python."""
    return choices(states[0], setups[0], actions, weights)


@compiled
def make(states: Structs, setups: Structs, action: int) -> None:
    """Apply one action."""
    verbs.apply(states[0], setups[0], action)


@compiled
def result(states: Structs, setups: Structs, returned: Numbers, scored: Numbers) -> int:
    """Write results and points; return how the game ended."""
    verbs.returns(states[0], setups[0], returned)
    verbs.scores(states[0], setups[0], scored)
    return verbs.ending(states[0])


@compiled
def key(states: Structs) -> int:
    """The position's 64-bit key."""
    return verbs.key(states[0])


@compiled
def hide(states: Structs, setups: Structs, seat: int, throws: Words64) -> None:
    """Redraw what the seat cannot see."""
    verbs.hide(states[0], setups[0], seat, throws)


@compiled
def count_features(states: Structs, setups: Structs, seat: int, out: Numbers) -> None:
    """Write the quantities by which the position is judged for a seat; compiled when an analysis first needs it."""
    verbs.features(states[0], setups[0], seat, out)


@compiled
def perft(states: Structs, setups: Structs, actions: Structs, weights: Weights, depth: int) -> int:
    """Count the sequences of exactly `depth` actions; `states` and `actions` have a row for each."""
    if depth == 0:
        return 1
    setup = setups[0]
    counts = np.zeros(depth, np.int64)
    tried = np.zeros(depth, np.int64)
    leaves = wide(0)
    level = 0
    counts[0] = choices(states[0], setup, actions[0], weights)
    while level >= 0:
        if level == depth - 1:
            leaves += counts[level]
            level -= 1
        elif tried[level] == counts[level]:
            level -= 1
        else:
            action = actions[level, tried[level]]
            tried[level] += 1
            states[level + 1] = states[level]
            verbs.apply(states[level + 1], setup, action)
            level += 1
            counts[level] = choices(states[level], setup, actions[level], weights)
            tried[level] = 0
    return leaves


@compiled
def weighted(weights: Weights, count: int, throws: Words64) -> int:
    """An index below count, drawn by weight."""
    total = wide(0)
    for index in range(count):
        total += weights[index]
    drawn = throw(throws, total)
    index = 0
    while drawn >= weights[index]:
        drawn -= weights[index]
        index += 1
    return index


@compiled
def playouts(states: Structs, setups: Structs, actions: Actions, weights: Weights, throws: Words64, least: int) -> int:
    """Play random games from states[0] in states[1] until at least so many actions were made; return how many."""
    setup = setups[0]
    state = states[1]
    made = wide(0)
    while made < least:
        states[1] = states[0]
        seat = verbs.to_move(state)
        if seat == OVER:
            break
        while seat != OVER:
            if seat == CHANCE:
                index = weighted(weights, verbs.chance(state, setup, actions, weights), throws)
            else:
                index = throw(throws, verbs.legal(state, setup, actions))
            verbs.apply(state, setup, actions[index])
            made += 1
            seat = verbs.to_move(state)
    return made


KERNELS = ("who", "list_choices", "make", "result", "key", "hide", "perft", "playouts")


def warm_up(states: Structs, setups: Structs, most: int, seats: int) -> Iterator[str]:
    """Compile every kernel for this game, or load it from the cache; yields the name of each when it is ready."""
    room = np.repeat(states[:1], 3)
    rows = np.zeros((2, most), np.int32)
    weights = np.zeros(most, np.int32)
    numbers = np.zeros(seats)
    throws = dice(1)
    steps: tuple[Callable[[], object], ...] = (
        lambda: who(room),
        lambda: list_choices(room, setups, rows[0], weights),
        lambda: make(room[1:2], setups, int(rows[0, 0])),
        lambda: result(room, setups, numbers, numbers),
        lambda: key(room),
        lambda: hide(room, setups, 0, throws),
        lambda: perft(room, setups, rows, weights, 1),
        lambda: playouts(room, setups, rows[0], weights, throws, 1),
    )
    for name, step in zip(KERNELS, steps, strict=True):
        step()
        yield name
