"""Seeks, challenges, and bots that wait for challenges."""

import sqlalchemy as sa
from alembic import op

revision = "pairing"
down_revision = "relations"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "seeks",
        sa.Column("guest", sa.String(40), primary_key=True),
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("kind", sa.String(30), nullable=False),
        sa.Column("speed", sa.String(16), nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("spread", sa.Integer),
        sa.Column("player", sa.LargeBinary, nullable=False),
        sa.Column("rating", sa.Integer, nullable=False),
        sa.Column("deviation", sa.Integer, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("table_id", sa.String(12)),
    )
    op.create_index("seeks_pool", "seeks", ["kind", "speed", "rated"])
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("by", sa.String(40), nullable=False),
        sa.Column("to", sa.String(40), nullable=False),
        sa.Column("to_name", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(30), nullable=False),
        sa.Column("speed", sa.String(16), nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("player", sa.LargeBinary, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("table_id", sa.String(12)),
    )
    op.create_index("challenges_by", "challenges", ["by"])
    op.create_index("challenges_to", "challenges", ["to"])
    op.create_table(
        "waiting_bots",
        sa.Column("guest", sa.String(40), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("games", sa.Text, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Drop the tables."""
    for table in ("waiting_bots", "challenges", "seeks"):
        op.drop_table(table)
