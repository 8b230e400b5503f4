"""A process of its own that holds many connections: `python -m soak.attacks.holding PORT COUNT NETWORKS SECONDS`.

It prints how many it opened, how many were refused and how many the server had not closed in the end, as JSON. Its work
does not delay the honest players, who are measured by the process that starts it.
"""

from __future__ import annotations

import contextlib
import json
import resource
import socket
import sys
import time

FIRST_NETWORK = 30  # 127.0.30.0/24 and those after it; one network alone is the attacker's 127.0.2.0/24


def source(number: int, networks: int) -> str:
    """Return the address that a connection comes from."""
    network = 2 if networks == 1 else FIRST_NETWORK + number % networks
    return f"127.0.{network}.{1 + number // networks % 250}"


def is_open(connection: socket.socket) -> bool:
    """Return whether the server has not closed a connection; what it sent before is dropped."""
    with contextlib.suppress(BlockingIOError):
        try:
            while connection.recv(65_536):
                pass
        except OSError as error:
            if isinstance(error, BlockingIOError):
                raise
        return False
    return True


def hold(port: int, count: int, networks: int, seconds: float) -> dict[str, int]:
    """Open connections, send one byte on each, and wait."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    held: list[socket.socket] = []
    refused = 0
    for number in range(count):
        connection = socket.socket()
        connection.settimeout(3)
        try:
            connection.bind((source(number, networks), 0))
            connection.connect(("127.0.0.1", port))
            connection.setblocking(False)
            connection.send(b"G")
            held.append(connection)
        except OSError:
            connection.close()
            refused += 1
    time.sleep(seconds)
    return {"opened": len(held), "refused": refused, "kept": sum(is_open(connection) for connection in held)}


if __name__ == "__main__":
    port, count, networks, seconds = map(int, sys.argv[1:])
    print(json.dumps(hold(port, count, networks, seconds)))
