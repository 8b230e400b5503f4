"""Settings that all processes share: the signing key, and the heartbeat of the servers."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import NamedTuple

import sqlalchemy as sa

from mchezo.server.identifiers import new_secret
from mchezo.server.storage.schema import SETTINGS
from mchezo.server.storage.stored import Stored

PULSE, PULSE_CLOCK = "pulse", "pulse-clock"  # the last heartbeat: its time, and PostgreSQL's clock at that moment
DATABASE_CLOCK = sa.select(sa.cast(sa.extract("epoch", sa.func.clock_timestamp()) * 1000, sa.BigInteger))
VALUE = sa.select(SETTINGS.c.value).where(SETTINGS.c.name == sa.bindparam("setting"))
LOCKED_VALUE = VALUE.with_for_update()
SET_VALUE = sa.update(SETTINGS).where(SETTINGS.c.name == sa.bindparam("setting")).values(value=sa.bindparam("to"))
PULSES = sa.select(SETTINGS.c.name, SETTINGS.c.value).where(SETTINGS.c.name.in_((PULSE, PULSE_CLOCK)))


class Heartbeat(NamedTuple):
    """The last heartbeat of any server, and how long ago it was by PostgreSQL's clock, in milliseconds."""

    at: int
    age: int | None

    def time_of_living(self, outage: int) -> int | None:
        """Return the time now by the servers that are running; None if none seems to be."""
        return self.at + self.age if self.age is not None and 0 <= self.age <= outage else None


class StoredSettings(Stored):
    """The stored settings."""

    def get(self, name: str, default: Callable[[], str]) -> str:
        """Return a setting; the first process that asks stores the default."""

        def job(connection: sa.Connection) -> str:
            connection.execute(self.database.insert_if_new(SETTINGS), {"name": name, "value": default()})
            return str(connection.scalar(VALUE, {"setting": name}))

        return self.writer.run(job).result()

    def secret(self) -> bytes:
        """Return the key with which cookies and tokens are signed."""
        return bytes.fromhex(self.get("secret", new_secret))

    def test_writing(self, now: int) -> Future[None]:
        """Write something, by the way that moves take."""

        def job(connection: sa.Connection) -> None:
            connection.execute(self.database.insert_if_new(SETTINGS), {"name": "written", "value": "0"})
            connection.execute(SET_VALUE, {"setting": "written", "to": str(now)})

        return self.writer.run(job)

    def heartbeat(self, now: int) -> Future[int | None]:
        """Record that a server is running; return the last heartbeat before, None if this is the first."""

        def job(connection: sa.Connection) -> int | None:
            rows = [{"name": name, "value": "0"} for name in (PULSE, PULSE_CLOCK)]
            connection.execute(self.database.insert_if_new(SETTINGS), rows)
            last = int(connection.scalar(LOCKED_VALUE, {"setting": PULSE}) or 0)
            if now >= last:
                connection.execute(SET_VALUE, {"setting": PULSE, "to": str(now)})
                if self.database.shared:
                    clock = str(connection.scalar(DATABASE_CLOCK))
                    connection.execute(SET_VALUE, {"setting": PULSE_CLOCK, "to": clock})
            return last or None

        return self.writer.run(job)

    def last_heartbeat(self) -> Heartbeat | None:
        """Return the last heartbeat of any server; None if there was none."""
        with self.database.engine.connect() as connection:
            found = {name: int(value) for name, value in connection.execute(PULSES)}
            clock = connection.scalar(DATABASE_CLOCK) if self.database.shared else None
        if not found.get(PULSE):
            return None
        known = clock is not None and found.get(PULSE_CLOCK)
        return Heartbeat(found[PULSE], int(clock) - found[PULSE_CLOCK] if known and clock is not None else None)
