"""Running a server or a worker: sockets, signals, logs, opening the browser."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, cast

import prometheus_client
import uvicorn

from mchezo.server.compute.compiling import load_players
from mchezo.server.compute.computers import Computers
from mchezo.server.compute.opponents import Opponents, Shipped
from mchezo.server.errors import TableError
from mchezo.server.runtime.addresses import TrustedProxies, reachable_addresses
from mchezo.server.runtime.config import Config
from mchezo.server.runtime.connections import OpenConnections
from mchezo.server.runtime.service import Service
from mchezo.server.storage.listener import Listener
from mchezo.server.storage.store import Store
from mchezo.server.transport.app import guarded
from mchezo.server.transport.homes import Homes, Passed
from mchezo.server.transport.lobby_socket import listen_in_lobby
from mchezo.server.transport.protocols import LimitedConfig, adopt
from mchezo.server.transport.websocket import listen_at_table

STOP_SECONDS = 5  # for requests in progress
SWEEP_TICKS = 20  # of a tenth of a second, between two checks of the connections
MAX_FILES = 65_536
OTHER_FILES = 256  # that are not connections of visitors
SEND_BUFFER = 256 * 1024  # bytes
UNREAD_MILLISECONDS = 60_000
STANDARD_FIELDS = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class JsonFormatter(logging.Formatter):
    """Formats a log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **{name: value for name, value in vars(record).items() if name not in STANDARD_FIELDS},
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


def set_up_logs(level: str) -> None:
    """Write logs to standard error: text for a terminal, JSON otherwise."""
    out = logging.StreamHandler(sys.stderr)
    plain = logging.Formatter("%(asctime)s %(levelname)s %(message)s")
    out.setFormatter(plain if sys.stderr.isatty() else JsonFormatter())
    logging.basicConfig(level=level.upper(), handlers=[out], force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logging.getLogger("uvicorn.access").setLevel(logging.WARNING)


class Server(uvicorn.Server):
    """A uvicorn server that releases watchers before it waits for connections to close."""

    def __init__(self, config: LimitedConfig, service: Service) -> None:
        super().__init__(config)
        self.open_connections = config.connections
        self.service = service
        self.homes = config.homes
        self.adopting: set[asyncio.Task[Any]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve, connections that other processes pass on included."""
        await super().startup(sockets)
        if self.homes is not None and not self.should_exit:
            self.homes.take_over(self.adopt)

    def adopt(self, connection: socket.socket, request: Passed) -> None:
        """Serve a connection that another process has passed on."""
        task = adopt(cast(LimitedConfig, self.config), cast(Any, self.server_state.connections), connection, request)
        self.adopting.add(task)
        task.add_done_callback(self.adopting.discard)

    async def on_tick(self, counter: int) -> bool:
        """Look after the connections; uvicorn calls this ten times a second."""
        if counter % SWEEP_TICKS == 0:
            await self.open_connections.sweep()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop."""
        if self.homes is not None:
            self.homes.close()
        self.service.release_watchers()
        await super().shutdown(sockets)


def serve(
    config: Config,
    host: str,
    port: int,
    *,
    opponents: Opponents | None = None,
    started: Callable[..., None] | None = None,
    open_browser: bool = False,
    shared: bool = False,
    homes: Homes | None = None,
) -> None:
    """Serve until a signal arrives; requests in progress are answered first.

    `started` is called with the addresses of the server: one for this machine, then those for others. Other processes
    may share the port; they pass connections to each other if they know their `homes`.
    """
    allow_many_sockets()
    listening = listen(host, port, shared=shared)
    elsewhere = reachable_addresses(listening)
    service = Service(replace(config, addresses=elsewhere), opponents)
    server = Server(uvicorn_config(service, homes), service)
    if config.metrics_port is not None:
        serve_metrics(config.metrics_host, config.metrics_port)
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::1", "::") else host
    address = f"http://{shown}:{listening.getsockname()[1]}/"

    def report_start() -> None:
        while not server.started and not server.should_exit:
            time.sleep(0.02)
        if server.started and started is not None:
            started(address, *(f"{one}/" for one in elsewhere if f"{one}/" != address))
        if server.started and open_browser:
            webbrowser.open(address)

    threading.Thread(target=report_start, daemon=True).start()
    tune_interpreter()
    # After a graceful shutdown the exit code is 0.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    server.run(sockets=[listening])


def tune_interpreter() -> None:
    """Set Python up for a process that serves."""
    # Reference cycles are rare here, and a full collection visits every table: collect seldom, skip what is loaded.
    gc.freeze()
    gc.set_threshold(10_000, 20, 1_000)
    sys.setswitchinterval(0.001)  # keep the writer thread from starving behind the event loop


def serve_metrics(host: str, port: int) -> None:
    """Serve the metrics on a port of their own."""
    try:
        prometheus_client.start_http_server(port, host)
    except OSError as error:
        raise TableError("not-possible", "metrics-port-taken", port=port, reason=error.strerror) from error


def uvicorn_config(service: Service, homes: Homes | None = None) -> LimitedConfig:
    """Return how uvicorn serves: with our limits, and without believing anybody's forwarding headers."""
    config = service.config
    proxies = TrustedProxies(config.proxies)
    return LimitedConfig(
        guarded(service),
        OpenConnections(replace(config.connections, total=affordable(config.connections.total)), proxies),
        lambda wire, scope: (
            listen_in_lobby(service, proxies, wire, scope) or listen_at_table(service, proxies, wire, scope)
        ),
        homes,
        lifespan="on",
        log_config=None,
        access_log=False,
        ws_max_size=config.limits.frame,
        timeout_graceful_shutdown=STOP_SECONDS,
        server_header=False,
        proxy_headers=False,
    )


def allow_many_sockets() -> None:
    """Raise the limit of open files: every connection is one."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


def affordable(connections: int) -> int:
    """Return how many connections there may be, given how many files the process may open."""
    with suppress(ImportError):
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY:
            return max(1, min(connections, soft - OTHER_FILES))
    return connections


def listen(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """Return a socket to listen with, perhaps on a port that other processes share; say so if the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    if sys.platform != "win32":  # there it would share a port that is in use
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    # Connections inherit these: the system keeps this much for a peer that does not read, and not for ever.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MILLISECONDS)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise TableError("not-possible", "port-taken", port=port, reason=error.strerror) from error
    return listening


def work(database: str, threads: int, opponents: Opponents | None = None) -> None:
    """Play for the computers of servers that share a database, until a signal arrives."""
    store = Store(database)
    if not store.shared:
        store.close()
        raise TableError("not-possible", "worker-needs-postgresql")
    if opponents is None:
        load_players()
    computers = Computers(store, opponents or Shipped(), threads)
    listener = Listener(store.database.url, computers.on_notify, computers.wake)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    computers.start()
    logging.getLogger("mchezo.server").info("worker ready", extra={"threads": threads})
    stop.wait()
    computers.stop()
    listener.stop()
    store.close()
