"""Games of alpha-beta against itself, whole games in compiled code: to learn from, and to compare two judgements."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mchezo.core import verbs
from mchezo.core.compiled import compiled
from mchezo.core.dice import dice, throw
from mchezo.core.game import Game
from mchezo.core.kernels import weighted
from mchezo.core.position import Position
from mchezo.core.structs import CHANCE, OVER, Actions, Numbers, Structs, Words64, wide
from mchezo.search import alphabeta
from mchezo.search.alphabeta import INFINITE, MOST_PLIES, SURE, Stack
from mchezo.search.deepening import new_stack
from mchezo.search.tuning import Samples, together

MOST_SAMPLES = 400  # positions a game
TABLE = 1 << 14


@compiled
def choose(stack: Stack, table: Structs, weights: Numbers, nodes: int) -> tuple[int, int]:
    """The best action in the stack's first state within so many nodes, and its value for seat 0."""
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
        elif stack.lengths[0]:
            best, value = wide(stack.lines[0, 0]), wide(root.best) * wide(root.sign)
        if not finished or not search.judged:
            break
    return best, value


@compiled
def is_quiet(state: Any, setup: Any, actions: Actions, action: int) -> bool:
    """Whether an action is none of those that have to be looked at before a position is judged."""
    count = verbs.legal(state, setup, actions)
    urgent = verbs.noisy(state, setup, actions, count)
    found = False
    for index in range(urgent):
        found |= actions[index] == action
    return not found


@compiled
def play_game(
    games: Structs,
    stack: Stack,
    tables: Structs,
    weights: Structs,
    nodes: int,
    opening: int,
    throws: Words64,
    differences: Structs,
    values: Actions,
    returned: Numbers,
) -> int:
    """Play the game in games[0] to its end and write the quiet positions on its way; return how many.

    Each seat has its row of weights and its table. The first decisions are made at random, up to `opening` of them. A
    position is written as the difference of the seats' features and the value that the search gave it.
    """
    state, setup = games[0], stack.setups[0]
    actions, odds = stack.actions[0], stack.odds[0]
    own, other = np.zeros(differences.shape[1]), np.zeros(differences.shape[1])
    at_random = throw(throws, opening + 1)
    written = wide(0)
    seat = verbs.to_move(state)
    while seat != OVER:
        if seat == CHANCE:
            action = wide(actions[weighted(odds, verbs.chance(state, setup, actions, odds), throws)])
        elif at_random:
            at_random -= 1
            action = wide(actions[throw(throws, verbs.legal(state, setup, actions))])
        else:
            stack.states[0] = games[0]
            action, value = choose(stack, tables[seat], weights[seat], nodes)
            if abs(value) < SURE and written < len(values) and is_quiet(state, setup, actions, action):
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


def play(position: Position, weights: Numbers, nodes: int, opening: int, throws: Words64) -> Samples:
    """One game from the position; `weights` has a row for each seat. Chance is thrown here, not by the position."""
    tables = np.zeros((2, TABLE, 2), np.uint64)
    differences = np.zeros((MOST_SAMPLES, weights.shape[1]), np.float32)
    values = np.zeros(MOST_SAMPLES, np.int32)
    returned = np.zeros(2)
    games, stack = position.states.copy(), new_stack(position)
    count = play_game(games, stack, tables, weights, nodes, opening, throws, differences, values, returned)
    result = (1 + returned[0]) / 2
    results = np.full(count, result, np.float32)
    return Samples(differences[:count], values[:count], results, np.array([result], np.float32))


@dataclass(frozen=True)
class Practice:
    """How a kind of game is practised: the start options in turn, and up to how many decisions are made at random."""

    options: tuple[dict[str, Any], ...]
    opening: int


PRACTICES = {
    "katarenga": Practice(({"choose_baseline": False},), 8),
    "congress": Practice(({"variant": "congress"},), 10),
    "quebec": Practice(({"variant": "quebec"},), 10),
    "isolation": Practice(({"variant": "isolation"}, {"variant": "isolation", "isolation": "opposite"}), 4),
    "kiwara": Practice(
        ({}, {"board": "free"}, {"reinforcement": "pile"}, {"board": "free", "reinforcement": "pile"}), 24
    ),
}


def starts(game: Game, practice: Practice, count: int, seed: int) -> Iterator[tuple[Position, Words64]]:
    """So many openings of a kind of game, on boards that follow from the seed: where it begins, and the dice for it."""
    for number in range(count):
        options = practice.options[number % len(practice.options)]
        yield game.start(seed=(seed << 20) + number, chance="manual", **options), dice((seed << 21) + number)


def practise(game: Game, practice: Practice, weights: Numbers, nodes: int, count: int, seed: int) -> Samples:
    """So many games of a player with these weights against itself."""
    both = np.stack([weights, weights])
    return together(
        [play(start, both, nodes, practice.opening, throws) for start, throws in starts(game, practice, count, seed)]
    )


def compare(
    game: Game, practice: Practice, first: Numbers, second: Numbers, nodes: int, pairs: int, seed: int
) -> Numbers:
    """What the first weights score against the second in pairs of games, from one opening with seats swapped."""
    scored = np.zeros(pairs)
    for number, (start, throws) in enumerate(starts(game, practice, pairs, seed)):
        again = throws.copy()
        scored[number] = play(start, np.stack([first, second]), nodes, practice.opening, throws).games[0]
        scored[number] += 1 - play(start, np.stack([second, first]), nodes, practice.opening, again).games[0]
    return scored / 2
