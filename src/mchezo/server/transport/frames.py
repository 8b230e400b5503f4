"""WebSockets on their connections: RFC 6455, the server's side, without extensions, and with limits.

uvicorn hands a connection over when its client asks for a WebSocket. Frames are read and written here and nowhere else;
what a message means is the listener's business (websocket.py).
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
from collections.abc import Iterator
from http import HTTPStatus
from typing import Protocol

from websockets.speedups import apply_mask

from mchezo.server import metrics
from mchezo.server.runtime.connections import Drain, OpenConnections

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
PIECE = 4096  # bytes given to a parser before the limits are checked
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10  # opcodes
WHOLE_TEXT = 0x80 | TEXT  # the first byte of a message in one frame
NORMAL, PROTOCOL_ERROR, INVALID_DATA, TOO_BIG, RESTARTING = 1000, 1002, 1007, 1009, 1012  # close codes
SENDABLE_CODES = frozenset({*range(1000, 1004), *range(1007, 1015), *range(3000, 5000)})
CLOSE_SECONDS = 10.0  # for the answer to a close frame
MAX_CONTROL = 125  # bytes of a control frame


class Listener(Protocol):
    """What receives the messages of a WebSocket."""

    inbox: list[bytes]  # messages that wait to be carried out

    def received(self, data: bytes) -> None:
        """Take a message."""

    def writable(self) -> None:
        """Continue to send: the client has read what had piled up."""

    def closed(self) -> None:
        """Take note that the connection has ended."""


def pieces(data: bytes) -> Iterator[bytes]:
    """Yield data piece by piece."""
    if len(data) <= PIECE:
        yield data
        return
    for start in range(0, len(data), PIECE):
        yield data[start : start + PIECE]


def frame(opcode: int, payload: bytes) -> bytes:
    """Return a whole message as one frame."""
    size = len(payload)
    if size < 126:
        return bytes((0x80 | opcode, size)) + payload
    if size < 65_536:
        return bytes((0x80 | opcode, 126, size >> 8, size & 255)) + payload
    return bytes((0x80 | opcode, 127)) + size.to_bytes(8, "big") + payload


def accept_key(key: str) -> bytes | None:
    """Return the answer to a handshake's key; None if it is not the Base64 of 16 bytes."""
    try:
        if len(base64.b64decode(key, validate=True)) != 16:
            return None
    except ValueError:
        return None
    return base64.b64encode(hashlib.sha1(key.encode() + GUID, usedforsecurity=False).digest())


