"""The statements of a batch: each takes all its rows at once, as JSON.

For PostgreSQL that is one round trip. For SQLite it is one wait for the interpreter lock instead of one per row, while
the event loop holds it. They are given to the driver as they are: SQLAlchemy's own way costs more than the statements.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

BYTES = "bytes"  # JSON itself, stored as bytes
TABLE_COLUMNS = {
    "id": "text",
    "number": "integer",
    "status": "text",
    "summary": BYTES,
    "changed": "bigint",
    "deadline": "bigint",
    "computer": "boolean",
}
FACT_COLUMNS = {"table_id": "text", "number": "integer", "fact": BYTES}


class Statements(NamedTuple):
    """The statements of a batch, as the driver takes them; each has one parameter, the rows."""

    lock: str  # returns the numbers of tables by id, as one JSON object
    update_tables: str
    insert_facts: str


def statements(shared: bool) -> Statements:
    """Return the statements for PostgreSQL, which several processes share, or for SQLite."""
    # Rows are locked in the order of their ids, so that two writers never deadlock.
    rows = parameter(shared)
    lock = (
        "SELECT CAST(json_object_agg(id, number) AS text) FROM (SELECT id, number FROM tables"
        f" WHERE id IN (SELECT json_array_elements_text(CAST({rows} AS json))) ORDER BY id FOR UPDATE) AS locked"
        if shared
        else f"SELECT json_group_object(id, number) FROM tables WHERE id IN (SELECT value FROM json_each({rows}))"
    )
    assignments = ", ".join(f"{name} = given.{name}" for name in TABLE_COLUMNS if name != "id")
    update_tables = (
        f"UPDATE tables SET {assignments}, lease_until = 0, lease_by = NULL FROM {rows_as_table(TABLE_COLUMNS, shared)}"
        " WHERE tables.id = given.id"
    )
    names = ", ".join(FACT_COLUMNS)
    insert_facts = f"INSERT INTO facts ({names}) SELECT {names} FROM {rows_as_table(FACT_COLUMNS, shared)}"
    return Statements(lock, update_tables, insert_facts)


def parameter(shared: bool) -> str:
    """Return how the driver marks the parameter of a statement."""
    return "%s" if shared else "?"


def rows_as_table(columns: Mapping[str, str], shared: bool) -> str:
    """Return the SQL that reads the rows of a statement as a table named `given`."""
    picked = []
    for name, kind in columns.items():
        column = name if shared else f"json_extract(value, '$.{name}')"
        if kind == BYTES:
            column = f"convert_to({column}, 'UTF8')" if shared else f"CAST({column} AS BLOB)"
        picked.append(f"{column} AS {name}")
    shape = ", ".join(f"{name} {'text' if kind == BYTES else kind}" for name, kind in columns.items())
    source = f"json_to_recordset(CAST(%s AS json)) AS one({shape})" if shared else "json_each(?)"
    return f"(SELECT {', '.join(picked)} FROM {source}) AS given"
