"""The outbox of notices: one row for each channel and turn, made once from the logs by whichever process is first.

`noticed_turns` has the number up to which a table was looked through. A turn enters the outbox in the transaction
that advances it, so no turn enters twice, and a row that was sent and deleted does not come back.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple

import sqlalchemy as sa

from mchezo.server.domain.summary import Summary
from mchezo.server.storage.database import Database
from mchezo.server.storage.quarantine import not_set_aside
from mchezo.server.storage.schema import HOLDERS, NOTICE_CHANNELS, NOTICED_TURNS, NOTICES, TABLES
from mchezo.server.storage.tables import StoredTables
from mchezo.server.storage.writer import Writer

AT_ONCE = 100  # rows of a sweep


class ChangedTable(NamedTuple):
    """A table with facts that were not looked through yet."""

    id: str
    number: int
    running: bool
    computer: bool  # is to move
    summary: Summary


class Notice(NamedTuple):
    """A row of the outbox."""

    channel: str
    table: str
    turn: int
    guest: str
    due: int
    tries: int = 0


class Outbox:
    """Reads and changes the outbox."""

    def __init__(self, database: Database, writer: Writer, tables: StoredTables) -> None:
        self.database = database
        self.writer = writer
        self.tables = tables

    def changed(self) -> list[ChangedTable]:
        """Return correspondence games with news: those noticed before, and those of people with channels."""
        columns = sa.select(TABLES.c.id, TABLES.c.number, TABLES.c.status, TABLES.c.computer, TABLES.c.summary).where(
            not_set_aside(TABLES.c.id)
        )
        known = columns.join(NOTICED_TURNS, NOTICED_TURNS.c.table_id == TABLES.c.id)
        known = known.where(NOTICED_TURNS.c.number < TABLES.c.number).order_by(TABLES.c.id).limit(AT_ONCE)
        notified = HOLDERS.join(NOTICE_CHANNELS, NOTICE_CHANNELS.c.guest == HOLDERS.c.guest)
        somebody = sa.exists().select_from(notified).where(HOLDERS.c.table_id == TABLES.c.id)
        unknown = sa.exists().where(NOTICED_TURNS.c.table_id == TABLES.c.id)
        new = columns.where(TABLES.c.deadline.is_not(None), TABLES.c.days.is_not(None), ~unknown, somebody)
        with self.database.engine.connect() as connection:
            rows = [
                *connection.execute(known),
                *connection.execute(new.order_by(TABLES.c.deadline, TABLES.c.id).limit(AT_ONCE)),
            ]
        return [
            ChangedTable(row.id, row.number, row.status == "running", row.computer, summary)
            for row in rows
            if (summary := self.tables.summary(row.id, row.summary))
        ]

    def advance(self, table: ChangedTable, notices: Sequence[Notice]) -> Future[bool]:
        """Record that a table was looked through; if a turn has begun, replace what waits by notices of it."""
        turn = table.summary.turn

        def job(connection: sa.Connection) -> bool:
            of_table = NOTICED_TURNS.c.table_id == table.id
            if not table.running:
                connection.execute(sa.delete(NOTICED_TURNS).where(of_table))
                connection.execute(sa.delete(NOTICES).where(NOTICES.c.table_id == table.id))
                return True
            new = {"table_id": table.id, "number": -1, "turn": None}
            connection.execute(self.database.insert_if_new(NOTICED_TURNS), new)
            known = connection.execute(sa.select(NOTICED_TURNS).where(of_table).with_for_update()).one()
            if known.number >= table.number:
                return False  # another process was first
            connection.execute(sa.update(NOTICED_TURNS).where(of_table).values(number=table.number, turn=turn))
            if known.turn == turn:
                return False
            connection.execute(sa.delete(NOTICES).where(NOTICES.c.table_id == table.id))
            rows = [as_row(notice) for notice in notices]
            if rows:
                connection.execute(self.database.insert_if_new(NOTICES), rows)
            return True

        return self.writer.run(job)

    def due(self, now: int, limit: int = AT_ONCE) -> list[Notice]:
        """Return the notices to be sent: of tables that were looked through to the end, sent by nobody else now."""
        noticed = NOTICES.join(NOTICED_TURNS, NOTICED_TURNS.c.table_id == NOTICES.c.table_id)
        query = (
            sa.select(NOTICES)
            .select_from(noticed.join(TABLES, TABLES.c.id == NOTICES.c.table_id))
            .where(NOTICES.c.due <= now, NOTICES.c.lease_until <= now, NOTICED_TURNS.c.number == TABLES.c.number)
            .order_by(NOTICES.c.due, NOTICES.c.channel, NOTICES.c.table_id)
            .limit(limit)
        )
        with self.database.engine.connect() as connection:
            return [as_notice(row) for row in connection.execute(query)]

    def summaries(self, ids: Collection[str]) -> dict[str, Summary]:
        """Return the summaries of tables."""
        query = sa.select(TABLES.c.id, TABLES.c.summary).where(TABLES.c.id.in_(list(ids)))
        with self.database.engine.connect() as connection:
            rows = connection.execute(query).all()
        return {row.id: found for row in rows if (found := self.tables.summary(row.id, row.summary))}

    def lease(self, notices: Sequence[Notice], now: int, until: int) -> Future[list[Notice]]:
        """Take notices to send them; return those that are still there and nobody else has taken."""

        def job(connection: sa.Connection) -> list[Notice]:
            return [
                notice
                for notice in sorted(notices)
                if connection.execute(
                    sa.update(NOTICES)
                    .where(is_notice(notice), NOTICES.c.lease_until <= now, NOTICES.c.due <= now)
                    .values(lease_until=until)
                ).rowcount
            ]

        return self.writer.run(job)

    def delete(self, notices: Sequence[Notice]) -> Future[None]:
        """Delete notices that were sent, or will not be."""

        def job(connection: sa.Connection) -> None:
            for notice in sorted(notices):
                connection.execute(sa.delete(NOTICES).where(is_notice(notice)))

        return self.writer.run(job)

    def defer(self, notices: Sequence[Notice], due: int, *, failed: bool = False) -> Future[None]:
        """Let notices wait until a point in time."""

        def job(connection: sa.Connection) -> None:
            for notice in sorted(notices):
                values = {"due": due, "lease_until": 0, "tries": notice.tries + failed}
                connection.execute(sa.update(NOTICES).where(is_notice(notice)).values(**values))

        return self.writer.run(job)

    def waiting_for(self, seen: Collection[tuple[str, str]]) -> list[Notice]:
        """Return the notices of these guests and tables that were not sent."""
        query = sa.select(NOTICES).where(sa.tuple_(NOTICES.c.guest, NOTICES.c.table_id).in_(list(seen)))
        with self.database.engine.connect() as connection:
            return [as_notice(row) for row in connection.execute(query)]


def as_row(notice: Notice) -> dict[str, Any]:
    """Return a new row."""
    row = {**notice._asdict(), "table_id": notice.table, "lease_until": 0}
    del row["table"]
    return row


def as_notice(row: sa.Row[Any]) -> Notice:
    """Return a notice of the outbox."""
    return Notice(row.channel, row.table_id, row.turn, row.guest, row.due, row.tries)


def is_notice(notice: Notice) -> sa.ColumnElement[bool]:
    """Return the condition that a row is this notice."""
    return (
        (NOTICES.c.channel == notice.channel) & (NOTICES.c.table_id == notice.table) & (NOTICES.c.turn == notice.turn)
    )
