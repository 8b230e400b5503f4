"""The store: appends are atomic, and conditional on the number they follow."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from mchezo.server.domain.log import AnyFact
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.messages import Resign
from mchezo.server.storage.store import Store
from mchezo.server.storage.writer import append_for
from tests.server.contexts import ADA, YOU, computer, do, make, play, two
from tests.server.postgres import Postgres
from tests.server.serving import PATIENCE, Running, eventually

pytestmark = pytest.mark.rotating(shares=24)


def stored(store: Store, table: Table, new: Sequence[AnyFact]) -> bool:
    return store.append(append_for(table, new)).result(PATIENCE)


def named(table: Table, id: str) -> Table:
    return Table(id, table.log)


def test_appended_facts_come_back_in_order(database: str) -> None:
    store = Store(database)
    table = two("kitara")
    assert stored(store, table, table.log)
    after = play(table, table.legal[0])
    assert stored(store, after, after.log[table.number + 1 :])
    found = store.tables.load(table.id)
    assert found is not None
    assert found.log == after.log
    store.close()
    again = Store(database)  # migrating twice does nothing
    assert again.tables.facts(table.id, table.number) == after.log[table.number + 1 :]
    assert again.tables.load("nothing here") is None
    again.close()


def test_of_two_appends_after_the_same_number_one_is_refused(database: str) -> None:
    store = Store(database)
    table = play(two(), "turn0")
    assert stored(store, table, table.log)
    first, second = play(table, table.legal[0]), play(table, table.legal[1])
    assert stored(store, first, first.log[-1:])
    assert not stored(store, second, second.log[-1:])
    found = store.tables.load(table.id)
    assert found is not None
    assert found.log == first.log
    store.close()


def test_in_a_batch_every_append_that_follows_its_table_is_stored_and_no_other(database: str) -> None:
    store = Store(database)
    tables = [named(play(two(), "turn0"), f"table{number}") for number in range(5)]
    for table in tables:
        assert stored(store, table, table.log)
    moved = [play(table, table.legal[0]) for table in tables]
    late = play(moved[1], moved[1].legal[0])  # follows a number that is not stored
    rival = play(tables[2], tables[2].legal[1])
    twice = play(moved[3], moved[3].legal[0])  # follows one that the same batch stores
    created = named(two("kiwara"), "created")
    batch = [
        (created, created.log),
        *((table, table.log[-1:]) for table in (moved[0], late, moved[2], rival, moved[3])),
    ]
    appends = [append_for(table, new) for table, new in [*batch, (twice, twice.log[-1:])]]
    results: list[object] = []
    done = threading.Event()
    for append in appends:
        append.done = results.append

    def last(result: object) -> None:
        results.append(result)
        done.set()

    appends[-1].done = last
    store.writer.submit(appends)
    assert done.wait(PATIENCE)
    assert results == [True, True, False, True, True, False, True]
    logs = [table.log for table in (moved[0], tables[1], moved[2], twice, tables[4], created)]
    for id, log in zip(["table0", "table1", "table2", "table3", "table4", "created"], logs, strict=True):
        found = store.tables.load(id)
        assert found is not None
        assert found.log == log
    store.close()


def test_cancelled_writes_are_skipped_and_the_writer_continues(database: str) -> None:
    store = Store(database)
    busy, free = threading.Event(), threading.Event()

    def hold(connection: sa.Connection) -> None:
        busy.set()
        free.wait(PATIENCE)

    held = store.writer.run(hold)
    assert busy.wait(PATIENCE)
    table = two()
    given_up = store.append(append_for(named(table, "a"), table.log))
    called_off = store.writer.run(hold)
    assert given_up.cancel()
    assert called_off.cancel()
    kept = store.append(append_for(named(table, "b"), table.log))
    free.set()
    held.result(PATIENCE)
    assert kept.result(PATIENCE)
    assert store.tables.load("a") is None
    assert store.tables.load("b") is not None
    store.close()


def test_two_writers_race_without_gaps_or_duplicates(cluster: Postgres) -> None:
    url = cluster.database()
    stores = [Store(url), Store(url)]
    tables = [named(play(two(), "turn0"), f"race{number:08d}") for number in range(10)]
    for table in tables:
        assert stored(stores[0], table, table.log)
    won = [0, 0]

    def race(writer: int) -> None:
        rng = random.Random(writer)
        for _ in range(60):
            id = rng.choice(tables).id
            table = stores[writer].tables.load(id)
            assert table is not None
            if table.to_move is not None:
                after = play(table, rng.choice(table.legal))
                won[writer] += stored(stores[writer], after, after.log[table.number + 1 :])

    threads = [threading.Thread(target=race, args=(writer,)) for writer in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    added = 0
    for table in tables:
        found = stores[0].tables.load(table.id)
        assert found is not None  # it replays: nothing is missing, duplicated or out of order
        added += found.number - table.number
    assert sum(won) <= added
    assert min(won) > 0
    for store in stores:
        store.close()


def test_one_file_serves_one_process(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "tables.sqlite"))
    with pytest.raises(TableError, match="running server uses"):
        Store(str(tmp_path / "tables.sqlite"))
    store.close()
    Store(str(tmp_path / "tables.sqlite")).close()


def test_the_lock_of_a_killed_process_is_released(tmp_path: Path) -> None:
    path = str(tmp_path / "tables.sqlite")
    program = (
        "import sys; from mchezo.server.storage.store import Store\n"
        "Store(sys.argv[1]); print('open', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(TableError, match="running server uses"):
            Store(path)
        other.kill()
    Store(path).close()


def test_the_server_needs_no_fcntl(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['fcntl'] = None\n"
        "from mchezo.server import run\n"
        "from mchezo.server.storage.store import Store\n"
        "Store(sys.argv[1]).close()"
    )
    path = str(tmp_path / "tables.sqlite")
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_tables_that_ended_at_the_same_time_are_on_one_page(database: str) -> None:
    store = Store(database)
    table = do(two(), ADA, Resign("resign"))
    for number in range(5):
        assert stored(store, named(table, f"over{number:08d}"), table.log)
    found = store.tables.finished(None, table.last_at + 1, limit=2)
    assert [id for id, _ in found] == [f"over{number:08d}" for number in range(5)]
    assert store.tables.finished(None, found[-1][1], limit=2) == []
    store.close()


def test_a_lease_has_one_owner_until_it_expires(database: str) -> None:
    store = Store(database)
    table = make("kiwara", seats=(computer(), YOU))
    assert stored(store, table, table.log)

    def leased(owner: str, now: int) -> str | None:
        found = store.computer_turns.acquire(owner, now, 500).result()
        return None if found is None else found.id

    assert leased("one", 1_000) == table.id
    assert leased("two", 1_400) is None
    assert store.computer_turns.renew(table.id, "one", 2_000).result()
    assert not store.computer_turns.renew(table.id, "two", 9_000).result()
    assert leased("two", 1_900) is None
    assert leased("two", 2_001) == table.id
    store.close()


def test_other_processes_see_who_is_connected(cluster: Postgres) -> None:
    url = cluster.database()
    here, there = Store(url), Store(url)
    here.presence.record([("t1", 0), ("t1", 1)], 5).result()
    here.presence.record([("t1", 1)], 9).result()
    here.presence.record([], 11).result()
    assert there.presence.last_seen(["t1", "t2"]) == {"t1": {0: 5, 1: 9}, "t2": {}}
    here.close()
    there.close()


def test_the_heartbeat_and_the_secret_are_stored(database: str) -> None:
    store = Store(database)
    assert store.settings.heartbeat(1_000).result() is None
    assert store.settings.heartbeat(2_000).result() == 1_000
    assert store.settings.secret() == store.settings.secret()
    store.close()


def test_the_loser_of_a_race_between_processes_gets_a_conflict_and_changes_nothing(
    cluster: Postgres, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    url = cluster.database()
    here, there = start(url, threads=0), start(url, threads=0)
    ada, ben = here.client("Ada"), here.client("Ben")
    table = ada.make()["id"]
    ben.do(table, "join")
    late = there.client()
    late.http.cookies = ben.http.cookies
    decision = late.look(table)["decision"]
    assert there.service is not None
    monkeypatch.setattr(
        there.service.sessions, "notify", lambda table, number: None
    )  # it is not notified of the first move
    number = ben.do(table, "move", decision=decision, moves=["turn90"])["number"]
    assert late.refused(table, "move", decision=decision, moves=["turn0"]) == (409, "conflict")
    assert (late.look(table)["number"], ada.look(table)["made"]) == (number, 1)


def test_a_listener_that_loses_its_connection_misses_nothing(cluster: Postgres, start: Callable[..., Running]) -> None:
    url = cluster.database()
    here, there = start(url), start(url)
    ada, ben = here.client("Ada"), there.client("Ben")
    table = ada.make()["id"]
    ben.do(table, "join")
    with ada.live(table) as live:
        live.wait_for("news")
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
            ben.do(table, "move", decision=ben.look(table)["decision"], moves=["turn90"])
        eventually(lambda: live.receive() and live.table["made"] == 1)
        numbers = [event["number"] for event in live.events]
        assert numbers == list(range(len(numbers)))
