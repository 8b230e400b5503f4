"""WebSocket frames: what a client may send, whole or in pieces, and what ends the connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest

from mchezo.server.runtime.connections import ConnectionLimits, OpenConnections
from mchezo.server.transport import frames
from mchezo.server.transport.frames import WebSocketConnection, accept_key, frame

MASK = b"\1\2\3\4"


class Transport:
    """A connection that keeps what is written to it."""

    def __init__(self) -> None:
        self.written = b""
        self.closing = self.aborted = False
        self.waiting = 0

    def write(self, data: bytes) -> None:
        if self.aborted:
            raise RuntimeError("the handler is closed")  # as uvloop does
        self.written += data

    def set_protocol(self, protocol: object) -> None:
        self.protocol = protocol

    def get_write_buffer_size(self) -> int:
        return self.waiting

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True

    def abort(self) -> None:
        self.closing = self.aborted = True


class Listener:
    """A listener that keeps what it receives."""

    def __init__(self) -> None:
        self.inbox: list[bytes] = []
        self.messages: list[bytes] = []
        self.woken = 0

    def received(self, data: bytes) -> None:
        self.messages.append(data)

    def writable(self) -> None:
        self.woken += 1

    def closed(self) -> None: ...


class Peer:
    """A client of a connection."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.time = 0.0
        self.soon: list[Callable[[], None]] = []
        self.transport = Transport()
        self.listener = Listener()
        register = OpenConnections(ConnectionLimits(), now=lambda: self.time)
        self.connection = WebSocketConnection(register, 1_000, set())
        register.admit(self.transport, self.connection, "127.0.0.1")
        monkeypatch.setattr(asyncio, "get_running_loop", lambda: self)
        self.connection.open(cast(Any, self.transport), b"accepted", self.listener)
        self.transport.written = b""

    def call_later(self, seconds: float, function: object) -> None: ...

    def call_soon(self, function: Callable[[], None]) -> None:
        self.soon.append(function)

    def send(self, *parts: bytes) -> None:
        for part in parts:
            self.connection.data_received(part)

    @property
    def close_code(self) -> int | None:
        """The code of the close frame that the server has sent."""
        written = self.transport.written
        return int.from_bytes(written[2:4], "big") if written[:1] == b"\x88" else None


@pytest.fixture
def peer(monkeypatch: pytest.MonkeyPatch) -> Peer:
    return Peer(monkeypatch)


def masked(first: int, payload: bytes, mask: bytes = MASK) -> bytes:
    """Return a frame of a client."""
    size = len(payload)
    if size < 126:
        head = bytes((first, 0x80 | size))
    elif size < 65_536:
        head = bytes((first, 0x80 | 126)) + size.to_bytes(2, "big")
    else:
        head = bytes((first, 0x80 | 127)) + size.to_bytes(8, "big")
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


@pytest.mark.parametrize("size", [0, 1, 125, 126, 1_000])
def test_a_message_arrives_whole_and_byte_by_byte(peer: Peer, size: int) -> None:
    text = b"x" * size
    whole = masked(0x81, text)
    peer.send(whole)
    peer.send(*(whole[at : at + 1] for at in range(len(whole))))
    peer.send(whole + whole[:3], whole[3:])
    assert peer.listener.messages == [text] * 4
    assert peer.transport.written == b""


