"""Who pays for the computing time of a table or an analysis; running tables are charged to their creators."""

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "payers"
down_revision = "quarantine"


def upgrade() -> None:
    """Create the table and the rows of tables that are not over."""
    payers = op.create_table(
        "payers",
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("id", sa.String(12), primary_key=True),
        sa.Column("guest", sa.String(40), nullable=False),
        sa.Column("network", sa.String(16)),
    )
    op.create_index("payers_guest", "payers", ["kind", "guest"])
    op.create_index("payers_network", "payers", ["kind", "network"])
    tables = sa.table("tables", sa.column("id"), sa.column("status"))
    facts = sa.table("facts", sa.column("table_id"), sa.column("number"), sa.column("fact"))
    query = sa.select(tables.c.id, facts.c.fact).where(
        tables.c.status != "over", facts.c.table_id == tables.c.id, facts.c.number == 0
    )
    rows = []
    for id, fact in op.get_bind().execute(query):
        try:
            guest = msgspec.json.decode(fact).get("by")
        except (msgspec.DecodeError, AttributeError):
            continue  # a damaged table is not a reason to fail here
        if isinstance(guest, str):
            rows.append({"kind": "table", "id": id, "guest": guest[:40], "network": None})
    if rows:
        op.bulk_insert(payers, rows)


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("payers")
