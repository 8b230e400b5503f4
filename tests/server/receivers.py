"""What receives notices in tests: a push service, a webhook and a mail server, all local."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import http_ece
from aiosmtpd.smtp import SMTP
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02


class Received(NamedTuple):
    """A request."""

    path: str
    headers: dict[str, str]
    body: bytes


class Receiver:
    """An HTTP server that keeps what is posted to it, and answers as a test says."""

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self.status = 201
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.requests.append(Received(self.path, headers, body))
                self.send_response(receiver.status)
                if 300 <= receiver.status < 400:
                    self.send_header("Location", f"{receiver.address}/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


class Browser:
    """A browser's subscription at a push service, with the keys that only the browser has."""

    def __init__(self, receiver: Receiver, path: str = "/push/1") -> None:
        self.receiver = receiver
        self.path = path
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = b"sixteen secret b"

    @property
    def subscription(self) -> dict[str, str]:
        public = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        endpoint = f"{self.receiver.address}{self.path}"
        return {"endpoint": endpoint, "p256dh": encode(public), "auth": encode(self.auth)}

    def read(self, request: Received) -> dict[str, Any]:
        """Decrypt a message."""
        text = http_ece.decrypt(request.body, private_key=self.key, auth_secret=self.auth, version="aes128gcm")
        shown: dict[str, Any] = json.loads(text)
        return shown

    @property
    def shown(self) -> list[dict[str, Any]]:
        """Everything that was sent to this browser."""
        return [self.read(request) for request in list(self.receiver.requests) if request.path == self.path]


def signer(request: Received) -> tuple[str, dict[str, Any]]:
    """Return the public key that signed a push message, and what it claims; fail if the signature is wrong."""
    authorization = request.headers["authorization"]
    assert Vapid02.verify(authorization)
    parts = dict(part.split("=", 1) for part in authorization.removeprefix("vapid ").split(","))
    claims = parts["t"].split(".")[1]
    decoded: dict[str, Any] = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
    return parts["k"], decoded


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class MailServer:
    """A mail server that keeps what is sent to it."""

    def __init__(self) -> None:
        self.messages: list[EmailMessage] = []
        self.refusing = False
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        listening = self.loop.create_server(lambda: SMTP(self, loop=self.loop), "127.0.0.1", 0)
        self.server = asyncio.run_coroutine_threadsafe(listening, self.loop).result()
        self.port: int = self.server.sockets[0].getsockname()[1]

    async def handle_DATA(self, server: object, session: object, envelope: Any) -> str:  # noqa: N802, aiosmtpd calls it
        if self.refusing:
            return "451 try again later"
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        assert envelope.rcpt_tos == [message["To"]]
        self.messages.append(message)
        return "250 OK"

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.server.close)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver()
    try:
        yield receiver
    finally:
        receiver.close()


@contextmanager
def receiving_mail() -> Iterator[MailServer]:
    server = MailServer()
    try:
        yield server
    finally:
        server.close()
