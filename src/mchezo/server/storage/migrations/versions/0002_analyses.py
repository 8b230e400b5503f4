"""Analyses of finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "analyses",
        sa.Column("table_id", sa.String(12), primary_key=True),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("found", sa.LargeBinary, nullable=False),
        sa.Column("asked", sa.BigInteger, nullable=False),
        sa.Column("lease_until", sa.BigInteger, nullable=False),
        sa.Column("lease_by", sa.String(40)),
    )
    op.create_index("analyses_waiting", "analyses", ["status", "lease_until"])


def downgrade() -> None:
    """Drop it."""
    op.drop_table("analyses")
