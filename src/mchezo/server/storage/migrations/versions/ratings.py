"""Rated games, and the ratings that follow from them."""

import sqlalchemy as sa
from alembic import op

revision = "ratings"
down_revision = "feeds"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "rated_games",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.String(12), nullable=False),
        sa.Column("pool", sa.String(40), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("rated_games_table", "rated_games", ["table_id"], unique=True)
    op.create_table(
        "rated_seats",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("guest", sa.String(40)),
        sa.Column("level", sa.Integer),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("before", sa.Integer, nullable=False),
        sa.Column("after", sa.Integer),
        sa.Column("deviation", sa.Integer),
    )
    op.create_index("rated_seats_guest", "rated_seats", ["guest", "number"])
    op.create_table(
        "ratings",
        sa.Column("guest", sa.String(40), primary_key=True),
        sa.Column("pool", sa.String(40), primary_key=True),
        sa.Column("rating", sa.Integer, nullable=False),
        sa.Column("deviation", sa.Integer, nullable=False),
        sa.Column("volatility", sa.Integer, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("ratings_pool", "ratings", ["pool", "rating"])


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("ratings")
    op.drop_table("rated_seats")
    op.drop_table("rated_games")
