"""Leases: a worker that thinks about a row holds it until a point in time, so that no other worker does.

The candidates for a lease are a few rows of each guest and of each network, so that nobody's rows push out the others;
the worker decides which of them is next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple

import sqlalchemy as sa

from mchezo.server.domain.payers import Payer
from mchezo.server.storage.quarantine import not_set_aside
from mchezo.server.storage.schema import PAYERS, TABLES
from mchezo.server.storage.writer import Writer

MAX_PER_GUEST = 4  # candidates, longest waiting first
MAX_PER_NETWORK = 64
MAX_CANDIDATES = 500


class Candidate(NamedTuple):
    """A row that waits and is free."""

    id: str
    payer: Payer
    summary: bytes  # of the table, stored as JSON


Ranking = Callable[[Sequence[Candidate]], Iterable[Candidate]]


def longest_waiting_first(candidates: Sequence[Candidate]) -> Iterable[Candidate]:
    """Return the candidates in the order of the query."""
    return candidates


class Leases:
    """Leases of the rows of one database table."""

    def __init__(
        self,
        writer: Writer,
        rows: sa.Table,
        kind: str,
        waiting: sa.ColumnElement[bool],
        since: sa.Column[int],
    ) -> None:
        self.writer = writer
        self.rows = rows
        self.waiting = waiting
        (self.id,) = rows.primary_key
        self.query = fair_candidates(rows, self.id, kind, waiting, since)

    def acquire(
        self, owner: str, now: int, milliseconds: int, rank: Ranking = longest_waiting_first
    ) -> Future[Candidate | None]:
        """Lease the first of the ranked candidates that is still free; None if there is none."""

        def job(connection: sa.Connection) -> Candidate | None:
            for candidate in rank(self.read_candidates(connection, now)):
                free = sa.select(self.id).where(self.id == candidate.id, self.waiting, self.rows.c.lease_until < now)
                locked = free.with_for_update(skip_locked=True).scalar_subquery()
                lease = sa.update(self.rows).where(self.id == locked)
                if connection.execute(lease.values(lease_until=now + milliseconds, lease_by=owner)).rowcount:
                    return candidate
            return None

        return self.writer.run(job)

    def candidates(self, now: int) -> list[Candidate]:
        """Return the rows that could be leased."""
        with self.writer.database.engine.connect() as connection:
            return self.read_candidates(connection, now)

    def read_candidates(self, connection: sa.Connection, now: int) -> list[Candidate]:
        """Read the candidates, longest waiting first."""
        rows = connection.execute(self.query, {"now": now})
        return [Candidate(row.id, Payer(row.network, row.guest), row.summary) for row in rows]

    def renew(self, row: str, owner: str, until: int, **values: object) -> Future[bool]:
        """Extend a lease and store values with it; False if the owner no longer holds it."""
        renewed = sa.update(self.rows).where(self.id == row, self.rows.c.lease_by == owner)
        renewed = renewed.values(lease_until=until, **values)
        return self.writer.run(lambda connection: connection.execute(renewed).rowcount == 1)


def fair_candidates(
    rows: sa.Table, id: sa.Column[Any], kind: str, waiting: sa.ColumnElement[bool], since: sa.Column[int]
) -> sa.Select[Any]:
    """Return the query for the free rows: at most a few of each guest, and of each network."""
    guest = sa.func.coalesce(PAYERS.c.guest, id)  # a row without a payer stands for itself
    network = sa.func.coalesce(PAYERS.c.network, PAYERS.c.guest, id)
    of_guest = sa.func.row_number().over(partition_by=(network, guest), order_by=since)
    by_guest = (
        sa.select(
            id.label("id"), guest.label("guest"), network.label("network"), since.label("since"), of_guest.label("nth")
        )
        .select_from(rows.outerjoin(PAYERS, (PAYERS.c.kind == kind) & (PAYERS.c.id == id)))
        .where(waiting, rows.c.lease_until < sa.bindparam("now"))
        .subquery()
    )
    of_network = sa.func.row_number().over(partition_by=by_guest.c.network, order_by=(by_guest.c.nth, by_guest.c.since))
    by_network = sa.select(by_guest, of_network.label("place")).where(by_guest.c.nth <= MAX_PER_GUEST).subquery()
    return (
        sa.select(by_network.c.id, by_network.c.guest, by_network.c.network, TABLES.c.summary)
        .join(TABLES, TABLES.c.id == by_network.c.id)
        .where(by_network.c.place <= MAX_PER_NETWORK)
        .order_by(by_network.c.place, by_network.c.since)
        .limit(MAX_CANDIDATES)
    )


def computer_turns(writer: Writer) -> Leases:
    """Return the leases of tables where a computer is to move."""
    waiting = TABLES.c.computer.is_(True) & not_set_aside(TABLES.c.id)
    return Leases(writer, TABLES, "table", waiting, TABLES.c.changed)
