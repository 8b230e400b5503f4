"""A server of its own for browsers, with the real computer players, and the browser. Its database is the argument."""

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from mchezo.server.app import build
from mchezo.server.service import Config, Service

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 300.0  # seconds for the first compilation on a slow machine


@contextmanager
def serving(database: Path) -> Iterator[str]:
    """The address of a server whose computer players are ready; it stops at the end."""
    command = [sys.executable, __file__, str(database)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = f"http://127.0.0.1:{int(process.stdout.readline())}"
        try:
            until = time.monotonic() + PATIENCE
            while not healthy(address):
                assert process.poll() is None, "the server has stopped"
                assert time.monotonic() < until, "the server did not become ready"
                time.sleep(0.2)
            yield address
        finally:
            process.terminate()
            process.wait(20)


def healthy(address: str) -> bool:
    """Whether all games are ready."""
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=5) as answer:
            return b'"ok"' in answer.read()
    except OSError:
        return False


def main() -> None:
    """What the server process runs; its port is the first line it prints."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    app = build(Service(Config(database=f"sqlite:///{sys.argv[1]}")))
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])


if __name__ == "__main__":
    main()
