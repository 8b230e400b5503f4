"""Network addresses: where a request comes from, behind trusted proxies too, and the prefix that limits apply to."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from mchezo.server.errors import TableError

PREFIX_IPV4, PREFIX_IPV6 = 24, 56  # what one customer of a provider can use at least
UNKNOWN = "-"
MAX_TEXT = 64  # characters of an address, a port and brackets included
MAX_HOPS = 32  # in a forwarding header
ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}  # addresses of nobody, for documentation
FORWARDED_PART = re.compile(r'\s*(for|proto|host)\s*=\s*("[^"]*"|[^\s;,"]*)\s*', re.IGNORECASE)

Address = IPv4Address | IPv6Address


@dataclass(frozen=True)
class Source:
    """Where a request comes from, and how its sender addressed the server."""

    address: str
    scheme: str  # http or https
    host: str | None  # None: as the Host header says


class TrustedProxies:
    """The proxies whose forwarding headers are believed; by default none."""

    def __init__(self, networks: Iterable[str] = ()) -> None:
        self.networks = [read_network(text) for text in networks]

    def __bool__(self) -> bool:
        return bool(self.networks)

    def __contains__(self, address: str) -> bool:
        found = read_address(address)
        return found is not None and any(found in network for network in self.networks)

    def source(self, peer: str, scheme: str, headers: Mapping[str, str]) -> Source:
        """Return where a request comes from: the last address in its headers that is not a trusted proxy.

        `headers` has lower-case names; repeated headers are joined by commas. `Forwarded` is read only without
        `X-Forwarded-For`: a proxy that sets one of them passes the other on as the client wrote it.
        """
        if peer not in self:
            return Source(peer, scheme, None)
        if "x-forwarded-for" in headers:
            hops = headers["x-forwarded-for"].split(",")[-MAX_HOPS:]
            proto = headers.get("x-forwarded-proto", "").rpartition(",")[2].strip().lower()
            host = headers.get("x-forwarded-host", "").rpartition(",")[2].strip()
        else:
            parts = [read_forwarded(part) for part in headers.get("forwarded", "").split(",")[-MAX_HOPS:]]
            hops = [part.get("for", "") for part in parts]
            proto, host = parts[-1].get("proto", "").lower(), parts[-1].get("host", "")
        address = peer
        for hop in reversed(hops):
            found = read_address(hop)
            if found is None:
                break  # what stands before something unreadable may be forged
            address = str(found)
            if address not in self:
                break
        return Source(address, proto if proto in ("http", "https") else scheme, host or None)


@lru_cache(maxsize=65_536)
def network_prefix(address: str) -> str:
    """Return the network of an address that limits apply to: IPv4 /24, IPv6 /56."""
    found = read_address(address)
    if found is None:
        return UNKNOWN
    length = PREFIX_IPV4 if found.version == 4 else PREFIX_IPV6
    return str(ip_network((found, length), strict=False))


def read_address(text: str) -> Address | None:
    """Return an address, given with or without a port; an IPv4 address written as IPv6 is an IPv4 address."""
    text = text.strip()
    if len(text) > MAX_TEXT:
        return None
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (isinstance(found, IPv6Address) and found.ipv4_mapped) or found


def read_network(text: str) -> IPv4Network | IPv6Network:
    """Return a network, given as an address or in CIDR notation."""
    try:
        return ip_network(text, strict=False)
    except ValueError as error:
        raise TableError("not-possible", "bad-proxy", address=text) from error


def read_forwarded(part: str) -> dict[str, str]:
    """Return the parameters of one element of a `Forwarded` header."""
    matches = (FORWARDED_PART.fullmatch(pair) for pair in part[:500].split(";"))
    return {match[1].lower(): match[2].strip('"') for match in matches if match}


def reachable_addresses(listening: socket.socket) -> tuple[str, ...]:
    """Return how other machines reach a listening socket, as the beginning of an address; none if they cannot."""
    host, port = listening.getsockname()[:2]
    bound = ip_address(host)
    if bound.is_unspecified:
        found = own_address(listening.family)
        bound = bound if found is None else found
    if bound.is_loopback or bound.is_unspecified:
        return ()
    return (f"http://{f'[{bound}]' if bound.version == 6 else bound}:{port}",)


def own_address(family: int) -> Address | None:
    """Return the address from which this machine would send to another one; nothing is sent."""
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((ELSEWHERE[socket.AddressFamily(family)], 9))
        except OSError:
            return None  # there is no network
        return ip_address(probe.getsockname()[0].partition("%")[0])
