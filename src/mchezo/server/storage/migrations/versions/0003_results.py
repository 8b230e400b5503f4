"""Finished games as rows that can be counted; existing ones are taken from their summaries."""

from contextlib import suppress
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the table and its rows."""
    results = op.create_table(
        "results",
        sa.Column("table_id", sa.String(12), primary_key=True),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("went", sa.String(40), nullable=False),
        sa.Column("reason", sa.String(20), nullable=False),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("minutes", sa.Integer, nullable=False),
        sa.Column("day", sa.Integer, nullable=False),
    )
    for name, columns in (
        ("went", ["game", "went", "reason"]),
        ("moves", ["game", "moves"]),
        ("minutes", ["game", "minutes"]),
        ("day", ["game", "day"]),
    ):
        op.create_index(f"results_{name}", "results", columns)
    tables = sa.table("tables", sa.column("id"), sa.column("status"), sa.column("summary"), sa.column("changed"))
    query = sa.select(tables.c.id, tables.c.summary, tables.c.changed).where(tables.c.status == "over")
    rows = []
    for id, summary, changed in op.get_bind().execute(query):
        with suppress(msgspec.DecodeError, LookupError, TypeError, ValueError):  # a damaged row is not counted
            rows.append(row(id, msgspec.json.decode(summary), changed))
    if rows:
        op.bulk_insert(results, rows)


def row(id: str, summary: dict[str, Any], changed: int) -> dict[str, Any]:
    """Return the row of a table's summary; its duration is the time from creation to the last change."""
    won = summary["winners"] or []
    marks = ["=" if not won else "+" if seat in won else "-" for seat in range(len(summary["seats"]))]
    kinds = {"bot": "b", "computer": "c"}
    seats = [f"{kinds.get(one['kind'], 'p')}{one.get('level') or ''}" for one in summary["seats"]]
    return {
        "table_id": id,
        "game": summary["game"],
        "went": " ".join(seat + mark for seat, mark in zip(seats, marks, strict=True)),
        "reason": summary["reason"] or "",
        "moves": min(summary["made"] // 10 * 10, 400),
        "minutes": min(max(0, changed - summary["created"]) // 60_000 // 5 * 5, 120),
        "day": changed // 86_400_000,
    }


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("results")
