"""Self-play of alpha-beta in compiled code: training samples, and matches between two sets of weights."""

from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from mchezo.core import verbs
from mchezo.core.compiled import compiled, kernel
from mchezo.core.features import Training
from mchezo.core.game import Game
from mchezo.core.kernels import weighted
from mchezo.core.position import Position
from mchezo.core.rng import new_rng, randbelow
from mchezo.core.structs import CHANCE, OVER, Actions, Array, NumberRows, Numbers, States, Words64, wide
from mchezo.search import alphabeta
from mchezo.search.alphabeta import INFINITE, MATE_BOUND, MOST_PLIES, Stack, Table
from mchezo.search.deepening import new_stack
from mchezo.search.tuning import Samples, together

MOST_SAMPLES = 400  # positions per game
TABLE = 1 << 14  # entries of a transposition table


@compiled
def choose(stack: Stack, table: Table, weights: Numbers, nodes: int) -> tuple[int, int]:
    """Return the best action in the stack's first state within `nodes` nodes, and its value for seat 0."""
    search, root = stack.searches[0], stack.plies[0]
    count = verbs.legal(stack.states[0], stack.setups[0], stack.actions[0])
    roots = stack.actions[0, :count].copy()
    best, value = wide(roots[0]), wide(0)
    search.nodes = 0
    stack.history[:] = 0
    for ply in range(MOST_PLIES):
        stack.plies[ply].killers[:] = -1
    for depth in range(1, MOST_PLIES):
        alphabeta.begin(stack, depth, -INFINITE, INFINITE, False)
        finished = alphabeta.run(stack, roots, table, weights, nodes)
        if finished:
            best, value = wide(root.best_action), wide(search.value)
        elif stack.pv_lengths[0]:
            best, value = wide(stack.pv[0, 0]), wide(root.best) * wide(root.sign)
        if not finished or not search.heuristic:
            break
    return best, value


@compiled
def is_quiet(state: Any, setup: Any, actions: Actions, action: int) -> bool:
    """Return whether an action is quiet: not one of those that quiescence search examines."""
    count = verbs.legal(state, setup, actions)
    noisy = verbs.noisy(state, setup, actions, count)
    found = False
    for index in range(noisy):
        found |= actions[index] == action
    return not found


@kernel
def play_game(
    games: States,
    stack: Stack,
    tables: Annotated[npt.NDArray[np.uint64], Array(np.uint64, 3)],
    weights: NumberRows,
    nodes: int,
    opening: int,
    rng: Words64,
    differences: Annotated[npt.NDArray[np.float32], Array(np.float32, 2)],
    values: Actions,
    returned: Numbers,
) -> int:
    """Play the game in games[0] to its end and write its quiet positions; return how many there are.

    Each seat has its own row of weights and its own transposition table. Up to `opening` decisions at the start are
    random. A position is written as the difference between the seats' features and its value by the search.
    """
    state, setup = games[0], stack.setups[0]
    actions, odds = stack.actions[0], stack.odds[0]
    own, other = np.zeros(differences.shape[1]), np.zeros(differences.shape[1])
    at_random = randbelow(rng, opening + 1)
    written = wide(0)
    seat = verbs.to_move(state)
    while seat != OVER:
        if seat == CHANCE:
            action = wide(actions[weighted(odds, verbs.chance(state, setup, actions, odds), rng)])
        elif at_random:
            at_random -= 1
            action = wide(actions[randbelow(rng, verbs.legal(state, setup, actions))])
        else:
            stack.states[0] = games[0]
            action, value = choose(stack, tables[seat], weights[seat], nodes)
            if abs(value) < MATE_BOUND and written < len(values) and is_quiet(state, setup, actions, action):
                verbs.features(state, setup, 0, own)
                verbs.features(state, setup, 1, other)
                for index in range(len(own)):
                    differences[written, index] = own[index] - other[index]
                values[written] = value
                written += 1
        verbs.apply(state, setup, action)
        seat = verbs.to_move(state)
    verbs.returns(state, setup, returned)
    return written


def play(position: Position, weights: Numbers, nodes: int, opening: int, rng: Words64) -> Samples:
    """Play one game; `weights` has a row per seat, and chance draws from `rng` instead of the position's seed."""
    tables = np.zeros((2, TABLE, 2), np.uint64)
    differences = np.zeros((MOST_SAMPLES, weights.shape[1]), np.float32)
    values = np.zeros(MOST_SAMPLES, np.int32)
    returned = np.zeros(2)
    games, stack = position.states.copy(), new_stack(position)
    count = play_game(games, stack, tables, weights, nodes, opening, rng, differences, values, returned)
    result = (1 + returned[0]) / 2
    results = np.full(count, result, np.float32)
    return Samples(differences[:count], values[:count], results, np.array([result], np.float32))


def starts(game: Game, training: Training, count: int, seed: int) -> Iterator[tuple[Position, Words64]]:
    """Yield `count` starting positions of a kind of game with their random generators, all determined by the seed."""
    for number in range(count):
        options = training.options[number % len(training.options)]
        yield game.start(seed=(seed << 20) + number, chance="manual", **options), new_rng((seed << 21) + number)


def practise(game: Game, training: Training, weights: Numbers, nodes: int, count: int, seed: int) -> Samples:
    """Return samples from `count` self-play games with these weights."""
    both = np.stack([weights, weights])
    return together(
        [play(start, both, nodes, training.opening, rng) for start, rng in starts(game, training, count, seed)]
    )


def compare(
    game: Game, training: Training, first: Numbers, second: Numbers, nodes: int, pairs: int, seed: int
) -> Numbers:
    """Return the score of the first weights against the second for each pair of games with seats swapped."""
    scored = np.zeros(pairs)
    for number, (start, rng) in enumerate(starts(game, training, pairs, seed)):
        again = rng.copy()
        scored[number] = play(start, np.stack([first, second]), nodes, training.opening, rng).games[0]
        scored[number] += 1 - play(start, np.stack([second, first]), nodes, training.opening, again).games[0]
    return scored / 2
