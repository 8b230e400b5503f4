"""The games there are, by name; a game's code is imported when it is first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from mchezo.core.errors import UnknownGame

if TYPE_CHECKING:
    from mchezo.core.game import Game

MODULES: dict[str, str] = {}


def enter(name: str, module: str) -> None:
    """Make a game known; its module has the game as `GAME`."""
    MODULES[name] = module


def names() -> tuple[str, ...]:
    """The names of all games."""
    return tuple(MODULES)


def find(name: str) -> Game:
    """The game of that name."""
    if not isinstance(name, str) or name not in MODULES:
        raise UnknownGame("unknown-game", given=name, allowed=", ".join(MODULES))
    return cast("Game", import_module(MODULES[name]).GAME)
