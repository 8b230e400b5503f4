"""The games in all their kinds: variants and numbers of players."""

import random
from typing import Any

import numpy as np
import pytest

from mchezo.core.position import Position
from mchezo.core.structs import Structs

KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "katarenga": ("katarenga", {}),
    "congress": ("katarenga", {"variant": "congress"}),
    "quebec": ("katarenga", {"variant": "quebec"}),
    "isolation": ("katarenga", {"variant": "isolation"}),
    "troika": ("katarenga", {"variant": "troika", "swap": True}),
    "battle-stations": ("katarenga", {"variant": "battle-stations"}),
    "central-park": ("katarenga", {"variant": "central-park"}),
    "north-west-passage": ("katarenga", {"variant": "north-west-passage"}),
    "kiwara": ("kiwara", {}),
    "kiwara-pile": ("kiwara", {"reinforcement": "pile"}),
    "kitara-2": ("kitara", {"players": 2}),
    "kitara-3": ("kitara", {"players": 3}),
    "kitara-4": ("kitara", {"players": 4}),
}
GAMES = ("katarenga", "kiwara", "kitara")
every_kind = pytest.mark.parametrize(("name", "options"), KINDS.values(), ids=KINDS)
every_game = pytest.mark.parametrize("name", GAMES)


def same(left: Structs, right: Structs) -> bool:
    """Return whether two states are equal field by field, ignoring padding."""
    names = left.dtype.names or ()
    return all(np.array_equal(left[name], right[name]) for name in names)


def lively_move(position: Position, generator: random.Random) -> str:
    """Return a random move; in Kitara preferably an attack with heroes, which draws tokens."""
    moves = position.legal_moves
    view = position.view()
    if view["decision"] == "move":
        enemies = {name for name, space in view.get("spaces", {}).items() if space["seat"] != position.to_move}
        moves = [move for move in moves if move.partition("-")[2] in enemies] or moves
    elif view["decision"] == "pawns":
        moves = [move for move in moves if "H" in move] or moves
    return generator.choice(moves)
