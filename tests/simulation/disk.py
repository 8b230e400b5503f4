"""The disk: a real SQLite database in memory. A power failure takes it back to the last commit that was synced."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from functools import cache
from typing import Any, Self

import psycopg
import sqlalchemy as sa

from mchezo.server.storage import bulk
from mchezo.server.storage.clock import SteadyClock, elapsed
from mchezo.server.storage.database import Database, create_engine
from mchezo.server.storage.presence import StoredPresence
from mchezo.server.storage.schema import PRESENCE
from mchezo.server.storage.writer import Append, Writer
from tests.simulation.world import SECOND, World

URL = "sqlite://"
FULL = 2  # the value of PRAGMA synchronous with which every commit is synced
UNLIMITED = 2**30
FLUSH = 0.1  # the probability that the operating system happens to sync a commit that was not to be synced
WRITES = ("BEGIN IMMEDIATE", "INSERT", "UPDATE", "DELETE")


class Crash(BaseException):
    """The process was killed in the middle of a transaction."""


@cache
def empty_image() -> bytes:
    """Return a migrated, empty database."""
    database = Database(URL)
    with database.engine.connect() as connection:
        raw: Any = connection.connection.dbapi_connection
        image: bytes = raw.serialize()
    database.close()
    return image


@cache
def engine_of(create: Callable[[sa.URL], sa.Engine]) -> sa.Engine:
    """Return an engine for all runs, since it keeps the statements that it has compiled."""
    engine = create(sa.make_url(URL))
    sa.event.listen(engine, "do_connect", lambda *_: CURRENT[0].raw)
    return engine


class Cursor(sqlite3.Cursor):
    """A cursor whose statements may fail: cheaper than SQLAlchemy's events."""

    def execute(self, statement: str, given: Any = (), /) -> Self:
        """Execute a statement, unless the disk does not let it."""
        CURRENT[0].before_execute(statement)
        return super().execute(statement, given)

    def executemany(self, statement: str, given: Any, /) -> Self:
        """Execute a statement several times, unless the disk does not let it."""
        CURRENT[0].before_execute(statement)
        return super().executemany(statement, given)


class Connection(sqlite3.Connection):
    """A connection that reports commits to the disk."""

    disk: Disk

    def cursor(self, factory: Any = Cursor) -> Any:
        """Return a cursor for the server."""
        return super().cursor(factory)

    def execute(self, statement: str, given: Any = (), /) -> sqlite3.Cursor:
        """Execute a statement of the simulation's own, which never fails."""
        return sqlite3.Cursor(self).execute(statement, given)

    def commit(self) -> None:
        """Commit, unless the process crashes just before; it may also crash just after."""
        changed = self.in_transaction
        if changed:
            self.disk.before_commit()
        super().commit()
        if changed:
            self.disk.after_commit()

    def rollback(self) -> None:
        """Roll back; notifications of the transaction are never sent."""
        super().rollback()
        self.disk.notifications.clear()

    def close(self) -> None:
        """Stay open: the disk outlives the processes."""
        if not self.disk.closed:
            self.rollback()


class Disk:
    """What is stored, and the faults of storing."""

    def __init__(self, world: World) -> None:
        self.world = world
        image = empty_image()
        self.raw = sqlite3.connect(":memory:", factory=Connection, check_same_thread=False)
        self.raw.disk = self
        self.raw.deserialize(image)
        self.raw.create_function("pg_notify", 2, self._notify)
        self.raw.create_function("database_clock", 0, lambda: milliseconds(world.wall()))
        CURRENT[:] = [self]
        self.engine = engine_of(create_engine)
        self.engine.dispose()
        self.durable: bytes | None = image  # None: everything committed is durable
        self.notifications: list[str] = []
        self.on_commit: Callable[[], None] = lambda: None
        self.on_notify: Callable[[list[str]], None] = lambda payloads: None
        self.kill_writer: Callable[[], None] = lambda: None
        # Faults, until a point in time.
        self.slow_until = self.busy_until = self.away_until = self.full_until = 0
        self.crash_in: int | None = None  # the process is killed at this many write statements or commits from now
        self.ambiguous = False  # the next commit succeeds, and an error is reported
        self.closed = False

    def close(self) -> None:
        """Free the database, and with it the functions that refer to the world."""
        self.closed = True
        self.engine.dispose()
        CURRENT.clear()
        sqlite3.Connection.close(self.raw)

    # Committing

    def _notify(self, channel: str, payload: str) -> str:
        self.notifications.append(payload)
        return ""

    def before_commit(self) -> None:
        """Crash here if that is due."""
        self._count_down("before commit")

    def after_commit(self) -> None:
        """Sync as the connection was told to; report; crash here if that is due."""
        (synchronous,) = self.raw.execute("PRAGMA synchronous").fetchone()
        if synchronous >= FULL:
            self.durable = None
        elif self.durable is None or self.world.chance(FLUSH):
            self.durable = self.raw.serialize()
        self.on_commit()
        payloads, self.notifications = self.notifications, []
        if payloads:
            self.on_notify(payloads)
        self._count_down("after commit")
        if self.ambiguous:
            self.ambiguous = False
            self.world.fault("commit reported as failed")
            raise sqlite_error("the connection was lost during the commit", sqlite3.SQLITE_IOERR)

    def before_execute(self, statement: str) -> None:
        """Fail, or crash, if that is due."""
        if self.world.time < self.away_until:
            raise sa.exc.OperationalError(statement, {}, psycopg.OperationalError("the database is away"))
        if statement.startswith(WRITES):
            if self.world.time < self.busy_until:
                locked = sqlite_error("database is locked", sqlite3.SQLITE_BUSY)
                raise sa.exc.OperationalError(statement, {}, locked)
            self._count_down("between statements")

    def _count_down(self, where: str) -> None:
        if self.crash_in is None:
            return
        self.crash_in -= 1
        if self.crash_in < 0:
            self.crash_in = None
            self.world.fault(f"crash {where}")
            self.kill_writer()
            raise Crash

    # Faults

    def fill(self, until: int) -> None:
        """Let writes that need another page fail until a point in time."""
        self.full_until = until
        (pages,) = self.raw.execute("PRAGMA page_count").fetchone()
        self.raw.execute(f"PRAGMA max_page_count={pages}")

    def free_space(self) -> None:
        """Let writes succeed again, unless the disk was filled again."""
        if self.world.time >= self.full_until:
            self.raw.execute(f"PRAGMA max_page_count={UNLIMITED}")

    def heal(self) -> None:
        """End all faults."""
        self.slow_until = self.busy_until = self.away_until = self.full_until = 0
        self.crash_in, self.ambiguous = None, False
        self.free_space()

    def lose_power(self) -> None:
        """Lose what was not synced."""
        self.raw.rollback()
        if self.durable is not None:
            self.raw.deserialize(self.durable)

    def latency(self) -> int:
        """Return how long the writer waits before its next batch."""
        if self.world.time < self.slow_until:
            return self.world.between(0.05, 1.5)
        return self.world.rng.randrange(200, 8_000)

    def facts_after(self, rowid: int) -> list[tuple[int, str, int, bytes]]:
        """Return row id, table, number and content of the facts stored after a row."""
        query = "SELECT rowid, table_id, number, fact FROM facts WHERE rowid > ? ORDER BY rowid"
        return self.raw.execute(query, (rowid,)).fetchall()


