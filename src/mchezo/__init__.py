"""Katarenga, Kiwara and Kitara: to play, to study, and to do research on.

>>> import mchezo
>>> position = mchezo.game("katarenga").start(seed=7)
>>> position.to_move
1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mchezo.games as _games  # noqa: F401, enters the games
from mchezo.core.chance import new_seed
from mchezo.core.errors import IllegalMove, InvalidMove, InvalidRecord, InvalidSetup, Refusal, UnknownGame, UnknownSeat
from mchezo.core.outcome import Outcome
from mchezo.core.record import Record
from mchezo.core.registry import find as game
from mchezo.core.registry import names as games
from mchezo.core.structs import CHANCE

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
    "Refusal",
    "Series",
    "UnknownGame",
    "UnknownSeat",
    "analyse",
    "game",
    "games",
    "levels",
    "new_seed",
    "perft",
    "player",
]

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
