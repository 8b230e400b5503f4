"""The address of a request: its peer's or, behind a trusted proxy, the one that the proxy names."""

from __future__ import annotations

from typing import Any, cast

from litestar.connection import ASGIConnection
from litestar.types import ASGIApp, Receive, Scope, Send

from mchezo.server.runtime.addresses import UNKNOWN, TrustedProxies

FORWARDING = {b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host", b"forwarded"}


def client_address(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return the address that a request or socket comes from."""
    return connection.client.host if connection.client else UNKNOWN


def behind_proxies(app: ASGIApp, proxies: TrustedProxies) -> ASGIApp:
    """Return the application as it is reached: scheme, host and client as a trusted proxy names them.

    The headers that name them are removed from every request, so that nothing after this can believe them.
    """

    async def run(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            rewrite(scope, proxies)
        await app(scope, receive, send)

    return run


def rewrite(scope: Scope, proxies: TrustedProxies) -> None:
    """Replace the client, scheme and host of a request by what a trusted proxy says."""
    found: dict[str, str] = {}
    kept: list[tuple[bytes, bytes]] = []
    for name, value in scope["headers"]:
        if name not in FORWARDING:
            kept.append((name, value))
        elif proxies:
            key, text = name.decode(), value.decode("latin-1")
            found[key] = f"{found[key]},{text}" if key in found else text
    changed = cast(dict[str, Any], scope)
    changed["headers"] = kept
    client = scope.get("client")
    if found and client:
        secure = scope["scheme"] in ("https", "wss")
        source = proxies.source(client[0], "https" if secure else "http", found)
        changed["client"] = (source.address, client[1])
        changed["scheme"] = source.scheme if changed["type"] == "http" else source.scheme.replace("http", "ws")
        if source.host is not None:
            host = source.host.encode("latin-1")
            changed["headers"] = [(b"host", host), *(header for header in kept if header[0] != b"host")]
