"""`mchezo backup` and `mchezo restore`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mchezo.cli.common import echo, say

DatabaseOption = Annotated[
    str | None,
    typer.Option(
        "--database",
        envvar="MCHEZO_DATABASE",
        help="SQLite file or postgresql://... URL; defaults to a file in your data directory.",
    ),
]


def chosen_database(given: str | None) -> str:
    """Return the given database, else the user's own."""
    from mchezo.server.storage.database import default_database

    return given or default_database()


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Output file.")],
    database: DatabaseOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
) -> None:
    """Back up the database to a file, even while servers are using it.

    Examples: `mchezo backup monday.sqlite` · `mchezo backup monday.dump --database postgresql://localhost/mchezo`
    """
    from mchezo.server.storage.backup import write_backup

    write_backup(chosen_database(database), file, force=force)
    echo(say("backed-up", file=file))


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File that `mchezo backup` wrote.")],
    database: DatabaseOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a database that holds data.")] = False,
) -> None:
    """Restore a backup to a database that no server is using.

    A SQLite database that is replaced is kept beside it, as FILE.replaced.
    """
    from mchezo.server.storage.backup import restore_backup

    chosen = chosen_database(database)
    restore_backup(chosen, file, force=force)
    echo(say("restored", file=chosen if "://" not in chosen else "PostgreSQL"))
