"""The commands and their help. Nothing here imports the compiler before a command needs it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from mchezo import __version__
from mchezo.cli import common
from mchezo.cli.common import ERR, OUT, Terminal, say, tell
from mchezo.core import registry
from mchezo.core.errors import Refusal

if TYPE_CHECKING:
    from mchezo.core.position import Position

REFUSED = 1  # exit code of a command that was understood but refused; 2 is a command that was not understood

app = typer.Typer(
    help="Katarenga, Kiwara and Kitara: play them, look at games, check them, measure the rules.",
    epilog="Exit codes: 0 done, 1 refused (a broken record, an unknown option), 2 the command was not understood.",
    invoke_without_command=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game's name, as `mchezo games` lists them.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="A start option; may be given several times."),
]
SeedText = Annotated[
    str | None, typer.Option("--seed", metavar="NUMBER", help="Let chance follow from this seed: the same game again.")
]
RecordFile = Annotated[Path, typer.Argument(metavar="RECORD", help="A file with the record of a game.")]
At = Annotated[int | None, typer.Option("--at", metavar="MOVES", help="The position after so many moves.")]


def print_version(asked: bool) -> None:
    """Print the version and stop."""
    if asked:
        tell(f"mchezo {__version__}")
        raise typer.Exit


@app.callback()
def start(
    context: typer.Context,
    language: Annotated[
        str | None,
        typer.Option("--language", "-l", envvar="MCHEZO_LANGUAGE", help="en, de, fr or nl; else as the system has it."),
    ] = None,
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=print_version, help="Print the version and stop."),
    ] = False,
) -> None:
    """Read what stands before the command; without a command, serve."""
    Terminal.choose_language(language)
    if context.invoked_subcommand is None:
        serve()


@app.command()
def serve(
    host: Annotated[
        str, typer.Option("--host", help="The address to listen at; 0.0.0.0 for the whole network.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0 for any free one.")] = 8064,
    database: Annotated[
        str | None,
        typer.Option("--database", envvar="MCHEZO_DATABASE", help="A file, or postgresql://...; else a file of yours."),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the browser.")] = True,
    threads: Annotated[
        int | None, typer.Option("--threads", min=0, help="How many computers think at once; 0 leaves it to workers.")
    ] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option("--allow-host", help="A name by which the server is reached, besides localhost.")
    ] = None,
    https: Annotated[bool, typer.Option("--https", help="It is reached by https, through a proxy.")] = False,
    log_level: Annotated[str, typer.Option("--log-level", help="debug, info, warning or error.")] = "info",
) -> None:
    """Serve tables on the network, and open the browser: what plain `mchezo` does.

    Examples: `mchezo serve` · `mchezo serve --host 0.0.0.0 --no-browser` · `mchezo serve --database postgresql://localhost/mchezo`
    """
    from mchezo.server import run
    from mchezo.server.service import THREADS, Config

    run.set_up_logs(log_level)
    config = Config(
        database or run.default_database(),
        hosts=tuple(allow_host or ()),
        secure=https,
        threads=THREADS if threads is None else threads,
    )
    run.serve(config, host, port, started=lambda address: tell(say("serving", address=address)), open_browser=browser)


@app.command()
def worker(
    database: Annotated[str, typer.Option("--database", envvar="MCHEZO_DATABASE", help="postgresql://...")],
    threads: Annotated[int, typer.Option("--threads", min=1, help="How many computers think at once.")] = 1,
    log_level: Annotated[str, typer.Option("--log-level", help="debug, info, warning or error.")] = "info",
) -> None:
    """Play for the computer seats of servers that share a PostgreSQL database."""
    from mchezo.server import run

    run.set_up_logs(log_level)
    run.work(database, threads)


@app.command()
def games() -> None:
    """List the games and their start options."""
    for name in registry.names():
        game = registry.find(name)
        tell(say("title", game=f"{name} · {game.title}", author=game.author), "bold")
        table = Table(show_header=False, box=None, padding=(0, 2))
        for option in game.options:
            table.add_row(f"  {option.name}", game.words.say(f"option-{option.name}", Terminal.language))
        OUT.print(table, markup=False)


@app.command()
def rules(
    name: GameName,
    language: Annotated[str | None, typer.Option("--language", "-l", help="en, de, fr or nl.")] = None,
) -> None:
    """Print a game's rules, with examples, and what we decided where the rulebook is silent.

    Examples: `mchezo rules katarenga` · `mchezo rules kiwara --language de`
    """
    from mchezo.cli.rules import show

    if language is not None:
        Terminal.choose_language(language)
    show(name)


@app.command()
def play(
    name: Annotated[str | None, typer.Argument(metavar="GAME", help="The game; asked for if left out.")] = None,
    option: Options = None,
    seed: SeedText = None,
    record: Annotated[Path | None, typer.Option("--record", help="Go on with the game in this file.")] = None,
    level: Annotated[
        int | None, typer.Option("--level", min=1, max=8, help="Play against the computer, 1 weakest, 8 strongest.")
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option("--seat", min=0, max=3, help="Your seat against the computer; drawn by lot without it."),
    ] = None,
) -> None:
    """Play a game at this terminal, with people or against the computer.

    Examples: `mchezo play katarenga --level 3` · `mchezo play katarenga -o variant=congress` ·
    `mchezo play kitara --level 5 -o players=4` · `mchezo play katarenga -o board=A0c1B2d3 --seed 7` ·
    `mchezo play --record game.txt`
    """
    from mchezo.cli.play import gather
    from mchezo.cli.play import play as run

    if record is not None:
        position = recorded(record, None, name)
        position.go_on()
    else:
        if name is None:
            names = registry.names()
            name = OUT.input(say("choose-game", games=", ".join(names)) + " ").strip()
        game = common.prepare(name)
        position = game.start(seed=common.seed_of(seed), **common.read_options(game, option or []))
    run(position, gather(position, level, seat))


@app.command()
def show(record: RecordFile, at: At = None) -> None:
    """Show a game: who played, the moves, the board at the end or after so many moves."""
    read = common.read_record(record)
    position = common.position_at(read, at)
    table = Table(show_header=False, box=None)
    for tag, value in {"Game": position.game.title, **read.options, **read.tags}.items():
        table.add_row(tag, value)
    OUT.print(table, markup=False)
    common.show_board(position, None)
    tell(" ".join(read.words(at)))
    outcome = read.outcome if at is None else position.outcome
    if outcome:
        tell(common.outcome_text(position, outcome), "bold")
    elif position.to_move is not None and position.to_move >= 0:
        tell(say("goes-on", seat=common.seat_name(position, position.to_move)))


@app.command()
def verify(record: RecordFile) -> None:
    """Check a game: every move against the rules, every draw against its seed."""
    read = common.read_record(record)
    if read.game in registry.names():
        common.prepare(read.game)
    draws = read.verify()
    if draws is None:
        tell(say("verified-without-seed", moves=len(read.moves)), "yellow")
        return
    tell(say("verified", moves=len(read.moves), draws=draws), "green")
    if read.seed_hash is not None:
        tell(say("verified-committed"), "green")


@app.command()
def analyse(
    record: RecordFile,
    nodes: Annotated[
        int, typer.Option("--nodes", min=100, help="Look at so many positions for each decision: more is stronger.")
    ] = 100_000,
    picture: Annotated[
        Path | None, typer.Option("--picture", help="Draw the course of the game into this SVG file.")
    ] = None,
) -> None:
    """Judge every decision of a game: chances of winning, blunders, and what would have been better."""
    from mchezo.cli.analyse import report

    report(common.position_at(common.read_record(record), None), nodes, picture)


@app.command()
def perft(
    name: GameName,
    depth: Annotated[int, typer.Argument(min=0, max=20, help="Count sequences of up to so many moves.")],
    option: Options = None,
    seed: SeedText = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count the sequences behind each first move.")] = False,
) -> None:
    """Count the sequences of moves from the start: the usual check of rules, and of their speed."""
    from mchezo.cli.measure import perft_table

    game = common.prepare(name)
    position = game.start(seed=common.seed_of(seed), **common.read_options(game, option or []))
    OUT.print(perft_table(position, depth, divide))


@app.command()
def bench(
    name: Annotated[str | None, typer.Argument(metavar="GAME", help="One game only.")] = None,
) -> None:
    """Measure the rules on this machine, beside python-chess and catanatron where they are installed."""
    from mchezo.cli.measure import bench as run

    run([name] if name else list(registry.names()))


@app.command()
def picture(
    name: GameName,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="The file to write: .svg, .png, or .gif for a whole record; else SVG is printed."),
    ] = None,
    record: Annotated[Path | None, typer.Option("--record", help="Draw the position of this record.")] = None,
    at: At = None,
    seat: Annotated[int | None, typer.Option("--seat", help="As this seat sees it.")] = None,
    option: Options = None,
    seed: SeedText = None,
) -> None:
    """Draw a position, the start of a game or any point of a record, or a whole record as an animation.

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
        tell(say("saved", file=out))


