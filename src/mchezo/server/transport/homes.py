"""The home of a table among the processes that share a port: the one to which all sockets at the table are passed.

The system gives a new connection to any of the processes. If the players of a table were connected to several, each
process would read every move from the database and decide it again. So the process that receives a request for a
table's WebSocket passes the open connection to the table's home, over a Unix socket. This only saves work: a process
that cannot pass a connection on serves it, for every process can serve every table.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from zlib import crc32

import msgspec

LOG = logging.getLogger("mchezo.server")
LARGEST = 128 * 1024  # bytes of a request that is passed on; its headers are limited to a quarter
AT_ONCE = 16  # connections taken over before other work gets its turn
BUFFER = 4 * 1024 * 1024  # bytes of requests that wait for a busy process


class Passed(msgspec.Struct):
    """A request for a WebSocket whose connection is passed on."""

    path: str
    query: bytes
    headers: list[tuple[bytes, bytes]]
    client: tuple[str, int] | None
    server: tuple[str, int | None] | None
    scheme: str
    accept: bytes  # the answer to the key of its handshake


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Passed).decode


class Homes:
    """The processes that share a port, as one of them sees them: each has a socket in a folder that is theirs."""

    def __init__(self, folder: str, index: int, count: int) -> None:
        self.folder = folder
        self.index = index
        self.count = count
        self.others: dict[int, socket.socket] = {}
        self.own: socket.socket | None = None

    def home_of(self, table: str) -> int:
        """Return the number of the process that is a table's home."""
        return crc32(table.encode()) % self.count

    def path(self, index: int) -> str:
        """Return the address of a process's socket."""
        return os.path.join(self.folder, f"{index}.sock")

    def take_over(self, adopt: Callable[[socket.socket, Passed], None]) -> None:
        """Call `adopt` on the event loop for each connection that another process passes on."""
        own = self.own = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        own.setblocking(False)
        own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        with suppress(FileNotFoundError):
            os.unlink(self.path(self.index))
        own.bind(self.path(self.index))
        asyncio.get_running_loop().add_reader(own, self._receive, own, adopt)

    def _receive(self, own: socket.socket, adopt: Callable[[socket.socket, Passed], None]) -> None:
        for _ in range(AT_ONCE):
            try:
                data, files, _, _ = socket.recv_fds(own, LARGEST, 1)
            except BlockingIOError:
                return
            for file in files:
                connection = socket.socket(fileno=file)
                try:
                    connection.setblocking(False)
                    adopt(connection, decode(data))
                except Exception:
                    LOG.exception("a connection that was passed on could not be served")
                    connection.close()

    def close(self) -> None:
        """Take over nothing any more."""
        if self.own is not None:
            with suppress(RuntimeError):
                asyncio.get_running_loop().remove_reader(self.own)
            self.own.close()
            self.own = None
        for other in self.others.values():
            other.close()
        self.others.clear()

    def pass_on(self, connection: Any, table: str, request: Passed) -> bool:
        """Pass a connection to a table's home; False if this process has to serve it, being the home or in its place.

        The caller closes its own end: the home has another.
        """
        home = self.home_of(table)
        if home == self.index:
            return False
        data = encode(request)
        if len(data) > LARGEST:
            return False
        for attempt in range(2):
            try:
                other = self.others.get(home) or self._connect(home)
                socket.send_fds(other, [data], [connection.fileno()])
            except OSError:  # it has ended, perhaps to be started again, or is too busy
                if (broken := self.others.pop(home, None)) is None or attempt:
                    return False
                broken.close()
            else:
                return True
        return False

    def _connect(self, home: int) -> socket.socket:
        other = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            other.setblocking(False)
            other.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
            other.connect(self.path(home))
        except OSError:
            other.close()
            raise
        self.others[home] = other
        return other
