"""A greedy player that plans its whole turn: of many turns tried at random, and mended at random, it plays the best.

A turn is every decision of one seat until another's turn begins, chance and others' answers in between. What it leads
to is judged by the game's features. The player sees what its seat sees: everything else is redrawn first.
"""

from typing import Any

import numpy as np

from mchezo.core import verbs
from mchezo.core.compiled import compiled
from mchezo.core.dice import throw
from mchezo.core.kernels import choices, weighted
from mchezo.core.structs import CHANCE, OVER, Actions, Numbers, Structs, Weights, Words64, wide
from mchezo.search.turns import STRAY, on_turn, take_up

LONGEST_TURN = 100  # decisions, chance included; a plan stops there
ENEMY_SHARE = 0.35  # how much the best other seat's worth counts against one's own


@compiled
def worth(state: Any, setup: Any, seat: int, seats: int, weights: Numbers, room: Numbers) -> float:
    """What a position is worth to a seat: its own features, less a share of the best other seat's."""
    own = best = 0.0
    first = True
    for other in range(seats):
        verbs.features(state, setup, other, room)
        value = 0.0
        for index in range(len(weights)):
            value += weights[index] * room[index]
        if other == seat:
            own = value
        elif first or value > best:
            best = value
            first = False
    return own - ENEMY_SHARE * best


@compiled
def step(state: Any, setup: Any, actions: Actions, odds: Weights, throws: Words64) -> int:
    """Make one random action, whoever is to move; return it."""
    count = choices(state, setup, actions, odds)
    chosen = weighted(odds, count, throws) if verbs.to_move(state) == CHANCE else throw(throws, count)
    action = wide(actions[chosen])
    verbs.apply(state, setup, action)
    return action


@compiled
def mended_step(
    state: Any,
    setup: Any,
    seat: int,
    actions: Actions,
    odds: Weights,
    throws: Words64,
    best: Actions,
    at: int,
    end: int,
) -> tuple[int, int]:
    """Make the next action of the best turn so far that is possible here, or at times a random one.

    `at` is where the best turn is to be taken up, `end` its length; return the action, and where to go on.
    """
    count = choices(state, setup, actions, odds)
    chosen = -1
    if verbs.to_move(state) == seat and throw(throws, STRAY):
        chosen, at = take_up(best, at, end, actions, count)
    if chosen < 0:
        chosen = weighted(odds, count, throws) if verbs.to_move(state) == CHANCE else throw(throws, count)
    action = wide(actions[chosen])
    verbs.apply(state, setup, action)
    return action, at


@compiled
def plan(
    path: Structs,
    setup: Any,
    seats: int,
    weights: Numbers,
    room: Numbers,
    tries: int,
    actions: Actions,
    odds: Weights,
    throws: Words64,
    best: Actions,
) -> int:
    """Write the best turn found for the seat to move in path[0] into `best`; return how many actions it has.

    `path` has LONGEST_TURN + 2 places: the states along the best turn so far, and a last one to try in.
    """
    seat = verbs.to_move(path[0])
    verbs.hide(path[0], setup, seat, throws)
    trial = path[LONGEST_TURN + 1]
    tried = np.empty(LONGEST_TURN, np.int32)
    length = 0
    best_worth = -1e18
    for number in range(tries):
        # A quarter of the tries are new turns, the others mend the best one: they keep its beginning, do one thing
        # at random, and go on as it did where they can.
        kept, at = 0, length
        if number * 4 > tries:
            kept = throw(throws, length)
            at = kept + throw(throws, 3)
        path[LONGEST_TURN + 1] = path[kept]
        made = kept
        while made < LONGEST_TURN and on_turn(trial, seat):
            if made == kept or at >= length:
                tried[made] = step(trial, setup, actions, odds, throws)
            else:
                tried[made], at = mended_step(trial, setup, seat, actions, odds, throws, best, at, length)
            made += 1
        reached = worth(trial, setup, seat, seats, weights, room)
        if reached > best_worth:
            best_worth = reached
            length = made
            # Walk the turn once more to keep its states; chance and answers are part of it.
            for index in range(kept, made):
                best[index] = tried[index]
                path[index + 1] = path[index]
                verbs.apply(path[index + 1], setup, tried[index])
    return length


@compiled
def play_games(
    starts: Structs,
    setups: Structs,
    seats: int,
    weights: Numbers,
    tries: Actions,
    most: int,
    throws: Words64,
    returned: Numbers,
    scored: Numbers,
    made: Actions,
) -> None:
    """Play one game for each row of the results, every seat planning; write results, points and all actions made.

    `weights` has a row and `tries` a number for each seat; one try is a random turn. A row of `made` ends with -1.
    """
    setup = setups[0]
    states = np.repeat(starts, 1)
    path = np.repeat(starts, LONGEST_TURN + 2)
    actions = np.empty(most, np.int32)
    odds = np.empty(most, np.int32)
    room = np.zeros(weights.shape[1])
    best = np.empty(LONGEST_TURN, np.int32)
    for game in range(returned.shape[0]):
        states[0] = starts[0]
        state = states[0]
        made[game, :] = -1
        count = 0
        planned = at = 0
        seat = verbs.to_move(state)
        while seat != OVER:
            if seat == CHANCE:
                action = step(state, setup, actions, odds, throws)
                planned = at = 0
            else:
                if at == planned:
                    path[0] = states[0]
                    planned = plan(path, setup, seats, weights[seat], room, tries[seat], actions, odds, throws, best)
                    at = 0
                action = wide(best[at])
                at += 1
                verbs.apply(state, setup, action)
            made[game, count] = action
            count += 1
            following = verbs.to_move(state)
            if following != seat:
                planned = at = 0
            seat = following
        verbs.returns(state, setup, returned[game])
        verbs.scores(state, setup, scored[game])
