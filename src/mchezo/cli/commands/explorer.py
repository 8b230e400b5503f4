"""Self-play for the explorer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mchezo.cli.commands.parameters import CORES, ClusterAddress, GameName, GamesSeed, Options, StudyThreads


def explore(
    name: GameName,
    games: Annotated[int, typer.Option("--games", min=0, help="Games of self-play.")] = 1000,
    level: Annotated[int, typer.Option("--level", min=1, max=8, help="Level that plays.")] = 5,
    part: Annotated[float, typer.Option("--part", min=0.001, max=1, help="Share of its default budget.")] = 1.0,
    softness: Annotated[
        float,
        typer.Option("--softness", min=0.01, max=5, help="How freely the first decisions are drawn, in log-odds."),
    ] = 0.1,
    option: Options = None,
    least: Annotated[int, typer.Option("--least", min=1, help="Games in which a position must have occurred.")] = 2,
    seed: GamesSeed = 1,
    threads: StudyThreads = CORES,
    cluster: ClusterAddress = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", help="Store games in this file, and resume from it.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write the counts to this file.")] = None,
) -> None:
    """Play games for the explorer, which shows how often each move was played and how it scored.

    Example: `mchezo explore kiwara --games 1000 --resume kiwara.jsonl --out explored.tsv`
    """
    from mchezo.cli.explore import start as run
    from mchezo.workers.units import workers_of

    run(name, games, level, part, softness, option or [], least, seed, workers_of(threads, cluster), resume, out)
