"""Stored tables: logs, lists, deadlines, removal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from typing import Any, TypeAlias

import msgspec
import sqlalchemy as sa

from mchezo.server.domain import log, replaying
from mchezo.server.domain.payers import Payer
from mchezo.server.domain.playing import pause_clock
from mchezo.server.domain.replaying import UnreadableTable
from mchezo.server.domain.summary import Summary, decode_summary
from mchezo.server.domain.table import Table
from mchezo.server.storage import admin_log
from mchezo.server.storage.database import Database
from mchezo.server.storage.quarantine import Quarantine, not_set_aside, set_aside_error
from mchezo.server.storage.schema import FACTS, HOLDERS, META, PAYERS, QUARANTINE, RELATIONS, RESULTS, TABLES
from mchezo.server.storage.writer import Writer, append_for, created_columns

Listed: TypeAlias = tuple[str, Summary, int]  # a table's id, summary, and when it last changed

LISTED = 50  # tables in a list
MAX_OF_GUEST = 5  # public tables in a list
MAX_OF_NETWORK = 15
MAX_SCANNED = 2_000
TIMED_OUT = (  # asked every second
    sa.select(TABLES.c.id)
    .where(TABLES.c.deadline <= sa.bindparam("now"), not_set_aside(TABLES.c.id))
    .order_by(TABLES.c.deadline)
    .limit(sa.bindparam("limit"))
)
# One statement, so that the last number and the facts belong together.
FACTS_AFTER = (
    sa.select(TABLES.c.number, QUARANTINE.c.kind, FACTS.c.number, FACTS.c.fact)
    .select_from(
        TABLES.outerjoin(QUARANTINE, QUARANTINE.c.table_id == TABLES.c.id).outerjoin(
            FACTS, (FACTS.c.table_id == TABLES.c.id) & (FACTS.c.number > sa.bindparam("after"))
        )
    )
    .where(TABLES.c.id == sa.bindparam("id"))
    .order_by(FACTS.c.number)
)


class StoredTables:
    """The stored tables. One that cannot be read is set aside, and an error says so from then on."""

    def __init__(self, database: Database, writer: Writer, quarantine: Quarantine) -> None:
        self.database = database
        self.engine = database.engine
        self.writer = writer
        self.quarantine = quarantine

    def facts(self, table: str, after: int = -1) -> list[log.AnyFact]:
        """Return the log of a table after a number."""
        with self.engine.connect() as connection:
            rows = connection.execute(FACTS_AFTER, {"id": table, "after": after}).all()
        if not rows:
            return []
        last, kind = rows[0][:2]
        if kind is not None:
            raise set_aside_error(kind)
        try:
            return decode_facts([(number, fact) for _, _, number, fact in rows if number is not None], after, last)
        except UnreadableTable as error:
            raise self.quarantine.add(table, error) from error

    def replay(self, table: str, facts: Sequence[log.AnyFact]) -> Table:
        """Return a table, replayed from its log."""
        try:
            return replaying.replay(table, facts)
        except UnreadableTable as error:
            raise self.quarantine.add(table, error) from error

    def extend(self, table: Table) -> Table:
        """Return a table with the facts that were stored since; the same one if there are none."""
        facts = self.facts(table.id, table.number)
        try:
            return replaying.extend(table, facts) if facts else table
        except UnreadableTable as error:
            raise self.quarantine.add(table.id, error) from error

    def load(self, table: str) -> Table | None:
        """Return a table, replayed from its log; None if it does not exist."""
        facts = self.facts(table)
        return self.replay(table, facts) if facts else None

    def release(self, table: str) -> bool:
        """Let a repaired table go on; False if it is not set aside. If it still cannot be read, raise why.

        Its row is rebuilt from its log, and the running clock does not count the time since the last fact.
        """
        stored = sa.select(FACTS.c.number, FACTS.c.fact).where(FACTS.c.table_id == table).order_by(FACTS.c.number)
        set_aside = sa.select(QUARANTINE.c.table_id).where(QUARANTINE.c.table_id == table)

        def job(connection: sa.Connection) -> bool:
            if connection.scalar(set_aside) is None:
                return False
            rows = [(number, fact) for number, fact in connection.execute(stored)]
            repaired = replaying.replay(table, decode_facts(rows, -1, len(rows) - 1))
            now = max(self.database.now(), repaired.last_at)
            pause = pause_clock(repaired, now - repaired.last_at, now)
            append = append_for(repaired.after(pause), pause)
            row = {**append.row, **created_columns(repaired)}
            connection.execute(sa.update(TABLES).where(TABLES.c.id == table).values(**row))
            self.writer.bulk.add_facts(connection.connection.cursor(), append.facts)
            if append.result is not None:
                connection.execute(self.database.insert_if_new(RESULTS), append.result)
            connection.execute(sa.delete(QUARANTINE).where(QUARANTINE.c.table_id == table))
            return True

        return self.writer.run(job).result()

    def numbers(self, tables: Iterable[str]) -> dict[str, int]:
        """Return the last numbers of tables."""
        query = sa.select(TABLES.c.id, TABLES.c.number).where(TABLES.c.id.in_(list(tables)))
        with self.engine.connect() as connection:
            return {row.id: row.number for row in connection.execute(query)}

    def lists(self, guest: str | None, game: str | None, own: int = LISTED) -> dict[str, list[Listed]]:
        """Return the newest tables of a guest (`yours`, at most `own`), and the public ones by status."""
        columns = sa.select(TABLES.c.id, TABLES.c.summary, TABLES.c.changed).where(not_set_aside(TABLES.c.id))
        if game is not None:
            columns = columns.where(TABLES.c.game == game)
        newest = columns.order_by(TABLES.c.changed.desc()).limit(own)
        queries = {
            status: fair_list(columns.where(TABLES.c.public.is_(True), TABLES.c.status == status), LISTED)
            for status in ("open", "running", "over")
        }
        if guest is not None:
            queries["yours"] = newest.where(TABLES.c.id.in_(tables_held_by(guest)))
        with self.engine.connect() as connection:
            rows = {name: connection.execute(query).all() for name, query in queries.items()}
        return {
            name: [(id, summary, changed) for id, raw, changed in found if (summary := self.summary(id, raw))]
            for name, found in rows.items()
        }

    def summary(self, table: str, raw: bytes) -> Summary | None:
        """Return a table's summary; if it is damaged, set the table aside and return None."""
        try:
            return decode_summary(raw)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            self.quarantine.add(table, UnreadableTable("damaged", f"the summary cannot be decoded: {error}"))
            return None

    def unfinished(self, payer: Payer, since: int) -> tuple[int, int]:
        """Return how many tables that are not over a guest has created, and how many its network has.

        Tables that have not changed since a point in time are abandoned and do not count.
        """
        created = sa.select(sa.func.count()).select_from(TABLES)
        created = created.where(TABLES.c.status != "over", TABLES.c.changed >= since)
        created = created.join(PAYERS, (PAYERS.c.kind == "table") & (PAYERS.c.id == TABLES.c.id))
        with self.engine.connect() as connection:
            of_guest = connection.scalar(created.where(PAYERS.c.guest == payer.guest)) or 0
            return of_guest, connection.scalar(created.where(PAYERS.c.network == payer.network)) or 0

    def running_of(self, guest: str) -> list[str]:
        """Return the running tables at which a guest has a seat."""
        query = sa.select(TABLES.c.id).where(TABLES.c.id.in_(tables_held_by(guest)), TABLES.c.status == "running")
        query = query.where(not_set_aside(TABLES.c.id))
        with self.engine.connect() as connection:
            return list(connection.scalars(query.limit(200)))

    def running_with(self, guest: str) -> list[Listed]:
        """Return the running tables at which a guest has or had a seat, those with a deadline first."""
        columns = sa.select(TABLES.c.id, TABLES.c.summary, TABLES.c.changed).where(not_set_aside(TABLES.c.id))
        query = columns.where(TABLES.c.id.in_(tables_held_by(guest)), TABLES.c.status == "running")
        query = query.order_by(TABLES.c.deadline.is_(None), TABLES.c.deadline, TABLES.c.changed).limit(MAX_SCANNED)
        with self.engine.connect() as connection:
            rows = connection.execute(query).all()
        return [(id, summary, changed) for id, raw, changed in rows if (summary := self.summary(id, raw))]

    def finished(self, game: str | None, before: int, limit: int) -> list[tuple[str, int]]:
        """Return finished public tables and when they last changed, newest first.

        The limit is exceeded rather than splitting tables that changed at the same time.
        """
        query = sa.select(TABLES.c.id, TABLES.c.changed).where(TABLES.c.public.is_(True), TABLES.c.status == "over")
        query = query.where(not_set_aside(TABLES.c.id))
        if game is not None:
            query = query.where(TABLES.c.game == game)
        newest = query.where(TABLES.c.changed < before).order_by(TABLES.c.changed.desc(), TABLES.c.id)
        with self.engine.connect() as connection:
            found = [(row.id, row.changed) for row in connection.execute(newest.limit(limit))]
            if len(found) == limit:
                id, changed = found[-1]
                rest = query.where(TABLES.c.changed == changed, TABLES.c.id > id).order_by(TABLES.c.id)
                found += [(row.id, row.changed) for row in connection.execute(rest)]
            return found

    def finished_of(self, guest: str, game: str | None, before: int, limit: int, *, public: bool) -> list[Listed]:
        """Return finished tables at which a guest has or had a seat, newest first; all of them, or the public ones."""
        query = sa.select(TABLES.c.id, TABLES.c.summary, TABLES.c.changed)
        query = query.where(
            TABLES.c.id.in_(tables_held_by(guest)), TABLES.c.status == "over", TABLES.c.changed < before
        )
        query = query.where(not_set_aside(TABLES.c.id))
        if public:
            query = query.where(TABLES.c.public.is_(True))
        if game is not None:
            query = query.where(TABLES.c.game == game)
        with self.engine.connect() as connection:
            rows = connection.execute(query.order_by(TABLES.c.changed.desc(), TABLES.c.id).limit(limit)).all()
        return [(id, summary, changed) for id, raw, changed in rows if (summary := self.summary(id, raw))]

    def followed_by(self, guest: str, limit: int) -> list[Listed]:
        """Return others' running public tables with players whom a guest follows, the latest moves first."""
        followed = sa.select(RELATIONS.c.other).where(RELATIONS.c.guest == guest, RELATIONS.c.kind == "follow")
        held = sa.select(HOLDERS.c.table_id).where(HOLDERS.c.guest.in_(followed))
        query = sa.select(TABLES.c.id, TABLES.c.summary, TABLES.c.changed).where(TABLES.c.id.in_(held))
        query = query.where(TABLES.c.id.not_in(tables_held_by(guest)), not_set_aside(TABLES.c.id))
        query = query.where(TABLES.c.status == "running", TABLES.c.public.is_(True))
        with self.engine.connect() as connection:
            rows = connection.execute(query.order_by(TABLES.c.changed.desc(), TABLES.c.id).limit(limit)).all()
        return [(id, summary, changed) for id, raw, changed in rows if (summary := self.summary(id, raw))]

    def cancel(self, id: str) -> Future[bool]:
        """Remove a table unless it has started; the future says whether it was removed."""

        def job(connection: sa.Connection) -> bool:
            lock = sa.select(TABLES.c.status).where(TABLES.c.id == id).with_for_update()
            if connection.scalar(lock) != "open":
                return False
            remove_tables(connection, [id])
            admin_log.record(self.database, connection, "removed", table=id)
            return True

        return self.writer.run(job)

    def timed_out(self, now: int, limit: int = 100) -> list[str]:
        """Return tables whose running clock is down."""
        with self.engine.connect() as connection:
            return list(connection.scalars(TIMED_OUT, {"now": now, "limit": limit}))

    def with_running_clock(self) -> list[str]:
        """Return tables with a running clock."""
        with self.engine.connect() as connection:
            query = sa.select(TABLES.c.id).where(TABLES.c.deadline.is_not(None), not_set_aside(TABLES.c.id))
            return list(connection.scalars(query))


