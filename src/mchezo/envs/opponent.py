"""OpenSpiel's Monte Carlo tree search in Python as a reference opponent."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from mchezo.core.options import Option
from mchezo.core.position import Position
from mchezo.envs.openspiel import SpielState
from mchezo.search.thought import SearchOptions, Thought

EXPLORATION = 2.0  # as in OpenSpiel's own examples
ROLLOUTS = 1


class OpenSpielSearch:
    """`open_spiel.python.algorithms.mcts` with random rollouts and one determinization per decision."""

    def __init__(self, simulations: int = 200) -> None:
        self.simulations = simulations
        self.name = f"openspiel:{simulations}"

    def think(self, position: Position, **options: Unpack[SearchOptions]) -> Thought:
        """Return the most visited decision; the only budget is the number of simulations, and it cannot be stopped."""
        seed = options.get("seed", 0)
        game, generator = spiel_game(position), np.random.RandomState(seed % (1 << 32))
        state: SpielState = game.new_initial_state()
        state.put(position.states)
        seat = state.current_player()
        state = state.resampled(seat, seed)
        evaluator = mcts.RandomRolloutEvaluator(ROLLOUTS, generator)
        bot = mcts.MCTSBot(game, EXPLORATION, self.simulations, evaluator, random_state=generator)
        root = bot.mcts_search(state)
        best = root.best_child()
        move = position.game.notation.write(best.action, position.states[0], position.setups[0])
        seats = len(position.seats)
        own = min(1.0, max(0.0, (best.total_reward / max(1, best.explore_count) + 1) / 2))
        chances = tuple(own if other == seat else (1 - own) / (seats - 1) for other in range(seats))
        return Thought((move,), 1, chances, (), 1, root.explore_count, solved=False)


def spiel_game(position: Position) -> Any:
    """Return the OpenSpiel game of a position, with its options."""
    given = position.options
    options = [option for option in position.game.setup.options if given[option.name] != option.default]
    parameters = {option.name: parameter(option, given[option.name]) for option in options}
    return pyspiel.load_game(f"mchezo_{position.game.name}", parameters)


def parameter(option: Option, value: Any) -> Any:
    """Convert a start option to an OpenSpiel parameter: a number, or text as in records with `yes` and `no`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(option.default, int) else option.write(value)
