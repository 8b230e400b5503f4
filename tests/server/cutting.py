"""A proxy in front of PostgreSQL that loses connections around the requests that write."""

from __future__ import annotations

import contextlib
import random
import socket
import struct
import threading
import time
from collections import Counter
from urllib.parse import urlsplit

FAULTS = (
    "request lost",  # PostgreSQL never sees it
    "request torn",  # PostgreSQL sees half of it
    "answer lost",  # it is executed, and nobody learns of it
    "not waited for",  # it is executed while the sender has lost its connection already
    "request late",  # it is executed after the sender has lost its connection, and perhaps tried again
)
WRITES = ("WITH given", "INSERT", "UPDATE", "DELETE", "COMMIT")
LATE = 0.03  # seconds at most


class Proxy:
    """Passes requests on to PostgreSQL. At a request that writes it loses the connection with a given probability."""

    def __init__(self, url: str, seed: int) -> None:
        self.parts = urlsplit(url)
        self.rng = random.Random(seed)
        self.probability = 0.0
        self.faults: Counter[str] = Counter()
        self.written = 0  # requests that write
        self.guard = threading.Lock()
        self.open: set[socket.socket] = set()
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listening.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    @property
    def url(self) -> str:
        """Where clients connect; without the requests for encryption that precede a connection."""
        user, name = self.parts.username, self.parts.path
        return f"postgresql://{user}@127.0.0.1:{self.port}{name}?sslmode=disable&gssencmode=disable"

    def accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listening.accept()
                threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def close(self) -> None:
        """Lose all connections, and accept no more."""
        with contextlib.suppress(OSError):
            self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()
        self.cut(*list(self.open))

    def cut(self, *sockets: socket.socket) -> None:
        for one in sockets:
            self.open.discard(one)
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def draw(self, texts: list[str]) -> str | None:
        """Return the fault of a request, given its statements."""
        if not any(text.startswith(WRITES) for text in texts):
            return None
        with self.guard:
            self.written += 1
            if self.rng.random() >= self.probability:
                return None
            fault = self.rng.choice(FAULTS)
            self.faults[fault] += 1
            return fault

    def serve(self, client: socket.socket) -> None:
        """Serve a connection: one request, then its answer, as our driver works."""
        try:
            server = socket.create_connection(("127.0.0.1", self.parts.port or 5432))
        except OSError:
            client.close()
            return
        self.open |= {client, server}
        with contextlib.suppress(OSError, EOFError):
            server.sendall(read_start(client))
            pass_answer(server, client)
            statements: dict[bytes, str] = {}
            while True:
                request, texts = read_request(client, statements)
                fault = self.draw(texts)
                if fault is None:
                    server.sendall(request)
                    pass_answer(server, client)
                    continue
                if fault == "request torn":
                    server.sendall(request[: len(request) // 2])
                elif fault != "request lost":
                    if fault == "request late":
                        self.cut(client)
                        time.sleep(self.rng.random() * LATE)
                    server.sendall(request)
                    if fault == "not waited for":
                        self.cut(client)
                    pass_answer(server, None)
                break
        self.cut(client, server)


def read_exactly(source: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        more = source.recv(size - len(found))
        if not more:
            raise EOFError
        found += more
    return found


def read_start(client: socket.socket) -> bytes:
    """Return the first message of a connection, which has no type."""
    head = read_exactly(client, 4)
    (size,) = struct.unpack("!I", head)
    return head + read_exactly(client, size - 4)


def read_message(source: socket.socket) -> tuple[bytes, bytes, bytes]:
    """Return the type of a message, its content, and all of it."""
    head = read_exactly(source, 5)
    (size,) = struct.unpack("!I", head[1:])
    body = read_exactly(source, size - 4)
    return head[:1], body, head + body


def read_request(client: socket.socket, statements: dict[bytes, str]) -> tuple[bytes, list[str]]:
    """Return messages up to the one that has them executed, and the statements that they execute."""
    request, texts = b"", []
    while True:
        kind, body, message = read_message(client)
        request += message
        if kind == b"P":
            name, text, _ = body.split(b"\0", 2)
            statements[name] = text.decode()
        elif kind == b"B":
            texts.append(statements[body.split(b"\0", 2)[1]])
        elif kind == b"Q":
            texts.append(body.rstrip(b"\0").decode())
        elif kind == b"X":
            raise EOFError
        if kind in (b"Q", b"S"):
            return request, texts


def pass_answer(server: socket.socket, client: socket.socket | None) -> None:
    """Pass an answer on, up to the message that PostgreSQL is ready for the next request; or read it only."""
    kind = b""
    while kind != b"Z":
        kind, _, message = read_message(server)
        if client is not None:
            client.sendall(message)
