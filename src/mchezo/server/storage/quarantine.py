"""Quarantine: tables that cannot be read are set aside, so that everything else works."""

from __future__ import annotations

import logging
from typing import NamedTuple

import sqlalchemy as sa

from mchezo.server.domain.replaying import UnreadableTable
from mchezo.server.errors import TableError
from mchezo.server.metrics import SET_ASIDE
from mchezo.server.storage.schema import HOLDERS, QUARANTINE, TABLES
from mchezo.server.storage.stored import Stored

LOG = logging.getLogger("mchezo.server")
MAX_REASON = 500  # characters
MAX_LISTED = 1_000


class BrokenTable(NamedTuple):
    """A table that was set aside: why, for the operator, and when."""

    table: str
    game: str
    kind: str  # "damaged" or "rules"
    reason: str
    at: int


class Quarantine(Stored):
    """The tables that were set aside."""

    def add(self, table: str, error: UnreadableTable) -> TableError:
        """Set a table aside, once; return the error for its players. Waits for the writer thread."""
        row = {"table_id": table, "kind": error.kind, "reason": error.reason[:MAX_REASON], "at": self.database.now()}

        def job(connection: sa.Connection) -> int:
            connection.execute(self.database.insert_if_new(QUARANTINE), row)
            return connection.scalar(sa.select(sa.func.count()).select_from(QUARANTINE)) or 0

        SET_ASIDE.set(self.writer.run(job).result())
        LOG.error("a table was set aside", extra={"table": table, "reason": error.reason})
        return set_aside_error(error.kind)

    def broken_tables(self, limit: int = MAX_LISTED) -> list[BrokenTable]:
        """Return the tables that are set aside, newest first."""
        game = sa.func.coalesce(TABLES.c.game, "")
        columns = (QUARANTINE.c.table_id, game, QUARANTINE.c.kind, QUARANTINE.c.reason, QUARANTINE.c.at)
        query = sa.select(*columns).select_from(QUARANTINE.outerjoin(TABLES, TABLES.c.id == QUARANTINE.c.table_id))
        with self.database.engine.connect() as connection:
            rows = connection.execute(query.order_by(QUARANTINE.c.at.desc(), QUARANTINE.c.table_id).limit(limit))
            return [BrokenTable(*row) for row in rows]

    def held_by(self, guest: str | None, limit: int = 50) -> list[BrokenTable]:
        """Return the tables of a guest that are set aside."""
        held = sa.select(HOLDERS.c.table_id).where(HOLDERS.c.guest == guest)
        query = sa.select(QUARANTINE.c.table_id, TABLES.c.game, QUARANTINE.c.kind, QUARANTINE.c.reason, QUARANTINE.c.at)
        query = query.join(TABLES, TABLES.c.id == QUARANTINE.c.table_id).where(QUARANTINE.c.table_id.in_(held))
        with self.database.engine.connect() as connection:
            return [
                BrokenTable(*row) for row in connection.execute(query.order_by(QUARANTINE.c.at.desc()).limit(limit))
            ]

    def count(self) -> int:
        """Return how many tables are set aside."""
        with self.database.engine.connect() as connection:
            return connection.scalar(sa.select(sa.func.count()).select_from(QUARANTINE)) or 0


def set_aside_error(kind: str) -> TableError:
    """Return the error for the players of a table that was set aside."""
    return TableError("set-aside", "set-aside-rules" if kind == "rules" else "set-aside")


def not_set_aside(id: sa.Column[str]) -> sa.ColumnElement[bool]:
    """Return the condition that a table, named by a column, is not set aside."""
    return id.not_in(sa.select(QUARANTINE.c.table_id))
