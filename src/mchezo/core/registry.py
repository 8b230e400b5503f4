"""The games by name. A game's code is imported, and its verbs registered, when it is first asked for."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from mchezo.core.errors import UnknownGame

if TYPE_CHECKING:
    from mchezo.core.game import Game, Packs

MODULES: dict[str, str] = {}
LOADED: dict[str, Game] = {}
LOADING = RLock()


def register(name: str, module: str) -> None:
    """Make a game known; its module has the game as `GAME`."""
    MODULES[name] = module


def names() -> tuple[str, ...]:
    """Return the names of all games."""
    return tuple(MODULES)


def find(name: str) -> Game:
    """Return the game of that name."""
    if not isinstance(name, str) or name not in MODULES:
        raise UnknownGame("unknown-game", given=name, allowed=", ".join(MODULES))
    with LOADING:
        if name not in LOADED:
            LOADED[name] = load(MODULES[name])
    return LOADED[name]


def load(module: str) -> Game:
    """Import a game and register its verbs."""
    from mchezo.core import compiled, verbs

    imported = import_module(module)
    game: Game = imported.GAME
    verbs.register(game.rules.state, **game.verbs())
    assert imported.__file__ is not None
    verbs.MODULES[game.rules.state] = Path(imported.__file__).resolve()
    compiled.GAMES[game.rules.state] = game.name
    return game


def packed() -> Game:
    """Return the game that is played with packs; at most one game is."""
    return next(game for game in map(find, MODULES) if game.packs is not None)


def packs() -> Packs:
    """Return its packs."""
    found = packed().packs
    assert found is not None
    return found
