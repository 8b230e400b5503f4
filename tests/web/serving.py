"""A server of its own for browsers, with the real computer players, and the browser. Its database is the argument."""

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mchezo.server.run import Server, uvicorn_config
from mchezo.server.runtime.config import Config
from mchezo.server.runtime.limits import Limits, Rate
from mchezo.server.runtime.service import Service

NAME = "games.test"  # of this machine, as others call it: unlike localhost it is not a secure context
# All tests come from one address, and press faster than a person.
LIMITS = Limits(
    guests=Rate(1e6, 1e6),
    tournaments=Rate(1e6, 1e6),
    requests=Rate(200, 500),
    previews=Rate(100, 500),
    guests_per_network=1_000,
)


@contextmanager
def serving(database: Path) -> Iterator[str]:
    """Yield the address of a server whose computer players are ready; stop it at the end."""
    command = [sys.executable, __file__, str(database)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = f"http://127.0.0.1:{int(process.stdout.readline())}"
        try:
            while not healthy(address):  # on a slow machine compilation takes many minutes
                assert process.poll() is None, "the server has stopped"
                time.sleep(0.2)
            yield address
        finally:
            process.terminate()
            process.wait()


def healthy(address: str) -> bool:
    """Return whether all games are ready."""
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=5) as answer:
            return b'"ok"' in answer.read()
    except OSError:
        return False


def main() -> None:
    """Run the server; the first line it prints is its port."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    service = Service(Config(database=f"sqlite:///{sys.argv[1]}", hosts=(NAME,), limits=LIMITS))
    Server(uvicorn_config(service), service).run(sockets=[listening])


if __name__ == "__main__":
    main()
