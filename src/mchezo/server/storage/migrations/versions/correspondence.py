"""Correspondence: days for a turn, vacations, conditional moves, notes."""

import sqlalchemy as sa
from alembic import op

revision = "correspondence"
down_revision = "accounts"


def upgrade() -> None:
    """Create the tables."""
    op.add_column("tables", sa.Column("days", sa.Integer))
    op.create_table(
        "vacations",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("guest", sa.String(40), nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_index("vacations_guest", "vacations", ["guest"])
    op.create_index("vacations_until", "vacations", ["until"])
    op.create_table(
        "vacation_tables",
        sa.Column("vacation", sa.String(16), primary_key=True),
        sa.Column("table_id", sa.String(12), primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "plans",
        sa.Column("table_id", sa.String(12), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("guest", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("made", sa.Integer, nullable=False),
        sa.Column("lines", sa.Text, nullable=False),
        sa.Column("seen", sa.Integer, nullable=False),
    )
    op.create_index("plans_guest", "plans", ["guest"])
    op.create_table(
        "notes",
        sa.Column("table_id", sa.String(12), primary_key=True),
        sa.Column("guest", sa.String(40), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_index("notes_guest", "notes", ["guest"])


def downgrade() -> None:
    """Drop the tables."""
    for table in ("notes", "plans", "vacation_tables", "vacations"):
        op.drop_table(table)
    op.drop_column("tables", "days")
