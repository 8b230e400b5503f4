"""Connections of strangers: each has limits, and nobody else notices when they are reached."""

from __future__ import annotations

import os
import socket
import struct
from asyncio import selector_events
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from mchezo.server.runtime.connections import ConnectionLimits, Drain
from tests.server.serving import PATIENCE, Client, Running, eventually

pytestmark = pytest.mark.rotating(shares=24)

LIMITS = ConnectionLimits(per_network=20, total=60, head_bytes=8_000, headers=30, rate=100)
LINE = b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n"


class Guarded:
    """A server with small limits, whose connections age only when a test says so."""

    def __init__(self, server: Running) -> None:
        self.address = server.address
        self.host, _, port = server.address.partition(":")
        self.port = int(port)
        self.register = server.server.open_connections
        self.time = 0.0
        self.register.now = lambda: self.time
        self.opened: list[socket.socket] = []
        self.running = server

    def connect(self, source: str = "127.0.0.1", buffer: int | None = None) -> socket.socket:
        raw = socket.socket()
        self.opened.append(raw)
        raw.settimeout(PATIENCE)
        if buffer is not None:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        raw.bind((source, 0))
        raw.connect((self.host, self.port))
        return raw

    def connections(self) -> list[Any]:
        return [connection for connection, _ in list(self.register.open.values())]

    def counted(self, count: int) -> None:
        """Wait until this many connections are open."""
        eventually(lambda: len(self.register.open) == count)

    def age(self, seconds: float) -> None:
        """Let time pass; the server's next sweep sees it."""
        self.time += seconds

    def serves(self, source: str) -> bool:
        transport = httpx.HTTPTransport(local_address=source)
        with httpx.Client(transport=transport, timeout=PATIENCE) as client:
            return client.get(f"http://{self.address}/api/games").status_code == 200


@pytest.fixture
def guarded(tmp_path: Path, start: Callable[..., Running]) -> Iterator[Guarded]:
    found = Guarded(start(str(tmp_path / "tables.sqlite"), connections=LIMITS))
    yield found
    for raw in found.opened:
        raw.close()


def read_all(raw: socket.socket) -> bytes:
    """Return what the server sends until it closes the connection."""
    received = b""
    try:
        while part := raw.recv(65_536):
            received += part
    except ConnectionResetError:
        pass
    return received


def send_until_closed(raw: socket.socket, part: bytes, most: int) -> int:
    """Send until the server closes the connection; return how many bytes it took."""
    sent = 0
    try:
        while sent < most:
            sent += raw.send(part)
    except (ConnectionResetError, BrokenPipeError):
        return sent
    raise AssertionError(f"the server took {sent} bytes")


# Headers


