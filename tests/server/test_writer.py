"""The writer: what it commits together, and on which connection."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from mchezo.server.domain.table import Table
from mchezo.server.storage.bulk import ChangedRow
from mchezo.server.storage.schema import TABLES
from mchezo.server.storage.store import Store
from mchezo.server.storage.writer import Append, append_for
from tests.server.contexts import play, two
from tests.server.serving import PATIENCE


def running(store: Store, id: str) -> Table:
    """Return a table that is stored and has begun."""
    table = Table(id, two().log)
    assert store.append(append_for(table, table.log)).result(PATIENCE)
    return table


def next_move(table: Table) -> Append:
    after = play(table, table.legal[0])
    return append_for(after, after.log[-1:])


def test_moves_that_come_soon_after_a_commit_of_several_share_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(str(tmp_path / "tables.sqlite"))
    first, second = (next_move(running(store, id)) for id in ("a", "b"))
    sizes: list[int] = []
    stored = threading.Event()
    second.done = lambda _: stored.set()
    commit = store.writer.commit_batch

    def counted(appends: Sequence[Append]) -> None:
        sizes.append(len(appends))
        commit(appends)

    def sleep(seconds: float) -> None:
        store.writer.jobs.put([second])

    monkeypatch.setattr(store.writer, "commit_batch", counted)
    monkeypatch.setattr(time, "sleep", sleep)
    store.writer.gather_until = time.monotonic() + PATIENCE
    store.submit([first])
    assert stored.wait(PATIENCE)
    assert sizes == [2]
    monkeypatch.undo()
    store.close()


def test_a_player_alone_is_not_kept_waiting(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "tables.sqlite"))
    running(store, "a")
    assert store.writer.gather_until == 0
    store.close()


def test_a_batch_that_failed_changes_nothing_and_the_next_one_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(str(tmp_path / "tables.sqlite"))
    move = next_move(running(store, "a"))

    def fail(*_: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(store.writer.bulk, "add_facts", fail)  # after the row is changed
    with pytest.raises(sqlite3.OperationalError):
        store.append(move).result(PATIENCE)
    monkeypatch.undo()
    assert store.append(move).result(PATIENCE)
    assert len(store.tables.facts("a")) == move.table.number + 1
    store.close()


@pytest.mark.parametrize(
    "different",
    [{"status": "over"}, {"deadline": 5}, {"computer": True}],
    ids=["status", "deadline", "computer"],
)
def test_whatever_a_move_changes_is_stored_in_the_row_and_its_lease_ends(
    tmp_path: Path, different: dict[str, Any]
) -> None:
    store = Store(str(tmp_path / "tables.sqlite"))
    changes = {id: next_move(running(store, id)).change for id in ("plain", "leased", "changed")}
    lease = sa.update(TABLES).where(TABLES.c.id == "leased").values(lease_until=9, lease_by="me")
    store.writer.run(lambda connection: connection.execute(lease)).result(PATIENCE)
    changes["changed"] = changes["changed"]._replace(**different)
    late = changes["plain"]._replace(id="late")
    with store.database.storing() as cursor:
        stored = store.writer.bulk.store(cursor, [(row, []) for row in [*changes.values(), late]])
    assert set(stored) == set(changes)
    with store.database.engine.connect() as connection:
        for row in connection.execute(sa.select(TABLES)).mappings():
            change: ChangedRow = changes[row["id"]]
            expected = {**change._asdict(), "lease_until": 0, "lease_by": None}
            del expected["after"]
            assert {name: row[name] for name in expected} == expected
    store.close()
