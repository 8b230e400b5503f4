"""The database: SQLite for one process, PostgreSQL for several. What is appended is on disk before anybody is told.

One thread writes. It commits what many tables have for it together; an append is all or nothing, and only ever follows
the number it was made for: whoever was slower is told so and looks again.
"""

from __future__ import annotations

import logging
import queue
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import alembic.command
import alembic.config
import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from mchezo.server import facts as log
from mchezo.server import messages, statistics
from mchezo.server.bulk import statements
from mchezo.server.refusals import TableRefusal
from mchezo.server.schema import ANALYSES, FACTS, HOLDERS, PRESENCE, RESULTS, SETTINGS, TABLES
from mchezo.server.sight import Summary, summary
from mchezo.server.table import Table

T = TypeVar("T")

MOST_IN_BATCH = 200  # appends
MOST_IN_NOTIFY = 300  # hints, below the 8,000 bytes that PostgreSQL allows
CHANNEL = "mchezo"
CLOSE = 30.0  # seconds for the last writes
# A PostgreSQL that is gone without a word is found out, so that nothing waits for it forever.
CUT_OFF: dict[str, Any] = {
    "connect_timeout": 10,
    "tcp_user_timeout": 15_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
}
LOG = logging.getLogger("mchezo.server")
LOCK = 0x6D6368657A6F  # the advisory lock under which PostgreSQL is migrated: "mchezo"
ADD_TABLE = sa.insert(TABLES)
SEE = sa.text(
    "INSERT INTO presence (table_id, seat, seen)"
    " SELECT unnest(CAST(:tables AS text[])), unnest(CAST(:seats AS integer[])), :now"
    " ON CONFLICT (table_id, seat) DO UPDATE SET seen = excluded.seen"
)
NOTIFY = sa.select(sa.func.pg_notify(CHANNEL, sa.bindparam("payload")))
write_json = msgspec.json.Encoder().encode
read_summary = msgspec.json.Decoder(Summary).decode


class Hint(NamedTuple):
    """What other processes are told of a table: its last number, and whether a computer is to move."""

    table: str
    number: int
    computer: bool


def as_json(rows: Sequence[Any]) -> str:
    """Rows as statements take them."""
    return write_json(rows).decode()


def write_hint(hint: Hint) -> str:
    """A hint in a few letters."""
    return f"{hint.table}:{hint.number}{'!' if hint.computer else ''}"


def read_hint(text: str) -> Hint:
    """The same, read."""
    table, _, number = text.partition(":")
    return Hint(table, int(number.rstrip("!")), number.endswith("!"))


@dataclass
class Append:
    """Facts to be stored for a table after the number `after`, and the table's row as it is then."""

    table: str
    after: int
    facts: list[bytes]
    row: dict[str, Any]
    holders: list[str]
    result: dict[str, Any] | None = None  # once the game is over
    with_table: Append | None = None  # another table that is made in the same breath
    done: Future[bool] = field(default_factory=Future)  # False: somebody was quicker


class AnalysisRow(NamedTuple):
    """The analysis of a game as it is stored: `found` is a list of messages."""

    status: str
    total: int
    found: bytes


def append_for(table: Table, new: Sequence[log.Facts]) -> Append:
    """What is to be stored of a table to which the new facts have been added."""
    clock = table.clock
    row = {
        "id": table.id,
        "number": table.number,
        "game": table.made.game,
        "status": table.status,
        "public": table.made.settings.public,
        "summary": write_json(summary(table)),
        "created": table.made.at,
        "changed": table.last_at,
        "deadline": clock.deadline if clock and table.status == "running" else None,
        "computer": table.waits_for_computer,
        "lease_until": 0,
        "lease_by": None,
    }
    seated = any(isinstance(fact, log.Made | log.Sat) for fact in new)  # most appends change nothing about that
    holders = sorted({sitter.holder for sitter in table.seats if sitter.holder}) if seated else []
    new_facts = [log.write(fact) for fact in new]
    return Append(table.id, table.number - len(new), new_facts, row, holders, statistics.result_row(table))


