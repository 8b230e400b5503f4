"""The writer thread: it commits the appends of many tables together.

An append is atomic and conditional on the number it follows (optimistic concurrency): the loser of a race learns about
it and decides again. What was acknowledged is on disk.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa

from mchezo.server import metrics
from mchezo.server.domain import log
from mchezo.server.domain.rated import RatedResult, rated_result
from mchezo.server.domain.summary import result_row, summarize
from mchezo.server.domain.table import Table
from mchezo.server.storage import ratings
from mchezo.server.storage.bulk import statements
from mchezo.server.storage.database import Database
from mchezo.server.storage.notifications import CHANNEL, Notification, payloads
from mchezo.server.storage.schema import HOLDERS, PAYERS, RESULTS, TABLES

T = TypeVar("T")

LOG = logging.getLogger("mchezo.server")
MAX_BATCH = 200  # appends
CLOSE_SECONDS = 30.0  # for the last writes
NOTIFY = sa.select(sa.func.pg_notify(CHANNEL, sa.bindparam("payload")))
INSERT_TABLES = sa.insert(TABLES)
encode_json = msgspec.json.Encoder().encode


# True: stored. False: the table has moved past the number that the append follows. Or why it could not be stored.
Result = bool | Exception


@dataclass
class Append:
    """Facts to store for a table after number `after`, and the table's row with them applied."""

    table: str
    after: int
    facts: list[bytes]
    row: dict[str, Any]
    holders: list[str]
    result: dict[str, Any] | None = None  # once the game is over
    rated: RatedResult | None = None  # once a rated game is over
    new_table: Append | None = None  # a table created in the same transaction
    payer: dict[str, Any] | None = None  # of a new table: its row, and the table that it continues
    done: Callable[[Result], None] = lambda result: None  # called on the writer thread
    begin: Callable[[], bool] = lambda: True  # called there before; False: it is not wanted any more

    @property
    def creates_table(self) -> bool:
        """Whether it is the first append of its table."""
        return self.after < 0


def append_for(table: Table, new: Sequence[log.AnyFact], network: str | None = None) -> Append:
    """Return what to store of a table to which these new facts have been applied.

    A new table is charged to its creator in this network; a table that continues another one, in the same network.
    """
    clock = table.clock
    row = {
        "id": table.id,
        "number": table.number,
        "game": table.creation.game,
        "status": table.status,
        "public": table.creation.settings.public,
        "summary": encode_json(summarize(table)),
        "created": table.creation.at,
        "changed": table.last_at,
        "deadline": clock.deadline if clock and table.status == "running" else None,
        "days": table.creation.settings.days,
        "computer": table.waits_for_computer,
        "lease_until": 0,
        "lease_by": None,
    }
    seating_changed = any(isinstance(fact, log.TableCreated | log.SeatTaken) for fact in new)
    holders = sorted({occupant.holder for occupant in table.seats if occupant.holder}) if seating_changed else []
    facts = [log.encode(fact) for fact in new]
    append = Append(table.id, table.number - len(new), facts, row, holders, result_row(table))
    if any(isinstance(fact, log.GameEnded) for fact in new):
        append.rated = rated_result(table)
    if append.creates_table:
        payer = {"kind": "table", "id": table.id, "guest": table.creation.by, "network": network}
        append.payer = {**payer, "previous": table.creation.previous}
    return append


@dataclass
class Batch:
    """The rows of the appends that apply."""

    appends: set[int] = field(default_factory=set)  # by id()
    facts: list[dict[str, Any]] = field(default_factory=list)
    new_tables: list[dict[str, Any]] = field(default_factory=list)
    updated_tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    holders: list[dict[str, Any]] = field(default_factory=list)
    results: list[dict[str, Any]] = field(default_factory=list)
    rated: list[RatedResult] = field(default_factory=list)
    payers: list[dict[str, Any]] = field(default_factory=list)

    def add(self, append: Append) -> None:
        """Add the rows of an append, and of the table created with it."""
        self.appends.add(id(append))
        for one in (append, append.new_table):
            if one is None:
                continue
            if one.creates_table:
                self.new_tables.append(one.row)
            else:
                self.updated_tables[one.table] = one.row
            self.facts += [
                {"table_id": one.table, "number": one.after + 1 + index, "fact": fact.decode()}
                for index, fact in enumerate(one.facts)
            ]
            self.holders += [{"guest": guest, "table_id": one.table} for guest in one.holders]
            if one.result is not None:
                self.results.append(one.result)
            if one.rated is not None:
                self.rated.append(one.rated)
            if one.payer is not None and one.payer["guest"] is not None:
                self.payers.append(one.payer)

    @property
    def notifications(self) -> list[Notification]:
        """What other processes are notified of."""
        latest = {row["id"]: row for row in (*self.new_tables, *self.updated_tables.values())}
        return [Notification(table, row["number"], row["computer"]) for table, row in latest.items()]


