"""Stored analyses of finished games."""

from __future__ import annotations

from concurrent.futures import Future
from typing import NamedTuple

import sqlalchemy as sa

from mchezo.server.domain.payers import Payer
from mchezo.server.storage.database import Database
from mchezo.server.storage.leases import Leases
from mchezo.server.storage.quarantine import not_set_aside
from mchezo.server.storage.schema import ANALYSES, PAYERS
from mchezo.server.storage.stored import Stored
from mchezo.server.storage.writer import Writer


class AnalysisRow(NamedTuple):
    """An analysis as it is stored: `found` is a JSON list of messages."""

    status: str
    total: int
    found: bytes


class MaxWaiting(NamedTuple):
    """How many analyses may wait: of a guest, of a network, in all."""

    guest: int
    network: int
    total: int


class StoredAnalyses(Stored):
    """The stored analyses, and the leases of those that wait."""

    def __init__(self, database: Database, writer: Writer) -> None:
        super().__init__(database, writer)
        waiting = (ANALYSES.c.status == "waiting") & not_set_aside(ANALYSES.c.table_id)
        self.leases = Leases(writer, ANALYSES, "analysis", waiting, ANALYSES.c.asked)

    def get(self, table: str) -> AnalysisRow | None:
        """Return the analysis of a game; None if nobody has requested it."""
        query = sa.select(ANALYSES.c.status, ANALYSES.c.total, ANALYSES.c.found).where(ANALYSES.c.table_id == table)
        with self.database.engine.connect() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else AnalysisRow(*row)

    def request(self, table: str, now: int, payer: Payer, most: MaxWaiting) -> Future[bool]:
        """Queue the analysis of a game; one that failed is queued again. False if a queue is full."""

        def job(connection: sa.Connection) -> bool:
            waiting = sa.select(sa.func.count()).select_from(ANALYSES).where(ANALYSES.c.status == "waiting")
            paid = waiting.join(PAYERS, (PAYERS.c.kind == "analysis") & (PAYERS.c.id == ANALYSES.c.table_id))
            queues = (
                (most.guest, paid.where(PAYERS.c.guest == payer.guest)),
                (most.network, paid.where(PAYERS.c.network == payer.network)),
                (most.total, waiting),
            )
            if any((connection.scalar(count) or 0) >= limit for limit, count in queues):
                return False
            charged = sa.delete(PAYERS).where(PAYERS.c.kind == "analysis", PAYERS.c.id == table)
            connection.execute(charged)  # of a request that failed
            connection.execute(sa.insert(PAYERS), {"kind": "analysis", "id": table, **payer._asdict()})
            row = {"table_id": table, "status": "waiting", "total": 0, "found": b"[]", "asked": now, "lease_until": 0}
            connection.execute(self.database.insert_if_new(ANALYSES), row)
            failed = sa.update(ANALYSES).where(ANALYSES.c.table_id == table, ANALYSES.c.status == "failed")
            connection.execute(failed.values(status="waiting", lease_until=0))
            return True

        return self.writer.run(job)

    def save(self, table: str, owner: str, row: AnalysisRow, until: int) -> Future[bool]:
        """Store the progress and extend the lease; False if the owner no longer holds it."""
        return self.leases.renew(table, owner, until, **row._asdict())
