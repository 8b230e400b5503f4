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
from mchezo.core.network import NONE, ShortRows
from mchezo.core.position import Position
from mchezo.core.rng import new_rng, randbelow
from mchezo.core.structs import CHANCE, OVER, Actions, Array, NumberRows, Numbers, States, Words64, wide
from mchezo.search import alphabeta
from mchezo.search.alphabeta import INFINITE, MOST_PLIES, Ply, Stack, Table
from mchezo.search.deepening import new_stack
from mchezo.search.tuning import Samples, together

MOST_SAMPLES = 1000  # positions per game
LEAVES = 4  # of each search, at most
NO_NETWORKS = np.zeros((2, *NONE.shape), np.int16)
TABLE = 1 << 14  # entries of a transposition table


@compiled
def choose(stack: Stack, table: Table, weights: Numbers, network: ShortRows, nodes: int) -> tuple[int, int]:
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
        finished = alphabeta.run(stack, roots, table, weights, network, nodes)
        if finished:
            best, value = wide(root.best_action), wide(search.value)
        elif stack.pv_lengths[0]:
            best, value = wide(stack.pv[0, 0]), wide(root.best) * wide(root.sign)
        if not finished or not search.heuristic:
            break
    return best, value


@compiled
def choose_and_pause(
    stack: Stack, leaves: States, table: Table, weights: Numbers, network: ShortRows, nodes: int, rng: Words64
) -> tuple[int, int, int]:
    """Choose as `choose` does and write leaves of that search; return action, value and the number of leaves."""
    search, root = stack.searches[0], stack.plies[0]
    setup = stack.setups[0]
    count = verbs.legal(stack.states[0], setup, stack.actions[0])
    roots = stack.actions[0, :count].copy()
    best, value = wide(roots[0]), wide(0)
    search.nodes = 0
    stack.history[:] = 0
    for ply in range(MOST_PLIES):
        stack.plies[ply].killers[:] = -1
    interval = max(1, nodes // max(1, len(leaves)))
    pause = 1 + randbelow(rng, interval) if len(leaves) else nodes
    found = wide(0)
    for depth in range(1, MOST_PLIES):
        alphabeta.begin(stack, depth, -INFINITE, INFINITE, False)
        finished = alphabeta.run(stack, roots, table, weights, network, min(nodes, pause))
        while not finished and pause < nodes:
            pause += 1
            at = wide(search.ply)
            if found < len(leaves) and is_leaf(stack.states[at], setup, stack.plies[at], stack.actions[MOST_PLIES - 1]):
                leaves[found] = stack.states[at]
                found += 1
                pause = min(nodes, found * interval + randbelow(rng, interval))
            if found == len(leaves):
                pause = nodes
            finished = alphabeta.run(stack, roots, table, weights, network, pause)
        if finished:
            best, value = wide(root.best_action), wide(search.value)
        elif stack.pv_lengths[0]:
            best, value = wide(stack.pv[0, 0]), wide(root.best) * wide(root.sign)
        if not finished or not search.heuristic:
            break
    return best, value, found


@compiled
def is_leaf(state: Any, setup: Any, node: Ply, actions: Actions) -> bool:
    """Return whether the search would evaluate a position before it looks further."""
    return node.depth <= 0 and verbs.to_move(state) >= 0 and verbs.noisy_only(state, setup, actions) >= 0


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
    networks: Annotated[npt.NDArray[np.int16], Array(np.int16, 3)],
    nodes: int,
    opening: int,
    rng: Words64,
    differences: Annotated[npt.NDArray[np.float32], Array(np.float32, 2)],
    values: Actions,
    leaves: Actions,
    returned: Numbers,
) -> int:
    """Play the game in games[0] to its end and write quiet positions; return how many there are.

    These are positions of the game, and leaves of its searches, marked in `leaves` and valued by half of the nodes: an
    evaluation is asked about leaves, which hardly ever occur in games. The other places of `games` are scratch space.

    Each seat has its own weights, network and transposition table. Up to `opening` decisions at the start are
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
            table, by, network = tables[seat], weights[seat], networks[seat]
            action, value, found = choose_and_pause(stack, games[1:], table, by, network, nodes, rng)
            if written + 1 + found <= len(values):
                for place in range(1 + found):
                    best = action
                    if place:
                        stack.states[0] = games[place]
                        best, value = choose(stack, table, by, network, max(1, nodes // 2))
                    if is_quiet(games[place], setup, actions, best):
                        verbs.features(games[place], setup, 0, own)
                        verbs.features(games[place], setup, 1, other)
                        for index in range(len(own)):
                            differences[written, index] = own[index] - other[index]
                        values[written] = value
                        leaves[written] = wide(place > 0)
                        written += 1
        verbs.apply(state, setup, action)
        seat = verbs.to_move(state)
    verbs.returns(state, setup, returned)
    return written


def play(position: Position, weights: Numbers, nodes: int, opening: int, rng: Words64, most: int = 0) -> Samples:
    """Play one game, with at most `most` leaves of each search among the samples.

    `weights` has a row per seat, and chance draws from `rng` instead of the position's seed.
    """
    tables = np.zeros((2, TABLE, 2), np.uint64)
    differences = np.zeros((MOST_SAMPLES, weights.shape[1]), np.float32)
    values = np.zeros(MOST_SAMPLES, np.int32)
    returned = np.zeros(2)
    leaves = np.zeros(MOST_SAMPLES, np.int32)
    games, stack = np.repeat(position.states, 1 + most), new_stack(position)
    count = play_game(
        games, stack, tables, weights, NO_NETWORKS, nodes, opening, rng, differences, values, leaves, returned
    )
    result = (1 + returned[0]) / 2
    results = np.where(leaves[:count], np.nan, result).astype(np.float32)
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
        [play(start, both, nodes, training.opening, rng, LEAVES) for start, rng in starts(game, training, count, seed)]
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
