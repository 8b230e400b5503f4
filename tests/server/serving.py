"""Servers for tests, in a thread or as processes that can be killed, and real clients."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any, TypeVar

import httpx
from websockets import Origin
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from mchezo.server.compute.opponents import Opponents
from mchezo.server.run import Server, listen, uvicorn_config
from mchezo.server.runtime.config import Config
from mchezo.server.runtime.connections import ConnectionLimits
from mchezo.server.runtime.limits import Limits, Rate
from mchezo.server.runtime.service import Service
from tests.server.ports import free_port
from tests.server.random_players import RandomOpponents

T = TypeVar("T")

NUMBERS = count(1)
METRICS_TOKEN = "let me count"
PATIENCE = 600.0  # seconds: ends a test that hangs; nothing takes as long, however busy the machine is
ALWAYS = Rate(1e6, 1e6)
UNLIMITED = Limits(
    requests=ALWAYS,
    previews=ALWAYS,
    creations=ALWAYS,
    packs=ALWAYS,
    thinking=ALWAYS,
    pictures=ALWAYS,
    phrases=ALWAYS,
    correspondence=ALWAYS,
    chat=ALWAYS,
    mails=ALWAYS,
    pages=ALWAYS,
    guests=ALWAYS,
    sign_ins=ALWAYS,
    tournaments=ALWAYS,
    sockets=60_000,
    sockets_per_network=60_000,
    all_sockets=60_000,
    unfinished=100_000,
    unfinished_per_network=100_000,
)

MANY_CONNECTIONS = ConnectionLimits(total=60_000, per_network=60_000)


def new_id() -> str:
    return f"command-{next(NUMBERS)}"


def eventually(what: Any, patience: float = PATIENCE) -> Any:
    """Return the first true result."""
    end = time.monotonic() + patience
    while True:
        found = what()
        if found:
            return found
        assert time.monotonic() < end, f"it did not happen within {patience} seconds"
        time.sleep(0.02)


def run_in_thread(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a loop of its own, also where this thread's loop runs already, as Playwright's does."""
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(lambda: asyncio.run(work)).result()


class Client:
    """A person or a bot over HTTP; `live` opens a socket at a table."""

    def __init__(self, address: str, name: str | None = None, bot: bool = False) -> None:
        self.address = address
        self.http = httpx.Client(
            base_url=f"http://{address}", timeout=PATIENCE, headers={"Origin": f"http://{address}"}
        )
        self.token: str | None = None
        if bot:
            self.token = self.http.post("/api/tokens", json={"name": name or "bot"}).json()["token"]
            self.http.headers["Authorization"] = f"Bearer {self.token}"
        elif name is not None:
            self.http.get("/api/me").raise_for_status()
            self.post("/api/me", {"name": name})

    def move_to(self, address: str) -> None:
        """Continue at another server with the same cookie."""
        self.address = address
        self.http.base_url = httpx.URL(f"http://{address}")
        self.http.headers["Origin"] = f"http://{address}"

    def get(self, path: str, **query: Any) -> Any:
        answer = self.http.get(path, params=query)
        answer.raise_for_status()
        return answer.json()

    def post(self, path: str, body: Any) -> Any:
        answer = self.http.post(path, json=body)
        assert answer.status_code < 300, answer.text
        return answer.json()

    def metrics(self) -> str:
        answer = self.http.get("/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"})
        assert answer.status_code == 200
        return answer.text

    def make(self, game: str = "katarenga", seats: Any = None, **given: Any) -> dict[str, Any]:
        seats = seats or [{"kind": "you"}, {"kind": "open"}]
        body = {"game": game, "seats": seats, "lot": False, "public": True, **given}
        table: dict[str, Any] = self.post("/api/tables", body)["table"]
        return table

    def do(self, table: str, type: str, **given: Any) -> dict[str, Any]:  # noqa: A002, as the message has it
        done: dict[str, Any] = self.post(f"/api/tables/{table}/commands", {"type": type, "id": new_id(), **given})
        return done

    def refused(self, table: str, type: str, **given: Any) -> tuple[int, str]:  # noqa: A002, the same
        body = {"type": type, "id": new_id(), **given}
        answer = self.http.post(f"/api/tables/{table}/commands", json=body)
        return answer.status_code, answer.json()["code"]

    def look(self, table: str, **query: Any) -> dict[str, Any]:
        found: dict[str, Any] = self.get(f"/api/tables/{table}", **query)
        return found

    @contextlib.contextmanager
    def live(self, table: str, query: str = "") -> Iterator[Live]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        headers = {"Cookie": cookies} if cookies else {}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        address = f"ws://{self.address}/api/tables/{table}/live{query}"
        origin = Origin(f"http://{self.address}")
        # A slow client on a busy machine must not be disconnected.
        limits: dict[str, Any] = {"open_timeout": PATIENCE, "ping_interval": None, "max_size": 2**24}
        with connect(address, additional_headers=headers, origin=origin, **limits) as socket:
            yield Live(socket)


