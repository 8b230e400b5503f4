"""Compiled functions for every game: entry points from Python to the verbs, perft and random playouts.

They take arrays of one struct, because a call with a bare record costs ten times as much.
"""

from collections.abc import Callable, Iterator
from typing import Any

from mchezo.core import arrays, verbs
from mchezo.core.compiled import compiled, kernel
from mchezo.core.rng import new_rng, randbelow
from mchezo.core.structs import (
    CHANCE,
    OVER,
    ActionRows,
    Actions,
    Numbers,
    Setups,
    States,
    UInt64,
    Weights,
    Words64,
    wide,
)


@kernel
def to_move(states: States) -> int:
    """Return the seat to move, CHANCE or OVER."""
    return verbs.to_move(states[0])


@compiled
def choices(state: Any, setup: Any, actions: Actions, weights: Weights) -> int:
    """Write the legal actions, or at a chance node the outcomes and their weights; return their number."""
    seat = verbs.to_move(state)
    if seat == OVER:
        return 0
    if seat == CHANCE:
        return verbs.chance(state, setup, actions, weights)
    return verbs.legal(state, setup, actions)


@kernel
def list_choices(states: States, setups: Setups, actions: Actions, weights: Weights) -> int:
    """`choices` for callers in Python."""
    return choices(states[0], setups[0], actions, weights)


DECIDERS = 8  # who decides is a number below this, from OVER


@compiled
def survey(state: Any, setup: Any, actions: Actions, weights: Weights) -> int:
    """Write the choices; return their number times DECIDERS plus the seat to move, CHANCE or OVER counted from OVER."""
    return choices(state, setup, actions, weights) * DECIDERS + verbs.to_move(state) - OVER


@kernel
def look(states: States, setups: Setups, actions: Actions, weights: Weights) -> int:
    """`survey` for callers in Python."""
    return survey(states[0], setups[0], actions, weights)


@kernel
def advance(before: States, after: States, setups: Setups, action: int, actions: Actions, weights: Weights) -> int:
    """Copy a state, apply an action to the copy, and survey it: all that a move needs, in one call."""
    after[0] = before[0]
    verbs.apply(after[0], setups[0], action)
    return survey(after[0], setups[0], actions, weights)


@kernel
def apply_action(states: States, setups: Setups, action: int) -> None:
    """Apply one action."""
    verbs.apply(states[0], setups[0], action)


@kernel
def result(states: States, setups: Setups, returned: Numbers, scored: Numbers) -> int:
    """Write the results and points of a finished game; return the index of its reason."""
    verbs.returns(states[0], setups[0], returned)
    verbs.scores(states[0], setups[0], scored)
    return verbs.ending(states[0])


@kernel
def key(states: States) -> UInt64:
    """Return the 64-bit key of the position."""
    return verbs.key(states[0])


@kernel
def determinize(states: States, setups: Setups, seat: int, rng: Words64) -> None:
    """Redraw what a seat cannot see."""
    verbs.determinize(states[0], setups[0], seat, rng)


@kernel
def count_features(states: States, setups: Setups, seat: int, out: Numbers) -> None:
    """Write the features of a seat; not among KERNELS, for only analyses and training need it."""
    verbs.features(states[0], setups[0], seat, out)


@kernel
def perft(states: States, setups: Setups, actions: ActionRows, weights: Weights, depth: int) -> int:
    """Count the sequences of exactly `depth` actions; `states` and `actions` have a row for each."""
    if depth == 0:
        return 1
    setup = setups[0]
    counts = arrays.zeros(depth, arrays.int64)
    tried = arrays.zeros(depth, arrays.int64)
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
def weighted(weights: Weights, count: int, rng: Words64) -> int:
    """Draw an index below count by weight."""
    total = wide(0)
    for index in range(count):
        total += weights[index]
    drawn = randbelow(rng, total)
    index = 0
    while drawn >= weights[index]:
        drawn -= weights[index]
        index += 1
    return index


@compiled
def settle(state: Any, setup: Any, actions: Actions, weights: Weights, rng: Words64) -> int:
    """Apply chance outcomes until a seat is to move or the game is over; return their number."""
    count = wide(0)
    while verbs.to_move(state) == CHANCE:
        drawn = weighted(weights, verbs.chance(state, setup, actions, weights), rng)
        verbs.apply(state, setup, wide(actions[drawn]))
        count += 1
    return count


@kernel
def playouts(states: States, setups: Setups, actions: Actions, weights: Weights, rng: Words64, least: int) -> int:
    """Play random games from states[0], in states[1], until at least `least` actions are done; return their number."""
    setup = setups[0]
    state = states[1]
    done = wide(0)
    while done < least:
        states[1] = states[0]
        seat = verbs.to_move(state)
        if seat == OVER:
            break
        while seat != OVER:
            if seat == CHANCE:
                action = wide(actions[weighted(weights, verbs.chance(state, setup, actions, weights), rng)])
            else:
                action = verbs.draw_legal(state, setup, actions, rng)
            verbs.apply(state, setup, action)
            done += 1
            seat = verbs.to_move(state)
    return done


KERNELS = (
    "to_move",
    "list_choices",
    "look",
    "advance",
    "apply_action",
    "result",
    "key",
    "determinize",
    "perft",
    "playouts",
)


def warm_up(states: States, setups: Setups, most: int, seats: int) -> Iterator[str]:
    """Compile every kernel for a game, or load it from the cache; yield the name of each when it is ready."""
    scratch = arrays.repeat(states[:1], 3)
    rows = arrays.zeros((2, most), arrays.int32)
    weights = arrays.zeros(most, arrays.int32)
    numbers = arrays.zeros(seats)
    rng = new_rng(1)
    steps: tuple[Callable[[], object], ...] = (
        lambda: to_move(scratch),
        lambda: list_choices(scratch, setups, rows[0], weights),
        lambda: look(scratch, setups, rows[0], weights),
        lambda: advance(scratch, scratch[1:2], setups, int(rows[0, 0]), rows[1], weights),
        lambda: apply_action(scratch[2:3], setups, int(rows[0, 0])),
        lambda: result(scratch, setups, numbers, numbers),
        lambda: key(scratch),
        lambda: determinize(scratch, setups, 0, rng),
        lambda: perft(scratch, setups, rows, weights, 1),
        lambda: playouts(scratch, setups, rows[0], weights, rng, 1),
    )
    for name, step in zip(KERNELS, steps, strict=True):
        step()
        yield name
