"""Databases as earlier versions left them."""

import alembic.command
import sqlalchemy as sa

from mchezo.server.storage.database import create_engine, normalize_url
from mchezo.server.storage.upgrading import migrations

FIRST = "0001"  # the revision of the first version


def downgrade(connection: sa.Connection, revision: str) -> None:
    """Remove from a database what came after a revision."""
    alembic.command.downgrade(migrations(connection), revision)


def migrate(url: str, revision: str) -> None:
    """Run the migrations up to a revision."""
    engine = create_engine(sa.make_url(normalize_url(url)))
    with engine.connect() as connection:
        alembic.command.upgrade(migrations(connection), revision)
        connection.commit()
    engine.dispose()
