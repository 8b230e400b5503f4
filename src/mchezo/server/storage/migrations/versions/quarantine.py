"""Tables that cannot be read are set aside."""

import sqlalchemy as sa
from alembic import op

revision = "quarantine"
down_revision = "0003"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "quarantine",
        sa.Column("table_id", sa.String(12), primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("quarantine")