class Writer:
    """The one thread that writes."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.statements = statements(database.shared)
        self.jobs: queue.SimpleQueue[Append | Callable[[], None] | None] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self.work, name="writer", daemon=True)
        self.start()

    def start(self) -> None:
        """Start the thread."""
        self.thread.start()

    def close(self) -> None:
        """Write what is queued, then stop."""
        self.jobs.put(None)
        self.thread.join(CLOSE_SECONDS)
        if self.thread.is_alive():
            LOG.error("the database does not respond: writes that were not acknowledged are dropped")

    def append(self, append: Append) -> Future[bool]:
        """Store an append; the future is True once it is on disk, False if the table has new facts already."""
        future: Future[bool] = Future()
        append.begin, append.done = future.set_running_or_notify_cancel, partial(resolve, future)
        self.submit(append)
        return future

    def submit(self, append: Append) -> None:
        """Store an append; its `done` is called with the result."""
        self.jobs.put(append)

    def run(self, job: Callable[[sa.Connection], T]) -> Future[T]:
        """Run another job on the writer thread, in a transaction of its own."""
        future: Future[T] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                with self.database.begin() as connection:
                    result = job(connection)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

        self.jobs.put(work)
        return future

    def work(self) -> None:
        """Take jobs off the queue; appends that wait together are committed together."""
        while (job := self.jobs.get()) is not None:
            batch: list[Append] = []
            while True:
                if isinstance(job, Append):
                    batch.append(job)
                elif job is not None:
                    job()
                if len(batch) >= MAX_BATCH or self.jobs.empty():
                    break
                job = self.jobs.get()
                if job is None:
                    self.jobs.put(None)
                    break
            if batch:
                self.commit(batch)

    def commit(self, appends: list[Append]) -> None:
        """Commit a batch, then say so to those who wait for its appends."""
        began = time.perf_counter()
        appends = [append for append in appends if append.begin()]
        try:
            with self.database.begin() as connection:
                batch = self.applicable(connection, appends)
                self.write(connection, batch)
        except Exception as error:
            for append in appends:
                append.done(error)
            return
        metrics.BATCH.observe(len(appends))
        metrics.COMMIT.observe(time.perf_counter() - began)
        for append in appends:
            append.done(id(append) in batch.appends)

    def applicable(self, connection: sa.Connection, appends: list[Append]) -> Batch:
        """Lock the tables, and return the rows of the appends that follow their last number."""
        ids = sorted({append.table for append in appends if not append.creates_table})
        numbers: dict[str, int] = {}
        if ids:
            found: str | None = connection.exec_driver_sql(self.statements.lock, (as_json(ids),)).scalar_one()
            numbers = msgspec.json.decode(found) if found else {}
        batch = Batch()
        for append in appends:
            if append.creates_table or numbers.get(append.table) == append.after:
                batch.add(append)
                for one in (append, append.new_table):
                    if one is not None:
                        numbers[one.table] = one.after + len(one.facts)
        return batch

    def write(self, connection: sa.Connection, batch: Batch) -> None:
        """Execute the statements of a batch."""
        insert_if_new = self.database.insert_if_new
        if batch.new_tables:
            connection.execute(INSERT_TABLES, batch.new_tables)
        if batch.updated_tables:
            rows = [{**row, "summary": row["summary"].decode()} for row in batch.updated_tables.values()]
            connection.exec_driver_sql(self.statements.update_tables, (as_json(rows),))
        if batch.facts:
            connection.exec_driver_sql(self.statements.insert_facts, (as_json(batch.facts),))
        if batch.holders:
            connection.execute(insert_if_new(HOLDERS), batch.holders)
        if batch.results:
            connection.execute(insert_if_new(RESULTS), batch.results)
        for rated in batch.rated:
            ratings.record(self.database, connection, rated)
        for payer in batch.payers:
            row = {name: value for name, value in payer.items() if name != "previous"}
            if row["network"] is None and payer["previous"] is not None:
                known = sa.select(PAYERS.c.network).where(PAYERS.c.kind == "table", PAYERS.c.id == payer["previous"])
                row["network"] = connection.scalar(known)
            connection.execute(insert_if_new(PAYERS), row)
        if self.database.shared:
            for payload in payloads(batch.notifications):
                connection.execute(NOTIFY, {"payload": payload})


def resolve(future: Future[bool], result: Result) -> None:
    """Resolve a future with the result of an append."""
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)


def as_json(rows: Sequence[Any]) -> str:
    """Return rows as the bulk statements take them."""
    return encode_json(rows).decode()
