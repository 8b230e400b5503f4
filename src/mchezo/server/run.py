"""Running a server or a worker: sockets, signals, logs, the browser."""

from __future__ import annotations

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
from pathlib import Path

import platformdirs
import uvicorn

from mchezo.server.app import build
from mchezo.server.compiling import load_players
from mchezo.server.computers import Computers
from mchezo.server.listener import Listener
from mchezo.server.opponents import Opponents, Shipped
from mchezo.server.refusals import TableRefusal
from mchezo.server.service import Config, Service
from mchezo.server.store import Store

STOP_SECONDS = 5  # for answers that are under way
MOST_FILES = 65_536
KNOWN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class Lines(logging.Formatter):
    """Logs as one JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        line = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **{name: value for name, value in vars(record).items() if name not in KNOWN},
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


def set_up_logs(level: str) -> None:
    """Write logs to the standard error, structured unless a person reads them."""
    out = logging.StreamHandler(sys.stderr)
    plain = logging.Formatter("%(asctime)s %(levelname)s %(message)s")
    out.setFormatter(plain if sys.stderr.isatty() else Lines())
    logging.basicConfig(level=level.upper(), handlers=[out], force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logging.getLogger("uvicorn.access").setLevel(logging.WARNING)


def default_database() -> str:
    """The file in which a person's tables are kept."""
    return str(Path(platformdirs.user_data_path("mchezo", appauthor=False)) / "tables.sqlite")


class Server(uvicorn.Server):
    """Serves until told to stop; whoever waits at a table is told before connections are closed."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self.service = service

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop."""
        self.service.stop_telling()
        await super().shutdown(sockets)


def serve(
    config: Config,
    host: str,
    port: int,
    *,
    opponents: Opponents | None = None,
    started: Callable[[str], None] | None = None,
    open_browser: bool = False,
) -> None:
    """Serve until told to stop; what is under way is answered, what is stored stays."""
    allow_many_sockets()
    listening = listen(host, port)
    service = Service(config, opponents)
    settings = uvicorn.Config(
        build(service),
        log_config=None,
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=config.limits.frame,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=STOP_SECONDS,
        server_header=False,
    )
    server = Server(settings, service)
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::1", "::") else host
    address = f"http://{shown}:{listening.getsockname()[1]}/"

    def tell_started() -> None:
        while not server.started and not server.should_exit:
            time.sleep(0.02)
        if server.started and started is not None:
            started(address)
        if server.started and open_browser:
            webbrowser.open(address)

    threading.Thread(target=tell_started, daemon=True).start()
    # Cycles are rare here and a search for them looks at every table: seldom is enough, and never at what stays.
    gc.freeze()
    gc.set_threshold(10_000, 20, 1_000)
    sys.setswitchinterval(0.001)  # who writes to the database does not wait long for who tells
    # Told to stop, it is done when all is put away: no failure, whoever looks at the exit code.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    server.run(sockets=[listening])


def allow_many_sockets() -> None:
    """Every connection is an open file, of which systems allow few unless asked."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_FILES if most == resource.RLIM_INFINITY else min(most, MOST_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(now, wanted), most))


def listen(host: str, port: int) -> socket.socket:
    """The socket; taken ports are refused in words."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    if sys.platform != "win32":  # where it would share the port with who has it
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise TableRefusal("not-possible", "port-taken", port=port, reason=error.strerror) from error
    return listening


def work(database: str, threads: int, opponents: Opponents | None = None) -> None:
    """Play for computers beside the servers, until told to stop."""
    store = Store(database)
    if not store.shared:
        store.close()
        raise TableRefusal("not-possible", "worker-needs-postgresql")
    if opponents is None:
        load_players()
    computers = Computers(store, opponents or Shipped(), threads)
    listener = Listener(store.url, computers.heard, computers.wake)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    computers.start()
    logging.getLogger("mchezo.server").info("worker ready", extra={"threads": threads})
    stop.wait()
    computers.stop()
    listener.stop()
    store.close()
