"""Several server processes on one machine that share a port and a PostgreSQL database. Each can serve every table.

The system gives each new connection to one of them; the sockets at a table are passed to the table's home
(`transport/homes.py`). A process that ends is started again.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import threading
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from tempfile import TemporaryDirectory
from typing import Any

from mchezo.server import run
from mchezo.server.errors import TableError
from mchezo.server.runtime.config import Config
from mchezo.server.storage.database import parse_path
from mchezo.server.transport.homes import Homes

LOG = logging.getLogger("mchezo.server")
SPAWN = multiprocessing.get_context("spawn")
CHECK_SECONDS = 0.5  # between two looks at the processes
STOP_SECONDS = 30.0  # for a process to end


def serve_in_processes(
    config: Config,
    host: str,
    port: int,
    count: int,
    *,
    log_level: str = "info",
    started: Callable[..., None] | None = None,
    stop: threading.Event | None = None,
) -> None:
    """Serve with this many processes until a signal arrives, or `stop` is set."""
    if parse_path(config.database) is not None:
        raise TableError("not-possible", "processes-need-postgresql")
    if not hasattr(socket, "SO_REUSEPORT"):
        raise TableError("not-possible", "processes-cannot-share")
    run.listen(host, port).close()  # says so if the port is taken
    # No connection comes to the first socket: it does not listen. The folder is readable by nobody else.
    with run.listen(host, port, shared=True) as reserved, TemporaryDirectory(prefix="mchezo-") as folder:
        stopped = stop or threading.Event()
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda *_: stopped.set())
        children = Children(config, host, reserved.getsockname()[1], count, log_level, folder)
        try:
            children.start()
            if started is not None and (addresses := children.addresses(stopped)):
                started(*addresses)
            while not stopped.wait(CHECK_SECONDS):
                children.start()
        finally:
            children.stop()


class Children:
    """The server processes."""

    def __init__(self, config: Config, host: str, port: int, count: int, log_level: str, folder: str) -> None:
        self.config = config
        self.place = host, port
        self.count = count
        self.log_level = log_level
        self.folder = folder  # of their sockets
        self.running: dict[int, SpawnProcess] = {}
        self.started: Any = SPAWN.SimpleQueue()  # the addresses that each process says when it serves

    def start(self) -> None:
        """Start the processes that do not run."""
        for index in range(self.count):
            child = self.running.get(index)
            if child is not None and child.is_alive():
                continue
            if child is not None:
                LOG.error("a server process has ended, and is started again", extra={"code": child.exitcode})
            homes = Homes(self.folder, index, self.count)
            arguments = (self.share(index), *self.place, self.log_level, self.started, homes)
            self.running[index] = SPAWN.Process(target=serve_share, args=arguments, name=f"server-{index}")
            self.running[index].start()

    def share(self, index: int) -> Config:
        """Return how one of the processes is run: with its share of the threads, and metrics on a port of its own."""
        config = self.config
        return replace(
            config,
            threads=config.threads and max(1, config.threads // self.count),
            metrics_port=None if config.metrics_port is None else config.metrics_port + index,
        )

    def addresses(self, stopped: threading.Event) -> tuple[str, ...]:
        """Return where the server is, once all processes serve; nothing if it is stopped before."""
        found: tuple[str, ...] = ()
        ready = 0
        while ready < self.count and not stopped.is_set():
            if self.started.empty():
                wait([child.sentinel for child in self.running.values()], CHECK_SECONDS / 10)
                self.start()
            else:
                found = self.started.get()
                ready += 1
        return () if stopped.is_set() else found

    def stop(self) -> None:
        """Let the processes answer what they have received, and end."""
        for child in self.running.values():
            child.terminate()
        for child in self.running.values():
            child.join(STOP_SECONDS)
            if child.is_alive():
                child.kill()
                child.join()


def serve_share(config: Config, host: str, port: int, log_level: str, started: Any, homes: Homes) -> None:
    """Serve in a process of its own, until a signal arrives or its parent has ended."""
    run.set_up_logs(log_level)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow_parent() -> None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=follow_parent, daemon=True).start()
    run.serve(config, host, port, started=lambda *addresses: started.put(addresses), shared=True, homes=homes)
