"""The database: appends are whole or not at all, and only ever follow the number they were made for."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from mchezo.server.facts import Facts
from mchezo.server.messages import Resign
from mchezo.server.refusals import TableRefusal
from mchezo.server.schema import META
from mchezo.server.store import Store, append_for
from mchezo.server.table import Table
from tests.server.postgres import Postgres
from tests.server.scenes import ADA, YOU, computer, do, make, play, two
from tests.server.serving import Running, eventually


def stored(store: Store, table: Table, new: list[Facts]) -> bool:
    return store.append(append_for(table, new)).result(30)


def named(table: Table, id: str) -> Table:
    return Table(id, table.log)


def test_what_is_appended_comes_back_in_order(database: str) -> None:
    store = Store(database)
    table = two("kitara")
    assert stored(store, table, table.log)
    after = play(table, table.legal[0])
    assert stored(store, after, after.log[table.number + 1 :])
    found = store.load(table.id)
    assert found is not None
    assert found.log == after.log
    store.close()
    again = Store(database)  # migrating twice does nothing
    assert again.facts(table.id, table.number) == after.log[table.number + 1 :]
    assert again.load("nothing here") is None
    again.close()


def test_of_two_that_follow_the_same_number_one_is_told_that_it_was_slower(database: str) -> None:
    store = Store(database)
    table = play(two(), "turn0")
    assert stored(store, table, table.log)
    first, second = play(table, table.legal[0]), play(table, table.legal[1])
    assert stored(store, first, first.log[-1:])
    assert not stored(store, second, second.log[-1:])
    found = store.load(table.id)
    assert found is not None
    assert found.log == first.log
    store.close()


def test_what_nobody_waits_for_any_more_is_left_out_and_the_writer_goes_on(database: str) -> None:
    store = Store(database)
    busy, free = threading.Event(), threading.Event()

    def hold(connection: sa.Connection) -> None:
        busy.set()
        free.wait(30)

    held = store.run(hold)
    assert busy.wait(30)
    table = two()
    given_up = store.append(append_for(named(table, "a"), table.log))
    called_off = store.run(hold)
    assert given_up.cancel()
    assert called_off.cancel()
    kept = store.append(append_for(named(table, "b"), table.log))
    free.set()
    held.result(30)
    assert kept.result(30)
    assert store.load("a") is None
    assert store.load("b") is not None
    store.close()


def test_two_writers_race_without_gap_or_double(cluster: Postgres) -> None:
    url = cluster.database()
    stores = [Store(url), Store(url)]
    tables = [named(play(two(), "turn0"), f"race{number:08d}") for number in range(10)]
    for table in tables:
        assert stored(stores[0], table, table.log)
    won = [0, 0]

    def race(writer: int) -> None:
        dice = random.Random(writer)
        for _ in range(60):
            id = dice.choice(tables).id
            table = stores[writer].load(id)
            assert table is not None
            if table.to_move is not None:
                after = play(table, dice.choice(table.legal))
                won[writer] += stored(stores[writer], after, after.log[table.number + 1 :])

    threads = [threading.Thread(target=race, args=(writer,)) for writer in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    added = 0
    for table in tables:
        found = stores[0].load(table.id)
        assert found is not None  # it replays: nothing is missing, doubled or out of order
        added += found.number - table.number
    assert sum(won) <= added
    assert min(won) > 0
    for store in stores:
        store.close()


def test_one_file_serves_one_process(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "tables.sqlite"))
    with pytest.raises(TableRefusal, match="Another server uses"):
        Store(str(tmp_path / "tables.sqlite"))
    store.close()
    Store(str(tmp_path / "tables.sqlite")).close()


def test_a_file_that_a_killed_process_used_is_free(tmp_path: Path) -> None:
    path = str(tmp_path / "tables.sqlite")
    program = (
        "import sys; from mchezo.server.store import Store; Store(sys.argv[1]); print('open', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(TableRefusal, match="Another server uses"):
            Store(path)
        other.kill()
    Store(path).close()


def test_the_server_is_imported_where_there_is_no_fcntl(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['fcntl'] = None\n"
        "from mchezo.server import run\n"
        "from mchezo.server.store import Store\n"
        "Store(sys.argv[1]).close()"
    )
    path = str(tmp_path / "tables.sqlite")
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_tables_that_ended_in_the_same_moment_are_found_together(database: str) -> None:
    store = Store(database)
    table = do(two(), ADA, Resign("resign"))
    for number in range(5):
        assert stored(store, named(table, f"over{number:08d}"), table.log)
    found = store.finished(None, table.last_at + 1, most=2)
    assert [id for id, _ in found] == [f"over{number:08d}" for number in range(5)]
    assert store.finished(None, found[-1][1], most=2) == []
    store.close()


def test_migrations_lead_to_the_tables_that_the_code_knows(database: str) -> None:
    store = Store(database)
    inspector = sa.inspect(store.engine)
    for name, table in META.tables.items():
        assert {column["name"] for column in inspector.get_columns(name)} == set(table.columns.keys())
        known = {index.name for index in table.indexes}
        assert known <= {index["name"] for index in inspector.get_indexes(name)}
    store.close()


def test_a_lease_is_held_by_one_until_it_runs_out(database: str) -> None:
    store = Store(database)
    table = make("kiwara", seats=(computer(), YOU))
    assert stored(store, table, table.log)
    assert store.lease("one", 1_000, 500).result() == table.id
    assert store.lease("two", 1_400, 500).result() is None
    assert store.renew(table.id, "one", 2_000).result()
    assert not store.renew(table.id, "two", 9_000).result()
    assert store.lease("two", 1_900, 500).result() is None
    assert store.lease("two", 2_001, 500).result() == table.id
    store.close()


def test_other_processes_see_who_is_there(cluster: Postgres) -> None:
    url = cluster.database()
    here, there = Store(url), Store(url)
    here.see([("t1", 0), ("t1", 1)], 5).result()
    here.see([("t1", 1)], 9).result()
    here.see([], 11).result()
    assert there.last_seen(["t1", "t2"]) == {"t1": {0: 5, 1: 9}, "t2": {}}
    here.close()
    there.close()


def test_the_pulse_and_the_secret_are_kept(database: str) -> None:
    store = Store(database)
    assert store.pulse(1_000).result() is None
    assert store.pulse(2_000).result() == 1_000
    assert store.secret() == store.secret()
    store.close()


def test_who_was_slower_at_another_process_has_a_conflict_and_changes_nothing(
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
    monkeypatch.setattr(there.service.rooms, "hint", lambda table, number: None)  # it does not hear of the first move
    number = ben.do(table, "move", decision=decision, moves=["turn90"])["number"]
    assert late.refused(table, "move", decision=decision, moves=["turn0"]) == (409, "conflict")
    assert (late.look(table)["number"], ada.look(table)["made"]) == (number, 1)


def test_a_listener_that_is_cut_comes_back_and_has_missed_nothing(
    cluster: Postgres, start: Callable[..., Running]
) -> None:
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
