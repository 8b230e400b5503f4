"""Engines: be one, check one, and let one play on a server."""

from __future__ import annotations

from typing import Annotated

import typer

from mchezo.cli import common
from mchezo.cli.commands.parameters import Nodes, Seconds
from mchezo.cli.common import REFUSED, Terminal
from mchezo.core import registry

EngineOptions = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="Option of the engine; can be repeated."),
]


def engine(option: EngineOptions = None) -> None:
    """Act as an engine: read commands of the engine protocol from standard input, and answer on standard output.

    Options: level, threads, hash (megabytes), multipv. docs/engine-protocol.md describes the protocol.

    Example: `mchezo engine -o level=5 -o threads=2`
    """
    from mchezo.protocol.engine import serve as run

    run(common.read_pairs(option or []).items(), Terminal.language)


def engine_check(
    command: Annotated[str, typer.Argument(metavar="COMMAND", help="The command that starts the engine.")],
    game: Annotated[
        list[str] | None, typer.Option("--game", help="Play only this game; all that the engine plays by default.")
    ] = None,
    patience: Annotated[float, typer.Option("--patience", min=0.1, help="Seconds to wait for an answer.")] = 60.0,
) -> None:
    """Check that an engine speaks the engine protocol.

    Examples: `mchezo engine-check "node my-engine.js"` · `mchezo engine-check ./my-engine --game kiwara`
    """
    from mchezo.cli.engine_check import run

    if not run(command, [registry.find(name).name for name in game or []], patience):
        raise typer.Exit(REFUSED)


def bot(
    command: Annotated[str, typer.Option("--engine", metavar="COMMAND", help="The command that starts the engine.")],
    table: Annotated[
        list[str] | None, typer.Argument(metavar="TABLE...", help="Links or ids of tables to join.")
    ] = None,
    server: Annotated[str, typer.Option("--server", help="Address of the server.")] = "http://127.0.0.1:8064",
    token: Annotated[
        str | None, typer.Option("--token", envvar="MCHEZO_TOKEN", help="Token of the bot; a new bot if omitted.")
    ] = None,
    name: Annotated[str, typer.Option("--name", help="Name of a new bot.")] = "Engine",
    option: EngineOptions = None,
    nodes: Nodes = None,
    seconds: Seconds = None,
    games: Annotated[int, typer.Option("--games", min=1, max=50, help="Games played in parallel.")] = 4,
    challenges: Annotated[
        bool, typer.Option("--challenges", help="Wait in the lobby and play everybody who challenges the bot.")
    ] = False,
) -> None:
    """Let an engine play on a server: at the tables named, and at all others at which the bot has a seat.

    Every game has an engine of its own. The bot keeps to the clocks, and comes back when the connection is lost. It
    agrees to takebacks and to another game, and declines draws. It ends when its games are over,
    unless it waits for challenges.

    Example: `mchezo bot --engine "mchezo engine -o level=6" --server https://play.example https://play.example/join/ID/KEY`
    """
    from mchezo.cli.bot import run

    options = common.read_pairs(option or [])
    if not run(server, token, name, command, options, nodes, seconds, table or [], games, challenges=challenges):
        raise typer.Exit(REFUSED)
