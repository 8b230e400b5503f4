"""How players' moves in rated games compare with the engine's, for an operator."""

import sqlalchemy as sa
from alembic import op

revision = "fair_play"
down_revision = "pairing"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "fair_play",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("guest", sa.String(40), nullable=False),
        sa.Column("decisions", sa.Integer, nullable=False),
        sa.Column("agreed", sa.Integer, nullable=False),
        sa.Column("lost", sa.Integer, nullable=False),
    )
    op.create_index("fair_play_guest", "fair_play", ["guest"])
    op.create_table(
        "fair_play_queue",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.String(12), nullable=False),
    )
    op.create_table(
        "fair_play_reviews",
        sa.Column("guest", sa.String(40), primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Drop the tables."""
    for table in ("fair_play_reviews", "fair_play_queue", "fair_play"):
        op.drop_table(table)
