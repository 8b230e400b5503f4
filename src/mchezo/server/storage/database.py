"""Connections: SQLite for one process, PostgreSQL for several; migrations, and the time that all processes share."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import platformdirs
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from mchezo.server.errors import TableError
from mchezo.server.storage import files
from mchezo.server.storage.clock import MILLISECOND, SteadyClock, elapsed, wall
from mchezo.server.storage.failures import opening_error
from mchezo.server.storage.schema import SETTINGS
from mchezo.server.storage.upgrading import upgrade

# Detect a PostgreSQL server that vanished without closing its connections, so that nothing waits for it forever.
CONNECT_ARGS: dict[str, Any] = {
    "connect_timeout": 10,
    "tcp_user_timeout": 15_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
}
IDLE_SECONDS = 1.0  # after which a connection that was kept is tested
MIGRATION_LOCK = 0x6D6368657A6F  # the advisory lock held while PostgreSQL is migrated: "mchezo"


class Cursor(Protocol):
    """A cursor of the driver."""

    def execute(self, statement: str, given: Sequence[Any] = ..., /) -> Iterable[Any]:
        """Execute a statement; return its rows."""


class Database:
    """An open, migrated database."""

    own: sa.Connection | None = None  # of `storing`
    own_used = 0.0

    def __init__(self, url: str) -> None:
        self.lock: sqlite3.Connection | None = None
        try:
            self.open(url)
        except Exception as error:
            if self.lock:
                self.lock.close()
            name = sa.make_url(url).render_as_string() if "://" in url else url
            if (reason := opening_error(name, error)) is not None:
                raise reason from error
            raise

    def open(self, url: str) -> None:
        """Connect, and upgrade the schema."""
        self.url = sa.make_url(normalize_url(url))
        self.shared = self.url.get_backend_name() == "postgresql"
        if not self.shared:
            files.make_private(self.url.database)
            self.lock = lock_file(self.url.database)
        self.engine = create_engine(self.url)
        self.migrate()
        self.test_writing()
        self.clock = SteadyClock(self.reference_time(), elapsed)

    def migrate(self) -> None:
        """Upgrade the schema; on PostgreSQL one process at a time."""
        with self.engine.connect() as connection:
            if self.shared:
                connection.execute(sa.select(sa.func.pg_advisory_lock(MIGRATION_LOCK)))
                connection.commit()
            try:
                upgrade(connection)
            finally:
                connection.rollback()  # of a failure
                if self.shared:
                    connection.execute(sa.select(sa.func.pg_advisory_unlock(MIGRATION_LOCK)))
                    connection.commit()

    @contextmanager
    def begin(self) -> Iterator[sa.Connection]:
        """Begin a transaction that writes. On SQLite it waits for other writers first, not in the middle."""
        with self.engine.begin() as connection:
            if not self.shared:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection

    @contextmanager
    def storing(self) -> Iterator[Cursor]:
        """Begin a transaction on a connection that is kept; for one thread only.

        Statements go to the driver as they are: SQLAlchemy's transactions and results cost more than a commit does. On
        PostgreSQL each statement is a transaction of its own, without round trips for its beginning and its end, and a
        connection that was idle is tested before it is used again, as the pool does.
        """
        at_once = self.engine.dialect.name == "postgresql"
        if at_once and self.own is not None and time.monotonic() - self.own_used > IDLE_SECONDS:
            self.own.close()
            self.own = None
        if self.own is None:
            self.own = self.engine.connect()
            if at_once:
                self.own.execution_options(isolation_level="AUTOCOMMIT")
        driver: Any = self.own.connection.dbapi_connection
        try:
            cursor = driver.cursor()
            if at_once:
                yield cursor
                self.own_used = time.monotonic()
            else:
                cursor.execute("BEGIN IMMEDIATE")
                yield cursor
                driver.commit()
        except BaseException:
            self.own.close()  # and roll back
            self.own = None
            raise

    def test_writing(self) -> None:
        """Fail if the database may only be read; nothing is changed."""
        with self.begin() as connection:
            connection.execute(sa.update(SETTINGS).where(SETTINGS.c.name == "").values(value=""))

    def close(self) -> None:
        """Close all connections."""
        if self.own is not None:
            self.own.close()
        self.engine.dispose()
        if self.lock:
            self.lock.close()

    def ping(self) -> None:
        """Fail if the database does not respond."""
        with self.engine.connect() as connection:
            connection.execute(sa.select(1))

    def now(self) -> int:
        """Return the time in milliseconds since 1970: the only time that is stored."""
        return self.clock.now()

    def reference_time(self) -> int:
        """Return the time by the clock that all processes share: PostgreSQL's, or the system's."""
        if not self.shared:
            return wall()
        with self.engine.connect() as connection:
            before = elapsed()
            epoch = connection.scalar(sa.select(sa.extract("epoch", sa.func.clock_timestamp())))
            after = elapsed()
        assert epoch is not None
        return round(float(epoch) * 1000) + (after - before) // 2 // MILLISECOND

    def sync_clock(self) -> None:
        """Follow the shared clock."""
        self.clock.follow(self.reference_time())

    def insert_if_new(self, table: sa.Table) -> Any:
        """Return an insert that leaves existing rows alone."""
        dialect = postgresql if self.shared else sqlite
        return dialect.insert(table).on_conflict_do_nothing()

    def lock_counter(self, connection: sa.Connection, name: str) -> int:
        """Lock a counter among the settings until the end of the transaction; return its value, 0 at first."""
        connection.execute(self.insert_if_new(SETTINGS), {"name": name, "value": "0"})
        return int(connection.scalar(sa.select(SETTINGS.c.value).where(SETTINGS.c.name == name).with_for_update()) or 0)

    def next_number(self, connection: sa.Connection, counter: str) -> int:
        """Increment a counter and return it; its lock makes the numbers follow the commits."""
        number = self.lock_counter(connection, counter) + 1
        set_counter(connection, counter, number)
        return number


def set_counter(connection: sa.Connection, name: str, value: int) -> None:
    """Store the value of a counter that is locked."""
    connection.execute(sa.update(SETTINGS).where(SETTINGS.c.name == name).values(value=str(value)))


def default_database() -> str:
    """Return the path of the user's own database."""
    return str(Path(platformdirs.user_data_path("mchezo", appauthor=False)) / "tables.sqlite")


