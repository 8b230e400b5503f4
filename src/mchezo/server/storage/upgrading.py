"""Creates the schema of a new database and upgrades that of an earlier version.

Alembic is imported only where there is something to upgrade: it would take a fifth of a server's start.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from mchezo.server.storage.schema import META, REVISION

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).parent / "migrations"
VERSIONS = sa.Table("alembic_version", sa.MetaData(), sa.Column("version_num", sa.String(32), primary_key=True))


class UnknownRevisionError(Exception):
    """The database was written by a later version of the program."""


def upgrade(connection: sa.Connection) -> None:
    """Bring the schema up to date, and commit."""
    revisions = read_revisions(connection)
    if revisions != {REVISION}:
        if revisions or not META.tables.keys().isdisjoint(sa.inspect(connection).get_table_names()):
            run_migrations(connection)
        else:
            create(connection)
    connection.commit()


def read_revisions(connection: sa.Connection) -> set[str]:
    """Return the revisions that the schema has; none for a new database."""
    if not sa.inspect(connection).has_table(VERSIONS.name):
        return set()
    return set(connection.scalars(sa.select(VERSIONS.c.version_num)))


def create(connection: sa.Connection) -> None:
    """Create all tables in one transaction."""
    connection.rollback()
    if connection.dialect.name == "sqlite":  # its driver begins no transaction for statements that create tables
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    VERSIONS.create(connection, checkfirst=True)
    META.create_all(connection)
    connection.execute(sa.insert(VERSIONS).values(version_num=REVISION))


def run_migrations(connection: sa.Connection) -> None:
    """Run the migrations that are missing."""
    import alembic.command
    from alembic.util import CommandError

    try:
        alembic.command.upgrade(migrations(connection), "heads")
    except CommandError as error:
        if "Can't locate revision" in str(error):
            raise UnknownRevisionError from error
        raise


def migrations(connection: sa.Connection) -> Config:
    """Return the migrations of our schema, to be run on a connection."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config
