"""Tournaments: their logs, and who entered them."""

import sqlalchemy as sa
from alembic import op

revision = "tournaments"
down_revision = "fair_play"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(12), primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("organiser", sa.String(40), nullable=False),
        sa.Column("summary", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("due", sa.BigInteger),
    )
    op.create_index("tournaments_status", "tournaments", ["status", "changed"])
    op.create_index("tournaments_due", "tournaments", ["status", "due"])
    op.create_index("tournaments_organiser", "tournaments", ["organiser"])
    op.create_table(
        "tournament_facts",
        sa.Column("tournament_id", sa.String(12), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("fact", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "entries",
        sa.Column("guest", sa.String(40), primary_key=True),
        sa.Column("tournament_id", sa.String(12), primary_key=True),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("entries")
    op.drop_table("tournament_facts")
    op.drop_table("tournaments")
