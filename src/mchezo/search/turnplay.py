"""Self-play of planning players: training samples, and matches between two sets of weights."""

from dataclasses import replace
from typing import Annotated

import numpy as np
import numpy.typing as npt

from mchezo.core import verbs
from mchezo.core.compiled import kernel
from mchezo.core.features import Training
from mchezo.core.game import Game
from mchezo.core.position import Position
from mchezo.core.rng import new_rng
from mchezo.core.structs import Actions, Array, Numbers, Setups, States, Words64, wide
from mchezo.search import planner
from mchezo.search.selfplay import starts
from mchezo.search.tuning import THOUSANDTHS, Samples, together

NODES_A_TRY = 8  # average actions per turn that the planner tries
LONGEST_GAME = 2_000  # actions
MOST_TURNS = 100
Quantities = Annotated[npt.NDArray[np.float64], Array(np.float64, 3)]

CLEAR = 10_000  # thousandths of log-odds: the largest value before the end of a game


@kernel
def turns_of(games: States, setups: Setups, made: Actions, quantities: Quantities, units: Numbers) -> int:
    """Write the features of all seats and the unit of their leads at the start of each turn; return the turns."""
    state, setup = games[0], setups[0]
    count = wide(0)
    last = wide(-1)
    for action in made:
        if action < 0:
            break
        turn = wide(verbs.turn_of(state))
        if verbs.to_move(state) == turn != last and count < len(units):
            last = turn
            for seat in range(quantities.shape[1]):
                verbs.features(state, setup, seat, quantities[count, seat])
            units[count] = verbs.lead_unit(state, setup)
            count += 1
        verbs.apply(state, setup, wide(action))
    return count


def play(position: Position, weights: Numbers, nodes: int, rng: Words64) -> tuple[Numbers, Numbers, Actions]:
    """Play one game with a row of weights per seat, in points; return shares of the win, points, and actions."""
    states, setups, most, seats = position.arrays
    returned, scored = np.zeros((1, seats)), np.zeros((1, seats))
    made = np.full((1, LONGEST_GAME), -1, np.int32)
    tries = np.full(seats, max(1, nodes // NODES_A_TRY), np.int32)
    planner.play_games(states, setups, seats, weights, tries, most, rng, returned, scored, made)
    return (returned[0] + 1) / 2, scored[0], made[0]


def samples(position: Position, weights: Numbers, won: Numbers, scored: Numbers, made: Actions) -> Samples:
    """Return samples for every pair of seats at every turn: the difference of features, and who finished ahead.

    The value of a turn is the evaluation one round later, when every seat has had another turn.
    """
    seats = len(won)
    quantities, units = np.zeros((MOST_TURNS, seats, len(weights))), np.zeros(MOST_TURNS)
    count = turns_of(position.states.copy(), position.setups, made, quantities, units)
    heuristic = quantities[:count] @ weights / units[:count, None]
    # Between seats with equal points the winner ranks higher.
    ranks = scored + won / 2
    parts = []
    for one in range(seats):
        for other in range(one + 1, seats):
            result = 0.5 + 0.5 * np.sign(ranks[one] - ranks[other])
            differences = (quantities[:count, one] - quantities[:count, other]) / units[:count, None]
            values = np.full(count, CLEAR * np.sign(ranks[one] - ranks[other]))
            values[: max(0, count - seats)] = THOUSANDTHS * (heuristic[seats:, one] - heuristic[seats:, other])
            parts.append(
                Samples(
                    differences.astype(np.float32),
                    np.clip(values, -CLEAR, CLEAR).astype(np.int32),
                    np.full(count, result, np.float32),
                    won[:0].astype(np.float32),
                )
            )
    return replace(together(parts), games=won[:1].astype(np.float32))


def practise(game: Game, training: Training, weights: Numbers, nodes: int, count: int, seed: int) -> Samples:
    """Return samples from `count` self-play games with these weights, in thousandths of points."""
    points = weights / THOUSANDTHS
    found = []
    for position, rng in starts(game, training, count, seed):
        all_seats = np.stack([points] * len(position.seats))
        found.append(samples(position, points, *play(position, all_seats, nodes, rng)))
    return together(found)


def compare(
    game: Game, training: Training, first: Numbers, second: Numbers, nodes: int, pairs: int, seed: int
) -> Numbers:
    """Return the score of the first weights against the second for each pair of games, in alternate seats."""
    points = np.stack([first, second]) / THOUSANDTHS
    scored = np.zeros(pairs)
    for number, (position, rng) in enumerate(starts(game, training, pairs, seed)):
        sides = np.arange(len(position.seats)) % 2
        for swapped in (0, 1):
            won, _, _ = play(position, points[sides ^ swapped], nodes, new_rng(int(rng[0] >> 1)))
            scored[number] += won[sides == swapped].sum() / 2
    return scored
