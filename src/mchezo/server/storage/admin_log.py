"""The admin log: what operators changed, and guests about themselves. Servers read it to follow."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from mchezo.server.storage.database import Database
from mchezo.server.storage.schema import ADMIN_LOG, SETTINGS

COUNTER = "admin"  # the setting that holds the last number
LAST_NUMBER = sa.select(SETTINGS.c.value).where(SETTINGS.c.name == COUNTER)  # asked every second


class Entry(NamedTuple):
    """An entry: what was done to which guest (by public id) or table."""

    number: int
    at: int
    action: str
    guest: str | None
    table: str | None


def record(
    database: Database, connection: sa.Connection, action: str, guest: str | None = None, table: str | None = None
) -> None:
    """Append an entry in the transaction of the change."""
    number = database.next_number(connection, COUNTER)
    row = {"number": number, "at": database.now(), "action": action, "guest": guest, "table_id": table}
    connection.execute(sa.insert(ADMIN_LOG), row)


def last_number(database: Database) -> int:
    """Return the number of the last entry."""
    with database.engine.connect() as connection:
        return int(connection.scalar(LAST_NUMBER) or 0)


def entries(database: Database, after: int = 0, limit: int = 1_000) -> list[Entry]:
    """Return the entries after a number, oldest first."""
    query = sa.select(ADMIN_LOG).where(ADMIN_LOG.c.number > after).order_by(ADMIN_LOG.c.number).limit(limit)
    with database.engine.connect() as connection:
        return [Entry(*row) for row in connection.execute(query)]
