"""The statements of a batch: each takes all its rows at once, as JSON.

For PostgreSQL that is one round trip; for SQLite it is one wait for the interpreter's lock instead of one a row, while
the event loop holds it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import sqlalchemy as sa

BYTES = "bytes"  # JSON itself, kept as bytes
CHANGED = {
    "id": "text",
    "number": "integer",
    "status": "text",
    "summary": BYTES,
    "changed": "bigint",
    "deadline": "bigint",
    "computer": "boolean",
}
FACT = {"table_id": "text", "number": "integer", "fact": BYTES}


class Statements(NamedTuple):
    """What a batch does: all take `rows`."""

    lock: sa.TextClause  # the numbers of tables, by their names, as one JSON object
    change: sa.TextClause
    add_facts: sa.TextClause


def statements(shared: bool) -> Statements:
    """For PostgreSQL, which several processes share, or for SQLite."""
    # Locked in the order of their names, so that two writers never wait for each other.
    lock = (
        "SELECT CAST(json_object_agg(id, number) AS text) FROM (SELECT id, number FROM tables"
        " WHERE id IN (SELECT json_array_elements_text(CAST(:rows AS json))) ORDER BY id FOR UPDATE) AS locked"
        if shared
        else "SELECT json_group_object(id, number) FROM tables WHERE id IN (SELECT value FROM json_each(:rows))"
    )
    news = ", ".join(f"{name} = given.{name}" for name in CHANGED if name != "id")
    change = (
        f"UPDATE tables SET {news}, lease_until = 0, lease_by = NULL FROM {given(CHANGED, shared)}"
        " WHERE tables.id = given.id"
    )
    names = ", ".join(FACT)
    add_facts = f"INSERT INTO facts ({names}) SELECT {names} FROM {given(FACT, shared)}"
    return Statements(sa.text(lock), sa.text(change), sa.text(add_facts))


def given(columns: Mapping[str, str], shared: bool) -> str:
    """The rows that a statement is given, as a table."""
    picked = []
    for name, kind in columns.items():
        column = name if shared else f"json_extract(value, '$.{name}')"
        if kind == BYTES:
            column = f"convert_to({column}, 'UTF8')" if shared else f"CAST({column} AS BLOB)"
        picked.append(f"{column} AS {name}")
    shape = ", ".join(f"{name} {'text' if kind == BYTES else kind}" for name, kind in columns.items())
    source = f"json_to_recordset(CAST(:rows AS json)) AS one({shape})" if shared else "json_each(:rows)"
    return f"(SELECT {', '.join(picked)} FROM {source}) AS given"