class Live:
    """A client's socket at a table."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.events: list[dict[str, Any]] = []
        self.table: dict[str, Any] = {}

    def receive(self, timeout: float = PATIENCE) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=timeout))
        if message["type"] == "ping":
            with contextlib.suppress(ConnectionClosed):  # what the server sent before can still be read
                self.send({"type": "pong", "at": message["at"]})
        if message["type"] == "news":
            known = {event["number"] for event in self.events}
            self.events += [event for event in message["events"] if event["number"] not in known]
            self.table = message["table"]
        return message

    def wait_for(self, kind: str) -> dict[str, Any]:
        while True:
            message = self.receive()
            if message["type"] == kind:
                return message

    def send(self, message: dict[str, Any]) -> None:
        self.socket.send(json.dumps(message))

    def ask(self, type: str, **given: Any) -> dict[str, Any]:  # noqa: A002, the same
        """Send a message and return its answer."""
        id = given.pop("id", None) or new_id()
        self.send({"type": type, "id": id, **given})
        while True:
            message = self.receive()
            if message.get("id") == id:
                return message


class Running:
    """A server in a thread of this process."""

    def __init__(
        self,
        database: str,
        threads: int = 1,
        limits: Limits = UNLIMITED,
        opponents: Opponents | None = None,
        metrics_token: str | None = METRICS_TOKEN,
        **config: Any,
    ) -> None:
        listening = listen("127.0.0.1", 0)
        self.address = f"127.0.0.1:{listening.getsockname()[1]}"
        self.service: Service | None = None
        self.ended = threading.Event()

        async def run() -> None:
            server_config = Config(database, threads=threads, limits=limits, metrics_token=metrics_token, **config)
            self.service = Service(server_config, opponents or RandomOpponents())
            settings = uvicorn_config(self.service)
            settings.timeout_graceful_shutdown = 2
            self.server = Server(settings, self.service)
            self.server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign,assignment]  # not ours
            await self.server.serve(sockets=[listening])

        def thread() -> None:

            try:
                asyncio.run(run())
            finally:
                self.ended.set()

        self.thread = threading.Thread(target=thread, daemon=True)
        self.thread.start()
        eventually(lambda: self.ended.is_set() or self.is_ready())

    def is_ready(self) -> bool:
        service = self.service
        return service is not None and service.readiness.all_ready and bool(service.housekeeping.tasks)

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()

    def client(self, name: str | None = None, bot: bool = False) -> Client:
        return Client(self.address, name, bot)


def pass_time(server: Running, milliseconds: int) -> None:
    """Let time pass on a server that is running all along."""
    service = server.service
    assert service is not None
    later = service.store.now() + milliseconds
    service.store.settings.heartbeat(later).result(PATIENCE)  # no outage
    service.store.database.clock.advance_to(later)


def is_healthy(address: str) -> bool:
    """Return whether a server is ready; on a busy machine it may say for a while that its database does not answer."""
    return bool(httpx.get(f"{address}/healthz", timeout=PATIENCE).json().get("status") == "ok")


class Process:
    """A separate server process, which can be killed."""

    def __init__(self, database: str, port: int | None = None, threads: int = 1, processes: int = 1) -> None:
        settings = map(str, (port or free_port(), threads, processes))
        program = [sys.executable, "-m", "tests.server.serving", database, *settings]
        self.process = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the server did not start"
        self.address = line.strip().removeprefix("http://").removesuffix("/").replace("localhost", "127.0.0.1")
        self.port = int(self.address.rpartition(":")[2])
        try:
            eventually(self.is_ready)
        except BaseException:
            self.kill()
            raise

    def is_ready(self) -> bool:
        return is_healthy(f"http://{self.address}")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


def main() -> None:
    """Run a server: the entry point of `Process`."""
    from mchezo.server import run

    database, port, threads, processes = sys.argv[1:]
    level = os.environ.get("MCHEZO_LOG", "error")
    run.set_up_logs(level)
    config = Config(database, threads=int(threads), limits=UNLIMITED, connections=MANY_CONNECTIONS)
    started = lambda address: print(address, flush=True)  # noqa: E731, one line of use
    if processes == "1":
        run.serve(config, "127.0.0.1", int(port), opponents=RandomOpponents(), started=started)
        return
    from mchezo.server.processes import serve_in_processes

    serve_in_processes(config, "127.0.0.1", int(port), int(processes), log_level=level, started=started)


if __name__ == "__main__":
    main()
