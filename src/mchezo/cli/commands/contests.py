"""Contests between computer players."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mchezo.cli import common
from mchezo.cli.commands.parameters import CORES, ClusterAddress, GameName, GamesSeed, Nodes, Options, Seconds
from mchezo.core.errors import UserError

PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help="level:5, greedy, alphabeta:3, engine:COMMAND, ...")]
Part = Annotated[float, typer.Option("--part", min=0.001, max=1, help="Share of its default budget that a level gets.")]
Opening = Annotated[
    int | None,
    typer.Option("--opening", min=0, max=50, help="Random decisions at the start; the game's default if omitted."),
]
GameWorkers = Annotated[int, typer.Option("--workers", min=1, help="Games played in parallel.")]
Resume = Annotated[Path | None, typer.Option("--resume", help="Store games in this file, and resume from it.")]
Report = Annotated[Path | None, typer.Option("--report", help="Write Markdown tables and SVG charts into this page.")]


def match(
    name: GameName,
    first: PlayerName,
    second: PlayerName,
    games: Annotated[int, typer.Option("--games", min=1, help="Games to play, rounded up to whole rotations.")] = 60,
    part: Part = 1.0,
    nodes: Nodes = None,
    seconds: Seconds = None,
    option: Options = None,
    seed: GamesSeed = 1,
    opening: Opening = None,
    least: Annotated[
        float | None,
        typer.Option(
            "--least", min=0.01, max=0.98, help="Test sequentially whether the first player scores at least this."
        ),
    ] = None,
    workers: GameWorkers = CORES,
    cluster: ClusterAddress = None,
    resume: Resume = None,
    report: Report = None,
) -> None:
    """Play a match between two players on the same boards in every seat, and report the score with its error.

    With more than two seats the second player takes all the others.

    Players: level:1 to level:8, level8-2026-11 (the former level 8), random, greedy, alphabeta:DEPTH, flat:ROLLOUTS,
    planner:TRIES, openspiel:SIMULATIONS, engine:COMMAND for any engine that speaks the engine protocol.

    Examples: `mchezo match katarenga level:8 alphabeta:3 --seconds 1 --resume games.jsonl` ·
    `mchezo match kitara planner greedy -o players=4 --games 100` ·
    `mchezo match kiwara level:3 "engine:node my-engine.js" --nodes 5000`
    """
    from mchezo.arena.sequential import Sprt
    from mchezo.cli.contests import Terms, run_match
    from mchezo.workers.units import workers_of

    terms = Terms(name, option or [], nodes, seconds, part, seed, opening, workers_of(workers, cluster), resume)
    test = None if least is None else Sprt(least, min(least + 0.1, (least + 1) / 2))
    run_match(terms, first, second, games, test, report)


def ladder(
    name: GameName,
    player: Annotated[
        list[str] | None,
        typer.Argument(metavar="PLAYER...", help="From weakest to strongest; random and all levels by default."),
    ] = None,
    games: Annotated[int, typer.Option("--games", min=2, help="Games per step, at most.")] = 200,
    part: Part = 0.1,
    nodes: Nodes = None,
    seconds: Seconds = None,
    option: Options = None,
    seed: GamesSeed = 1,
    opening: Opening = None,
    least: Annotated[
        float, typer.Option("--least", min=0.01, max=0.98, help="Score that every step should reach.")
    ] = 0.6,
    clear: Annotated[
        float, typer.Option("--clear", min=0.02, max=0.99, help="Score at which a step should pass the test.")
    ] = 0.7,
    workers: GameWorkers = CORES,
    cluster: ClusterAddress = None,
    resume: Resume = None,
    report: Report = None,
) -> None:
    """Test that each player beats the one below, with as few games as possible (SPRT).

    Examples: `mchezo ladder katarenga` · `mchezo ladder kiwara random greedy flat:200 flat:2000 --resume steps.jsonl`
    """
    from mchezo.arena.sequential import Sprt
    from mchezo.cli.contests import Terms, run_ladder
    from mchezo.search.players import LEVELS
    from mchezo.workers.units import workers_of

    if least >= clear:
        raise UserError("clear-above-least", common.WORDS, least=least, clear=clear)
    terms = Terms(name, option or [], nodes, seconds, part, seed, opening, workers_of(workers, cluster), resume)
    names = player or ["random", *(f"level:{level}" for level in range(1, LEVELS + 1))]
    run_ladder(terms, names, games, Sprt(least, clear), report)


def tournament(
    name: GameName,
    player: Annotated[
        list[str], typer.Argument(metavar="PLAYER...", help="As in `mchezo match`; the first is rated 0.")
    ],
    games: Annotated[int, typer.Option("--games", min=2, help="Games per pairing.")] = 20,
    nodes: Nodes = None,
    seconds: Seconds = None,
    option: Options = None,
    seed: GamesSeed = 1,
    opening: Opening = None,
    workers: GameWorkers = CORES,
    cluster: ClusterAddress = None,
    resume: Resume = None,
    report: Report = None,
) -> None:
    """Play a round robin and rate the players.

    Example: `mchezo tournament kiwara random greedy alphabeta:3 flat:200 --games 40`
    """
    from mchezo.cli.contests import Terms, run_tournament
    from mchezo.workers.units import workers_of

    terms = Terms(name, option or [], nodes, seconds, 1.0, seed, opening, workers_of(workers, cluster), resume)
    run_tournament(terms, player, games, report)
