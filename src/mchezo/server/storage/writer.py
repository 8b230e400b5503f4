"""The writer thread: it commits the appends of many tables together.

An append is atomic and conditional on the number it follows (optimistic concurrency): the loser of a race learns about
it and decides again. What was acknowledged is on disk.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import sqlalchemy as sa

from mchezo.server import metrics
from mchezo.server.domain import log
from mchezo.server.domain.rated import RatedResult, rated_result
from mchezo.server.domain.summary import result_row, summarize
from mchezo.server.domain.table import Table
from mchezo.server.storage import ratings
from mchezo.server.storage.bulk import ChangedRow, FactRow, bulk_store
from mchezo.server.storage.database import Database
from mchezo.server.storage.notifications import CHANNEL, Notification, payloads
from mchezo.server.storage.schema import HOLDERS, PAYERS, RESULTS, TABLES

T = TypeVar("T")

LOG = logging.getLogger("mchezo.server")
MAX_BATCH = 200  # appends
# Seconds from one commit to the next while several tables wait for each: a commit costs as much as ten of its moves.
GATHER_SECONDS = 0.005
CLOSE_SECONDS = 30.0  # for the last writes
NOTIFY = sa.select(sa.func.pg_notify(CHANNEL, sa.bindparam("payload")))
INSERT_TABLES = sa.insert(TABLES)
SEATING = (log.TableCreated, log.SeatTaken)  # facts after which somebody else may hold a seat


# True: stored. False: the table has moved past the number that the append follows. Or why it could not be stored.
Result = bool | Exception


def discard(result: Result) -> None:
    """Let nobody know."""


@dataclass(slots=True)
class Append:
    """Facts to store for a table after a number, and the table's row with them applied."""

    table: Table  # with the facts
    new: Sequence[log.AnyFact]
    change: ChangedRow
    facts: list[FactRow]
    created: dict[str, Any] | None = None  # of a new table: the rest of its row
    holders: Sequence[str] = ()
    result: dict[str, Any] | None = None  # once the game is over
    rated: RatedResult | None = None  # once a rated game is over
    new_table: Append | None = None  # a table created in the same transaction
    payer: dict[str, Any] | None = None  # of a new table: its row, and the table that it continues
    done: Callable[[Result], None] = discard  # called on the writer thread
    begin: Callable[[], bool] | None = None  # called there before; False: it is not wanted any more

    @property
    def is_plain(self) -> bool:
        """Whether nothing is to be stored but facts and the changed row."""
        return not (self.holders or self.result or self.rated or self.new_table or self.created)

    @property
    def row(self) -> dict[str, Any]:
        """The table's row."""
        row = {**self.change._asdict(), "lease_until": 0, "lease_by": None, **(self.created or {})}
        del row["after"]
        return row


def append_for(table: Table, new: Sequence[log.AnyFact], network: str | None = None) -> Append:
    """Return what to store of a table to which these new facts have been applied.

    A new table is charged to its creator in this network; a table that continues another one, in the same network.
    """
    id, creation, clock, number, status = table.id, table.creation, table.clock, table.number, table.status
    after = number - len(new)
    change = ChangedRow(
        id,
        after,
        number,
        status,
        summarize(table),
        table.last_at,
        clock.deadline if clock and status == "running" else None,
        table.waits_for_computer,
    )
    facts = [FactRow(id, place, log.encode(fact)) for place, fact in enumerate(new, start=after + 1)]
    append = Append(table, new, change, facts)
    if status == "over":
        append.result = result_row(table)
    for fact in new:
        if isinstance(fact, SEATING):
            append.holders = sorted({occupant.holder for occupant in table.seats if occupant.holder})
        elif isinstance(fact, log.GameEnded):
            append.rated = rated_result(table)
    if after < 0:
        append.created = created_columns(table)
        append.payer = {
            "kind": "table",
            "id": id,
            "guest": creation.by,
            "network": network,
            "previous": creation.previous,
        }
    return append


def created_columns(table: Table) -> dict[str, Any]:
    """Return what the row of a table has from its creation on."""
    creation = table.creation
    return {
        "game": creation.game,
        "public": creation.settings.public,
        "created": creation.at,
        "days": creation.settings.days,
    }


class TooLateError(Exception):
    """Somebody else was faster: nothing is stored."""


