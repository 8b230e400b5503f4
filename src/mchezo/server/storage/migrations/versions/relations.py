"""Whom players follow and block, and reports about players."""

import sqlalchemy as sa
from alembic import op

revision = "relations"
down_revision = "ratings"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "relations",
        sa.Column("guest", sa.String(40), primary_key=True),
        sa.Column("other", sa.String(40), primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("relations_other", "relations", ["other", "kind"])
    op.create_table(
        "reports",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("by", sa.String(40), nullable=False),
        sa.Column("about", sa.String(40), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False),
    )
    op.create_index("reports_by", "reports", ["by", "closed"])


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("reports")
    op.drop_table("relations")
