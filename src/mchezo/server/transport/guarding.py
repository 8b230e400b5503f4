"""What every HTTP response carries: security headers, and that nobody else may store it."""

from __future__ import annotations

from typing import cast

from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from mchezo.server import messages
from mchezo.server.errors import TableError, error_message
from mchezo.server.messages import CODES
from mchezo.server.runtime.addresses import UNKNOWN
from mchezo.server.runtime.service import Service
from mchezo.server.transport.callers import preferred_language

SECURITY_HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Referrer-Policy": "no-referrer",  # links to tables are secrets
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "private, no-store",  # unless a handler knows that a response does not depend on who asks
}
HTTPS_ONLY = "max-age=31536000"


def content_security_policy(socket_origin: str) -> str:
    """Return what the pages may load; older browsers do not count WebSockets as `'self'`."""
    return (
        "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
        f"connect-src 'self' {socket_origin}; object-src 'none'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )


def guard(app: ASGIApp, service: Service) -> ASGIApp:
    """Refuse foreign host names, and add the security headers to every response."""
    access = service.access

    async def run(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        added = dict(SECURITY_HEADERS)
        if service.config.secure:
            added["Strict-Transport-Security"] = HTTPS_ONLY
        error: TableError | None = None
        try:
            access.check_host(headers)
            origin = access.own_origin(headers, scope["scheme"])
            added["Content-Security-Policy"] = content_security_policy(origin.replace("http", "ws", 1))
            if not scope["path"].startswith("/api/"):  # those are counted by guest, too
                client = scope.get("client")
                access.limit_network("pages", client[0] if client else UNKNOWN)
        except TableError as found:
            error = found
            added.setdefault("Content-Security-Policy", content_security_policy("").replace(" ;", ";"))

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = MutableScopeHeaders.from_message(message)
                for name, value in added.items():
                    sent.setdefault(name, value)
            await send(message)

        if error is None:
            await app(scope, receive, send_secured)
            return
        body = messages.encode(error_message(error, preferred_language(headers)))
        refused = [(b"content-type", b"application/json")]
        if "seconds" in error.values:
            refused.append((b"retry-after", str(error.values["seconds"]).encode()))
        start = {"type": "http.response.start", "status": CODES[error.code], "headers": refused}
        await send_secured(cast(Message, start))
        await send(cast(Message, {"type": "http.response.body", "body": body, "more_body": False}))

    return run