class Writer:
    """The one thread that writes."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.bulk = bulk_store(database.shared)
        self.jobs: queue.SimpleQueue[list[Append] | Callable[[], None] | None] = queue.SimpleQueue()
        self.gather_until = 0.0  # a point in time
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
        self.submit([append])
        return future

    def submit(self, appends: list[Append]) -> None:
        """Store appends of different tables; the `done` of each is called with its result."""
        self.jobs.put(appends)

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
            if isinstance(job, list):
                self.gather()
            batch: list[Append] = []
            while True:
                if isinstance(job, list):
                    batch += job
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

    def gather(self) -> None:
        """Wait until enough time has passed since the last commit."""
        if (left := self.gather_until - time.monotonic()) > 0:
            time.sleep(left)

    def commit(self, appends: Sequence[Append]) -> None:
        """Commit appends, one of each table at a time, and say so to those who wait for them."""
        waiting = [append for append in appends if append.begin is None or append.begin()]
        while waiting:
            batch: dict[str, Append] = {}
            later = []
            for append in waiting:
                id = append.change.id
                if id in batch or len(batch) >= MAX_BATCH:
                    later.append(append)
                else:
                    batch[id] = append
            self.commit_batch(list(batch.values()))
            waiting = later

    def commit_batch(self, appends: Sequence[Append]) -> None:
        """Commit a batch, then say so to those who wait for its appends."""
        began = time.perf_counter()
        self.gather_until = time.monotonic() + GATHER_SECONDS if len(appends) > 1 else 0.0
        at_once = self.bulk.in_one_statement or not self.database.shared  # other processes are notified with it
        try:
            if at_once and all(append.is_plain for append in appends):
                with self.database.storing() as cursor:
                    stored = self.bulk.store(cursor, [(append.change, append.facts) for append in appends])
            else:
                with self.database.begin() as connection:
                    stored = self.write(connection, appends)
        except Exception as error:
            for append in appends:
                append.done(error)
            return
        metrics.BATCH.observe(len(appends))
        metrics.COMMIT.observe(time.perf_counter() - began)
        for append in appends:
            append.done(append.change.id in stored)

    def write(self, connection: sa.Connection, appends: Sequence[Append]) -> Collection[str]:
        """Execute the statements of a batch; return the tables whose appends follow their last number."""
        changes = [(append.change, append.facts) for append in appends if append.created is None]
        cursor = connection.connection.cursor()
        stored = set(self.bulk.store(cursor, changes)) if changes else set()
        stored.update(append.change.id for append in appends if append.created is not None)
        written = [append for append in appends if append.change.id in stored]
        written += [append.new_table for append in written if append.new_table is not None]
        created = [append for append in written if append.created is not None]
        if created:
            connection.execute(INSERT_TABLES, [append.row for append in created])
            self.bulk.add_facts(cursor, [fact for append in created for fact in append.facts])
            self.write_payers(connection, created)
        self.write_people(connection, written)
        if self.database.shared:
            rows = [append.change for append in (created if self.bulk.in_one_statement else written)]
            for payload in payloads(Notification(row.id, row.number, row.computer) for row in rows):
                connection.execute(NOTIFY, {"payload": payload})
        return stored

    def write_people(self, connection: sa.Connection, appends: Sequence[Append]) -> None:
        """Record seats, results and the ratings they change."""
        holders = [{"guest": guest, "table_id": append.change.id} for append in appends for guest in append.holders]
        results = [append.result for append in appends if append.result is not None]
        if holders:
            connection.execute(self.database.insert_if_new(HOLDERS), holders)
        if results:
            connection.execute(self.database.insert_if_new(RESULTS), results)
        for append in appends:
            if append.rated is not None:
                ratings.record(self.database, connection, append.rated)

    def write_payers(self, connection: sa.Connection, created: Sequence[Append]) -> None:
        """Record which guest and network each new table counts against."""
        for payer in (append.payer for append in created):
            if payer is None or payer["guest"] is None:
                continue
            row = {name: value for name, value in payer.items() if name != "previous"}
            if row["network"] is None and payer["previous"] is not None:
                known = sa.select(PAYERS.c.network).where(PAYERS.c.kind == "table", PAYERS.c.id == payer["previous"])
                row["network"] = connection.scalar(known)
            connection.execute(self.database.insert_if_new(PAYERS), row)


def resolve(future: Future[bool], result: Result) -> None:
    """Resolve a future with the result of an append."""
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)


def in_time(stored: Future[None]) -> Future[bool]:
    """Return whether it was stored: not if somebody was faster."""
    answer: Future[bool] = Future()

    def done(future: Future[None]) -> None:
        error = future.exception()
        if error is None or isinstance(error, TooLateError):
            answer.set_result(error is None)
        else:
            answer.set_exception(error)

    stored.add_done_callback(done)
    return answer
