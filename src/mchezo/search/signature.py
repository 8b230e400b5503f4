"""Bench signature of alpha-beta: the nodes it needs for fixed positions at a fixed depth."""

import random

from mchezo.core import registry
from mchezo.core.position import Position
from mchezo.search.deepening import AlphaBeta

DEPTH = 6
MOVES = (6, 12, 18)  # how many random moves lead to the positions


def kinds() -> dict[str, str]:
    """Return the kinds of game that have fixed positions, each with the name of its game."""
    return {kind: name for name in registry.names() for kind in registry.find(name).computers.signature}


def positions(name: str) -> list[Position]:
    """Return the fixed positions of one kind of game."""
    game = registry.find(kinds()[name])
    position = game.start(seed=1, **game.computers.signature[name])
    chosen = random.Random(1)
    found = []
    while position.outcome is None and len(position.moves) <= max(MOVES):
        if len(position.moves) in MOVES:
            found.append(position.copy())
        position.play(chosen.choice(position.legal_moves))
    return found


def nodes_to_depth(
    name: str,
    *,
    remember: bool = True,
    order: bool = True,
    network: bool = False,
    selective: bool = False,
    tactical: bool = False,
) -> int:
    """Return the nodes needed to search the fixed positions of one kind of game."""
    engine = AlphaBeta(
        depth=DEPTH, remember=remember, order=order, network=network, selective=selective, tactical=tactical
    )
    return sum(engine.think(position).nodes for position in positions(name))
