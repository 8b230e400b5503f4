"""Computer seats: leased, taken over from who died, and played by workers beside the servers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from mchezo.server.computers import Computers
from mchezo.server.refusals import TableRefusal
from mchezo.server.run import work
from mchezo.server.store import Store, append_for
from tests.server.postgres import Postgres
from tests.server.random_players import RandomOpponents
from tests.server.scenes import YOU, computer, make
from tests.server.serving import Client, Running, eventually


def to_play(client: Client, table: str) -> dict[str, object]:
    found: dict[str, object] = eventually(lambda: next((t for t in [client.look(table)] if t["legal"]), None))
    return found


def test_three_computers_and_a_person_play_kitara_to_the_end(ada: Client) -> None:
    import random

    seats = [{"kind": "computer", "level": 1}, {"kind": "you"}, {"kind": "computer", "level": 2}]
    table = ada.make("kitara", seats)["id"]
    dice = random.Random(1)
    for _ in range(2_000):
        seen = eventually(lambda: next((t for t in [ada.look(table)] if t["legal"] or t["status"] == "over"), None))
        if seen["status"] == "over":
            break
        ada.do(table, "move", decision=seen["decision"], moves=[dice.choice(seen["legal"])])
    assert seen["status"] == "over"
    assert len(seen["result"]["lines"]) == 9


def test_who_dies_while_thinking_is_replaced(database: str) -> None:
    store = Store(database)
    table = make("kiwara", seats=(computer(), YOU))
    store.append(append_for(table, table.log)).result()
    dead = store.lease("dead", store.now() - 60_000, 15_000).result()
    assert dead == table.id
    computers = Computers(store, RandomOpponents(), threads=1)
    computers.start()
    found = eventually(lambda: next((t for t in [store.load(table.id)] if t and t.moves_made == 1), None))
    assert found.to_move == 1
    computers.stop()
    store.close()


def test_a_worker_plays_beside_servers_that_think_not(cluster: Postgres, start: Callable[..., Running]) -> None:
    url = cluster.database()
    server = start(url, threads=0)
    ada = server.client("Ada")
    table = ada.make("kiwara", [{"kind": "computer", "level": 1}, {"kind": "you"}])["id"]
    program = (
        "import sys; from mchezo.server.run import work; from tests.server.random_players import RandomOpponents;"
        "work(sys.argv[1], 1, RandomOpponents())"
    )
    worker = subprocess.Popen(
        [sys.executable, "-c", program, url], env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    )
    try:
        seen = to_play(ada, table)
        ada.do(table, "move", decision=seen["decision"], moves=[seen["legal"][0]])  # type: ignore[index]  # a list
        assert to_play(ada, table)["made"]
    finally:
        worker.terminate()
        assert worker.wait(60) == 0


def test_a_worker_needs_postgresql(tmp_path: object) -> None:
    with pytest.raises(TableRefusal, match="PostgreSQL"):
        work(f"{tmp_path}/tables.sqlite", 1, RandomOpponents())
