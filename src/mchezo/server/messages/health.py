"""The health of the server, and the progress of compiling."""

from typing import Literal

from msgspec import Struct


class GameReady(Struct, frozen=True):
    """How far a game's rules, or the computer players, are compiled."""

    done: int
    total: int
    ready: bool


class Compiling(Struct, frozen=True, tag_field="type", tag="compiling"):
    """How far the rules of each game and the computer players are compiled.

    A table's socket sends it until its game is ready and, if computers play there, until they are.
    """

    games: dict[str, GameReady]
    players: GameReady


class Health(Struct, frozen=True):
    """The health of the server."""

    status: Literal["ok", "starting"]
    version: str
    database: str
    tables: int  # in memory
    sockets: int
    set_aside: int = 0  # tables that cannot be read, and wait for an operator


class Addresses(Struct, frozen=True):
    """How other machines reach this server, as the beginning of an address: `http://192.168.1.5:8064`.

    Empty if they cannot, and for those who do not ask from the server's own machine.
    """

    addresses: list[str]
