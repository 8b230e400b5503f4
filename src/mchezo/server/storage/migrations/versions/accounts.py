"""Accounts with passkeys, recovery phrases and devices."""

import sqlalchemy as sa
from alembic import op

revision = "accounts"
down_revision = ("guests", "payers")


def upgrade() -> None:
    """Create the tables."""
    op.add_column("guests", sa.Column("signed_out", sa.Text))
    op.create_table(
        "accounts",
        sa.Column("guest", sa.String(40), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("skeleton", sa.String(80), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("phrase", sa.String(64)),
    )
    op.create_index("accounts_skeleton", "accounts", ["skeleton"], unique=True)
    op.create_index("accounts_phrase", "accounts", ["phrase"], unique=True)
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("guest", sa.String(40), nullable=False),
        sa.Column("credential", sa.LargeBinary, nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("label", sa.String(60), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger, nullable=False),
    )
    op.create_index("passkeys_guest", "passkeys", ["guest"])
    op.create_table(
        "devices",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("guest", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("label", sa.String(60), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger, nullable=False),
    )
    op.create_index("devices_guest", "devices", ["guest"])


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("devices")
    op.drop_table("passkeys")
    op.drop_table("accounts")
    op.drop_column("guests", "signed_out")
