"""OpenSpiel's Monte Carlo tree search in Python as a player, to measure others against."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from mchezo.core import kernels
from mchezo.core.dice import dice
from mchezo.core.game import Option
from mchezo.core.position import Position
from mchezo.envs.openspiel import SpielState
from mchezo.search.thought import Stop, Thought

EXPLORATION = 2.0  # as in OpenSpiel's own examples
ROLLOUTS = 1


class OpenSpielSearch:
    """`open_spiel.python.algorithms.mcts` with random rollouts; what the seat cannot see is redrawn once a decision."""

    def __init__(self, simulations: int = 200) -> None:
        self.simulations = simulations
        self.name = f"openspiel:{simulations}"

    def think(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        stop: Stop | None = None,
    ) -> Thought:
        """The most visited decision. It takes no other budget than its simulations, and cannot be stopped."""
        game, generator = spiel_game(position), np.random.RandomState(seed % (1 << 32))
        state: SpielState = game.new_initial_state()
        state.table = position.states.copy()
        seat = state.current_player()
        kernels.hide(state.table, position.setups, seat, dice(seed))
        evaluator = mcts.RandomRolloutEvaluator(ROLLOUTS, generator)
        bot = mcts.MCTSBot(game, EXPLORATION, self.simulations, evaluator, random_state=generator)
        root = bot.mcts_search(state)
        best = root.best_child()
        move = position.game.write(best.action, position.states[0], position.setups[0])
        seats = len(position.seats)
        own = min(1.0, max(0.0, (best.total_reward / max(1, best.explore_count) + 1) / 2))
        chances = tuple(own if other == seat else (1 - own) / (seats - 1) for other in range(seats))
        return Thought((move,), 1, chances, (), 1, root.explore_count, solved=False)


def spiel_game(position: Position) -> Any:
    """The game of a position, with its options, as OpenSpiel knows it."""
    given = position.options
    options = [option for option in position.game.options if given[option.name] != option.default]
    parameters = {option.name: parameter(option, given[option.name]) for option in options}
    return pyspiel.load_game(f"mchezo_{position.game.name}", parameters)


def parameter(option: Option, value: Any) -> Any:
    """A start option as a parameter: a number, or text as in records with `yes` and `no`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(option.default, int) else option.write(value)