CORES = os.cpu_count() or 1

balances = typer.Typer(help="How fair a game is, by games of the computer against itself.", no_args_is_help=True)
app.add_typer(balances, name="balance")

StudySeed = Annotated[int, typer.Option("--seed", min=0, max=2**31 - 1, help="All games follow from it.")]
StudyThreads = Annotated[int, typer.Option("--threads", min=1, help="Play so many games at once.")]
StudyResume = Annotated[
    Path | None, typer.Option("--resume", help="Keep the results in this file, and go on where it stopped.")
]
StudyReport = Annotated[Path | None, typer.Option("--report", help="Write tables (Markdown) and plots (SVG).")]


@balances.command("kitara")
def balance_kitara(
    players: Annotated[
        list[int] | None, typer.Option("--players", min=2, max=4, help="For so many players; without it 2, 3 and 4.")
    ] = None,
    deck: Annotated[list[str] | None, typer.Option("--deck", help="blue or red; both without it.")] = None,
    games: Annotated[int, typer.Option("--games", min=1, help="So many games for each deck and number.")] = 500,
    tries: Annotated[int, typer.Option("--tries", min=1, help="How many turns a player tries before it plays.")] = 200,
    plans: Annotated[int, typer.Option("--plans", min=0, help="Also so many games of each plan for one seat.")] = 0,
    seed: StudySeed = 1,
    pack: Annotated[str, typer.Option("--pack", help="The pack to study, as in `mchezo play`.")] = "reconstruction",
    threads: StudyThreads = CORES,
    resume: StudyResume = None,
    report: StudyReport = None,
) -> None:
    """Let planning players play each other, and tell which seats, cards and plans win.

    Examples: `mchezo balance kitara` · `mchezo balance kitara --players 4 --deck red --games 8000 --resume red4.jsonl`
    """
    from mchezo.cli.balance import ask

    ask(players, deck, games, tries, plans, seed, pack, threads, resume, report)