class WebSocketConnection(asyncio.Protocol):
    """A connection after its handshake."""

    def __init__(self, register: OpenConnections, most: int, connections: set[object]) -> None:
        self.register = register
        self.limits = register.limits
        self.most = most  # bytes of a message
        self.connections = connections  # uvicorn's, which it closes when it stops
        self.transport: asyncio.Transport
        self.listener: Listener
        self.drain = Drain(self.limits)
        self.heard = register.now()
        self.pinged = False  # since then
        self.buffer = b""  # the beginning of a frame
        self.fragments: list[bytes] = []  # of a message in several frames
        self.opcode = 0  # of that message
        self.control_frames = 0  # since the last check
        self.full = False  # more waits to be sent than should
        self.unsent: list[bytes] = []  # frames of this iteration of the event loop
        self.closing = False  # a close frame was sent, or the connection has ended

    # The connection

    def open(self, transport: asyncio.Transport, accept: bytes, listener: Listener) -> None:
        """Take a connection over from HTTP and complete its handshake."""
        self.transport = transport
        self.listener = listener
        self.connections.add(self)
        self.register.replace(transport, self)
        transport.set_protocol(self)
        transport.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n"
        )

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting it."""
        self.closing = True
        self.connections.discard(self)
        self.register.release(self.transport)
        self.listener.closed()

    def pause_writing(self) -> None:
        """Note that the peer reads slowly."""
        self.full = True

    def resume_writing(self) -> None:
        """Continue to send: the peer has read."""
        self.full = False
        self.drain.progress()
        self.listener.writable()

    def check(self, now: float) -> None:
        """Close the connection if its peer does not read, or has not been heard for long."""
        self.control_frames = 0
        silent = now - self.heard
        if self.drain.stalled(self.transport.get_write_buffer_size(), now):
            self.drop("slow-reader")
        elif silent > 2 * self.limits.silent_seconds and self.pinged:
            self.drop("silent")
        elif silent > self.limits.silent_seconds and not self.pinged and not self.closing:
            self.pinged = True
            self.transport.write(frame(PING, b""))

    def drop(self, reason: str) -> None:
        """Close the connection at once."""
        metrics.CONNECTIONS_CLOSED.labels(reason).inc()
        self.closing = True
        self.register.release(self.transport)
        self.transport.abort()

    def shutdown(self) -> None:
        """Close the connection because the server stops; uvicorn calls this."""
        self.close(RESTARTING)
        self.transport.close()

    # Receiving

    def data_received(self, data: bytes) -> None:
        """Read frames, piece by piece, within the limits."""
        self.heard, self.pinged = self.register.now(), False
        limits, listener = self.limits, self.listener
        for piece in (data,) if len(data) <= PIECE else pieces(data):
            if self.closing and self.transport.is_closing():
                return
            self.read_frames(piece)
            if (
                len(listener.inbox) > limits.messages
                or len(self.fragments) > limits.fragments
                or self.control_frames > limits.control_frames
            ):
                self.drop("flood")
            elif self.transport.get_write_buffer_size() > limits.socket_buffer:
                self.drop("slow-reader")

    def read_frames(self, data: bytes) -> None:
        """Take the frames that have arrived whole; keep the rest."""
        if self.buffer:
            data = self.buffer + data
        while len(data) >= 2:
            size, start = data[1] & 127, 6
            if size >= 126:
                start = 8 if size == 126 else 14
                if len(data) < start:
                    break
                size = int.from_bytes(data[2 : start - 4], "big")
            if data[1] < 128 or data[0] & 0x70:  # not masked, or with an extension that nobody negotiated
                self.fail(PROTOCOL_ERROR)
                return
            if size > self.most:
                self.fail(TOO_BIG)
                return
            end = start + size
            if len(data) < end:
                break
            self.take_frame(data[0], apply_mask(data[start:end], data[start - 4 : start]))
            data = data[end:]
            if self.transport.is_closing():
                return
        self.buffer = data

    def take_frame(self, first: int, payload: bytes) -> None:
        """Take a frame, given its first byte."""
        opcode, final = first & 15, first >= 128
        if first == WHOLE_TEXT and not self.opcode:
            self.take_message(TEXT, payload)
        elif opcode >= CLOSE:
            self.take_control_frame(opcode, final, payload)
        elif opcode > BINARY or (opcode == CONTINUATION) != bool(self.opcode):
            self.fail(PROTOCOL_ERROR)
        elif final and not self.opcode:
            self.take_message(opcode, payload)
        else:
            self.opcode = self.opcode or opcode
            self.fragments.append(payload)
            if sum(map(len, self.fragments)) > self.most:
                self.fail(TOO_BIG)
            elif final:
                message, kind, self.fragments, self.opcode = b"".join(self.fragments), self.opcode, [], 0
                self.take_message(kind, message)

    def take_message(self, opcode: int, payload: bytes) -> None:
        """Pass a message on; text has to be UTF-8."""
        if opcode == TEXT and not payload.isascii():
            try:
                payload.decode()
            except UnicodeDecodeError:
                self.fail(INVALID_DATA)
                return
        if not self.closing:
            self.listener.received(payload)

    def take_control_frame(self, opcode: int, final: bool, payload: bytes) -> None:
        """Answer a ping or a close frame."""
        self.control_frames += 1
        if not final or len(payload) > MAX_CONTROL or opcode > PONG:
            self.fail(PROTOCOL_ERROR)
        elif opcode == PING and not self.closing:
            self.flush()
            self.transport.write(frame(PONG, payload))
        elif opcode == CLOSE:
            code = int.from_bytes(payload[:2], "big") if payload else NORMAL
            valid = len(payload) != 1 and code in SENDABLE_CODES and is_text(payload[2:])
            self.fail(code if valid else PROTOCOL_ERROR)

    # Sending

    def send(self, payload: bytes) -> None:
        """Send a text, together with all others of this iteration of the event loop."""
        if not self.closing:
            if not self.unsent:
                self.register.flush_soon(self)
            self.unsent.append(frame(TEXT, payload))

    def flush(self) -> None:
        """Write what was sent, unless the connection has broken since."""
        frames, self.unsent = self.unsent, []
        if frames and not self.transport.is_closing():
            self.transport.write(frames[0] if len(frames) == 1 else b"".join(frames))

    def close(self, code: int = NORMAL) -> None:
        """Send a close frame; a peer that does not answer it is cut off."""
        if not self.closing:
            self.closing = True
            if self.transport.is_closing():
                return
            self.flush()
            self.transport.write(frame(CLOSE, code.to_bytes(2, "big")))
            asyncio.get_running_loop().call_later(CLOSE_SECONDS, self.transport.abort)

    def fail(self, code: int) -> None:
        """Send a close frame and end the connection."""
        self.close(code)
        self.transport.close()


def is_text(data: bytes) -> bool:
    """Return whether data is UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def refusal(status: HTTPStatus, text: str | None = None) -> bytes:
    """Return a whole answer of HTTP in plain text, after which the connection is closed."""
    text = text or f"{status.value} {status.phrase}\n"
    retry = "Retry-After: 10\r\n" if status in (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS) else ""
    return (
        f"HTTP/1.1 {status.value} {status.phrase}\r\n{retry}Content-Type: text/plain\r\nCache-Control: no-store\r\n"
        f"Content-Length: {len(text)}\r\nConnection: close\r\n\r\n{text}"
    ).encode()
