"""Backups: SQLite by its backup API, PostgreSQL by pg_dump and pg_restore.

A backup is a consistent snapshot. Servers go on while it is written; a database that is in use is never restored.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import sqlalchemy as sa
from alembic.script import ScriptDirectory

from mchezo.server.errors import TableError
from mchezo.server.storage import files
from mchezo.server.storage.database import CONNECT_ARGS, MIGRATION_LOCK, lock_file, normalize_url, parse_path
from mchezo.server.storage.schema import META
from mchezo.server.storage.upgrading import MIGRATIONS

SQLITE_MAGIC = b"SQLite format 3\0"
POSTGRES_MAGIC = b"PGDMP"


def write_backup(url: str, file: Path, *, force: bool = False) -> None:
    """Write a backup of a database to a file, atomically and readable by its owner only."""
    if file.exists() and not force:
        raise TableError("not-possible", "file-exists", file=file)
    try:
        path = parse_path(url)
        with files.replacing(file) as temporary:
            if path is None:
                dump(url, temporary)
            else:
                copy_sqlite(path, temporary)
    except OSError as error:
        raise TableError("not-possible", "file-error", file=file, reason=error.strerror) from error


def restore_backup(url: str, file: Path, *, force: bool = False) -> None:
    """Restore a backup; a database that has tables is replaced only by force, and never while it is in use."""
    try:
        with file.open("rb") as opened:
            magic = opened.read(16)
        path = parse_path(url)
        if magic.startswith(SQLITE_MAGIC if path else POSTGRES_MAGIC):
            if path is None:
                restore_dump(url, file, force)
            else:
                restore_sqlite(path, file, force)
        elif magic.startswith((SQLITE_MAGIC, POSTGRES_MAGIC)):
            raise TableError("not-possible", "backup-other-database", file=file)
        else:
            raise TableError("not-possible", "backup-unreadable", file=file, reason="-")
    except OSError as error:
        raise TableError("not-possible", "file-error", file=file, reason=error.strerror) from error


def check_version(version: str, file: object) -> None:
    """Refuse a database whose schema this version of the program does not know."""
    script = ScriptDirectory(str(MIGRATIONS))
    if version not in {revision.revision for revision in script.walk_revisions()}:
        raise TableError("not-possible", "backup-newer", file=file, version=version)


# SQLite


def copy_sqlite(source: Path, target: Path) -> None:
    """Copy a database that may be in use, in one read transaction, and check the copy."""
    if not source.exists():
        raise TableError("not-possible", "no-database", file=source)
    try:
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=rw", uri=True, timeout=30)) as original,
            closing(sqlite3.connect(target)) as copy,
        ):
            # All pages in one step: in several, every write of the server would start the copy again.
            original.backup(copy, pages=-1)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
            check_sqlite(copy, source)
    except sqlite3.Error as error:
        raise TableError("not-possible", "backup-unreadable", file=source, reason=error) from error


def check_sqlite(connection: sqlite3.Connection, file: object) -> None:
    """Check the pages of a database, and that it is one of ours, of a version we know."""
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise TableError("not-possible", "backup-unreadable", file=file, reason=found)
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"alembic_version", "tables", "facts"} <= names:
        raise TableError("not-possible", "backup-unreadable", file=file, reason="alembic_version")
    versions = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    for (version,) in versions or [("-",)]:
        check_version(version, file)


def restore_sqlite(path: Path, file: Path, force: bool) -> None:
    """Restore a backup to a file that no server uses; the database it replaces is kept beside it."""
    if holds_data(path) and not force:
        raise TableError("not-possible", "restore-exists", file=path)
    files.create_folder(path.parent)
    files.make_private(str(path))
    lock = lock_file(str(path))
    assert lock is not None
    try:
        with files.replacing(path) as temporary:
            copy_sqlite(file, temporary)
            set_aside(path)
    finally:
        lock.close()
        if path.exists() and not path.stat().st_size:  # created for the lock of a restore that failed
            path.unlink()


def holds_data(path: Path) -> bool:
    """Return whether a file is there and is not empty."""
    return path.exists() and path.stat().st_size > 0


def set_aside(path: Path) -> None:
    """Keep a database as FILE.replaced, with what its log holds: the log must not be applied to another database."""
    if not holds_data(path):
        return
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as old:  # a damaged one is kept as it is
        old.execute("PRAGMA journal_mode=DELETE")
    replaced = Path(f"{path}.replaced")
    for ending in ("", "-wal", "-shm", "-journal"):
        Path(f"{replaced}{ending}").unlink(missing_ok=True)
    with files.replacing(replaced) as copy:
        shutil.copyfile(path, copy)
    for ending in ("-wal", "-shm", "-journal"):
        log = Path(f"{path}{ending}")
        if log.exists():
            os.replace(log, f"{replaced}{ending}")


# PostgreSQL


def dump(url: str, target: Path) -> None:
    """Write a dump by pg_dump."""
    run_program("pg_dump", url, "--format=custom", "--no-owner", "--no-privileges", f"--file={target}")


def restore_dump(url: str, file: Path, force: bool) -> None:
    """Restore a dump in one transaction, into a database to which nobody else is connected."""
    version = run_program("pg_restore", None, "--data-only", "--table=alembic_version", "--file=-", str(file))
    rows = version.partition("FROM stdin;\n")[2].partition("\n\\.")[0].split()
    for row in rows or ["-"]:
        check_version(row, file)
    run_program("pg_restore", None, f"--file={os.devnull}", str(file))  # reads all of it
    with unused_database(url) as connection:
        existing = set(sa.inspect(connection).get_table_names())
        connection.rollback()
        if existing and not force:
            raise TableError("not-possible", "restore-exists", file=connection.engine.url.database)
        options = ["--clean", "--if-exists", "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
        run_program("pg_restore", url, *options, str(file))
        # A backup of an earlier version lacks tables that the next start creates.
        listed = run_program("pg_restore", None, "--list", str(file))
        for table in META.sorted_tables:
            if table.name in existing and f" TABLE public {table.name} " not in listed:
                connection.execute(sa.text(f"DROP TABLE {table.name}"))
        connection.commit()


@contextmanager
def unused_database(url: str) -> Iterator[sa.Connection]:
    """Yield the only connection to a database; servers that start wait until it is closed."""
    engine = sa.create_engine(normalize_url(url), poolclass=sa.NullPool, connect_args=CONNECT_ARGS)
    with engine.connect() as connection:
        connection.execute(sa.select(sa.func.pg_advisory_lock(MIGRATION_LOCK)))
        others = sa.text(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        if connection.scalar(others):
            raise TableError("not-possible", "database-connected", file=engine.url.database)
        connection.commit()
        yield connection


def run_program(program: str, url: str | None, *arguments: str) -> str:
    """Run one of PostgreSQL's programs and return its output; the password is not among its arguments."""
    found = shutil.which(program)
    if found is None:
        raise TableError("not-possible", "program-missing", program=program)
    environment = dict(os.environ)
    target: list[str] = []
    if url is not None:
        parsed = sa.make_url(normalize_url(url))
        if parsed.password:
            environment["PGPASSWORD"] = str(parsed.password)
        plain = parsed.set(drivername="postgresql", password=None).render_as_string(hide_password=False)
        target = [f"--dbname={plain}", "--no-password"]
    done = subprocess.run([found, *target, *arguments], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [str(done.returncode)]
        raise TableError("not-possible", "program-failed", program=program, reason=" ".join(lines[:2]))
    return done.stdout
