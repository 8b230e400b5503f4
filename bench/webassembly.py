"""WebAssembly in Node.js beside native code: `PYTHONPATH=. python bench/webassembly.py`.

Calls of perft, random playouts and searches are recorded and repeated; both take the processor time of the same calls.
"""

import json
import tempfile
from pathlib import Path

import numpy as np

import mchezo
from mchezo.core import kernels, registry
from mchezo.core.rng import new_rng
from mchezo.search.budget import Budget
from mchezo.search.deepening import AlphaBetaSearch, deepen, root_actions
from mchezo.search.montecarlo import TreeSearch
from tests.build.modules import in_node
from tests.build.trace import Recorder

ACTIONS, NODES, LEAVES = 1_000_000, 100_000, 1_000_000
MEASURED = ("core_kernels_perft", "core_kernels_playouts", "search_alphabeta_run", "search_tree_search")


def exercise(name: str) -> None:
    """Count leaves, play random games and search."""
    position = registry.find(name).start(seed=1)
    depth = 1
    while mchezo.perft(position, depth) < LEAVES:
        depth += 1
    states = np.repeat(position.states, 2)
    actions, weights = (np.zeros(position.game.rules.most_choices, np.int32) for _ in range(2))
    kernels.playouts(states, position.setups, actions, weights, new_rng(1), ACTIONS)
    if position.game.evaluation.evaluate:
        search = AlphaBetaSearch(position, np.zeros((1 << 18, 2), np.uint64))
        deepen(search, root_actions(position, None), 1, 99, Budget(NODES, None, None), 1)
    TreeSearch(position, np.zeros(0, np.int32), NODES, 1).resume(NODES)


def main() -> None:
    """Print the processor seconds of both for every game."""
    with tempfile.TemporaryDirectory() as folder:
        for name in mchezo.games():
            recorder = Recorder()
            exercise(name)
            recorder.write(Path(folder) / name)
            spent = json.loads(in_node(name, Path(folder) / name, "measure"))
            for kernel in filter(spent.get, MEASURED):
                native, here = spent[kernel]
                print(f"{name}, {kernel}: {native:.2f} s, in WebAssembly {here:.2f} s", flush=True)


if __name__ == "__main__":
    main()
