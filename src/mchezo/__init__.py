"""Katarenga, Kiwara and Kitara: to play, to study, and to do research on.

>>> import mchezo
>>> position = mchezo.game("katarenga").start(seed=7)
>>> position.to_move
1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mchezo.core import registry as _registry
from mchezo.core.chance import new_seed
from mchezo.core.errors import (
    IllegalMove,
    InvalidMove,
    InvalidRecord,
    InvalidSetup,
    UnknownGame,
    UnknownSeat,
    UserError,
)
from mchezo.core.outcome import Outcome
from mchezo.core.record import Record
from mchezo.core.record_table import RecordTable, read_records
from mchezo.core.structs import CHANCE
from mchezo.games import register_games

if TYPE_CHECKING:
    from mchezo.core.game import Game
    from mchezo.core.position import Position, perft
    from mchezo.core.series import Series
    from mchezo.search.analysis import Analysis, analyse
    from mchezo.search.players import Player, levels, player

__version__ = "0.1.0"
__all__ = [
    "CHANCE",
    "Analysis",
    "Game",
    "IllegalMove",
    "InvalidMove",
    "InvalidRecord",
    "InvalidSetup",
    "Outcome",
    "Player",
    "Position",
    "Record",
    "RecordTable",
    "Series",
    "UnknownGame",
    "UnknownSeat",
    "UserError",
    "analyse",
    "game",
    "games",
    "levels",
    "new_seed",
    "perft",
    "player",
    "read_records",
]

register_games()
game = _registry.find
games = _registry.names  # this replaces the package `mchezo.games` as the meaning of the name

# What needs the compiler is imported when it is first asked for: importing Numba takes half a second.
_LATER = {
    "Analysis": "mchezo.search.analysis",
    "Game": "mchezo.core.game",
    "Player": "mchezo.search.players",
    "Position": "mchezo.core.position",
    "Series": "mchezo.core.series",
    "analyse": "mchezo.search.analysis",
    "levels": "mchezo.search.players",
    "perft": "mchezo.core.position",
    "player": "mchezo.search.players",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"mchezo has no {name}")
    from importlib import import_module

    return getattr(import_module(_LATER[name]), name)
