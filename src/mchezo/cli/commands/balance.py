"""`mchezo balance`: how fair a game is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mchezo.cli.commands.parameters import CORES, ClusterAddress, GamesSeed, StudyThreads

balances = typer.Typer(help="Measure how fair a game is, by self-play.", no_args_is_help=True)

StudyResume = Annotated[Path | None, typer.Option("--resume", help="Store results in this file, and resume from it.")]
StudyReport = Annotated[Path | None, typer.Option("--report", help="Write a report: Markdown tables and SVG charts.")]


@balances.command("kitara")
def balance_kitara(
    players: Annotated[
        list[int] | None, typer.Option("--players", min=2, max=4, help="Number of players; 2, 3 and 4 by default.")
    ] = None,
    deck: Annotated[list[str] | None, typer.Option("--deck", help="blue or red; both by default.")] = None,
    games: Annotated[int, typer.Option("--games", min=1, help="Games for each deck and number of players.")] = 500,
    tries: Annotated[int, typer.Option("--tries", min=1, help="Turns a player tries before it plays one.")] = 200,
    plans: Annotated[int, typer.Option("--plans", min=0, help="Games in which one seat follows each plan.")] = 0,
    seed: GamesSeed = 1,
    pack: Annotated[str, typer.Option("--pack", help="Pack to study, as in `mchezo play`.")] = "reconstruction",
    threads: StudyThreads = CORES,
    cluster: ClusterAddress = None,
    resume: StudyResume = None,
    report: StudyReport = None,
) -> None:
    """Measure by self-play which seats, cards and plans win.

    Examples: `mchezo balance kitara` · `mchezo balance kitara --players 4 --deck red --games 8000 --resume red4.jsonl`
    """
    from mchezo.cli.kitara_study import start as run
    from mchezo.workers.units import workers_of

    run(players, deck, games, tries, plans, seed, pack, workers_of(threads, cluster), resume, report)


@balances.command("rival")
def balance_rival(
    level: Annotated[
        list[int] | None, typer.Option("--level", min=1, max=8, help="Level of the player; 1 to 5 by default.")
    ] = None,
    difficulty: Annotated[
        list[int] | None, typer.Option("--difficulty", min=1, max=5, help="Difficulty of the rival; all by default.")
    ] = None,
    games: Annotated[int, typer.Option("--games", min=1, help="Games for each level and difficulty.")] = 60,
    scenario: Annotated[str, typer.Option("--scenario", help="Scenario, as in `mchezo play`.")] = "open",
    deck: Annotated[str, typer.Option("--deck", help="blue or red.")] = "blue",
    seed: GamesSeed = 1,
    threads: StudyThreads = CORES,
    cluster: ClusterAddress = None,
    resume: StudyResume = None,
    report: StudyReport = None,
) -> None:
    """Measure how often computer players beat the rival of Kitara alone.

    Examples: `mchezo balance rival` · `mchezo balance rival --level 6 --difficulty 5 --games 20 --resume rival.jsonl`
    """
    from mchezo.cli.rival_study import start as run
    from mchezo.workers.units import workers_of

    run(level, difficulty, games, scenario, deck, seed, workers_of(threads, cluster), resume, report)


@balances.command("katarenga")
def balance_katarenga(
    boards: Annotated[
        int, typer.Option("--boards", min=0, help="Boards to rate; 0 for those already in the file.")
    ] = 20,
    nodes: Annotated[int, typer.Option("--nodes", min=1, help="Nodes per move; 6,500 take about 5 ms.")] = 6500,
    again: Annotated[
        int, typer.Option("--again", min=0, help="Play a second sample of this many of the fairest boards.")
    ] = 0,
    banned: Annotated[
        int | None,
        typer.Option("--banned", min=0, help="Boards also played without first-move captures, at most."),
    ] = None,
    seed: GamesSeed = 1,
    threads: StudyThreads = CORES,
    cluster: ClusterAddress = None,
    resume: StudyResume = None,
    report: StudyReport = None,
    catalogue: Annotated[Path | None, typer.Option("--catalogue", help="Write the rated boards to this file.")] = None,
    beside: Annotated[
        Path | None, typer.Option("--beside", help="Compare with results for other --nodes in this file.")
    ] = None,
) -> None:
    """Rate boards of Katarenga by self-play, with every baseline that Black can choose.

    Every fourth board is also played without captures on the first move.

    Example: `mchezo balance katarenga --boards 1000 --resume boards.jsonl --catalogue boards.tsv`
    """
    from mchezo.cli.katarenga_study import BoardStudy, run
    from mchezo.workers.units import workers_of

    workers = workers_of(threads, cluster)
    run(BoardStudy(boards, nodes, again, seed, workers, banned=banned), resume, report, catalogue, beside)


@balances.command("kiwara")
def balance_kiwara(
    games: Annotated[int, typer.Option("--games", min=0, help="Games from each of the 22 openings.")] = 2400,
    nodes: Annotated[int, typer.Option("--nodes", min=1, help="Nodes per turn.")] = 2000,
    look: Annotated[
        int, typer.Option("--look", min=1, help="Nodes for each answer to an opening; ten times as many for the best.")
    ] = 20_000,
    endings: Annotated[
        int, typer.Option("--endings", min=0, help="Games whose endings are solved, to measure what that costs.")
    ] = 100,
    empty: Annotated[int, typer.Option("--empty", min=6, max=18, help="Most empty spaces to solve.")] = 13,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most nodes to solve an ending.")] = 20_000_000,
    seed: GamesSeed = 1,
    threads: StudyThreads = CORES,
    cluster: ClusterAddress = None,
    resume: StudyResume = None,
    report: StudyReport = None,
    book: Annotated[Path | None, typer.Option("--book", help="Write the opening book to this file.")] = None,
) -> None:
    """Rate the openings of Kiwara by self-play, find the best answers, and measure what solving the game costs.

    Example: `mchezo balance kiwara --resume kiwara.jsonl --report docs/balance-kiwara.md`
    """
    from mchezo.cli.kiwara_study import KiwaraStudy, run
    from mchezo.workers.units import workers_of

    workers = workers_of(threads, cluster)
    run(KiwaraStudy(games, nodes, look, endings, empty, limit, seed, workers), resume, report, book)
