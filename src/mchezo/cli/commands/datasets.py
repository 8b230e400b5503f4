"""Data sets of self-play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mchezo.cli.commands.parameters import CORES, ClusterAddress, GameName, GamesSeed, Options, StudyThreads


def dataset(
    name: GameName,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder for the records; games in it are kept.")],
    games: Annotated[int, typer.Option("--games", min=1, help="Games of self-play.")] = 100_000,
    level: Annotated[int, typer.Option("--level", min=1, max=8, help="Level that plays all seats.")] = 3,
    part: Annotated[float, typer.Option("--part", min=0.001, max=1, help="Share of its default budget.")] = 0.1,
    opening: Annotated[int, typer.Option("--opening", min=0, help="Random decisions at the start, at most.")] = 8,
    option: Options = None,
    seed: GamesSeed = 1,
    threads: StudyThreads = CORES,
    cluster: ClusterAddress = None,
) -> None:
    """Play games and keep them as records, 500 in a file; the same command continues an interrupted run.

    `mchezo records export FOLDER --moves --out games.parquet` makes a table of them.

    Example: `mchezo dataset kiwara games/ --games 100000`
    """
    from mchezo.cli.dataset import start as run
    from mchezo.workers.units import workers_of

    run(name, folder, games, level, part, opening, option or [], seed, workers_of(threads, cluster))
