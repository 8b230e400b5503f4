"""Whether the server is well, and how far the rules are compiled."""

from typing import Literal

from msgspec import Struct


class GameReady(Struct, frozen=True):
    """How far a game's rules, or the computer players, are compiled."""

    done: int
    total: int
    ready: bool


class Compiling(Struct, frozen=True, tag_field="type", tag="compiling"):
    """How far the rules are compiled, game by game, and the computer players.

    A table's socket sends it until its game is ready, and where computers play until they are.
    """

    games: dict[str, GameReady]
    players: GameReady


class Health(Struct, frozen=True):
    """Whether all is well."""

    status: Literal["ok", "starting"]
    version: str
    database: str
    tables: int  # in memory
    sockets: int
