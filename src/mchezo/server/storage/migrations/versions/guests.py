"""Restrictions of guests, and the admin log that servers follow."""

import sqlalchemy as sa
from alembic import op

revision = "guests"
down_revision = "0003"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "guests",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("name", sa.String(40)),
        sa.Column("blocked", sa.Boolean, nullable=False),
        sa.Column("valid_from", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "admin_log",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("action", sa.String(20), nullable=False),
        sa.Column("guest", sa.String(16)),
        sa.Column("table_id", sa.String(12)),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("admin_log")
    op.drop_table("guests")
