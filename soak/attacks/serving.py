"""The attacked server: a subprocess with limited memory."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

MEMORY = 4 << 30  # bytes of address space of each process
FILES = 20_000  # open files
READY = 480.0  # seconds until all rules are compiled


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def limit() -> None:
    """Limit memory and files of the process about to start."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = FILES if most == resource.RLIM_INFINITY else min(FILES, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    os.umask(0o022)


class Server:
    """A server of the checkout whose sources are in `src`, with its database in `folder`."""

    def __init__(self, src: Path, folder: Path, *arguments: str, niceness: int = 0) -> None:
        self.src, self.folder, self.arguments = src, folder, arguments
        self.niceness = niceness
        self.database: Path = folder / "attacked.sqlite"
        self.url_of_database: str | None = None  # of PostgreSQL, instead of the file
        self.log = folder / "server.log"
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Return the address of the server."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """Return the number of the running process."""
        assert self.process is not None
        return self.process.pid

    def launch(self) -> None:
        """Start the process without waiting."""
        command = [sys.executable, "-m", "mchezo", "serve", "--no-browser", "--port", str(self.port)]
        command += ["--database", self.url_of_database or str(self.database), "--log-level", "warning", *self.arguments]
        environment = {**os.environ, "PYTHONPATH": str(self.src), "PYTHONDONTWRITEBYTECODE": "1"}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, preexec_fn=self.prepare)

    def prepare(self) -> None:
        """Limit the process about to start."""
        os.nice(self.niceness)
        limit()

    async def start(self) -> None:
        """Start the process and wait until all games are compiled."""
        self.launch()
        end = time.monotonic() + READY
        transport = httpx.AsyncHTTPTransport(local_address="127.0.1.9")
        async with httpx.AsyncClient(base_url=self.url, transport=transport, trust_env=False, timeout=20) as http:
            while time.monotonic() < end:
                if not self.alive():
                    raise RuntimeError(self.log.read_text()[-2000:])
                with contextlib.suppress(httpx.HTTPError, ValueError, KeyError, TypeError):
                    games = (await http.get("/api/games")).json()
                    if all(game["ready"]["ready"] for game in games):
                        return
                await asyncio.sleep(1.0)
        raise RuntimeError("not ready in time")

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run another command of the attacked checkout."""
        environment = {**os.environ, "PYTHONPATH": str(self.src), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "mchezo", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100)

    def alive(self) -> bool:
        """Return whether the process is running."""
        return self.process is not None and self.process.poll() is None

    def stop(self) -> None:
        """End the process, first politely."""
        if self.process is None:
            return
        if self.alive():
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(12)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()

    def memory(self) -> int:
        """Return the resident bytes of the process and its children."""
        return sum(resident(pid) for pid in family(self.pid))

    def errors(self) -> int:
        """Return how many tracebacks the log has."""
        return self.log.read_text(errors="replace").count("Traceback")


def family(pid: int) -> list[int]:
    """Return the process and its descendants."""
    found = [pid]
    for parent in found:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{parent}/task").iterdir():
                with contextlib.suppress(OSError):
                    found += [int(child) for child in (task / "children").read_text().split()]
    return found


def resident(pid: int) -> int:
    """Return the resident bytes of one process."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0
