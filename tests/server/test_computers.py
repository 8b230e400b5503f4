"""Computer seats: leased, taken over from dead threads, and played by workers."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future

import pytest

from mchezo.server.compute.computers import Computers
from mchezo.server.errors import TableError
from mchezo.server.run import work
from mchezo.server.runtime.service import Service
from mchezo.server.storage.store import Store
from mchezo.server.storage.writer import Append, append_for
from tests.server.contexts import YOU, computer, make
from tests.server.postgres import Postgres
from tests.server.random_players import RandomOpponents
from tests.server.serving import PATIENCE, Client, Running, eventually

pytestmark = pytest.mark.rotating(shares=24)


def to_play(client: Client, table: str) -> dict[str, object]:
    found: dict[str, object] = eventually(lambda: next((t for t in [client.look(table)] if t["legal"]), None))
    return found


def test_three_computers_and_a_person_play_kitara_to_the_end(ada: Client) -> None:
    import random

    seats = [{"kind": "computer", "level": 1}, {"kind": "you"}, {"kind": "computer", "level": 2}]
    table = ada.make("kitara", seats)["id"]
    rng = random.Random(1)
    for _ in range(2_000):
        seen = eventually(lambda: next((t for t in [ada.look(table)] if t["legal"] or t["status"] == "over"), None))
        if seen["status"] == "over":
            break
        ada.do(table, "move", decision=seen["decision"], moves=[rng.choice(seen["legal"])])
    assert seen["status"] == "over"
    assert len(seen["result"]["lines"]) == 9


def test_a_computer_thread_that_dies_is_replaced(database: str) -> None:
    store = Store(database)
    table = make("kiwara", seats=(computer(), YOU))
    store.append(append_for(table, table.log)).result()
    dead = store.computer_turns.acquire("dead", store.now() - 60_000, 15_000).result()
    assert dead is not None
    assert dead.id == table.id
    computers = Computers(store, RandomOpponents(), threads=1)
    computers.start()
    found = eventually(lambda: next((t for t in [store.tables.load(table.id)] if t and t.moves_made == 1), None))
    assert found.to_move == 1
    computers.stop()
    store.close()


class Quick:
    """A computer that moves on command, and waits until the server has been notified."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.notified = threading.Event()

    def move(self) -> None:
        computers = Computers(self.service.store, RandomOpponents(), threads=1, moved=self.notify)
        computers.start()
        assert self.notified.wait(PATIENCE)
        computers.stop()

    def notify(self, append: Append) -> None:
        self.service.computer_moved(append)
        self.service.mailbox.put(self.notified.set)


COMPUTER_BEGINS = [{"kind": "computer", "level": 1}, {"kind": "you"}]


def test_a_computer_move_during_loading_is_not_missed(
    database: str, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start(database, threads=0)
    ada = server.client("Ada")
    table = ada.make("kiwara", COMPUTER_BEGINS)["id"]
    service = server.service
    assert service is not None
    del service.sessions.sessions[table]  # as if nobody had used it for long
    quick, last_seen = Quick(service), service.store.presence.last_seen

    def play_meanwhile(tables: list[str]) -> dict[str, dict[int, int]]:
        if not quick.notified.is_set():
            quick.move()
        return last_seen(tables)

    monkeypatch.setattr(service.store.presence, "last_seen", play_meanwhile)
    assert ada.look(table)["legal"]


def test_a_computer_move_during_creation_is_not_missed(
    database: str, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start(database, threads=0)
    ada = server.client("Ada")
    service = server.service
    assert service is not None
    quick, append = Quick(service), service.store.append

    def play_meanwhile(made: Append) -> Future[bool]:
        monkeypatch.setattr(service.store, "append", append)
        answered: Future[bool] = Future()

        def answer() -> None:
            stored = append(made).result()
            quick.move()
            answered.set_result(stored)

        threading.Thread(target=answer).start()
        return answered

    monkeypatch.setattr(service.store, "append", play_meanwhile)
    table = ada.make("kiwara", COMPUTER_BEGINS)["id"]
    assert eventually(lambda: ada.look(table)["legal"])


def test_a_worker_plays_for_servers_without_threads(cluster: Postgres, start: Callable[..., Running]) -> None:
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
        assert worker.wait(PATIENCE) == 0


def test_a_worker_needs_postgresql(tmp_path: object) -> None:
    with pytest.raises(TableError, match="PostgreSQL"):
        work(f"{tmp_path}/tables.sqlite", 1, RandomOpponents())
