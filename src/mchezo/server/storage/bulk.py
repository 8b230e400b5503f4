"""How a batch of appends is stored: a statement or two for all of them, given to the driver as they are.

For PostgreSQL that is one round trip. For SQLite it is one wait for the interpreter lock instead of one per row, while
the event loop holds it. SQLAlchemy's own way costs more than the statements.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import Any, NamedTuple, Protocol

import msgspec

from mchezo.server.storage.database import Cursor
from mchezo.server.storage.notifications import CHANNEL, Notification, payloads

MAX_ROWS = 256  # of one statement of SQLite


class ChangedRow(NamedTuple):
    """What an append changes in the row of its table, which has to be at number `after`."""

    id: str
    after: int
    number: int
    status: str
    summary: bytes
    changed: int
    deadline: int | None
    computer: bool


class FactRow(NamedTuple):
    """A row of the log."""

    table_id: str
    number: int
    fact: bytes


Changes = Sequence[tuple[ChangedRow, Sequence[FactRow]]]


class BulkStore(Protocol):
    """The statements of a database."""

    in_one_statement: bool  # `store` executes one, which notifies other processes, too

    def store(self, cursor: Cursor, changes: Changes) -> Collection[str]:
        """Change the rows of tables, and add facts; return the tables that were at the number that a change follows."""

    def add_facts(self, cursor: Cursor, facts: Sequence[FactRow]) -> None:
        """Add the facts of new tables."""


class SqliteBulk:
    """The statements for SQLite: each has a list of values, whose length is a power of two, so that there are few."""

    in_one_statement = False

    def store(self, cursor: Cursor, changes: Changes) -> Collection[str]:
        """Change the rows of tables, and add facts; return the tables that were at the number that a change follows."""
        stored = self.change(cursor, [row for row, _ in changes])
        self.add_facts(cursor, [fact for row, facts in changes if row.id in stored for fact in facts])
        return stored

    def change(self, cursor: Cursor, rows: Sequence[ChangedRow]) -> set[str]:
        """Change the rows of tables; return those that were at the number that a change follows."""
        stored = self.update(cursor, rows, update_what_moves_change)
        rest = [row for row in rows if row.id not in stored]
        return stored | self.update(cursor, rest, update_all) if rest else stored

    def update(self, cursor: Cursor, rows: Sequence[ChangedRow], statement: Callable[[int], str]) -> set[str]:
        """Execute an update; return the tables whose rows it has changed."""
        count = next_power(len(rows))
        given = [value for row in rows for value in row]
        given += [None] * (len(ChangedRow._fields) * (count - len(rows)))  # rows of nothing
        return {id for (id,) in cursor.execute(statement(count), given)}

    def add_facts(self, cursor: Cursor, facts: Sequence[FactRow]) -> None:
        """Add facts."""
        start = 0
        while start < len(facts):
            count = min(MAX_ROWS, next_power(len(facts) - start + 1) // 2)  # the last power that is not above
            given = [value for fact in facts[start : start + count] for value in fact]
            cursor.execute(insert_statement(count), given)
            start += count


class PostgresBulk:
    """The statement for PostgreSQL, which takes its rows as JSON: one round trip."""

    in_one_statement = True

    def store(self, cursor: Cursor, changes: Changes) -> Collection[str]:
        """Change the rows of tables, and add facts; return the tables that were at the number that a change follows."""
        rows = as_json([{**row._asdict(), "summary": row.summary.decode()} for row, _ in changes])
        facts = json_of_facts([fact for _, facts in changes for fact in facts])
        notifications = list(payloads(Notification(row.id, row.number, row.computer) for row, _ in changes))
        return {id for (id,) in cursor.execute(STORE, (rows, facts, notifications))}

    def add_facts(self, cursor: Cursor, facts: Sequence[FactRow]) -> None:
        """Add the facts of new tables."""
        if facts:
            cursor.execute(ADD_FACTS, (json_of_facts(facts),))


# Rows are locked in the order of their ids, so that two writers never deadlock.
GIVEN = (
    "json_to_recordset(CAST(%s AS json)) AS given(id text, after integer, number integer, status text, summary text,"
    " changed bigint, deadline bigint, computer boolean)"
)
GIVEN_FACTS = "json_to_recordset(CAST(%s AS json)) AS fact(table_id text, number integer, fact text)"
STORE = (
    f"WITH given AS (SELECT * FROM {GIVEN}),"
    " locked AS MATERIALIZED"
    " (SELECT id, number FROM tables WHERE id IN (SELECT id FROM given) ORDER BY id FOR UPDATE),"
    " stored AS (UPDATE tables SET number = given.number, status = given.status,"
    " summary = convert_to(given.summary, 'UTF8'), changed = given.changed, deadline = given.deadline,"
    " computer = given.computer, lease_until = 0, lease_by = NULL"
    " FROM given JOIN locked ON locked.id = given.id AND locked.number = given.after"
    " WHERE tables.id = given.id RETURNING tables.id),"
    " added AS (INSERT INTO facts (table_id, number, fact)"
    f" SELECT fact.table_id, fact.number, convert_to(fact.fact, 'UTF8') FROM {GIVEN_FACTS}"
    " JOIN stored ON stored.id = fact.table_id),"
    # Other processes look into the tables that they know; that a change was not stored does no harm then.
    f" told AS MATERIALIZED (SELECT pg_notify('{CHANNEL}', payload) FROM unnest(CAST(%s AS text[])) AS payload)"
    " SELECT id FROM stored WHERE (SELECT count(*) FROM told) >= 0"
)
ADD_FACTS = (
    f"INSERT INTO facts (table_id, number, fact) SELECT table_id, number, convert_to(fact, 'UTF8') FROM {GIVEN_FACTS}"
)


def bulk_store(shared: bool) -> BulkStore:
    """Return the statements for PostgreSQL, which several processes share, or for SQLite."""
    return PostgresBulk() if shared else SqliteBulk()


@cache
def update_what_moves_change(rows: int) -> str:
    """Return SQLite's statement that changes this many tables in which nothing else changes than by most moves.

    SQLite writes an index anew if a column of it is assigned a value, even if it is the same.
    """
    return update_statement(
        rows,
        ("number = given.number", "summary = given.summary", "changed = given.changed"),
        " AND tables.status = given.status AND tables.computer = given.computer AND tables.deadline IS given.deadline"
        " AND tables.lease_until = 0 AND tables.lease_by IS NULL",
    )


@cache
def update_all(rows: int) -> str:
    """Return SQLite's statement that changes this many tables."""
    columns = ("number", "status", "summary", "changed", "deadline", "computer")
    assignments = [f"{name} = given.{name}" for name in columns]
    return update_statement(rows, [*assignments, "lease_until = 0", "lease_by = NULL"])