def normalize_url(url: str) -> str:
    """Return the URL, with our driver, of a database given as a path or a URL."""
    if "://" not in url:
        files.create_folder(Path(url).parent)
        return f"sqlite:///{url}"
    for scheme in ("postgresql://", "postgres://"):
        if url.startswith(scheme):
            return "postgresql+psycopg://" + url.removeprefix(scheme)
    return url


def parse_path(url: str) -> Path | None:
    """Return the file of a SQLite database given as a path or a URL; None for PostgreSQL."""
    if "://" not in url:
        return Path(url)
    parsed = sa.make_url(url)
    return Path(parsed.database or "") if parsed.get_backend_name() == "sqlite" else None


def create_engine(url: sa.URL) -> sa.Engine:
    """Return an engine with the settings that each database needs."""
    if url.get_backend_name() == "postgresql":
        return sa.create_engine(url, pool_size=8, max_overflow=8, pool_pre_ping=True, connect_args=CONNECT_ARGS)
    engine = sa.create_engine(url, connect_args={"timeout": 30, "check_same_thread": False})

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        # synchronous=FULL: what was acknowledged is on disk, even if the machine loses power.
        # page_size: a move changes rows on two or three pages; smaller ones mean less to write. Old files keep theirs.
        for pragma in ("page_size=2048", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    return engine


def lock_file(path: str | None) -> sqlite3.Connection | None:
    """Hold a lock beside a SQLite file, so that one process uses it; SQLite's own lock works on every system."""
    if not path or path == ":memory:":
        return None
    lock = sqlite3.connect(f"{path}.lock", timeout=0, isolation_level=None, check_same_thread=False)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        raise TableError("not-possible", "database-in-use", file=path) from error
    return lock