def test_fragments_are_joined_and_may_be_interrupted_by_a_ping(peer: Peer) -> None:
    peer.send(masked(0x01, b"one "), masked(0x89, b"still there?"), masked(0x00, b"two "), masked(0x80, b"three"))
    assert peer.listener.messages == [b"one two three"]
    assert peer.transport.written == frame(frames.PONG, b"still there?")


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"\x81\x01x", 1002),  # not masked
        (masked(0xC1, b"x"), 1002),  # an extension that was not negotiated
        (masked(0x83, b"x"), 1002),  # an unknown opcode
        (masked(0x80, b"x"), 1002),  # the continuation of nothing
        (masked(0x01, b"x") + masked(0x81, b"y"), 1002),  # a new message within another
        (masked(0x09, b""), 1002),  # a fragmented ping
        (masked(0x89, b"x" * 126), 1002),  # a long ping
        (masked(0x81, b"\xff"), 1007),  # not UTF-8
        (masked(0x81, b"x" * 1_001), 1009),
        (masked(0x01, b"x" * 600) + masked(0x80, b"x" * 600), 1009),
        (masked(0x88, b""), 1000),
        (masked(0x88, b"\x03\xe9bye"), 1001),  # the same code is returned
        (masked(0x88, b"x"), 1002),
        (masked(0x88, (1005).to_bytes(2, "big")), 1002),  # a code that is never sent
        (masked(0x88, b"\x03\xe8\xff"), 1002),  # a reason that is not UTF-8
    ],
)
def test_what_ends_the_connection(peer: Peer, sent: bytes, code: int) -> None:
    peer.send(sent)
    assert peer.close_code == code
    assert peer.transport.closing
    assert peer.listener.messages == []


def test_an_endless_frame_is_refused_by_its_head(peer: Peer) -> None:
    peer.send(bytes((0x81, 0xFF)) + (1 << 62).to_bytes(8, "big") + MASK)
    assert peer.close_code == 1009


def test_a_silent_peer_is_pinged_then_dropped(peer: Peer) -> None:
    silent = peer.connection.limits.silent_seconds
    peer.time = silent + 1
    peer.connection.check(peer.time)
    assert peer.transport.written == frame(frames.PING, b"")
    peer.send(masked(0x8A, b""))
    peer.time += silent + 1
    peer.connection.check(peer.time)
    assert not peer.transport.aborted
    peer.time += silent + 1
    peer.connection.check(peer.time)
    assert peer.transport.aborted


def test_a_full_connection_says_when_it_can_be_written_again(peer: Peer) -> None:
    peer.connection.pause_writing()
    assert peer.connection.full
    peer.connection.resume_writing()
    assert not peer.connection.full
    assert peer.listener.woken == 1


def test_nothing_is_sent_after_a_close_frame(peer: Peer) -> None:
    peer.connection.close(1001)
    closed = peer.transport.written
    peer.connection.send(b"late")
    peer.send(masked(0x89, b"ping"))
    assert peer.transport.written == closed


def test_what_is_sent_in_one_iteration_of_the_event_loop_is_written_at_once_and_in_order(peer: Peer) -> None:
    peer.connection.send(b"first")
    peer.connection.send(b"second")
    assert not peer.transport.written
    (flush,) = peer.soon
    flush()
    sent = frame(frames.TEXT, b"first") + frame(frames.TEXT, b"second")
    assert peer.transport.written == sent
    peer.connection.send(b"third")
    peer.send(masked(0x89, b"ping"))
    sent += frame(frames.TEXT, b"third") + frame(frames.PONG, b"ping")
    assert peer.transport.written == sent
    peer.connection.send(b"fourth")
    peer.connection.close()
    assert peer.transport.written.startswith(sent + frame(frames.TEXT, b"fourth") + b"\x88")


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_frames_have_the_shortest_head(size: int) -> None:
    head = len(frame(frames.TEXT, b"x" * size)) - size
    assert head == (2 if size < 126 else 4 if size < 65_536 else 10)


def test_the_key_of_a_handshake() -> None:
    assert accept_key("dGhlIHNhbXBsZSBub25jZQ==") == b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo="  # the example of RFC 6455
    assert accept_key("c2hvcnQ=") is None
    assert accept_key("not Base64!") is None


def test_a_broken_connection_does_not_keep_others_from_their_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    broken, other = Peer(monkeypatch), Peer(monkeypatch)
    register = OpenConnections(ConnectionLimits())
    for peer in (broken, other):
        peer.connection.register = register
        peer.connection.send(b"news")
    broken.transport.abort()
    broken.connection.close()
    register.flush()
    assert other.transport.written == frame(frames.TEXT, b"news")
    assert broken.transport.written == b""
