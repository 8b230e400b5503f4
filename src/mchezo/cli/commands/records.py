"""Records of games, one or many."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from mchezo.cli import common
from mchezo.cli.commands.parameters import At, RecordFile
from mchezo.cli.common import OUT, WORDS, Terminal, echo, say
from mchezo.core import registry
from mchezo.core.errors import InvalidRecord, UserError

records = typer.Typer(help="Work with many records at once.", no_args_is_help=True)


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


@records.command()
def export(
    sources: Annotated[
        list[str], typer.Argument(metavar="SOURCE...", help="Files, directories or globs of records (.txt, .jsonl).")
    ],
    out: Annotated[Path, typer.Option("--out", help="Output file: .csv or .parquet.")],
    moves: Annotated[bool, typer.Option("--moves", help="Add a column with the moves.")] = False,
) -> None:
    """Write records as a table with a row for each game.

    Examples: `mchezo records export games/ --out games.csv` ·
    `mchezo records export match.jsonl --moves --out match.parquet`
    """
    from mchezo.core.record_table import read_records

    table = read_records(*map(Path, sources), moves=moves)
    writers = {".csv": table.to_csv, ".parquet": table.to_parquet}
    write = writers.get(out.suffix.lower())
    if write is None:
        raise UserError("export-kind", WORDS, file=out)
    try:
        write(out)
    except InvalidRecord as error:
        raise UserError("file-error", WORDS, file=error.source, reason=error.say(Terminal.language)) from error
    except UnicodeDecodeError as error:
        raise UserError("file-error", WORDS, file=", ".join(sources), reason=error.reason) from error
    except ImportError as error:
        raise UserError("file-error", WORDS, file=out, reason=error) from error
    except OSError as error:
        raise UserError("file-error", WORDS, file=error.filename or out, reason=error.strerror) from error
    echo(say("saved", file=out))
