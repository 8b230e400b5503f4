"""Errors of the database that are nobody's mistake: it is away, its disk is full, or it may not be written."""

from __future__ import annotations

import sqlite3
import sys

import sqlalchemy as sa

from mchezo.server.errors import TableError
from mchezo.server.storage.upgrading import UnknownRevisionError

SQLITE_KEYS = {
    sqlite3.SQLITE_FULL: "disk-full",
    sqlite3.SQLITE_READONLY: "database-readonly",
    sqlite3.SQLITE_BUSY: "database-away",
    sqlite3.SQLITE_LOCKED: "database-away",
    sqlite3.SQLITE_CANTOPEN: "database-away",
    sqlite3.SQLITE_IOERR: "database-away",
    sqlite3.SQLITE_PROTOCOL: "database-away",
}


def unavailable(error: BaseException) -> TableError | None:
    """Return the error to answer with if the database cannot be used now; None for a bug of ours."""
    key = failure_key(error)
    return None if key is None else TableError("unavailable", key)


def failure_key(error: BaseException) -> str | None:
    """Return the key of the sentence that describes a failing database."""
    if isinstance(error, sa.exc.TimeoutError):
        return "database-away"  # no connection became free
    cause = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        return SQLITE_KEYS.get(getattr(cause, "sqlite_errorcode", 0) & 0xFF)  # without the extended code
    if "psycopg" not in sys.modules:  # imported with the first database of PostgreSQL, for it takes its time
        return None
    import psycopg

    if isinstance(cause, psycopg.errors.DiskFull):
        return "disk-full"
    if isinstance(cause, psycopg.errors.ReadOnlySqlTransaction):
        return "database-readonly"
    return "database-away" if isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError) else None


def opening_error(name: str, error: Exception) -> TableError | None:
    """Return why a database cannot be opened; None for a bug of ours."""
    if isinstance(error, UnknownRevisionError):
        return TableError("not-possible", "database-newer", file=name)
    cause = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    import psycopg  # only after a failure

    if isinstance(cause, sqlite3.DatabaseError | psycopg.OperationalError | OSError):
        key = "database-readonly-start" if failure_key(error) == "database-readonly" else "database-not-opened"
        return TableError("not-possible", key, file=name, reason=str(cause).partition("\n")[0])
    return None
