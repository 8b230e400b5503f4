"""Many records at once: `mchezo records export`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mchezo.cli.common import WORDS, Terminal, echo, say
from mchezo.core.errors import InvalidRecord, UserError

records = typer.Typer(help="Work with many records at once.", no_args_is_help=True)


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
