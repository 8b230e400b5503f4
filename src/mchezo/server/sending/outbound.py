"""Requests to addresses that strangers gave us: never to our own network, no redirects, bounded time and size."""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

from mchezo.server.errors import TableError

MAX_URL = 1_000
SECONDS = 15.0  # for a whole request
# IPv4 addresses in disguise (NAT64, compatible, translated), and site-local ones, which Python takes for public.
DISGUISED = [IPv6Network(one) for one in ("64:ff9b::/96", "64:ff9b:1::/48", "::/96", "::ffff:0:0:0/96", "fec0::/10")]
RELAYS = IPv4Network("192.88.99.0/24")  # of 6to4


class ChannelGone(Exception):
    """The address of a channel does not exist any more."""


class SendingFailed(Exception):
    """A message was not accepted; it may be later."""


class Outbound:
    """Sends requests to public addresses; to private ones only if the operator allows it."""

    def __init__(self, allow_private: bool = False) -> None:
        self.allow_private = allow_private

    @cached_property
    def tls(self) -> ssl.SSLContext:
        """Return the certificates to trust; reading them takes longer than everything else at the start of a server."""
        return ssl.create_default_context()

    def check(self, url: str) -> None:
        """Refuse an address that nothing will be sent to; a name is resolved only when something is."""
        try:
            parts = urlsplit(url)
            host, _ = parts.hostname, parts.port
        except ValueError:
            raise TableError("bad-request", "bad-endpoint") from None
        if not url.isascii() or not url.isprintable() or " " in url or len(url) > MAX_URL:
            raise TableError("bad-request", "bad-endpoint")
        if parts.scheme not in self.schemes or not host or parts.username is not None or parts.fragment:
            raise TableError("bad-request", "bad-endpoint")
        with suppress(ValueError):
            if not self.allows(ip_address(host)):
                raise TableError("bad-request", "bad-endpoint")

    @property
    def schemes(self) -> tuple[str, ...]:
        """How something may be sent."""
        return ("https", "http") if self.allow_private else ("https",)

    def allows(self, address: IPv4Address | IPv6Address) -> bool:
        """Return whether something may be sent to an address."""
        if self.allow_private:
            return True
        if isinstance(address, IPv6Address):
            disguised = address.ipv4_mapped or address.sixtofour or address.teredo
            if disguised or any(address in network for network in DISGUISED):
                return False
        elif address in RELAYS:
            return False
        return address.is_global and not address.is_multicast

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Send a request and return the status of its answer, of which nothing else is read."""
        parts = urlsplit(url)
        assert parts.hostname is not None
        try:
            connection = Connection(parts, self.resolve(parts), self.tls)
        except (OSError, ValueError) as error:
            raise SendingFailed(str(error)) from error
        timer = threading.Timer(SECONDS, connection.abort)
        timer.daemon = True
        timer.start()
        try:
            target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
            connection.request("POST", target, body, headers)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise SendingFailed(str(error) or type(error).__name__) from error
        finally:
            timer.cancel()
            connection.close()

    def resolve(self, parts: SplitResult) -> str:
        """Return the address of a host; fail if any of its addresses is not public."""
        port = parts.port or (443 if parts.scheme == "https" else 80)
        found = [str(one[4][0]) for one in socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)]
        if not found or not all(self.allows(ip_address(address.partition("%")[0])) for address in found):
            raise ValueError("not a public address")
        return found[0]


class Connection(http.client.HTTPConnection):
    """A connection to an address that was checked, whatever its name resolves to by now."""

    def __init__(self, parts: SplitResult, address: str, tls: ssl.SSLContext) -> None:
        self.secure = parts.scheme == "https"
        super().__init__(parts.hostname or "", parts.port or (443 if self.secure else 80), timeout=SECONDS)
        if self.secure and parts.port is None:
            self.default_port = 443  # left out of the Host header
        self.address = address
        self.tls = tls

    def connect(self) -> None:
        """Connect to the address; a certificate has to be valid for the name."""
        self.sock = socket.create_connection((self.address, self.port), self.timeout)
        if self.secure:
            self.sock = self.tls.wrap_socket(self.sock, server_hostname=self.host)

    def abort(self) -> None:
        """End a request that takes too long; called by another thread."""
        with suppress(OSError):
            if self.sock is not None:
                self.sock.shutdown(socket.SHUT_RDWR)
