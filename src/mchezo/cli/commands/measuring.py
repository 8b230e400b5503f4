"""Count and measure: perft, benchmarks, and the weights of the evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mchezo.cli import common
from mchezo.cli.commands.parameters import CORES, ClusterAddress, GameName, GamesSeed, Options, SeedText, StudyThreads
from mchezo.cli.common import OUT
from mchezo.core import registry


def perft(
    name: GameName,
    depth: Annotated[int, typer.Argument(min=0, max=20, help="Length of the move sequences.")],
    option: Options = None,
    seed: SeedText = None,
    divide: Annotated[bool, typer.Option("--divide", help="Show the count for each first move.")] = False,
) -> None:
    """Count move sequences from the start (perft): the standard test of move generation and its speed."""
    from mchezo.cli.measure import perft_table

    game = common.prepare(name)
    position = game.start(seed=common.seed_of(seed), **common.read_options(game, option or []))
    OUT.print(perft_table(position, depth, divide))


def bench(
    name: Annotated[str | None, typer.Argument(metavar="GAME", help="Measure only this game.")] = None,
) -> None:
    """Benchmark rules and search, next to python-chess and catanatron if they are installed."""
    from mchezo.cli.measure import bench as run

    run([name] if name else list(registry.names()))


def tune(
    name: GameName,
    kind: Annotated[
        str | None, typer.Option("--kind", help="Tune only this kind of game, such as congress; all by default.")
    ] = None,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Rounds of self-play and regression.")] = 4,
    games: Annotated[int, typer.Option("--games", min=1, help="Games per round.")] = 4000,
    nodes: Annotated[int, typer.Option("--nodes", min=1, help="Nodes per decision.")] = 400,
    pairs: Annotated[int, typer.Option("--pairs", min=1, help="Pairs of games against hand-set weights.")] = 500,
    seed: GamesSeed = 1,
    threads: StudyThreads = CORES,
    cluster: ClusterAddress = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", help="Store games in this folder, and resume from it.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Output file; the game's own weights.toml by default.")
    ] = None,
) -> None:
    """Learn the weights of the evaluation function by self-play.

    Examples: `mchezo tune kiwara` · `mchezo tune katarenga --kind quebec --resume games/ --out weights.toml`
    """
    from mchezo.cli.tune import start as run
    from mchezo.workers.units import workers_of

    run(name, kind, rounds, games, nodes, pairs, seed, workers_of(threads, cluster), resume, out)


def train(
    name: GameName,
    folder: Annotated[Path, typer.Option("--resume", help="Store positions in this folder, and resume from it.")],
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Rounds of self-play and training.")] = 3,
    games: Annotated[int, typer.Option("--games", min=1, help="Games per round.")] = 15_000,
    nodes: Annotated[int, typer.Option("--nodes", min=2, help="Nodes per decision.")] = 400,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="Passes over the positions of a round.")] = 6,
    seed: GamesSeed = 1,
    threads: StudyThreads = CORES,
    cluster: ClusterAddress = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Output file; the game's own network.bin by default.")
    ] = None,
) -> None:
    """Learn the network of the evaluation function by self-play.

    Example: `mchezo train kiwara --resume positions/`
    """
    from mchezo.cli.train import start as run
    from mchezo.workers.units import workers_of

    run(name, rounds, games, nodes, epochs, seed, workers_of(threads, cluster), folder, out)