def decode_facts(rows: Sequence[tuple[int, bytes]], after: int, last: int) -> list[log.AnyFact]:
    """Return the facts between two numbers; raise `UnreadableTable` if one is missing or damaged."""
    if [number for number, _ in rows] != list(range(after + 1, last + 1)):
        raise UnreadableTable("damaged", f"the log does not have exactly the facts {after + 1} to {last}")
    facts: list[log.AnyFact] = []
    for number, fact in rows:
        try:
            facts.append(log.decode(fact))
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            raise UnreadableTable("damaged", f"fact {number} cannot be decoded: {error}") from error
    return facts


def fair_list(query: sa.Select[Any], limit: int) -> sa.Select[Any]:
    """Return the newest tables of a query, at most a few that the same guest or the same network has created."""
    paid = query.outerjoin(PAYERS, (PAYERS.c.kind == "table") & (PAYERS.c.id == TABLES.c.id))
    guest = sa.func.coalesce(PAYERS.c.guest, TABLES.c.id)  # a table without a payer stands for itself
    network = sa.func.coalesce(PAYERS.c.network, PAYERS.c.guest, TABLES.c.id)
    newest = paid.add_columns(guest.label("guest"), network.label("network")).order_by(TABLES.c.changed.desc())
    recent = newest.limit(MAX_SCANNED).subquery()
    latest = recent.c.changed.desc()
    placed = sa.select(
        recent,
        sa.func.row_number().over(partition_by=(recent.c.network, recent.c.guest), order_by=latest).label("of_guest"),
    ).subquery()
    in_network = sa.func.row_number().over(partition_by=placed.c.network, order_by=placed.c.changed.desc())
    listed = sa.select(placed, in_network.label("of_network")).where(placed.c.of_guest <= MAX_OF_GUEST).subquery()
    return (
        sa.select(listed.c.id, listed.c.summary, listed.c.changed)
        .where(listed.c.of_network <= MAX_OF_NETWORK)
        .order_by(listed.c.changed.desc())
        .limit(limit)
    )


def tables_held_by(guest: str) -> sa.Select[tuple[str]]:
    """Return the query for the tables at which a guest has or had a seat."""
    return sa.select(HOLDERS.c.table_id).where(HOLDERS.c.guest == guest)


def remove_tables(connection: sa.Connection, ids: Sequence[str]) -> None:
    """Delete tables with everything that belongs to them, except the row without names that statistics count."""
    for table in META.sorted_tables:
        if "table_id" in table.c and table.name not in ("results", "admin_log", "rated_games"):
            connection.execute(sa.delete(table).where(table.c.table_id.in_(ids)))
    connection.execute(sa.delete(PAYERS).where(PAYERS.c.id.in_(ids)))
    connection.execute(sa.delete(TABLES).where(TABLES.c.id.in_(ids)))