@balances.command("katarenga")
def balance_katarenga(
    boards: Annotated[int, typer.Option("--boards", min=0, help="Rate so many; 0: those the file has.")] = 20,
    nodes: Annotated[
        int, typer.Option("--nodes", min=1, help="So many nodes for every move; 6,500 take about 5 ms.")
    ] = 6500,
    again: Annotated[int, typer.Option("--again", min=0, help="A second sample of so many of the fairest.")] = 0,
    banned: Annotated[
        int | None,
        typer.Option("--banned", min=0, help="Play at most so many also without captures on the first move."),
    ] = None,
    seed: StudySeed = 1,
    threads: StudyThreads = CORES,
    resume: StudyResume = None,
    report: StudyReport = None,
    catalogue: Annotated[Path | None, typer.Option("--catalogue", help="Write the rated boards to this file.")] = None,
    beside: Annotated[
        Path | None, typer.Option("--beside", help="Compare with the results of other nodes, in this file.")
    ] = None,
) -> None:
    """Rate boards of Katarenga by games of the computer against itself, with every baseline that Black can choose.

    Every fourth board is also played without captures on the first move.

    Example: `mchezo balance katarenga --boards 1000 --resume boards.jsonl --catalogue boards.tsv`
    """
    from mchezo.cli.boards import Study, run

    run(Study(boards, nodes, again, seed, threads, banned=banned), resume, report, catalogue, beside)


PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help="level:5, greedy, alphabeta:3, flat:2000, ...")]
Nodes = Annotated[int | None, typer.Option("--nodes", min=1, help="So many nodes a turn, for players that count them.")]
Seconds = Annotated[float | None, typer.Option("--seconds", min=0.001, help="So many seconds a turn instead.")]
MatchSeed = Annotated[int, typer.Option("--seed", min=0, max=2**31 - 1, help="All games follow from it.")]
Opening = Annotated[
    int | None, typer.Option("--opening", min=0, max=50, help="So many random decisions first; else as the game needs.")
]
Workers = Annotated[int, typer.Option("--workers", min=1, help="Play so many games at once.")]
Resume = Annotated[
    Path | None, typer.Option("--resume", help="Keep the games in this file, and go on where it stopped.")
]
Report = Annotated[
    Path | None, typer.Option("--report", help="Write tables (Markdown) and plots (SVG) into the place for them.")
]


@app.command()
def match(
    name: GameName,
    first: PlayerName,
    second: PlayerName,
    games: Annotated[int, typer.Option("--games", min=1, help="At least so many games, in whole rotations.")] = 60,
    nodes: Nodes = None,
    seconds: Seconds = None,
    option: Options = None,
    seed: MatchSeed = 1,
    opening: Opening = None,
    least: Annotated[
        float | None, typer.Option("--least", min=0.01, max=0.98, help="Stop when it is clear if it scores so much.")
    ] = None,
    workers: Workers = CORES,
    resume: Resume = None,
    report: Report = None,
) -> None:
    """Let two players meet, in every seat of the same boards, and tell the score with its error.

    At a table of more than two the first player meets as many of the second as there are other seats.

    Players: level:1 to level:8, random, greedy, alphabeta:DEPTH, flat:ROLLOUTS, planner:TRIES, openspiel:SIMULATIONS.

    Examples: `mchezo match katarenga level:8 alphabeta:3 --seconds 1 --resume games.jsonl` ·
    `mchezo match kitara planner greedy -o players=4 --games 100`
    """
    from mchezo.arena.sequential import Claim
    from mchezo.cli.contests import Terms, run_match

    terms = Terms(name, option or [], nodes, seconds, 1.0, seed, opening, workers, resume)
    claim = None if least is None else Claim(least, min(least + 0.1, (least + 1) / 2))
    run_match(terms, first, second, games, claim, report)


@app.command()
def ladder(
    name: GameName,
    player: Annotated[
        list[str] | None, typer.Argument(metavar="PLAYER...", help="From the bottom; else random and all levels.")
    ] = None,
    games: Annotated[int, typer.Option("--games", min=2, help="At most so many for each step.")] = 200,
    part: Annotated[
        float, typer.Option("--part", min=0.001, max=1, help="What part of its own budget a level is given.")
    ] = 0.1,
    nodes: Nodes = None,
    seconds: Seconds = None,
    option: Options = None,
    seed: MatchSeed = 1,
    opening: Opening = None,
    least: Annotated[float, typer.Option("--least", min=0.01, max=0.98, help="What a step should score.")] = 0.6,
    clear: Annotated[
        float, typer.Option("--clear", min=0.02, max=0.99, help="A score that should be found to be enough.")
    ] = 0.7,
    workers: Workers = CORES,
    resume: Resume = None,
    report: Report = None,
) -> None:
    """Test that each player beats the one below clearly enough, with as few games as that takes.

    Examples: `mchezo ladder katarenga` · `mchezo ladder kiwara random greedy flat:200 flat:2000 --resume steps.jsonl`
    """
    from mchezo.arena.players import LEVELS
    from mchezo.arena.sequential import Claim
    from mchezo.cli.contests import Terms, run_ladder

    if least >= clear:
        raise Refusal("clear-above-least", common.WORDS, least=least, clear=clear)
    terms = Terms(name, option or [], nodes, seconds, part, seed, opening, workers, resume)
    run_ladder(terms, player or ["random", *(f"level:{level}" for level in LEVELS)], games, Claim(least, clear), report)


