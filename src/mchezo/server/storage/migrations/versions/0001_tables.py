"""Tables, their facts, the holders of seats, presence, and settings."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(12), primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("summary", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("deadline", sa.BigInteger),
        sa.Column("computer", sa.Boolean, nullable=False),
        sa.Column("lease_until", sa.BigInteger, nullable=False),
        sa.Column("lease_by", sa.String(40)),
    )
    op.create_index("tables_listed", "tables", ["public", "status", "changed"])
    op.create_index("tables_deadline", "tables", ["deadline"])
    op.create_index("tables_computer", "tables", ["computer", "lease_until"])
    op.create_table(
        "facts",
        sa.Column("table_id", sa.String(12), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("fact", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "holders",
        sa.Column("guest", sa.String(40), primary_key=True),
        sa.Column("table_id", sa.String(12), primary_key=True),
    )
    op.create_table(
        "presence",
        sa.Column("table_id", sa.String(12), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("seen", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Drop the tables."""
    for name in ("settings", "presence", "holders", "facts", "tables"):
        op.drop_table(name)
