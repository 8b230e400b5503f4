"""A greedy reference player that plans one whole turn: random sampling, then local search around the best turn so far.

It evaluates the end of a turn by a linear combination of the game's features, with weights set by the caller. Balance
studies and matches use it as a yardstick. `turns.find` proposes turns to the tree search and may improve with it; this
player shares its moves through the turn but stays as it is, because published results are measured against it.
Everything hidden from its seat is redrawn first.
"""

from typing import Any

from mchezo.core import arrays, verbs
from mchezo.core.compiled import compiled, kernel
from mchezo.core.kernels import choices, weighted
from mchezo.core.rng import randbelow
from mchezo.core.structs import (
    CHANCE,
    OVER,
    ActionRows,
    Actions,
    NumberRows,
    Numbers,
    Setups,
    States,
    Weights,
    Words64,
    wide,
)
from mchezo.search.turns import Planning, keep, on_turn, vary

LONGEST_TURN = 100  # actions including chance; longer turns are cut off
ENEMY_SHARE = 0.35  # weight of the best other seat's value


@compiled
def value(state: Any, setup: Any, seat: int, seats: int, weights: Numbers, features: Numbers) -> float:
    """Return a seat's weighted features minus a share of the best other seat's; `features` is a scratch array."""
    own = best = 0.0
    first = True
    for other in range(seats):
        verbs.features(state, setup, other, features)
        total = 0.0
        for index in range(len(weights)):
            total += weights[index] * features[index]
        if other == seat:
            own = total
        elif first or total > best:
            best = total
            first = False
    return own - ENEMY_SHARE * best


@compiled
def sample(state: Any, count: int, odds: Weights, rng: Words64) -> int:
    """Return a random index below `count`: by weight for chance, uniformly for a seat."""
    return weighted(odds, count, rng) if verbs.to_move(state) == CHANCE else randbelow(rng, count)


@kernel
def plan(
    path: States, setups: Setups, seats: int, planning: Planning, features: Numbers, tries: int, best: Actions
) -> int:
    """Write the best turn found for the seat to move in path[0] into `best`; return how many actions it has.

    `path` has LONGEST_TURN + 2 places: the states along the best turn so far, and the last one to try in.
    """
    weights, actions, odds, rng = planning
    setup = setups[0]
    seat = verbs.to_move(path[0])
    verbs.determinize(path[0], setup, seat, rng)
    trial = path[LONGEST_TURN + 1]
    tried = arrays.empty(LONGEST_TURN, arrays.int32)
    length = 0
    most = -1e18
    for number in range(tries):
        # The first quarter of the tries are random turns. The others vary the best one: they keep its beginning, take
        # one random action, then rejoin it where possible.
        kept, at = 0, length
        if number * 4 > tries:
            kept = randbelow(rng, length)
            at = kept + randbelow(rng, 3)
        path[LONGEST_TURN + 1] = path[kept]
        end = kept
        while end < LONGEST_TURN and on_turn(trial, seat):
            count = choices(trial, setup, actions, odds)
            chosen = -1
            if end > kept and verbs.to_move(trial) == seat:
                chosen, at = vary(best, at, length, actions, count, rng)
            if chosen < 0:
                chosen = sample(trial, count, odds, rng)
            tried[end] = actions[chosen]
            verbs.apply(trial, setup, wide(tried[end]))
            end += 1
        reached = value(trial, setup, seat, seats, weights, features)
        if reached > most:
            most = reached
            length = end
            keep(path, setup, tried, kept, end, best)
    return length


@kernel
def play_games(
    starts: States,
    setups: Setups,
    seats: int,
    weights: NumberRows,
    tries: Actions,
    most: int,
    rng: Words64,
    returned: NumberRows,
    scored: NumberRows,
    made: ActionRows,
) -> None:
    """Play one game per row of the result arrays, every seat planning; write returns, points and all actions.

    `weights` has a row and `tries` a number for each seat; one try is a random turn. A row of `made` ends with -1.
    """
    setup = setups[0]
    states = arrays.empty(1, starts.dtype)
    path = arrays.empty(LONGEST_TURN + 2, starts.dtype)
    actions = arrays.empty(most, arrays.int32)
    odds = arrays.empty(most, arrays.int32)
    features = arrays.zeros(weights.shape[1])
    best = arrays.empty(LONGEST_TURN, arrays.int32)
    for game in range(returned.shape[0]):
        states[0] = starts[0]
        state = states[0]
        made[game, :] = -1
        count = 0
        planned = at = 0
        seat = verbs.to_move(state)
        while seat != OVER:
            if seat == CHANCE:
                action = wide(actions[sample(state, choices(state, setup, actions, odds), odds, rng)])
                planned = at = 0
            else:
                if at == planned:
                    path[0] = states[0]
                    planning = Planning(weights[seat], actions, odds, rng)
                    planned = plan(path, setups, seats, planning, features, wide(tries[seat]), best)
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