@app.command()
def tournament(
    name: GameName,
    player: Annotated[
        list[str], typer.Argument(metavar="PLAYER...", help="As in `mchezo match`; the first is rated 0.")
    ],
    games: Annotated[int, typer.Option("--games", min=2, help="So many games for each two.")] = 20,
    nodes: Nodes = None,
    seconds: Seconds = None,
    option: Options = None,
    seed: MatchSeed = 1,
    opening: Opening = None,
    workers: Workers = CORES,
    resume: Resume = None,
    report: Report = None,
) -> None:
    """Let everybody meet everybody, and rate them.

    Example: `mchezo tournament kiwara random greedy alphabeta:3 flat:200 --games 40`
    """
    from mchezo.cli.contests import Terms, run_tournament

    terms = Terms(name, option or [], nodes, seconds, 1.0, seed, opening, workers, resume)
    run_tournament(terms, player, games, report)


@app.command()
def tune(
    name: GameName,
    kind: Annotated[
        str | None, typer.Option("--kind", help="One kind of game only, such as congress; without it all of them.")
    ] = None,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Play and learn so many times.")] = 4,
    games: Annotated[int, typer.Option("--games", min=1, help="So many games a round.")] = 4000,
    nodes: Annotated[int, typer.Option("--nodes", min=1, help="So many nodes for every decision.")] = 400,
    pairs: Annotated[int, typer.Option("--pairs", min=1, help="Pairs of games against hand-set worths.")] = 500,
    seed: Annotated[int, typer.Option("--seed", min=0, max=2**31 - 1, help="All games follow from it.")] = 1,
    threads: Annotated[int, typer.Option("--threads", min=1, help="Play so many games at once.")] = os.cpu_count() or 1,
    resume: Annotated[
        Path | None, typer.Option("--resume", help="Keep the games in this folder, and go on where it stopped.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="The file to write; without it the game's own weights.toml.")
    ] = None,
) -> None:
    """Learn from games of the computer against itself what the features of a position are worth.

    Examples: `mchezo tune kiwara` · `mchezo tune katarenga --kind quebec --resume games/ --out weights.toml`
    """
    from mchezo.cli.tune import ask

    ask(name, kind, rounds, games, nodes, pairs, seed, threads, resume, out)


def drawn(position: Position, seat: int | None, kind: str) -> str | bytes:
    """A picture of the position or, as a GIF, of the whole game up to it."""
    from mchezo.server import drawing
    from mchezo.server.pictures import GIF_WIDTHS, frames

    if kind == ".png":
        return drawing.png(position.svg(seat), 1000)
    if kind == ".gif":
        with ERR.status(say("drawing")):
            return drawing.gif(frames(position, seat), GIF_WIDTHS[position.game.name])
    return position.svg(seat)


def recorded(file: Path, at: int | None, name: str | None) -> Position:
    """The position of a record, which must be of the game that was named, if one was."""
    record = common.read_record(file)
    if name is not None and record.game != name:
        raise Refusal("other-game", common.WORDS, file=file, game=record.game, given=name)
    return common.position_at(record, at)


packs = typer.Typer(help="Packs for Kitara: its maps and cards, typed in from the box.", no_args_is_help=True)
app.add_typer(packs, name="pack")


@packs.command()
def new(file: Annotated[Path, typer.Argument(help="The file to write; it must not exist yet.")]) -> None:
    """Write a commented template with everything to be copied from the box."""
    from mchezo.games.kitara.pack import template

    if file.exists():
        raise Refusal("file-exists", common.WORDS, file=file)
    common.write_file(file, template())
    tell(say("saved", file=file))


@packs.command()
def check(file: Annotated[Path, typer.Argument(help="A pack.")]) -> None:
    """Judge a pack: the first entry that is wrong, or what follows from all of them."""
    from mchezo.games.kitara.pack import check as judge

    for line in judge(file, Terminal.language):
        tell(line)


def main() -> None:
    """Run a command; a refusal is told in one sentence, without a traceback."""
    try:
        app()
    except Refusal as refusal:
        ERR.print(refusal.say(Terminal.language), style="red", markup=False)
        sys.exit(REFUSED)
    except KeyboardInterrupt:
        ERR.print()
        sys.exit(130)
