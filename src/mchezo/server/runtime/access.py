"""Who may use the server: identity, host names, origins, limits by guest and by network."""

from __future__ import annotations

import hmac
import re
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import msgspec

from mchezo.server import messages
from mchezo.server.domain.context import Identity
from mchezo.server.domain.payers import Payer
from mchezo.server.errors import TableError
from mchezo.server.runtime.addresses import network_prefix
from mchezo.server.runtime.config import Config
from mchezo.server.runtime.limits import LimitKind, NetworkLimitKind, OpenSockets, RateLimits
from mchezo.server.runtime.signing import COOKIE, Signer

HOST = re.compile(r"(\[[^\[\]\s]*\]|[^:\[\]\s/@;,'\"]*)(?::\d{1,5})?")
IP_ADDRESS = re.compile(r"(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:.]+\])")


class Access:
    """What every request and socket has to pass."""

    def __init__(self, config: Config, signer: Signer, clock: Callable[[], float] | None = None) -> None:
        self.clock = clock or time.monotonic
        self.limits = config.limits
        self.secure = config.secure
        self.signer = signer
        self.rates = RateLimits(config.limits)
        self.named = tuple(config.hosts)
        self.hosts = {"localhost", socket.gethostname().lower(), *(host.lower() for host in config.hosts)}
        self.sockets = OpenSockets(config.limits)

    def identify(self, headers: Mapping[str, str], cookies: Mapping[str, str]) -> Identity | None:
        """Return who sends a request; None without a cookie and a token."""
        authorization = headers.get("authorization")
        if authorization is not None:
            scheme, _, token = authorization.partition(" ")
            if scheme.lower() != "bearer":
                raise TableError("bad-token", "bad-token")
            return self.signer.read_token(token.strip())
        cookie = cookies.get(COOKIE)
        return None if cookie is None else self.signer.read_cookie(cookie)

    def check_host(self, headers: Mapping[str, str]) -> None:
        """Refuse host names that are not ours, against DNS rebinding."""
        match = HOST.fullmatch(headers.get("host", ""))
        name = match[1] if match else headers.get("host", "")
        if match is None or (name.lower() not in self.hosts and not IP_ADDRESS.fullmatch(name)):
            raise TableError("origin", "host", host=name[:80])

    def own_origin(self, headers: Mapping[str, str], scheme: str) -> str:
        """Return the origin of our pages for somebody who sends a request by this scheme (http, https, ws or wss)."""
        secure = self.secure or scheme in ("https", "wss")
        return f"{'https' if secure else 'http'}://{headers.get('host', '').lower()}"

    def public_origin(self, headers: Mapping[str, str], scheme: str) -> str:
        """Return the origin for links in e-mail: by a name of ours, if there is one, not by an address in a request."""
        origin, host = self.own_origin(headers, scheme), headers.get("host", "")
        match = HOST.fullmatch(host)
        if not self.named or match is None or not IP_ADDRESS.fullmatch(match[1]):
            return origin
        return origin.partition("://")[0] + "://" + self.named[0].lower()

    def check_origin(self, headers: Mapping[str, str], scheme: str) -> None:
        """Refuse requests with a cookie that come from other sites, against cross-site request forgery."""
        if "authorization" in headers:
            return
        origin = headers.get("origin")
        if origin is None or canonical(origin) != canonical(self.own_origin(headers, scheme)):
            raise TableError("origin", "origin", origin=(origin or "-")[:80])

    def limit(self, kind: LimitKind, who: Identity | None, address: str, count: float = 1) -> None:
        """Refuse a request that exceeds the rate limit of its guest or its network."""
        self.rates.take(kind, limit_key(who, address), network_prefix(address), self.clock(), count)

    def affordable(self, asked: messages.Try, who: Identity, address: str) -> messages.Try:
        """Return what to try out: without previews where they exceed their rate limit."""
        if asked.previews:
            try:
                self.limit("previews", who, address)
            except TableError:
                return msgspec.structs.replace(asked, previews=False)
        return asked

    def limit_network(self, kind: NetworkLimitKind, address: str) -> None:
        """Refuse a request that exceeds a rate limit of its network."""
        self.rates.take_network(kind, network_prefix(address), self.clock())

    def payer(self, who: Identity | None, address: str) -> Payer:
        """Return who is charged for computing time. The network is stored with tables, hence not in plain text."""
        network = hmac.digest(self.signer.secret, f"network {network_prefix(address)}".encode(), "sha256").hex()[:16]
        return Payer(network, who.guest if who else network)

    @contextmanager
    def socket(self, who: Identity | None, address: str) -> Iterator[None]:
        """Count a socket or a long poll while it is open, or refuse it if there are too many."""
        self.open_socket(who, address)
        try:
            yield
        finally:
            self.close_socket(who, address)

    def open_socket(self, who: Identity | None, address: str) -> None:
        """Count a socket until `close_socket`, or refuse it if there are too many."""
        self.sockets.open(limit_key(who, address), network_prefix(address))

    def close_socket(self, who: Identity | None, address: str) -> None:
        """Stop counting a socket."""
        self.sockets.close(limit_key(who, address), network_prefix(address))


def canonical(origin: str) -> str:
    """Return an origin in lower case, without the port that its scheme implies."""
    origin = origin.lower()
    scheme, _, _ = origin.partition("://")
    return origin.removesuffix({"http": ":80", "https": ":443"}.get(scheme, " "))


def limit_key(who: Identity | None, address: str) -> str:
    """Return the key by which the limits of a guest apply."""
    return who.guest if who else address
