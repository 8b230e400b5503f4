"""Databases as earlier versions left them."""

import alembic.command
import sqlalchemy as sa

from mchezo.server.storage.database import migrations

FIRST = "0001"  # the revision of the first version


def downgrade(connection: sa.Connection, revision: str) -> None:
    """Remove from a database what came after a revision."""
    alembic.command.downgrade(migrations(connection), revision)