class Store:
    """The open database."""

    def __init__(self, url: str) -> None:
        self.url = sa.make_url(normal_url(url))
        self.shared = self.url.get_backend_name() == "postgresql"
        self.lock = None if self.shared else only_process(self.url.database)
        self.engine = make_engine(self.url)
        self.statements = statements(self.shared)
        self.migrate()
        self.offset = 0  # of the database's clock to ours, in milliseconds
        self.jobs: queue.SimpleQueue[Append | Callable[[], None] | None] = queue.SimpleQueue()
        self.on_batch: Callable[[int, float], None] = lambda appends, seconds: None
        self.read_clock()
        self.writer = threading.Thread(target=self.write, name="writer", daemon=True)
        self.writer.start()

    # Set-up

    def migrate(self) -> None:
        """Bring the database to the newest version; on PostgreSQL one process at a time."""
        config = alembic.config.Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        with self.engine.connect() as connection:
            if self.shared:
                connection.execute(sa.select(sa.func.pg_advisory_lock(LOCK)))
                connection.commit()
            try:
                config.attributes["connection"] = connection
                alembic.command.upgrade(config, "heads")
                connection.commit()
            finally:
                if self.shared:
                    connection.execute(sa.select(sa.func.pg_advisory_unlock(LOCK)))
                    connection.commit()

    def close(self) -> None:
        """Write what is left, then close."""
        self.jobs.put(None)
        self.writer.join(CLOSE)
        if self.writer.is_alive():
            LOG.error("the database does not answer: what was not acknowledged is left out")
        self.engine.dispose()
        if self.lock:
            self.lock.close()

    # Time

    def now(self) -> int:
        """The database's clock, in milliseconds."""
        return time.time_ns() // 1_000_000 + self.offset

    def read_clock(self) -> None:
        """Compare our clock with that of a database that others use too."""
        if self.shared:
            with self.engine.connect() as connection:
                before = time.time_ns() // 1_000_000
                epoch = connection.scalar(sa.select(sa.extract("epoch", sa.func.clock_timestamp())))
                after = time.time_ns() // 1_000_000
            assert epoch is not None
            self.offset = round(float(epoch) * 1000) - (before + after) // 2

    # Writing

    def append(self, append: Append) -> Future[bool]:
        """Store; the future is True once it is on disk, False if the table has gone on meanwhile."""
        self.jobs.put(append)
        return append.done

    def run(self, job: Callable[[sa.Connection], T]) -> Future[T]:
        """Let the writer do something else in a transaction of its own."""
        future: Future[T] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return  # nobody waits for it any more
            try:
                with self.engine.begin() as connection:
                    result = job(connection)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

        self.jobs.put(work)
        return future

    def write(self) -> None:
        """The writer thread."""
        while (job := self.jobs.get()) is not None:
            batch: list[Append] = []
            while True:
                if isinstance(job, Append):
                    batch.append(job)
                elif job is not None:
                    job()
                if len(batch) >= MOST_IN_BATCH or self.jobs.empty():
                    break
                job = self.jobs.get()
                if job is None:
                    self.jobs.put(None)
                    break
            if batch:
                self.write_batch(batch)

    def write_batch(self, batch: list[Append]) -> None:
        """Commit what many tables have, in the order of their names, then answer."""
        began = time.perf_counter()
        batch = [append for append in batch if append.done.set_running_or_notify_cancel()]
        try:
            with self.engine.begin() as connection:
                stored = self.store_all(connection, batch)
        except Exception as error:
            for append in batch:
                append.done.set_exception(error)
            return
        self.on_batch(len(batch), time.perf_counter() - began)
        for append in batch:
            append.done.set_result(id(append) in stored)

    def store_all(self, connection: sa.Connection, batch: list[Append]) -> set[int]:
        """Insert what still follows; which appends did."""
        lock, change, add_facts = self.statements
        ids = sorted({append.table for append in batch if append.after >= 0})
        numbers: dict[str, int] = {}
        if ids:
            found: str | None = connection.execute(lock, {"rows": as_json(ids)}).scalar_one()
            numbers = msgspec.json.decode(found) if found else {}
        fits, rows, made, changed, holders, results = set(), [], [], {}, [], []
        for append in batch:
            if append.after >= 0:
                if numbers.get(append.table) != append.after:
                    continue
                changed[append.table] = append.row
            fits.add(id(append))
            for one in (append, append.with_table):
                if one is not None:
                    numbers[one.table] = one.after + len(one.facts)
                    rows += [
                        {"table_id": one.table, "number": one.after + 1 + index, "fact": fact.decode()}
                        for index, fact in enumerate(one.facts)
                    ]
                    if one.after < 0:
                        made.append(one.row)
                    if one.result is not None:
                        results.append(one.result)
                    holders += [{"guest": guest, "table_id": one.table} for guest in one.holders]
        if made:
            connection.execute(ADD_TABLE, made)
        if changed:
            values = [{**row, "summary": row["summary"].decode()} for row in changed.values()]
            connection.execute(change, {"rows": as_json(values)})
        if rows:
            connection.execute(add_facts, {"rows": as_json(rows)})
        if holders:
            connection.execute(self.insert_new(HOLDERS), holders)
        if results:
            connection.execute(self.insert_new(RESULTS), results)
        if self.shared and numbers and rows:
            latest = {row["id"]: row for row in (*made, *changed.values())}
            hints = [write_hint(Hint(table, row["number"], row["computer"])) for table, row in latest.items()]
            for at in range(0, len(hints), MOST_IN_NOTIFY):
                payload = " ".join(hints[at : at + MOST_IN_NOTIFY])
                connection.execute(NOTIFY, {"payload": payload})
        return fits

    def insert_new(self, table: sa.Table) -> Any:
        """An insert that leaves alone what is there."""
        dialect = postgresql if self.shared else sqlite
        return dialect.insert(table).on_conflict_do_nothing()

    # Reading

    def facts(self, table: str, after: int = -1) -> list[log.Facts]:
        """The log of a table after a number."""
        query = sa.select(FACTS.c.fact).where(FACTS.c.table_id == table, FACTS.c.number > after)
        with self.engine.connect() as connection:
            return [log.read(fact) for (fact,) in connection.execute(query.order_by(FACTS.c.number))]

    def load(self, table: str) -> Table | None:
        """A table from its log; None if there is none of that name."""
        found = self.facts(table)
        return Table(table, found) if found else None

    def numbers(self, tables: Iterable[str]) -> dict[str, int]:
        """The last numbers of tables."""
        query = sa.select(TABLES.c.id, TABLES.c.number).where(TABLES.c.id.in_(list(tables)))
        with self.engine.connect() as connection:
            return {row.id: row.number for row in connection.execute(query)}

    def listed(self, guest: str | None, game: str | None, most: int = 50) -> dict[str, list[tuple[str, Summary, int]]]:
        """The tables of a guest, and the public ones by status, newest first."""
        columns = sa.select(TABLES.c.id, TABLES.c.summary, TABLES.c.changed)
        if game is not None:
            columns = columns.where(TABLES.c.game == game)
        newest = columns.order_by(TABLES.c.changed.desc()).limit(most)
        queries = {
            status: newest.where(TABLES.c.public.is_(True), TABLES.c.status == status)
            for status in ("open", "running", "over")
        }
        if guest is not None:
            held = sa.select(HOLDERS.c.table_id).where(HOLDERS.c.guest == guest)
            queries["yours"] = newest.where(TABLES.c.id.in_(held))
        with self.engine.connect() as connection:
            return {
                name: [(row.id, read_summary(row.summary), row.changed) for row in connection.execute(query)]
                for name, query in queries.items()
            }

    def running_of(self, guest: str) -> list[str]:
        """The running tables at which a guest has a seat."""
        held = sa.select(HOLDERS.c.table_id).where(HOLDERS.c.guest == guest)
        query = sa.select(TABLES.c.id).where(TABLES.c.id.in_(held), TABLES.c.status == "running")
        with self.engine.connect() as connection:
            return list(connection.scalars(query.limit(200)))

    def finished(self, game: str | None, before: int, most: int) -> list[tuple[str, int]]:
        """Finished public tables that last changed before a moment, newest first; of one moment all or none."""
        query = sa.select(TABLES.c.id, TABLES.c.changed).where(TABLES.c.public.is_(True), TABLES.c.status == "over")
        if game is not None:
            query = query.where(TABLES.c.game == game)
        newest = query.where(TABLES.c.changed < before).order_by(TABLES.c.changed.desc(), TABLES.c.id)
        with self.engine.connect() as connection:
            found = [(row.id, row.changed) for row in connection.execute(newest.limit(most))]
            if len(found) == most:
                id, changed = found[-1]
                rest = query.where(TABLES.c.changed == changed, TABLES.c.id > id).order_by(TABLES.c.id)
                found += [(row.id, row.changed) for row in connection.execute(rest)]
            return found

    def statistics(self) -> messages.Statistics:
        """What was played here, in figures."""
        with self.engine.connect() as connection:
            return statistics.read(connection, self.now() // statistics.DAY)

    def down(self, now: int, most: int = 100) -> list[str]:
        """Tables whose running clock is down."""
        query = sa.select(TABLES.c.id).where(TABLES.c.deadline <= now).order_by(TABLES.c.deadline).limit(most)
        with self.engine.connect() as connection:
            return list(connection.scalars(query))

    def clocked(self) -> list[str]:
        """Tables with a running clock."""
        with self.engine.connect() as connection:
            return list(connection.scalars(sa.select(TABLES.c.id).where(TABLES.c.deadline.is_not(None))))

    def ping(self) -> None:
        """Fail if the database does not answer."""
        with self.engine.connect() as connection:
            connection.execute(sa.select(1))

    # Presence

    def see(self, seats: Sequence[tuple[str, int]], now: int) -> Future[int]:
        """Note for other processes that the players of these seats are there; in one go, however many they are."""
        tables, numbers = [table for table, _ in seats], [seat for _, seat in seats]
        given = {"tables": tables, "seats": numbers, "now": now}
        return self.run(lambda connection: connection.execute(SEE, given).rowcount)

    def last_seen(self, tables: Iterable[str]) -> dict[str, dict[int, int]]:
        """When the player of each seat of these tables was last there."""
        found: dict[str, dict[int, int]] = {table: {} for table in tables}
        query = sa.select(PRESENCE).where(PRESENCE.c.table_id.in_(list(found)))
        with self.engine.connect() as connection:
            for row in connection.execute(query):
                found[row.table_id][row.seat] = row.seen
        return found

    # Leases: whoever thinks about a table or a game has its row for a while, so that nobody else does.

    def take(
        self,
        rows: sa.Table,
        waiting: sa.ColumnElement[bool],
        order: tuple[sa.Column[int], ...],
        owner: str,
        now: int,
        milliseconds: int,
    ) -> Future[str | None]:
        """The first row that waits and that nobody has: now it is the owner's, for so long."""
        (id,) = rows.primary_key
        first = sa.select(id).where(waiting, rows.c.lease_until < now).order_by(*order).limit(1)
        free = first.with_for_update(skip_locked=True).scalar_subquery()
        lease = sa.update(rows).where(id == free).values(lease_until=now + milliseconds, lease_by=owner)
        return self.run(lambda connection: connection.scalar(lease.returning(id)))

    def keep(self, rows: sa.Table, table: str, owner: str, until: int, **found: object) -> Future[bool]:
        """Keep a lease, and store what was found meanwhile; False if it is not the owner's any more."""
        (id,) = rows.primary_key
        keep = sa.update(rows).where(id == table, rows.c.lease_by == owner).values(lease_until=until, **found)
        return self.run(lambda connection: connection.execute(keep).rowcount == 1)

    # Computers

    def lease(self, owner: str, now: int, milliseconds: int) -> Future[str | None]:
        """A table where a computer is to move and for which nobody thinks."""
        order = (TABLES.c.lease_until, TABLES.c.changed)
        return self.take(TABLES, TABLES.c.computer.is_(True), order, owner, now, milliseconds)

    def renew(self, table: str, owner: str, until: int) -> Future[bool]:
        """Keep the lease of a table."""
        return self.keep(TABLES, table, owner, until)

    # Analyses

    def analysis(self, table: str) -> AnalysisRow | None:
        """How far the analysis of a game is; None if nobody has asked for it."""
        query = sa.select(ANALYSES.c.status, ANALYSES.c.total, ANALYSES.c.found).where(ANALYSES.c.table_id == table)
        with self.engine.connect() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else AnalysisRow(*row)

    def ask_analysis(self, table: str, now: int, most: int) -> Future[bool]:
        """Let a game be analysed, once; what failed is tried again. False if so many wait already."""

        def job(connection: sa.Connection) -> bool:
            waiting = sa.select(sa.func.count()).select_from(ANALYSES).where(ANALYSES.c.status == "waiting")
            if (connection.scalar(waiting) or 0) >= most:
                return False
            row = {"table_id": table, "status": "waiting", "total": 0, "found": b"[]", "asked": now, "lease_until": 0}
            connection.execute(self.insert_new(ANALYSES), row)
            again = sa.update(ANALYSES).where(ANALYSES.c.table_id == table, ANALYSES.c.status == "failed")
            connection.execute(again.values(status="waiting", lease_until=0))
            return True

        return self.run(job)

    def lease_analysis(self, owner: str, now: int, milliseconds: int) -> Future[str | None]:
        """A game to be analysed of which nobody thinks."""
        return self.take(ANALYSES, ANALYSES.c.status == "waiting", (ANALYSES.c.asked,), owner, now, milliseconds)

    def keep_analysis(self, table: str, owner: str, row: AnalysisRow, until: int) -> Future[bool]:
        """Store what was found so far, and keep the lease."""
        return self.keep(ANALYSES, table, owner, until, **row._asdict())

    # Settings

    def setting(self, name: str, default: Callable[[], str]) -> str:
        """A setting that all processes share; the first to ask decides."""

        def job(connection: sa.Connection) -> str:
            connection.execute(self.insert_new(SETTINGS), {"name": name, "value": default()})
            return str(connection.scalar(sa.select(SETTINGS.c.value).where(SETTINGS.c.name == name)))

        return self.run(job).result()

    def secret(self) -> bytes:
        """The key with which cookies and tokens are signed."""
        return bytes.fromhex(self.setting("secret", lambda: secrets.token_hex(32)))

    def pulse(self, now: int) -> Future[int | None]:
        """Note that a server is alive; when one last was, None if never."""

        def job(connection: sa.Connection) -> int | None:
            connection.execute(self.insert_new(SETTINGS), {"name": "pulse", "value": "0"})
            query = sa.select(SETTINGS.c.value).where(SETTINGS.c.name == "pulse").with_for_update()
            last = int(connection.scalar(query) or 0)
            connection.execute(sa.update(SETTINGS).where(SETTINGS.c.name == "pulse").values(value=str(max(now, last))))
            return last or None

        return self.run(job)


def normal_url(url: str) -> str:
    """A path or a URL -> a URL with the driver that we use."""
    if "://" not in url:
        Path(url).parent.mkdir(parents=True, exist_ok=True)
        return f"sqlite:///{url}"
    for scheme in ("postgresql://", "postgres://"):
        if url.startswith(scheme):
            return "postgresql+psycopg://" + url.removeprefix(scheme)
    return url


def make_engine(url: sa.URL) -> sa.Engine:
    """Connections as each database likes them."""
    if url.get_backend_name() == "postgresql":
        return sa.create_engine(url, pool_size=8, max_overflow=8, pool_pre_ping=True, connect_args=CUT_OFF)
    engine = sa.create_engine(url, connect_args={"timeout": 30, "check_same_thread": False})

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        # What was answered for is on disk, whatever happens to the machine.
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    return engine


def only_process(path: str | None) -> sqlite3.Connection | None:
    """On SQLite there is exactly one process: it holds SQLite's own lock of a file beside, on any system."""
    if not path or path == ":memory:":
        return None
    lock = sqlite3.connect(f"{path}.lock", timeout=0, isolation_level=None, check_same_thread=False)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        raise TableRefusal("not-possible", "database-in-use", file=path) from error
    return lock
