"""Who wins a position by force: one search with a null window, to the end of the game.

It answers less than iterative deepening, which also says how good every move is on the way, and is several times
faster. It suits games without chance and without draws.
"""

from __future__ import annotations

from dataclasses import dataclass

from mchezo.core.network import NONE
from mchezo.core.position import Position
from mchezo.search import alphabeta
from mchezo.search.budget import Budget
from mchezo.search.deepening import AlphaBetaSearch, new_table, root_actions
from mchezo.search.thought import Stop

# In plies. Beyond the end of every game that is solved, though late moves are reduced by up to two plies each; a value
# in the transposition table that holds at any depth counts as one of 127 plies.
TO_THE_END = 126
ENTRIES = 1 << 21  # of the transposition table


@dataclass(frozen=True)
class Solution:
    """The seat that wins by force, a first decision that does (any, if the seat to move loses), and the cost."""

    winner: int
    move: str
    nodes: int


def solve(position: Position, nodes: int | None = None, stop: Stop | None = None) -> Solution | None:
    """Return the solution of a position; None if that takes more than `nodes` nodes."""
    search = AlphaBetaSearch(position, new_table(ENTRIES))
    alphabeta.begin(search.stack, TO_THE_END, 0, 1, False)
    actions = root_actions(position, None)

    def advance(limit: int) -> bool:
        return bool(alphabeta.run(search.stack, actions, search.table, search.weights, NONE, limit))

    if not Budget(nodes, None, stop).run(advance, lambda: search.nodes):
        return None
    found, root = search.stack.searches[0], search.stack.plies[0]
    if found.heuristic:
        return None
    move = position.game.notation.write(int(root.best_action), position.states[0], position.setups[0])
    return Solution(0 if found.value > 0 else 1, move, search.nodes)