@pytest.mark.parametrize("start_of", [b"GET /", LINE + b"X: ", b"\r\n", LINE])
def test_headers_that_never_end_are_cut_off(guarded: Guarded, start_of: bytes) -> None:
    raw = guarded.connect()
    filler = {b"\r\n": b"\r\n", LINE: b"Name-of-a-header: value\r\n"}.get(start_of, b"aa")
    raw.sendall(start_of + filler * (2 * LIMITS.head_bytes // len(filler)))
    assert read_all(raw).startswith(b"HTTP/1.1 431 ")
    assert guarded.serves("127.0.0.1")


def test_a_parser_gets_no_more_than_the_limit(guarded: Guarded) -> None:
    """The cost of an endless header does not grow with what is sent."""
    raw = guarded.connect()
    raw.sendall(LINE + b"X: ")
    send_until_closed(raw, b"a" * 1_000, 64 * 1024 * 1024)
    assert guarded.serves("127.0.0.1")


def test_too_many_headers_are_refused(guarded: Guarded) -> None:
    for count, status in ((LIMITS.headers - 1, b"200"), (LIMITS.headers, b"431")):
        raw = guarded.connect()
        raw.sendall(
            LINE + b"".join(b"x-%d: 1\r\n" % number for number in range(count - 1)) + b"Connection: close\r\n\r\n"
        )
        assert read_all(raw).startswith(b"HTTP/1.1 " + status)


def test_too_many_parameters_are_refused_before_they_are_read(guarded: Guarded) -> None:
    for path, upgrade in (("/api/tables", b""), ("/", b""), ("/api/lobby/live", b"Upgrade: websocket\r\n")):
        raw = guarded.connect()
        query = b"&".join([b"a=b"] * (LIMITS.parameters + 2))
        raw.sendall(b"GET %s?%s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n" % (path.encode(), query, upgrade))
        assert raw.recv(1_000).startswith(b"HTTP/1.1 400")
    assert guarded.serves("127.0.0.1")


def test_headers_have_to_arrive_in_time(guarded: Guarded) -> None:
    silent, slow = guarded.connect(), guarded.connect()
    slow.sendall(b"GET /api/games HT")
    eventually(lambda: sum(connection.head_bytes for connection in guarded.connections()) == 17)
    guarded.age(LIMITS.head_seconds - 1)
    slow.sendall(b"TP")  # a byte now and then does not help
    eventually(lambda: sum(connection.head_bytes for connection in guarded.connections()) == 19)
    guarded.age(2)
    assert read_all(slow).startswith(b"HTTP/1.1 408 ")
    assert read_all(silent) == b""  # browsers open connections in advance
    guarded.counted(0)


def test_the_next_request_has_to_arrive_in_time_too(guarded: Guarded) -> None:
    raw = guarded.connect()
    raw.sendall(LINE + b"\r\n")
    assert raw.recv(12) == b"HTTP/1.1 200"
    raw.sendall(b"G")
    eventually(lambda: any(connection.head_bytes for connection in guarded.connections()))
    guarded.age(LIMITS.head_seconds + 1)
    assert b"HTTP/1.1 408 " in read_all(raw)


# Bodies

POST = b"POST /api/tokens HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\n"


def test_a_body_has_to_arrive_at_a_minimum_rate(guarded: Guarded) -> None:
    raw = guarded.connect()
    raw.sendall(POST + b"Content-Length: 2000\r\n\r\n{")
    eventually(lambda: any(connection.reading_body for connection in guarded.connections()))
    guarded.age(LIMITS.body_seconds + 1)
    assert read_all(raw).startswith(b"HTTP/1.1 408 ")


def test_a_slow_but_steady_body_is_accepted(guarded: Guarded) -> None:
    body = b'{"name": "bot"}' + b" " * 2_985
    raw = guarded.connect()
    raw.sendall(POST + b"Content-Length: 3000\r\n\r\n")
    for start in (0, 1_500):
        raw.sendall(body[start : start + 1_400])
        eventually(lambda: any(connection.body_bytes >= 1_400 for connection in guarded.connections()))
        guarded.age(LIMITS.body_seconds + 1)
        eventually(lambda: all(connection.body_bytes == 0 for connection in guarded.connections()))
        raw.sendall(body[start + 1_400 : start + 1_500])
    assert read_all(raw).startswith(b"HTTP/1.1 201 ")


def test_a_client_that_hangs_up_within_a_body_leaves_no_traceback(
    guarded: Guarded, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(5):
        raw = guarded.connect()
        raw.sendall(POST + b"Content-Length: 3000\r\n\r\n" + b'{"name"')
        eventually(lambda: any(connection.body_bytes for connection in guarded.connections()))
        raw.close()
        guarded.counted(0)
    assert guarded.serves("127.0.0.1")
    assert [record.message for record in caplog.records if record.exc_info] == []


def test_a_body_that_nobody_reads_is_not_taken_for_ever(guarded: Guarded) -> None:
    raw = guarded.connect()
    raw.sendall(b"POST /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n")
    send_until_closed(raw, b"1000\r\n" + b"a" * 4096 + b"\r\n", 64 * 1024 * 1024)


def test_pipelined_requests_are_bounded(guarded: Guarded) -> None:
    raw = guarded.connect()
    raw.sendall((LINE + b"\r\n") * 1_000)
    answers = read_all(raw).count(b"HTTP/1.1 200")
    assert answers <= LIMITS.pipelined + 1


def test_nothing_is_sent_to_a_client_who_left_before_the_answers_to_several_requests(
    guarded: Guarded, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    transports: Any = vars(selector_events)["_SelectorSocketTransport"]
    write = transports.write

    def write_unless_closed(transport: Any, data: bytes) -> None:
        if transport._conn_lost:
            raise RuntimeError("the handler is closed")  # as uvloop does
        write(transport, data)

    monkeypatch.setattr(transports, "write", write_unless_closed)
    large = LINE.replace(b"/api/games", b"/schema/openapi.json") + b"\r\n"
    for _ in range(5):
        raw = guarded.connect(buffer=4096)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closing it resets the connection
        raw.sendall(large * 12)
        raw.recv(1)
        eventually(lambda: any(connection.flow.write_paused for connection in guarded.connections()))
        raw.close()
        guarded.counted(0)
    assert guarded.serves("127.0.0.1")
    assert [record.message for record in caplog.records if record.exc_info] == []


# Numbers


def test_one_network_cannot_take_all_connections(guarded: Guarded) -> None:
    idle = [guarded.connect(f"127.0.0.{number + 1}") for number in range(LIMITS.per_network)]
    for raw in idle:
        raw.sendall(b"G")
    guarded.counted(LIMITS.per_network)
    for _ in range(100):
        assert read_all(guarded.connect()).startswith(b"HTTP/1.1 503 ")
    assert guarded.serves("127.0.1.1")  # another network
    idle.pop().close()
    guarded.counted(LIMITS.per_network - 1)
    assert guarded.serves("127.0.0.1")


def test_if_there_are_too_many_the_longest_waiting_makes_room(guarded: Guarded) -> None:
    idle = [guarded.connect(f"127.0.{number}.1") for number in range(LIMITS.total)]
    guarded.counted(LIMITS.total)
    assert guarded.serves("127.0.100.1")
    assert read_all(idle[0]) == b""
    idle[1].sendall(LINE + b"\r\n")
    assert idle[1].recv(12) == b"HTTP/1.1 200"


def test_a_trusted_proxy_may_open_as_many_as_the_server_has(tmp_path: Path, start: Callable[..., Running]) -> None:
    server = start(str(tmp_path / "tables.sqlite"), connections=LIMITS, proxies=("127.0.0.1",))
    guarded = Guarded(server)
    for _ in range(2 * LIMITS.per_network):
        guarded.connect()
    guarded.counted(2 * LIMITS.per_network)
    assert guarded.serves("127.0.0.1")
    for raw in guarded.opened:
        raw.close()


def test_sockets_are_counted_until_they_close(guarded: Guarded) -> None:
    ada = Client(guarded.address, "Ada")
    table = ada.make()["id"]
    ada.http.close()
    guarded.counted(0)
    with ada.live(table) as live:
        live.wait_for("news")
        assert guarded.register.networks.total() == 1
        assert not guarded.register.waiting
    guarded.counted(0)
    assert not guarded.register.networks


# Slow readers


def buffered(guarded: Guarded) -> int:
    return sum(transport.get_write_buffer_size() for transport in list(guarded.register.open))


def test_who_does_not_read_the_answer_is_disconnected(guarded: Guarded) -> None:
    raw = guarded.connect(buffer=4096)
    request = b"GET /api/words/en HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    eventually(lambda: raw.send(request) and buffered(guarded) > 0)  # the system's buffers fill first
    eventually(lambda: any(connection.drain.since is not None for connection in guarded.connections()))
    guarded.age(LIMITS.read_seconds + 1)
    guarded.counted(0)


def masked(opcode: int, payload: bytes) -> bytes:
    """Return a frame of a client, masked with zeros."""
    return bytes([0x80 | opcode, 0x80 | len(payload)]) + bytes(4) + payload


def upgraded(guarded: Guarded, path: str) -> socket.socket:
    raw = guarded.connect(buffer=4096)
    raw.sendall(
        f"GET {path} HTTP/1.1\r\nHost: {guarded.address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    assert raw.recv(12) == b"HTTP/1.1 101"
    return raw


@pytest.mark.parametrize(
    "frames",
    [
        masked(9, os.urandom(125)),  # pings
        masked(10, b""),  # pongs
        masked(1, b"{}") * 100,  # messages
        bytes([0x01, 0x80]) + bytes(4) + (bytes([0x00, 0x80]) + bytes(4)) * 1_000,  # empty fragments of one message
    ],
)
def test_a_socket_cannot_be_flooded(guarded: Guarded, frames: bytes) -> None:
    table = Client(guarded.address, "Ada").make()["id"]
    raw = upgraded(guarded, f"/api/tables/{table}/live")
    send_until_closed(raw, frames * (65_536 // len(frames) + 1), 64 * 1024 * 1024)
    assert guarded.serves("127.0.0.1")


def test_a_socket_whose_client_does_not_read_is_closed(tmp_path: Path, start: Callable[..., Running]) -> None:
    limits = ConnectionLimits(control_frames=10**9, socket_buffer=10_000)
    guarded = Guarded(start(str(tmp_path / "tables.sqlite"), connections=limits))
    table = Client(guarded.address, "Ada").make()["id"]
    raw = upgraded(guarded, f"/api/tables/{table}/live")
    send_until_closed(raw, masked(9, b"a" * 125) * 100, 64 * 1024 * 1024)


def test_a_reader_is_slow_if_it_reads_less_than_the_minimum_rate() -> None:
    drain = Drain(ConnectionLimits(read_seconds=20, rate=100))
    assert not drain.stalled(100_000, 0)
    assert not drain.stalled(99_000, 20)
    assert drain.stalled(98_500, 21)  # 1,500 bytes in 21 seconds
    assert not drain.stalled(97_000, 22)
    assert not drain.stalled(97_000, 42)
    assert drain.stalled(97_000, 43)
    assert not drain.stalled(0, 44)