def update_statement(rows: int, assignments: Sequence[str], condition: str = "") -> str:
    """Return an update of this many tables that are at the number that a change follows."""
    return (
        f"UPDATE tables SET {', '.join(assignments)}"
        f" FROM (SELECT column1 AS id, column2 AS after, column3 AS number, column4 AS status, column5 AS summary,"
        f" column6 AS changed, column7 AS deadline, column8 AS computer FROM ({values(8, rows)})) AS given"
        f" WHERE tables.id = given.id AND tables.number = given.after{condition} RETURNING tables.id"
    )


@cache
def insert_statement(rows: int) -> str:
    """Return SQLite's statement that adds this many facts."""
    return f"INSERT INTO facts (table_id, number, fact) {values(3, rows)}"


def values(columns: int, rows: int) -> str:
    """Return SQLite's list of this many rows."""
    row = f"({', '.join('?' * columns)})"
    return f"VALUES {', '.join([row] * rows)}"


def next_power(count: int) -> int:
    """Return the first power of two that is not below a number."""
    return 1 << (count - 1).bit_length()


def json_of_facts(facts: Sequence[FactRow]) -> str:
    """Return facts as PostgreSQL takes them."""
    return as_json([{"table_id": fact.table_id, "number": fact.number, "fact": fact.fact.decode()} for fact in facts])


def as_json(rows: Sequence[Any]) -> str:
    """Return rows as JSON."""
    return msgspec.json.encode(rows).decode()
