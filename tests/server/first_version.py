"""Databases as the first version left them."""

import sqlalchemy as sa

from mchezo.server.storage.schema import META

TABLES = ("tables", "facts", "holders", "presence", "settings")


def make_first_version(connection: sa.Connection) -> None:
    """Remove from a database what later versions added."""
    for name in set(META.tables) - set(TABLES):
        META.tables[name].drop(connection)
    connection.execute(sa.text("ALTER TABLE tables DROP COLUMN days"))
    connection.execute(sa.text("DELETE FROM alembic_version"))
    connection.execute(sa.text("INSERT INTO alembic_version VALUES ('0001')"))
