"""Notices of turns by Web Push, e-mail and webhook, and chat at tables."""

import sqlalchemy as sa
from alembic import op

revision = "notices"
down_revision = "tournaments"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "notice_settings",
        sa.Column("guest", sa.String(40), primary_key=True),
        sa.Column("zone", sa.String(60), nullable=False),
        sa.Column("quiet_from", sa.Integer),
        sa.Column("quiet_until", sa.Integer),
        sa.Column("digest", sa.Integer),
    )
    op.create_table(
        "notice_channels",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("guest", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("label", sa.String(60), nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("site", sa.String(200), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("confirmed", sa.Boolean, nullable=False),
    )
    op.create_index("notice_channels_guest", "notice_channels", ["guest"])
    op.create_index("notice_channels_address", "notice_channels", ["kind", "address"])
    op.create_table(
        "noticed_turns",
        sa.Column("table_id", sa.String(12), primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("turn", sa.Integer),
    )
    op.create_table(
        "notices",
        sa.Column("channel", sa.String(16), primary_key=True),
        sa.Column("table_id", sa.String(12), primary_key=True),
        sa.Column("turn", sa.Integer, primary_key=True),
        sa.Column("guest", sa.String(40), nullable=False),
        sa.Column("due", sa.BigInteger, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("lease_until", sa.BigInteger, nullable=False),
    )
    op.create_index("notices_due", "notices", ["due"])
    op.create_index("notices_guest", "notices", ["guest", "table_id"])
    op.create_index("notices_table", "notices", ["table_id"])
    op.create_table(
        "chat",
        sa.Column("table_id", sa.String(12), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("guest", sa.String(40), nullable=False),
        sa.Column("room", sa.String(10), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_index("chat_guest", "chat", ["guest"])


def downgrade() -> None:
    """Drop the tables."""
    for table in ("chat", "notices", "noticed_turns", "notice_channels", "notice_settings"):
        op.drop_table(table)
