"""Ports for servers that are stopped and started again."""

import secrets
import socket

# Linux gives connections ports from 32768 on, other systems higher ones. So none takes such a port while its server is
# stopped, not even a client that keeps connecting to that server: it could connect to itself.
FIRST, LAST = 15_000, 30_000


def free_port() -> int:
    """Return a port on which nobody listens, and which no connection is given."""
    while True:
        port = FIRST + secrets.randbelow(LAST - FIRST)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
