"""`mchezo serve --processes`: several processes share a port and a database; each serves every table."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from socket import AF_UNIX, SOCK_DGRAM, socket, socketpair

import pytest

from mchezo.server.errors import TableError
from mchezo.server.processes import serve_in_processes
from mchezo.server.runtime.config import Config
from mchezo.server.transport.homes import Homes, Passed
from tests.server.postgres import Postgres
from tests.server.serving import PATIENCE, UNLIMITED, Client, eventually


@contextmanager
def serving(database: str, count: int) -> Iterator[str]:
    """Serve with processes; their address."""
    stop, address = threading.Event(), Future[str]()

    def serve() -> None:
        config = Config(database, threads=0, limits=UNLIMITED)
        try:
            serve_in_processes(
                config,
                "127.0.0.1",
                0,
                count,
                log_level="error",
                started=lambda here, *_: address.set_result(here.removeprefix("http://").removesuffix("/")),
                stop=stop,
            )
        except BaseException as error:
            address.set_exception(error)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield address.result(PATIENCE).replace("localhost", "127.0.0.1")
    finally:
        stop.set()
        thread.join(PATIENCE)


def test_processes_share_a_port_and_each_serves_every_table(cluster: Postgres) -> None:
    with serving(cluster.database(), 2) as address:
        assert len(multiprocessing.active_children()) == 2
        clients = [Client(address, f"guest {number}") for number in range(12)]  # the system spreads their connections
        eventually(lambda: clients[0].http.get("/healthz").json().get("status") == "ok")
        table = clients[0].make("kiwara")["id"]
        clients[1].do(table, "join")
        for move in range(8):
            player = clients[move % 2] if move else clients[0]
            seen = player.look(table)
            if seen["to_move"] not in seen["you"]:
                player = clients[1 - clients.index(player)]
                seen = player.look(table)
            player.do(table, "move", decision=seen["decision"], moves=[seen["legal"][0]])
            made = seen["number"]
            assert all(eventually(lambda one=one, made=made: one.look(table)["number"] > made) for one in clients)
    assert not multiprocessing.active_children()


def test_a_process_that_was_killed_is_started_again(cluster: Postgres) -> None:
    with serving(cluster.database(), 2):
        killed = multiprocessing.active_children()[0]
        killed.kill()
        eventually(lambda: killed not in (left := multiprocessing.active_children()) and len(left) == 2)


def test_several_processes_need_postgresql(tmp_path: Path) -> None:
    with pytest.raises(TableError) as refused:
        serve_in_processes(Config(str(tmp_path / "tables.sqlite")), "127.0.0.1", 0, 2)
    assert refused.value.key == "processes-need-postgresql"


def connections(port: int) -> list[int]:
    """How many connections each of the processes has."""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    established = {
        f"socket:[{line[9]}]" for line in lines if int(line[1].split(":")[1], 16) == port and line[3] == "01"
    }
    children = sorted(multiprocessing.active_children(), key=lambda child: child.name)
    return [
        sum(str(file.readlink()) in established for file in Path(f"/proc/{child.pid}/fd").iterdir())
        for child in children
    ]


def test_the_sockets_at_a_table_are_passed_to_its_home(cluster: Postgres) -> None:
    with serving(cluster.database(), 2) as address:
        port = int(address.rsplit(":", 1)[1])
        clients = [Client(address, f"guest {number}") for number in range(2)]
        eventually(lambda: clients[0].http.get("/healthz").json().get("status") == "ok")
        homes = Homes("", 0, 2)
        met = set()
        while met != {0, 1}:
            table = clients[0].make("katarenga")["id"]
            clients[1].do(table, "join")
            home = homes.home_of(table)
            met.add(home)
            before = connections(port)
            with ExitStack() as stack:
                sockets = [stack.enter_context(clients[number % 2].live(table)) for number in range(8)]
                after = connections(port)
                assert after[home] - before[home] == len(sockets)
                assert after[1 - home] == before[1 - home]


def test_a_process_serves_the_sockets_of_a_home_that_has_ended(tmp_path: Path) -> None:
    homes = Homes(str(tmp_path), 0, 2)
    elsewhere = next(str(number) for number in range(100) if homes.home_of(str(number)) == 1)
    request = Passed("/", b"", [], None, None, "ws", b"")
    home, client = socketpair()
    with home, client, closing(homes):
        assert not homes.pass_on(home, elsewhere, request)
        with socket(AF_UNIX, SOCK_DGRAM) as listening:
            listening.bind(homes.path(1))
            assert homes.pass_on(home, elsewhere, request)
        assert not homes.pass_on(home, elsewhere, request)
        Path(homes.path(1)).unlink()
        with socket(AF_UNIX, SOCK_DGRAM) as listening:  # it was started again
            listening.bind(homes.path(1))
            assert homes.pass_on(home, elsewhere, request)
