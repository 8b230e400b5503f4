"""How many nodes alpha-beta needs for fixed positions and a fixed depth: its signature, and what its aids save."""

import random
from typing import Any

from mchezo.core import registry
from mchezo.core.position import Position
from mchezo.search.deepening import AlphaBeta

DEPTH = 6
MOVES = (6, 12, 18)  # the positions stand after so many random moves
POSITIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "katarenga": ("katarenga", {}),
    "congress": ("katarenga", {"variant": "congress"}),
    "quebec": ("katarenga", {"variant": "quebec"}),
    "isolation": ("katarenga", {"variant": "isolation"}),
    "kiwara": ("kiwara", {}),
    "kiwara with the pile": ("kiwara", {"reinforcement": "pile", "handicap": (1, 2)}),
}


def positions(name: str) -> list[Position]:
    """The fixed positions of one kind of game."""
    game, options = POSITIONS[name]
    position = registry.find(game).start(seed=1, **options)
    chosen = random.Random(1)
    found = []
    while position.outcome is None and len(position.moves) <= max(MOVES):
        if len(position.moves) in MOVES:
            found.append(position.copy())
        position.play(chosen.choice(position.legal_moves))
    return found


def nodes_to_depth(name: str, *, remember: bool = True, order: bool = True) -> int:
    """How many nodes it takes to look at the fixed positions of one kind of game."""
    engine = AlphaBeta(depth=DEPTH, remember=remember, order=order)
    return sum(engine.think(position).nodes for position in positions(name))
