"""Training positions of a network, from self-play of alpha-beta in compiled code.

A network is asked about the leaves of a search, which hardly ever occur in games. So leaves of every search are
searched in turn: what these searches return is what a better evaluation would have said. The positions of the game
itself are kept, too, with its result.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from mchezo.core import verbs
from mchezo.core.compiled import compiled, kernel
from mchezo.core.features import Training
from mchezo.core.game import Game
from mchezo.core.kernels import weighted
from mchezo.core.network import MOST_INPUTS, ShortRows
from mchezo.core.position import Position
from mchezo.core.rng import randbelow
from mchezo.core.structs import CHANCE, OVER, ActionRows, Array, Numbers, States, Words64, wide
from mchezo.search.alphabeta import Stack, Table
from mchezo.search.deepening import new_stack
from mchezo.search.selfplay import LEAVES, choose, choose_and_pause, is_quiet, starts

MOST_POSITIONS = 500  # per game
TABLE = 1 << 16  # entries of the transposition table

# What is written of a position, besides its inputs.
COUNT, STAGE, SEAT, LINEAR, VALUE, FROM_GAME = range(6)
FACTS = 6

InputRows = Annotated[npt.NDArray[np.int16], Array(np.int16, 2)]


@dataclass(frozen=True)
class Positions:
    """Positions to learn from; values and results are those of the seat whose turn it is."""

    inputs: npt.NDArray[np.int16]  # of all positions, one after the other
    counts: npt.NDArray[np.int16]
    stages: npt.NDArray[np.int8]
    linear: npt.NDArray[np.int16]  # the linear evaluation, in thousandths of log-odds
    values: npt.NDArray[np.int16]  # by the search, in the same unit
    results: npt.NDArray[np.float32]  # 1 won, 0 lost; NaN for leaves


def together(parts: Sequence[Positions]) -> Positions:
    """Concatenate batches."""
    return Positions(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Positions)))


@compiled
def write(
    state: Any, setup: Any, stack: Stack, weights: Numbers, value: int, inputs: InputRows, facts: ActionRows, at: int
) -> None:
    """Write a position and its value for seat 0."""
    count = verbs.inputs(state, setup, stack.inputs)
    for index in range(count):
        inputs[at, index] = stack.inputs[index]
    facts[at, COUNT] = count
    facts[at, STAGE] = verbs.stage(state, setup)
    facts[at, SEAT] = verbs.turn_of(state)
    facts[at, LINEAR] = verbs.evaluate(state, setup, weights)
    facts[at, VALUE] = value


@kernel
def sample_game(
    games: States,
    stack: Stack,
    table: Table,
    weights: Numbers,
    network: ShortRows,
    nodes: int,
    opening: int,
    rng: Words64,
    inputs: InputRows,
    facts: ActionRows,
    returned: Numbers,
) -> int:
    """Play the game in games[0] until it is over or solved; write positions of it and leaves; return their number.

    The other places of `games` are scratch space for leaves, which are searched with half of the nodes.
    """
    setup = stack.setups[0]
    actions, odds = stack.actions[0], stack.odds[0]
    search = stack.searches[0]
    at_random = randbelow(rng, opening + 1)
    written = wide(0)
    seat = verbs.to_move(games[0])
    while seat != OVER:
        if seat == CHANCE:
            action = wide(actions[weighted(odds, verbs.chance(games[0], setup, actions, odds), rng)])
        elif at_random:
            at_random -= 1
            action = wide(actions[randbelow(rng, verbs.legal(games[0], setup, actions))])
        else:
            stack.states[0] = games[0]
            action, value, found = choose_and_pause(stack, games[1:], table, weights, network, nodes, rng)
            solved = search.heuristic == 0
            if written + 1 + found <= len(facts):
                if is_quiet(games[0], setup, actions, action):
                    write(games[0], setup, stack, weights, value, inputs, facts, written)
                    facts[written, FROM_GAME] = 1
                    written += 1
                for leaf in range(1, 1 + found):
                    stack.states[0] = games[leaf]
                    best, value_of_leaf = choose(stack, table, weights, network, nodes // 2)
                    if is_quiet(games[leaf], setup, actions, best):
                        write(games[leaf], setup, stack, weights, value_of_leaf, inputs, facts, written)
                        facts[written, FROM_GAME] = 0
                        written += 1
            if solved:
                returned[0] = 1.0 if value > 0 else (-1.0 if value < 0 else 0.0)
                returned[1] = -returned[0]
                return written
        verbs.apply(games[0], setup, action)
        seat = verbs.to_move(games[0])
    verbs.returns(games[0], setup, returned)
    return written


def play(position: Position, network: ShortRows, nodes: int, opening: int, rng: Words64) -> Positions:
    """Play one game and return what can be learned from it."""
    inputs = np.zeros((MOST_POSITIONS, MOST_INPUTS), np.int16)
    facts = np.zeros((MOST_POSITIONS, FACTS), np.int32)
    returned = np.zeros(2)
    stack = new_stack(position)
    count = sample_game(
        np.repeat(position.states, 1 + LEAVES),
        stack,
        np.zeros((TABLE, 2), np.uint64),
        position.game.evaluation.weights(stack.setups[0]),
        network,
        nodes,
        opening,
        rng,
        inputs,
        facts,
        returned,
    )
    facts = facts[:count]
    sign = 1 - 2 * facts[:, SEAT]
    won = (1 + returned[0] * sign) / 2
    used = np.arange(MOST_INPUTS) < facts[:, COUNT, None]
    return Positions(
        inputs[:count][used],
        facts[:, COUNT].astype(np.int16),
        facts[:, STAGE].astype(np.int8),
        (sign * facts[:, LINEAR]).astype(np.int16),
        (sign * facts[:, VALUE]).astype(np.int16),
        np.where(facts[:, FROM_GAME] == 1, won, np.nan).astype(np.float32),
    )


def practise(game: Game, training: Training, network: ShortRows, nodes: int, count: int, seed: int) -> Positions:
    """Return positions from `count` games of the computer against itself."""
    played = starts(game, training, count, seed)
    return together([play(start, network, nodes, training.opening, rng) for start, rng in played])
