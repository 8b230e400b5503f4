"""Seeks for correspondence games."""

import sqlalchemy as sa
from alembic import op

revision = "letter_seeks"
down_revision = "notices"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "letter_seeks",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("guest", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(30), nullable=False),
        sa.Column("days", sa.Integer, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("spread", sa.Integer),
        sa.Column("player", sa.LargeBinary, nullable=False),
        sa.Column("rating", sa.Integer, nullable=False),
        sa.Column("deviation", sa.Integer, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("table_id", sa.String(12)),
    )
    op.create_index("letter_seeks_guest", "letter_seeks", ["guest"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("letter_seeks")
