"""The schema of a new database is the one to which the migrations lead."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.script import ScriptDirectory

from mchezo.server.errors import TableError
from mchezo.server.storage import upgrading
from mchezo.server.storage.database import Database, create_engine, normalize_url
from mchezo.server.storage.schema import META, REVISION
from mchezo.server.storage.store import Store
from tests.server.earlier_versions import FIRST, migrate

UNIMPORTED = """
import sys
import mchezo.server.run
from mchezo.server.storage.store import Store
for _ in range(2):
    Store(sys.argv[1]).close()
sys.exit("alembic" in sys.modules)
"""


def described(url: str) -> dict[str, Any]:
    """Return all tables of a database: columns, keys and indexes."""
    engine = create_engine(sa.make_url(normalize_url(url)))
    inspector = sa.inspect(engine)
    found = {
        name: {
            "columns": [{**column, "type": str(column["type"])} for column in inspector.get_columns(name)],
            "key": inspector.get_pk_constraint(name)["constrained_columns"],
            "indexes": sorted(inspector.get_indexes(name), key=str),
            "unique": sorted(inspector.get_unique_constraints(name), key=str),
            "foreign": sorted(inspector.get_foreign_keys(name), key=str),
        }
        for name in inspector.get_table_names()
    }
    with engine.connect() as connection:
        assert upgrading.read_revisions(connection) == {REVISION}
    engine.dispose()
    return found


def drop_all(url: str) -> None:
    """Remove all tables."""
    engine = create_engine(sa.make_url(normalize_url(url)))
    META.drop_all(engine)
    upgrading.VERSIONS.drop(engine)
    engine.dispose()


def test_migrations_lead_to_the_schema_of_a_new_database(database: str) -> None:
    Store(database).close()
    new = described(database)
    assert new.keys() == META.tables.keys() | {"alembic_version"}
    drop_all(database)
    migrate(database, "heads")
    migrated = described(database)
    for name, table in new.items():
        columns = sorted(table.pop("columns"), key=str), sorted(migrated[name].pop("columns"), key=str)
        assert columns[0] == columns[1], name  # later ones are at the end after a migration
        assert table == migrated[name], name


def test_the_revision_of_the_schema_is_that_of_the_last_migration() -> None:
    assert ScriptDirectory(str(upgrading.MIGRATIONS)).get_heads() == [REVISION]


def test_every_earlier_version_is_upgraded(database: str) -> None:
    migrate(database, FIRST)
    Store(database).close()
    assert described(database).keys() == META.tables.keys() | {"alembic_version"}


def test_a_database_is_created_as_a_whole_or_not_at_all(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    create_all = META.create_all

    def fail(connection: sa.Connection) -> None:
        create_all(connection)
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(META, "create_all", fail)
        with pytest.raises(MemoryError):
            Database(database)
    engine = create_engine(sa.make_url(normalize_url(database)))
    assert sa.inspect(engine).get_table_names() == []
    engine.dispose()
    Store(database).close()


def test_a_database_of_a_later_version_is_left_alone(database: str) -> None:
    store = Store(database)
    with store.database.begin() as connection:
        connection.execute(sa.update(upgrading.VERSIONS).values(version_num="from the future"))
    store.close()
    with pytest.raises(TableError) as refused:
        Store(database)
    assert refused.value.key == "database-newer"


def test_alembic_is_imported_only_to_upgrade(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", UNIMPORTED, str(tmp_path / "new.db")], check=True)
