"""The commands and their help. Imports are deferred so that help does not load the compiler."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from mchezo import __version__
from mchezo.cli import common
from mchezo.cli.admin import admin
from mchezo.cli.backups import backup, chosen_database, restore
from mchezo.cli.common import ERR, OUT, Terminal, echo, say
from mchezo.cli.records import records
from mchezo.core import registry
from mchezo.core.errors import UserError

if TYPE_CHECKING:
    from mchezo.core.position import Position

REFUSED = 1  # exit code of a command that failed with an error message; 2 is a usage error

app = typer.Typer(
    help="Play, analyse and study board games; `mchezo games` lists them.",
    epilog="Exit codes: 0 success, 1 error (such as a broken record or an unknown option), 2 usage error.",
    invoke_without_command=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Name of the game; see `mchezo games`.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="Start option; can be repeated."),
]
SeedText = Annotated[str | None, typer.Option("--seed", metavar="NUMBER", help="Seed for everything random.")]
RecordFile = Annotated[Path, typer.Argument(metavar="RECORD", help="File with a game record.")]
At = Annotated[int | None, typer.Option("--at", metavar="MOVES", help="Show the position after this many moves.")]


def print_version(asked: bool) -> None:
    """Print the version and exit."""
    if asked:
        from mchezo.core.compiled import describe

        echo(f"mchezo {__version__}, rules {describe()}")
        raise typer.Exit


@app.callback()
def start(
    context: typer.Context,
    language: Annotated[
        str | None,
        typer.Option(
            "--language", "-l", envvar="MCHEZO_LANGUAGE", help="en, de, fr or nl; defaults to the system language."
        ),
    ] = None,
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=print_version, help="Print the version and exit."),
    ] = False,
) -> None:
    """Read the global options; without a command, start the server."""
    Terminal.choose_language(language)
    if context.invoked_subcommand is None:
        serve()


@app.command()
def serve(
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; 0.0.0.0 for the whole network.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 for any free one.")] = 8064,
    database: Annotated[
        str | None,
        typer.Option(
            "--database",
            envvar="MCHEZO_DATABASE",
            help="SQLite file or postgresql://... URL; defaults to a file in your data directory.",
        ),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the browser.")] = True,
    threads: Annotated[
        int | None,
        typer.Option("--threads", min=0, help="Computer players that think in parallel; 0 leaves them to workers."),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", help="Host name of the server, besides localhost; can be repeated."),
    ] = None,
    https: Annotated[bool, typer.Option("--https", help="The server is behind an https proxy.")] = False,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            "--trusted-proxy",
            help="Address or network of a proxy whose X-Forwarded-For, -Proto and -Host are trusted; can be repeated.",
        ),
    ] = None,
    metrics_port: Annotated[
        int | None,
        typer.Option("--metrics-port", min=0, max=65535, help="Port for Prometheus metrics; off by default."),
    ] = None,
    metrics_host: Annotated[
        str, typer.Option("--metrics-host", help="Address on which --metrics-port listens.")
    ] = "127.0.0.1",
    metrics_token: Annotated[
        str | None,
        typer.Option(
            "--metrics-token",
            envvar="MCHEZO_METRICS_TOKEN",
            help="Bearer token required for /metrics on the server's own port.",
        ),
    ] = None,
    max_connections: Annotated[
        int | None, typer.Option("--max-connections", min=1, help="Open connections in all; 16000 by default.")
    ] = None,
    max_connections_per_network: Annotated[
        int | None,
        typer.Option(
            "--max-connections-per-network",
            min=1,
            help="Open connections from one network (IPv4 /24, IPv6 /56); 1000 by default.",
        ),
    ] = None,
    log_level: Annotated[str, typer.Option("--log-level", help="debug, info, warning or error.")] = "info",
) -> None:
    """Start the server and open the browser; the default without a command.

    Examples: `mchezo serve` · `mchezo serve --host 0.0.0.0 --no-browser` · `mchezo serve --database postgresql://localhost/mchezo`
    """
    from mchezo.server import run
    from mchezo.server.runtime.config import THREADS, Config
    from mchezo.server.runtime.connections import ConnectionLimits

    run.set_up_logs(log_level)
    connections = ConnectionLimits()
    config = Config(
        chosen_database(database),
        hosts=tuple(allow_host or ()),
        secure=https,
        proxies=tuple(trusted_proxy or ()),
        metrics_token=metrics_token,
        metrics_port=metrics_port,
        metrics_host=metrics_host,
        threads=THREADS if threads is None else threads,
        connections=replace(
            connections,
            total=max_connections or connections.total,
            per_network=max_connections_per_network or connections.per_network,
        ),
    )
    run.serve(config, host, port, started=say_addresses, open_browser=browser)


def say_addresses(here: str, *elsewhere: str) -> None:
    """Print where the server is, for this machine and for others."""
    echo(say("serving", address=here))
    for address in elsewhere:
        echo(say("serving-network", address=address))


@app.command()
def worker(
    database: Annotated[str, typer.Option("--database", envvar="MCHEZO_DATABASE", help="postgresql://...")],
    threads: Annotated[int, typer.Option("--threads", min=1, help="Computer players that think in parallel.")] = 1,
    log_level: Annotated[str, typer.Option("--log-level", help="debug, info, warning or error.")] = "info",
) -> None:
    """Run computer players for servers that share a PostgreSQL database."""
    from mchezo.server import run

    run.set_up_logs(log_level)
    run.work(database, threads)


@app.command()
def games() -> None:
    """List the games and their start options."""
    for name in registry.names():
        game = registry.find(name)
        echo(say("title", game=f"{name} · {game.title}", author=game.author), "bold")
        table = Table(show_header=False, box=None, padding=(0, 2))
        for option in game.setup.options:
            table.add_row(f"  {option.name}", game.words.say(f"option-{option.name}", Terminal.language))
        OUT.print(table, markup=False)


@app.command()
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


@app.command()
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
    from mchezo.cli.play import fair, gather
    from mchezo.cli.play import play as run

    if record is not None:
        position = recorded(record, None, name)
        position.draw_from_seed()
    else:
        if name is None:
            names = registry.names()
            name = OUT.input(say("choose-game", games=", ".join(names)) + " ").strip()
        game = common.prepare(name)
        options = common.read_options(game, option or [])
        if level is not None:
            options = fair(options)
        position = game.start(seed=common.seed_of(seed), **options)
    run(position, gather(position, level, seat))


@app.command()
def show(record: RecordFile, at: At = None) -> None:
    """Show a record: players, moves, and the board at the end or after a number of moves."""
    read = common.read_record(record)
    position = common.position_at(read, at)
    table = Table(show_header=False, box=None)
    for tag, value in {"Game": position.game.title, **read.options, **read.tags}.items():
        table.add_row(tag, value)
    OUT.print(table, markup=False)
    common.show_board(position, None)
    echo(" ".join(read.tokens(at)))
    outcome = read.outcome if at is None else position.outcome
    if outcome:
        echo(common.outcome_text(position, outcome), "bold")
    elif position.to_move is not None and position.to_move >= 0:
        echo(say("goes-on", seat=common.seat_name(position, position.to_move)))


@app.command()
def verify(record: RecordFile) -> None:
    """Verify a record: every move against the rules, every draw against the seed."""
    read = common.read_record(record)
    if read.game in registry.names():
        common.prepare(read.game)
    draws = read.verify()
    if draws is None:
        echo(say("verified-without-seed", moves=len(read.moves)), "yellow")
        return
    echo(say("verified", moves=len(read.moves), draws=draws), "green")
    if read.seed_hash is not None:
        echo(say("verified-committed"), "green")


@app.command()
def analyse(
    record: RecordFile,
    nodes: Annotated[
        int, typer.Option("--nodes", min=100, help="Nodes searched per decision; more is stronger.")
    ] = 100_000,
    picture: Annotated[
        Path | None, typer.Option("--picture", help="Write the evaluation graph to this SVG file.")
    ] = None,
) -> None:
    """Analyse a game: chances of winning, mistakes, and better moves."""
    from mchezo.cli.analyse import report

    report(common.position_at(common.read_record(record), None), nodes, picture)


@app.command()
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


@app.command()
def bench(
    name: Annotated[str | None, typer.Argument(metavar="GAME", help="Measure only this game.")] = None,
) -> None:
    """Benchmark rules and search, next to python-chess and catanatron if they are installed."""
    from mchezo.cli.measure import bench as run

    run([name] if name else list(registry.names()))


@app.command()
def picture(
    name: GameName,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Output file: .svg, .png, or .gif for a whole record; prints SVG by default."),
    ] = None,
    record: Annotated[Path | None, typer.Option("--record", help="Draw a position of this record.")] = None,
    at: At = None,
    seat: Annotated[int | None, typer.Option("--seat", help="Draw what this seat sees.")] = None,
    option: Options = None,
    seed: SeedText = None,
) -> None:
    """Draw the start of a game or a position of a record, or animate a whole record.

    Examples: `mchezo picture kiwara --out start.svg` · `mchezo picture kitara --record game.txt --at 12 --out 12.png` ·
    `mchezo picture katarenga --record game.txt --out game.gif`
    """
    game = common.prepare(name)
    if record is not None:
        position = recorded(record, at, name)
    else:
        position = game.start(seed=common.seed_of(seed), **common.read_options(game, option or []))
    if out is None:
        sys.stdout.write(position.svg(seat))
    else:
        common.write_file(out, drawn(position, seat, out.suffix.lower()))
        echo(say("saved", file=out))


CORES = os.cpu_count() or 1

balances = typer.Typer(help="Measure how fair a game is, by self-play.", no_args_is_help=True)
app.add_typer(balances, name="balance")

GamesSeed = Annotated[int, typer.Option("--seed", min=0, max=2**31 - 1, help="Seed that determines all games.")]
StudyThreads = Annotated[int, typer.Option("--threads", min=1, help="Games played in parallel.")]
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
    resume: StudyResume = None,
    report: StudyReport = None,
) -> None:
    """Measure by self-play which seats, cards and plans win.

    Examples: `mchezo balance kitara` · `mchezo balance kitara --players 4 --deck red --games 8000 --resume red4.jsonl`
    """
    from mchezo.cli.kitara_study import start as run

    run(players, deck, games, tries, plans, seed, pack, threads, resume, report)


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
    resume: StudyResume = None,
    report: StudyReport = None,
) -> None:
    """Measure how often computer players beat the rival of Kitara alone.

    Examples: `mchezo balance rival` · `mchezo balance rival --level 6 --difficulty 5 --games 20 --resume rival.jsonl`
    """
    from mchezo.cli.rival_study import start as run

    run(level, difficulty, games, scenario, deck, seed, threads, resume, report)


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

    run(BoardStudy(boards, nodes, again, seed, threads, banned=banned), resume, report, catalogue, beside)


PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help="level:5, greedy, alphabeta:3, engine:COMMAND, ...")]
Nodes = Annotated[int | None, typer.Option("--nodes", min=1, help="Nodes per turn, for players that search.")]
Seconds = Annotated[float | None, typer.Option("--seconds", min=0.001, help="Seconds per turn, instead of nodes.")]
Opening = Annotated[
    int | None,
    typer.Option("--opening", min=0, max=50, help="Random decisions at the start; the game's default if omitted."),
]
Workers = Annotated[int, typer.Option("--workers", min=1, help="Games played in parallel.")]
Resume = Annotated[Path | None, typer.Option("--resume", help="Store games in this file, and resume from it.")]
Report = Annotated[Path | None, typer.Option("--report", help="Write Markdown tables and SVG charts into this page.")]


@app.command()
def match(
    name: GameName,
    first: PlayerName,
    second: PlayerName,
    games: Annotated[int, typer.Option("--games", min=1, help="Games to play, rounded up to whole rotations.")] = 60,
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
    workers: Workers = CORES,
    resume: Resume = None,
    report: Report = None,
) -> None:
    """Play a match between two players on the same boards in every seat, and report the score with its error.

    With more than two seats the second player takes all the others.

    Players: level:1 to level:8, random, greedy, alphabeta:DEPTH, flat:ROLLOUTS, planner:TRIES, openspiel:SIMULATIONS,
    engine:COMMAND for any engine that speaks the engine protocol.

    Examples: `mchezo match katarenga level:8 alphabeta:3 --seconds 1 --resume games.jsonl` ·
    `mchezo match kitara planner greedy -o players=4 --games 100` ·
    `mchezo match kiwara level:3 "engine:node my-engine.js" --nodes 5000`
    """
    from mchezo.arena.sequential import Sprt
    from mchezo.cli.contests import Terms, run_match

    terms = Terms(name, option or [], nodes, seconds, 1.0, seed, opening, workers, resume)
    test = None if least is None else Sprt(least, min(least + 0.1, (least + 1) / 2))
    run_match(terms, first, second, games, test, report)


EngineOptions = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="Option of the engine; can be repeated."),
]


@app.command()
def engine(option: EngineOptions = None) -> None:
    """Be an engine: read commands of the engine protocol from standard input, and answer on standard output.

    Options: level, threads, hash (megabytes), multipv. docs/engine-protocol.md describes the protocol.

    Example: `mchezo engine -o level=5 -o threads=2`
    """
    from mchezo.protocol.engine import serve as run

    run(common.read_pairs(option or []).items(), Terminal.language)


@app.command("engine-check")
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


@app.command()
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
) -> None:
    """Let an engine play on a server: at the tables named, and at all others at which the bot has a seat.

    Every game has an engine of its own. The bot keeps to the clocks, and comes back when the connection is lost. It
    agrees to takebacks and to another game, and declines draws. It ends when its games are over.

    Example: `mchezo bot --engine "mchezo engine -o level=6" --server https://play.example https://play.example/join/ID/KEY`
    """
    from mchezo.cli.bot import run

    if not run(server, token, name, command, common.read_pairs(option or []), nodes, seconds, table or [], games):
        raise typer.Exit(REFUSED)


@app.command()
def ladder(
    name: GameName,
    player: Annotated[
        list[str] | None,
        typer.Argument(metavar="PLAYER...", help="From weakest to strongest; random and all levels by default."),
    ] = None,
    games: Annotated[int, typer.Option("--games", min=2, help="Games per step, at most.")] = 200,
    part: Annotated[
        float, typer.Option("--part", min=0.001, max=1, help="Share of its default budget that a level gets.")
    ] = 0.1,
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
    workers: Workers = CORES,
    resume: Resume = None,
    report: Report = None,
) -> None:
    """Test that each player beats the one below, with as few games as possible (SPRT).

    Examples: `mchezo ladder katarenga` · `mchezo ladder kiwara random greedy flat:200 flat:2000 --resume steps.jsonl`
    """
    from mchezo.arena.sequential import Sprt
    from mchezo.cli.contests import Terms, run_ladder
    from mchezo.search.players import LEVELS

    if least >= clear:
        raise UserError("clear-above-least", common.WORDS, least=least, clear=clear)
    terms = Terms(name, option or [], nodes, seconds, part, seed, opening, workers, resume)
    names = player or ["random", *(f"level:{level}" for level in range(1, LEVELS + 1))]
    run_ladder(terms, names, games, Sprt(least, clear), report)


@app.command()
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
    workers: Workers = CORES,
    resume: Resume = None,
    report: Report = None,
) -> None:
    """Play a round robin and rate the players.

    Example: `mchezo tournament kiwara random greedy alphabeta:3 flat:200 --games 40`
    """
    from mchezo.cli.contests import Terms, run_tournament

    terms = Terms(name, option or [], nodes, seconds, 1.0, seed, opening, workers, resume)
    run_tournament(terms, player, games, report)


@app.command()
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

    run(name, kind, rounds, games, nodes, pairs, seed, threads, resume, out)


def drawn(position: Position, seat: int | None, kind: str) -> str | bytes:
    """Return a picture of the position or, as a GIF, an animation of the game up to it."""
    from mchezo.server.compute import drawing
    from mchezo.server.compute.pictures import frames

    if kind == ".png":
        return drawing.png(position.svg(seat), 1000)
    if kind == ".gif":
        with ERR.status(say("drawing")):
            return drawing.gif([draw() for draw in frames(position, seat)], position.game.pictures.gif_width)
    return position.svg(seat)


def recorded(file: Path, at: int | None, name: str | None) -> Position:
    """Return a position of a record; if a game is named, the record must be of that game."""
    record = common.read_record(file)
    if name is not None and record.game != name:
        raise UserError("other-game", common.WORDS, file=file, game=record.game, given=name)
    return common.position_at(record, at)


packs = typer.Typer(help="Packs for Kitara: maps and cards copied from the box.", no_args_is_help=True)
app.add_typer(packs, name="pack")
app.add_typer(records, name="records")
app.add_typer(admin, name="admin")
app.command()(backup)
app.command()(restore)


@packs.command()
def new(
    file: Annotated[Path, typer.Argument(help="Output file; must not exist yet.")],
    copy: Annotated[
        bool, typer.Option("--copy", help="Start from the reconstruction instead of an empty pack.")
    ] = False,
) -> None:
    """Write a commented template to fill in from the box, or a copy of the reconstruction to change."""
    if file.exists():
        raise UserError("file-exists", common.WORDS, file=file)
    packs = registry.packs()
    common.write_file(file, packs.write(packs.open(None)) if copy else packs.template())
    echo(say("saved", file=file))


@packs.command()
def check(file: Annotated[Path, typer.Argument(help="Pack file.")]) -> None:
    """Check a pack: print the first error, or a summary of its contents."""
    for line in registry.packs().check(file, Terminal.language):
        echo(line)


def main() -> None:
    """Run a command; errors are printed in one sentence, without a traceback."""
    try:
        app()
    except UserError as error:
        ERR.print(error.say(Terminal.language), style="red", markup=False)
        sys.exit(REFUSED)
    except KeyboardInterrupt:
        ERR.print()
        sys.exit(130)
