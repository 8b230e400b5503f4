"""Databases of earlier versions."""

from __future__ import annotations

import alembic.command
import alembic.config

from mchezo.server.storage.backup import MIGRATIONS
from mchezo.server.storage.store import Store


def downgrade(database: str, revision: str) -> None:
    """Give a database the schema of an earlier revision; `Store` upgrades it again."""
    store = Store(database)
    config = alembic.config.Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with store.database.engine.begin() as connection:
        config.attributes["connection"] = connection
        alembic.command.downgrade(config, revision)
    store.close()
