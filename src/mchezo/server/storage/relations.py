"""Whom players follow, block and mute, and reports about players for the operator."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import Future
from typing import NamedTuple

import sqlalchemy as sa

from mchezo.server.errors import TableError
from mchezo.server.identifiers import public_id
from mchezo.server.storage.schema import ACCOUNTS, RELATIONS, REPORTS
from mchezo.server.storage.stored import Stored

MAX_RELATIONS = 500  # of one player
MAX_OPEN_REPORTS = 20  # of one player
COUNTER = "reports"  # the setting that holds the last number


class Relation(NamedTuple):
    """Another player, by name, and what they are to a player."""

    name: str
    kind: str  # follow, block or mute


class Report(NamedTuple):
    """A report as operators see it; players by name and public id."""

    number: int
    at: int
    by: str
    by_name: str | None
    about: str
    about_name: str | None
    text: str
    closed: bool


class OwnReport(NamedTuple):
    """A report as the player sees it who wrote it; the other player by name."""

    at: int
    about: str | None
    text: str


class StoredRelations(Stored):
    """Reads and changes relations and reports."""

    def of(self, guest: str) -> list[Relation]:
        """Return whom a player follows, blocks and mutes, by name."""
        query = sa.select(ACCOUNTS.c.name, RELATIONS.c.kind).join(ACCOUNTS, ACCOUNTS.c.guest == RELATIONS.c.other)
        query = query.where(RELATIONS.c.guest == guest).order_by(ACCOUNTS.c.name)
        with self.database.engine.connect() as connection:
            return [Relation(*row) for row in connection.execute(query)]

    def set(self, guest: str, other: str, kind: str | None, now: int) -> Future[None]:
        """Follow, block or mute another player, or none of it."""

        def job(connection: sa.Connection) -> None:
            mine = RELATIONS.c.guest == guest
            connection.execute(sa.delete(RELATIONS).where(mine, RELATIONS.c.other == other))
            if kind is None:
                return
            if (connection.scalar(sa.select(sa.func.count()).where(mine)) or 0) >= MAX_RELATIONS:
                raise TableError("not-possible", "too-many-relations", most=MAX_RELATIONS)
            row = {"guest": guest, "other": other, "kind": kind, "at": now}
            connection.execute(self.database.insert_if_new(RELATIONS), row)

        return self.writer.run(job)

    def blocked_by(self, guest: str, others: Collection[str]) -> bool:
        """Return whether one of the others has blocked a player."""
        query = sa.select(RELATIONS.c.guest).where(RELATIONS.c.other == guest, RELATIONS.c.kind == "block")
        with self.database.engine.connect() as connection:
            return connection.scalar(query.where(RELATIONS.c.guest.in_(list(others))).limit(1)) is not None

    def report(self, by: str, about: str, text: str, now: int) -> Future[None]:
        """Store a report for the operator."""

        def job(connection: sa.Connection) -> None:
            waiting = sa.select(sa.func.count()).where(REPORTS.c.by == by, REPORTS.c.closed.is_(False))
            if (connection.scalar(waiting) or 0) >= MAX_OPEN_REPORTS:
                raise TableError("too-often", "too-many-reports")
            number = self.database.next_number(connection, COUNTER)
            row = {"number": number, "at": now, "by": by, "about": about, "text": text, "closed": False}
            connection.execute(sa.insert(REPORTS), row)

        return self.writer.run(job)

    def reports(self, *, closed: bool = False, limit: int = 100) -> list[Report]:
        """Return reports, newest first: those that wait, or all."""
        by, about = ACCOUNTS.alias(), ACCOUNTS.alias()
        query = sa.select(REPORTS, by.c.name.label("by_name"), about.c.name.label("about_name"))
        query = query.outerjoin(by, by.c.guest == REPORTS.c.by).outerjoin(about, about.c.guest == REPORTS.c.about)
        if not closed:
            query = query.where(REPORTS.c.closed.is_(False))
        with self.database.engine.connect() as connection:
            return [
                Report(
                    row.number,
                    row.at,
                    public_id(row.by),
                    row.by_name,
                    public_id(row.about),
                    row.about_name,
                    row.text,
                    row.closed,
                )
                for row in connection.execute(query.order_by(REPORTS.c.number.desc()).limit(limit))
            ]

    def reports_by(self, guest: str) -> list[OwnReport]:
        """Return what a player reported, oldest first."""
        query = sa.select(REPORTS.c.at, ACCOUNTS.c.name, REPORTS.c.text)
        query = query.outerjoin(ACCOUNTS, ACCOUNTS.c.guest == REPORTS.c.about).where(REPORTS.c.by == guest)
        with self.database.engine.connect() as connection:
            return [OwnReport(*row) for row in connection.execute(query.order_by(REPORTS.c.number))]

    def close_report(self, number: int) -> bool:
        """Close a report; False if there is none with this number."""
        closed = sa.update(REPORTS).where(REPORTS.c.number == number).values(closed=True)
        return self.writer.run(lambda connection: connection.execute(closed).rowcount == 1).result()


def forget(connection: sa.Connection, guest: str) -> None:
    """Delete everything about a player who leaves: follows, blocks, and reports by or about them."""
    connection.execute(sa.delete(RELATIONS).where((RELATIONS.c.guest == guest) | (RELATIONS.c.other == guest)))
    connection.execute(sa.delete(REPORTS).where((REPORTS.c.by == guest) | (REPORTS.c.about == guest)))
