"""Feeds at secret addresses."""

import sqlalchemy as sa
from alembic import op

revision = "feeds"
down_revision = "correspondence"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "feeds",
        sa.Column("guest", sa.String(40), primary_key=True),
        sa.Column("secret", sa.String(32), nullable=False),
    )
    op.create_index("feeds_secret", "feeds", ["secret"], unique=True)


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("feeds")
