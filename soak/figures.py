"""Figures that have to be the same on every platform: perft, random games, searches, trees and batches.

`python -m soak.figures` prints them.
"""

import hashlib
from typing import Any

import numpy as np

import mchezo
from mchezo.core import kernels, registry
from mchezo.core.compiled import describe
from mchezo.core.rng import new_rng
from mchezo.envs.batch import Batch
from mchezo.search.montecarlo import TreeSearch
from mchezo.search.signature import kinds, nodes_to_depth

LEAST_LEAVES = 20_000
PLAYOUT_ACTIONS = 50_000
TREE_NODES = 10_000
BATCH = (64, 100)  # games, steps


def short(*arrays: np.ndarray[Any, Any]) -> str:
    """Return a hash of the bytes of arrays."""
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()[:16]


def print_figures(name: str) -> None:
    """Print the figures of a game."""
    position = registry.find(name).start(seed=1)
    depth, leaves = 0, 1
    while leaves < LEAST_LEAVES:
        depth += 1
        leaves = mchezo.perft(position, depth)
        print(name, "perft", depth, leaves)
    states, rng = np.repeat(position.states, 2), new_rng(1)
    actions, weights = (np.zeros(position.game.rules.most_choices, np.int32) for _ in range(2))
    done = kernels.playouts(states, position.setups, actions, weights, rng, PLAYOUT_ACTIONS)
    print(name, "playouts", done, kernels.key(states[1:]), short(rng))
    tree = TreeSearch(position, np.zeros(0, np.int32), TREE_NODES, 1)
    tree.resume(TREE_NODES)
    print(name, "tree", tree.nodes, short(tree.tree.branches))
    games, steps = BATCH
    batch = Batch(name, games, seed=1, set_ups=2)
    for _ in range(steps):
        batch.step(batch.sample())
    # Not the states: what lies between the fields of a struct is arbitrary.
    print(name, "batch", short(batch.rng, batch.to_move, batch.observe(), batch.masks()))


if __name__ == "__main__":
    for game in mchezo.games():
        print_figures(game)
    for kind in kinds():
        print(kind, "signature", nodes_to_depth(kind))
    print(describe())