CURRENT: list[Disk] = []  # the disk of the run in progress


class SimulatedDatabase(Database):
    """The production code on the simulated disk; shared by several processes, it behaves as PostgreSQL does."""

    def __init__(self, disk: Disk, shared: bool) -> None:
        self.disk = disk
        self.as_shared = shared
        super().__init__(URL)

    def open(self, url: str) -> None:
        """Take the simulated disk, whose image is migrated."""
        self.url = sa.make_url(url)
        self.engine = self.disk.engine
        self.shared = self.as_shared
        self.test_writing()
        self.clock = SteadyClock(self.reference_time(), elapsed)

    def reference_time(self) -> int:
        """Return the time of the wall clock, which is also that of the database server."""
        return milliseconds(self.disk.world.wall())

    def close(self) -> None:
        """Leave the disk to the other processes."""

    def insert_if_new(self, table: sa.Table) -> Any:
        """Return SQLite's statement, whatever database is simulated."""
        return sa.dialects.sqlite.insert(table).on_conflict_do_nothing()


class JobQueue:
    """The writer's queue: a put schedules the writer, which ends when the queue is empty."""

    def __init__(self, on_put: Callable[[], None]) -> None:
        self.jobs: deque[list[Append] | Callable[[], None] | None] = deque()
        self.on_put = on_put

    def put(self, job: list[Append] | Callable[[], None] | None) -> None:
        """Queue a job."""
        self.jobs.append(job)
        self.on_put()

    def get(self) -> list[Append] | Callable[[], None] | None:
        """Return the next job, None if there is none."""
        return self.jobs.popleft() if self.jobs else None

    def empty(self) -> bool:
        """Return whether there is no job."""
        return not self.jobs


class SimulatedWriter(Writer):
    """The production code without its thread: the scheduler runs it when its disk is ready."""

    schedule: Callable[[SimulatedWriter], None]

    def start(self) -> None:
        """Run batches as scheduled steps."""
        self.bulk = bulk.bulk_store(shared=False)
        self.scheduled = False
        self.synchronous = False
        self.jobs = JobQueue(self.wake)  # type: ignore[assignment]  # a queue that never blocks

    def gather(self) -> None:
        """Do not wait: the scheduler has."""

    def wake(self) -> None:
        """Let the scheduler run the writer, at once where another thread would wait for it."""
        if self.synchronous:
            self.work()
        elif not self.scheduled:
            self.scheduled = True
            self.schedule(self)

    def work_as_scheduled(self) -> None:
        """Write what is queued."""
        self.scheduled = False
        self.work()

    def close(self) -> None:
        """Write what is queued."""
        self.work()


class SimulatedPresence(StoredPresence):
    """Presence, with SQLite's statement."""

    def record(self, seats: Sequence[tuple[str, int]], now: int) -> Future[int]:
        """Record that the players of these seats are connected."""
        rows = [{"table_id": table, "seat": seat, "seen": now} for table, seat in seats]

        def job(connection: sa.Connection) -> int:
            if rows:
                upsert = sa.dialects.sqlite.insert(PRESENCE)
                upsert = upsert.on_conflict_do_update(
                    index_elements=["table_id", "seat"], set_={"seen": upsert.excluded.seen}
                )
                connection.execute(upsert, rows)
            return len(rows)

        return self.writer.run(job)


def sqlite_error(message: str, code: int) -> sqlite3.OperationalError:
    """Return an error as SQLite raises it."""
    error = sqlite3.OperationalError(message)
    error.sqlite_errorcode = code
    return error


def milliseconds(microseconds: int) -> int:
    """Return a time as the database stores it."""
    return microseconds * 1_000 // SECOND


def tables_on(disk: Disk) -> Iterable[tuple[str, int, str]]:
    """Return id, last number and status of every stored table."""
    return disk.raw.execute("SELECT id, number, status FROM tables ORDER BY id").fetchall()
