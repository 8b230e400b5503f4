"""`mchezo ratings`: the ratings of a server, and the study behind them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mchezo.cli.commands.admin import opened
from mchezo.cli.commands.backups import DatabaseOption
from mchezo.cli.commands.parameters import GameName
from mchezo.cli.common import echo, say

ratings = typer.Typer(help="Recompute ratings, and compare rating systems.", no_args_is_help=True)


@ratings.command()
def rebuild(database: DatabaseOption = None) -> None:
    """Recompute all ratings from the log of results; servers may be running.

    The numbers stay the same, unless rows were damaged or another version of mchezo rates differently.
    """
    with opened(database) as administration:
        found = administration.rebuild_ratings()
    echo(say("ratings-rebuilt", games=found.games, ratings=found.ratings, changed=found.changed))


@ratings.command()
def levels(
    file: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files that `mchezo match --resume` wrote.")],
) -> None:
    """Rate the levels by the games in these files, level 4 at 1500, and keep the scores for the report.

    Example: `mchezo match kiwara level:2 level:1 --games 1000 --resume kiwara.jsonl`, the same for the other
    neighbours, then `mchezo ratings levels kiwara.jsonl`
    """
    from mchezo.cli.rating_study import gather

    gather(file)


@ratings.command()
def report(
    page: Annotated[Path, typer.Argument(metavar="PAGE", help="docs/ratings.md")] = Path("docs/ratings.md"),
    seeds: Annotated[int, typer.Option("--seeds", min=1, help="Simulated populations of each kind.")] = 5,
) -> None:
    """Compare rating systems by their predictions, and write tables and charts into a page."""
    from mchezo.cli.rating_study import write_report

    write_report(page, seeds)


@ratings.command("fair-play")
def fair_play(
    name: GameName,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Games of each pair of levels.")] = 10,
    resume: Annotated[
        Path | None, typer.Option("--resume", help="Store results in this file, and resume from it.")
    ] = None,
) -> None:
    """Compare the moves of our own levels with the engine's, as `mchezo admin fair-play` does for people.

    Example: `mchezo ratings fair-play kiwara --rounds 10 --resume kiwara.jsonl`
    """
    from mchezo.cli.fair_play_study import run

    run(name, rounds, resume)
