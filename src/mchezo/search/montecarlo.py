"""The player for games with chance, hidden things and many seats: Monte Carlo tree search over whole turns."""

import time
from typing import Any

import numpy as np

from mchezo.core.dice import dice
from mchezo.core.position import Position
from mchezo.search import tree
from mchezo.search.thought import Stop, Thought

SLICE = 5_000  # nodes between two looks at the clock
NODES_PER_BRANCH = 300  # at least: how much room is made for the tree
MOST_BRANCHES = 200_000


class Search:
    """One search: its arrays, to be resumed where it stopped."""

    def __init__(self, position: Position, weights: Any, seed: int, branches: int, knobs: Any) -> None:
        states, self.setups, most, self.seats = position.arrays
        self.states = states.copy()
        self.path = np.repeat(states, 2 * tree.LONGEST_TURN + 4)
        self.branches = np.zeros(branches, tree.BRANCH)
        self.counts = np.zeros(tree.COUNTS, np.int64)
        self.weights = weights
        self.knobs = np.array(knobs)
        self.actions, self.odds = np.empty(most, np.int32), np.empty(most, np.int32)
        self.done = np.empty(2 * tree.LONGEST_TURN, np.int32)
        self.points, self.chances = np.zeros(tree.MOST_SEATS), np.zeros(tree.MOST_SEATS)
        self.throws = dice(seed)

    def run(self, until: int) -> None:
        """Go on until so many nodes are counted."""
        tree.search(
            self.states,
            self.setups,
            self.seats,
            self.path,
            self.branches,
            self.counts,
            self.weights,
            self.knobs,
            self.actions,
            self.odds,
            self.done,
            self.points,
            self.chances,
            self.throws,
            until,
        )
