"""Games and their rules, and play in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from mchezo.cli import common
from mchezo.cli.commands.parameters import GameName, Options, SeedText
from mchezo.cli.common import OUT, Terminal, echo, say
from mchezo.core import registry


def games() -> None:
    """List the games and their start options."""
    for name in registry.names():
        game = registry.find(name)
        echo(say("title", game=f"{name} · {game.title}", author=game.author), "bold")
        table = Table(show_header=False, box=None, padding=(0, 2))
        for option in game.setup.options:
            table.add_row(f"  {option.name}", game.words.say(f"option-{option.name}", Terminal.language))
        OUT.print(table, markup=False)


def rules(
    name: GameName,
    language: Annotated[str | None, typer.Option("--language", "-l", help="en, de, fr or nl.")] = None,
) -> None:
    """Print a game's rules, with examples and our rulings where the rulebook is silent.

    Examples: `mchezo rules katarenga` · `mchezo rules kiwara --language de`
    """
    from mchezo.cli.rules import show

    if language is not None:
        Terminal.choose_language(language)
    show(name)


def play(
    name: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Name of the game; prompted for if omitted.")
    ] = None,
    option: Options = None,
    seed: SeedText = None,
    record: Annotated[Path | None, typer.Option("--record", help="Continue the game in this file.")] = None,
    level: Annotated[
        int | None,
        typer.Option("--level", min=1, max=8, help="Play against the computer, from 1 (weakest) to 8 (strongest)."),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option("--seat", min=0, max=3, help="Your seat against the computer; random by default."),
    ] = None,
) -> None:
    """Play in this terminal, with other people or against the computer.

    Examples: `mchezo play katarenga --level 3` · `mchezo play katarenga -o variant=congress` ·
    `mchezo play kitara --level 5 -o players=4` · `mchezo play katarenga -o board=A0c1B2d3 --seed 7` ·
    `mchezo play --record game.txt`
    """
    from mchezo.cli.play import gather
    from mchezo.cli.play import play as run

    if record is not None:
        position = common.recorded(record, None, name)
        position.draw_from_seed()
    else:
        if name is None:
            names = registry.names()
            name = OUT.input(say("choose-game", games=", ".join(names)) + " ").strip()
        game = common.prepare(name)
        options = common.read_options(game, option or [])
        if level is not None:
            options = game.setup.fair(options)
        position = game.start(seed=common.seed_of(seed), **options)
    run(position, gather(position, level, seat))
