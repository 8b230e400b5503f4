"""Puzzles: solve them, mine games for them, and audit what was found."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mchezo.cli.commands.parameters import GameName, GamesSeed


def puzzle(
    name: Annotated[str | None, typer.Argument(metavar="GAME", help="Game of the puzzles; any by default.")] = None,
    id: Annotated[str | None, typer.Option("--id", help="Begin with this puzzle.")] = None,
    theme: Annotated[str | None, typer.Option("--theme", help="Only puzzles with this theme, such as lion.")] = None,
) -> None:
    """Solve puzzles; without a game, the first is the puzzle of the day.

    Examples: `mchezo puzzle` · `mchezo puzzle kiwara --theme lion`
    """
    from mchezo.cli.puzzle import solve

    solve(name, id, theme)


def puzzles(
    name: GameName,
    count: Annotated[int, typer.Option("--count", min=1, help="Stop with this many puzzles.")] = 2000,
    games: Annotated[int, typer.Option("--games", min=0, help="Games of self-play, at most.")] = 100_000,
    seed: GamesSeed = 1,
    easy: Annotated[int, typer.Option("--easy", min=1, help="Keep one in this many easy puzzles.")] = 2,
    record: Annotated[
        list[Path] | None, typer.Option("--record", help="Mine this game instead of self-play; can be repeated.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", help="Store results in this file, and resume from it.")
    ] = None,
    others: Annotated[
        list[Path] | None, typer.Option("--with", help="Include the results of another run; can be repeated.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write the puzzles to this file.")] = None,
) -> None:
    """Mine self-play or given games for puzzles: positions with one best continuation.

    Example: `mchezo puzzles kiwara --resume kiwara.jsonl --out kiwara.json.gz`
    """
    from mchezo.cli.puzzles import start as run

    run(name, count, games, seed, easy, record or [], resume, others or [], out)


def puzzles_audit(
    name: GameName,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="File of puzzles; those that come with mchezo by default.")
    ] = None,
    count: Annotated[int, typer.Option("--count", min=1, help="Puzzles to check, drawn at random.")] = 200,
    effort: Annotated[int, typer.Option("--effort", min=1, help="Nodes, as a multiple of the first search's.")] = 100,
    margin: Annotated[
        float,
        typer.Option(
            "--margin", min=0, max=1, help="Margin by which every other move must be worse, as a chance of winning."
        ),
    ] = 0.15,
    seed: GamesSeed = 1,
    remove: Annotated[
        bool, typer.Option("--remove", help="Delete puzzles with a second solution from the file.")
    ] = False,
) -> None:
    """Check puzzles for second solutions, with far more nodes.

    Example: `mchezo puzzles-audit katarenga --count 200`
    """
    from mchezo.cli.puzzles import audit as run

    if not run(name, file, count, effort, margin, seed, remove):
        raise typer.Exit(1)
