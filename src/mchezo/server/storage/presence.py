"""Presence: when players were last connected, for other processes on the same database."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future

import sqlalchemy as sa

from mchezo.server.storage.schema import PRESENCE
from mchezo.server.storage.stored import Stored

UPSERT = sa.text(
    "INSERT INTO presence (table_id, seat, seen)"
    " SELECT unnest(CAST(:tables AS text[])), unnest(CAST(:seats AS integer[])), :now"
    " ON CONFLICT (table_id, seat) DO UPDATE SET seen = excluded.seen"
)


class StoredPresence(Stored):
    """When the player of each seat was last connected anywhere."""

    def record(self, seats: Sequence[tuple[str, int]], now: int) -> Future[int]:
        """Record that the players of these seats are connected, in one statement. PostgreSQL only."""
        rows = {"tables": [table for table, _ in seats], "seats": [seat for _, seat in seats], "now": now}
        return self.writer.run(lambda connection: connection.execute(UPSERT, rows).rowcount)

    def last_seen(self, tables: Iterable[str]) -> dict[str, dict[int, int]]:
        """Return when the player of each seat of these tables was last connected."""
        found: dict[str, dict[int, int]] = {table: {} for table in tables}
        query = sa.select(PRESENCE).where(PRESENCE.c.table_id.in_(list(found)))
        with self.database.engine.connect() as connection:
            for row in connection.execute(query):
                found[row.table_id][row.seat] = row.seen
        return found
