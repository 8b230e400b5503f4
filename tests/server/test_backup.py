"""Backups of servers under load, restored elsewhere; files that only their owner can read."""

from __future__ import annotations

import os
import random
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

import mchezo
from mchezo.server.domain import log
from mchezo.server.errors import TableError
from mchezo.server.storage.backup import restore_backup, run_program, write_backup
from mchezo.server.storage.database import normalize_url
from mchezo.server.storage.files import make_private
from mchezo.server.storage.store import Store
from mchezo.server.storage.writer import append_for
from tests.server.contexts import two
from tests.server.earlier_versions import FIRST, downgrade
from tests.server.postgres import Postgres
from tests.server.serving import PATIENCE, Client, Running, eventually

pytestmark = pytest.mark.rotating(shares=24)


@pytest.fixture
def elsewhere(database: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """An empty database of the same kind."""
    if "://" not in database:
        return str(tmp_path / "elsewhere" / "tables.sqlite")
    cluster: Postgres = request.getfixturevalue("cluster")
    return cluster.database()


@pytest.fixture(autouse=True)
def programs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the programs of the PostgreSQL that the tests run."""
    if "postgresql" in request.node.name:
        cluster: Postgres = request.getfixturevalue("cluster")
        monkeypatch.setenv("PATH", f"{cluster.programs}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
def filled(database: str) -> str:
    """A database with one table, used by nobody."""
    store = Store(database)
    table = two()
    assert store.append(append_for(table, table.log)).result(PATIENCE)
    store.close()
    return database


def mode(path: Path | str) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


def play_on(client: Client, other: Client, acknowledged: dict[str, list[int]], stop: threading.Event) -> None:
    """Play one game after the other, noting the number of every acknowledged move."""
    rng = random.Random(1)
    while not stop.is_set():
        table = client.make("kiwara")["id"]
        other.do(table, "join")
        while not stop.is_set():
            seen = client.look(table)
            if seen["status"] == "over":
                break
            mover = client if seen["to_move"] == 0 else other
            seen = mover.look(table)
            done = mover.do(table, "move", decision=seen["decision"], moves=[rng.choice(seen["legal"])])
            acknowledged.setdefault(table, []).append(done["number"])


def test_a_backup_under_load_holds_every_move_acknowledged_before_it(
    database: str, elsewhere: str, tmp_path: Path, start: Callable[..., Running]
) -> None:
    server = start(database)
    acknowledged: dict[str, list[int]] = {}
    stop = threading.Event()
    clients = [server.client("Ada", bot=True), server.client("Ben", bot=True)]
    playing = threading.Thread(target=play_on, args=(*clients, acknowledged, stop))
    playing.start()

    def moves() -> int:
        return sum(map(len, list(acknowledged.values())))

    try:
        eventually(lambda: len(acknowledged) >= 2 and moves() >= 40)
        promised = {table: list(numbers) for table, numbers in list(acknowledged.items())}
        write_backup(database, tmp_path / "saved")
        after = moves()
        eventually(lambda: moves() > after)  # the server has gone on
    finally:
        stop.set()
        playing.join()
    restore_backup(elsewhere, tmp_path / "saved")
    restored = start(elsewhere)
    for table, numbers in promised.items():
        assert restored.service is not None
        stored = restored.service.store.tables.facts(table)
        assert len(stored) > max(numbers)
        assert [log.encode(fact) for fact in stored] == facts_of(server, table)[: len(stored)]
    finished = [table for table in promised if restored.client().look(table)["status"] == "over"]
    assert finished
    for table in finished:
        text = restored.client().http.get(f"/api/tables/{table}/record").text
        assert mchezo.Record.parse(text).verify() is not None
    # The signing key is in the backup: a player continues there.
    clients[0].move_to(restored.address)
    assert clients[0].get("/api/me")["name"] == "Ada"


def facts_of(server: Running, table: str) -> list[bytes]:
    assert server.service is not None
    return [log.encode(fact) for fact in server.service.store.tables.facts(table)]


def test_a_copied_file_may_be_empty_where_a_backup_is_not(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    store = Store(str(path))
    table = two()
    assert store.append(append_for(table, table.log)).result(PATIENCE)
    write_backup(str(path), tmp_path / "saved")
    with sqlite3.connect(tmp_path / "saved") as connection:
        assert connection.execute("SELECT count(*) FROM facts").fetchone() == (table.number + 1,)
    assert not list(tmp_path.glob("*saved?*"))  # one file, nothing beside it
    store.close()


def test_a_database_with_data_is_replaced_by_force_only(filled: str, tmp_path: Path) -> None:
    write_backup(filled, tmp_path / "saved")
    with pytest.raises(TableError, match="already exists"):
        write_backup(filled, tmp_path / "saved")
    write_backup(filled, tmp_path / "saved", force=True)
    store = Store(filled)
    table = two()
    later = type(table)("L" * 12, table.log)
    assert store.append(append_for(later, later.log)).result(PATIENCE)
    store.close()
    with pytest.raises(TableError, match="already holds data"):
        restore_backup(filled, tmp_path / "saved")
    restore_backup(filled, tmp_path / "saved", force=True)
    store = Store(filled)
    assert store.tables.load(table.id) is not None
    assert store.tables.load(later.id) is None
    store.close()
    if "://" not in filled:  # what was replaced is kept
        with sqlite3.connect(f"{filled}.replaced") as connection:
            assert connection.execute("SELECT count(*) FROM tables").fetchone() == (2,)
        assert mode(f"{filled}.replaced") == 0o600


def test_a_database_in_use_is_not_touched(filled: str, tmp_path: Path) -> None:
    write_backup(filled, tmp_path / "saved")
    store = Store(filled)
    store.database.ping()
    with pytest.raises(TableError, match=r"Stop (it|them) first"):
        restore_backup(filled, tmp_path / "saved", force=True)
    assert store.tables.load("T" * 12) is not None
    store.close()


def test_a_damaged_or_newer_backup_is_refused_before_anything_changes(filled: str, tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    write_backup(filled, saved)
    good = saved.read_bytes()
    for damaged in (good[: len(good) // 2], b"no backup", b""):
        saved.write_bytes(damaged)
        with pytest.raises(TableError):
            restore_backup(filled, saved, force=True)
    engine = sa.create_engine(normalize_url(filled))
    with engine.begin() as connection:
        connection.execute(sa.text("INSERT INTO alembic_version VALUES ('9999')"))
    if "://" in filled:
        write_backup(filled, saved, force=True)
    else:
        with sqlite3.connect(filled) as source, sqlite3.connect(tmp_path / "newer") as copy:
            source.backup(copy)
        os.replace(tmp_path / "newer", saved)
    with engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM alembic_version WHERE version_num = '9999'"))
    engine.dispose()
    with pytest.raises(TableError, match="9999"):
        restore_backup(filled, saved, force=True)
    store = Store(filled)
    assert store.tables.load("T" * 12) is not None
    store.close()


def test_a_backup_of_the_first_version_is_restored_and_migrated(filled: str, tmp_path: Path) -> None:
    engine = sa.create_engine(normalize_url(filled))
    with engine.begin() as connection:
        downgrade(connection, FIRST)
    engine.dispose()
    write_backup(filled, tmp_path / "saved")
    Store(filled).close()  # upgraded
    restore_backup(filled, tmp_path / "saved", force=True)
    store = Store(filled)
    assert store.tables.load("T" * 12) is not None
    assert store.statistics().games
    store.close()


def test_a_backup_belongs_to_its_kind_of_database(filled: str, tmp_path: Path) -> None:
    write_backup(filled, tmp_path / "saved")
    other = str(tmp_path / "other.sqlite") if "://" in filled else "postgresql://nobody@127.0.0.1:1/none"
    with pytest.raises(TableError, match="other kind of database"):
        restore_backup(other, tmp_path / "saved")


def test_missing_programs_are_named(cluster: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TableError, match="pg_dump was not found"):
        write_backup(cluster.database(), tmp_path / "saved")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_the_versions_are_named_if_pg_dump_is_too_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "pg_dump"
    program.write_text("#!/bin/sh\necho 'error: mismatch' >&2\necho 'detail: server 18; pg_dump 15' >&2\nexit 1\n")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(TableError, match="mismatch detail: server 18; pg_dump 15"):
        run_program("pg_dump", None)


def test_a_missing_database_is_not_created_by_its_backup(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="There is no database"):
        write_backup(str(tmp_path / "nothing.sqlite"), tmp_path / "saved")
    assert not list(tmp_path.iterdir())


@pytest.fixture
def careless_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.skipif(sys.platform == "win32", reason="file modes are POSIX")
@pytest.mark.usefixtures("careless_umask")
def test_all_files_are_private_whatever_the_umask(tmp_path: Path) -> None:
    path = tmp_path / "data" / "tables.sqlite"
    store = Store(str(path))
    table = two()
    assert store.append(append_for(table, table.log)).result(PATIENCE)
    names = {file.name: mode(file) for file in path.parent.iterdir()}
    assert {"tables.sqlite", "tables.sqlite-wal", "tables.sqlite-shm", "tables.sqlite.lock"} <= names.keys()
    assert set(names.values()) == {0o600}
    assert mode(path.parent) == 0o700
    write_backup(str(path), tmp_path / "saved")
    assert mode(tmp_path / "saved") == 0o600
    store.close()
    restore_backup(str(tmp_path / "new" / "tables.sqlite"), tmp_path / "saved")
    assert mode(tmp_path / "new" / "tables.sqlite") == 0o600
    assert mode(tmp_path / "new") == 0o700


@pytest.mark.skipif(sys.platform == "win32", reason="file modes are POSIX")
def test_files_of_earlier_versions_are_tightened_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    program = (
        "import os, sys; from mchezo.server.storage.store import Store\n"
        "Store(sys.argv[1]).database.ping(); os._exit(0)"  # killed: its log stays
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=True)
    old = [file for file in tmp_path.iterdir() if file.name.startswith("tables.sqlite")]
    assert len(old) >= 3
    for file in old:
        file.chmod(0o644)
    store = Store(str(path))
    assert {mode(file) for file in tmp_path.iterdir()} == {0o600}
    store.close()


@pytest.mark.skipif(sys.platform == "win32", reason="file modes are POSIX")
def test_a_file_that_may_only_be_read_is_not_made_writable(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    Store(str(path)).close()
    path.chmod(0o444)
    make_private(str(path))
    assert mode(path) == 0o400
