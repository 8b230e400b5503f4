"""Parameters that several commands have."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

CORES = os.cpu_count() or 1

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Name of the game; see `mchezo games`.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="Start option; can be repeated."),
]
SeedText = Annotated[str | None, typer.Option("--seed", metavar="NUMBER", help="Seed for everything random.")]
GamesSeed = Annotated[int, typer.Option("--seed", min=0, max=2**31 - 1, help="Seed that determines all games.")]
RecordFile = Annotated[Path, typer.Argument(metavar="RECORD", help="File with a game record.")]
At = Annotated[int | None, typer.Option("--at", metavar="MOVES", help="Show the position after this many moves.")]
Nodes = Annotated[int | None, typer.Option("--nodes", min=1, help="Nodes per turn, for players that search.")]
Seconds = Annotated[float | None, typer.Option("--seconds", min=0.001, help="Seconds per turn, instead of nodes.")]
ClusterAddress = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="ADDRESS", help="Work on the Ray cluster at this address, host:port; auto: the local one."
    ),
]
StudyThreads = Annotated[int, typer.Option("--threads", min=1, help="Games played in parallel.")]
