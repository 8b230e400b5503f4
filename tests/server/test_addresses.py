"""Where a request comes from: the peer, or what a trusted proxy says; and the network that limits apply to."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from mchezo.server.errors import TableError
from mchezo.server.runtime.addresses import Source, TrustedProxies, network_prefix, reachable_addresses
from mchezo.server.runtime.limits import Limits, Rate
from mchezo.server.transport.addresses import rewrite
from tests.server.serving import Running

PROXIES = TrustedProxies(["10.0.0.0/8", "127.0.0.1", "fd00::/8"])


@pytest.mark.parametrize(
    ("address", "prefix"),
    [
        ("198.51.100.7", "198.51.100.0/24"),
        ("::ffff:198.51.100.7", "198.51.100.0/24"),
        ("2001:db8:1:2ff:aaaa::1", "2001:db8:1:200::/56"),
        ("2001:db8:1:200::", "2001:db8:1:200::/56"),
        ("fe80::1%eth0", "fe80::/56"),
        ("nonsense", "-"),
    ],
)
def test_limits_apply_to_the_network_of_an_address(address: str, prefix: str) -> None:
    assert network_prefix(address) == prefix


@pytest.mark.parametrize(
    ("peer", "headers", "source"),
    [
        ("198.51.100.7", {"x-forwarded-for": "1.2.3.4", "x-forwarded-proto": "https"}, ("198.51.100.7", "http", None)),
        ("127.0.0.1", {}, ("127.0.0.1", "http", None)),
        ("127.0.0.1", {"x-forwarded-for": "1.2.3.4"}, ("1.2.3.4", "http", None)),
        # The client wrote the first address itself.
        ("127.0.0.1", {"x-forwarded-for": "6.6.6.6, 1.2.3.4, 10.1.1.1"}, ("1.2.3.4", "http", None)),
        ("127.0.0.1", {"x-forwarded-for": "6.6.6.6, nonsense, 10.1.1.1"}, ("10.1.1.1", "http", None)),
        ("127.0.0.1", {"x-forwarded-for": "[2001:db8::1]:443"}, ("2001:db8::1", "http", None)),
        (
            "10.9.9.9",
            {"x-forwarded-for": "1.2.3.4", "x-forwarded-proto": "https", "x-forwarded-host": "games.example"},
            ("1.2.3.4", "https", "games.example"),
        ),
        (
            "fd00::1",
            {"forwarded": 'for=6.6.6.6, for="[2001:db8::1]:4711";proto=https;host=games.example'},
            ("2001:db8::1", "https", "games.example"),
        ),
        # A proxy that sets X-Forwarded-For passes Forwarded on as the client wrote it.
        ("127.0.0.1", {"x-forwarded-for": "1.2.3.4", "forwarded": "for=6.6.6.6"}, ("1.2.3.4", "http", None)),
        ("127.0.0.1", {"x-forwarded-for": "1.2.3.4", "x-forwarded-proto": "gopher"}, ("1.2.3.4", "http", None)),
    ],
)
def test_forwarding_headers_are_believed_from_trusted_proxies_only(
    peer: str, headers: dict[str, str], source: tuple[Any, ...]
) -> None:
    assert PROXIES.source(peer, "http", headers) == Source(*source)


def test_a_trusted_proxy_is_an_address_or_a_network() -> None:
    with pytest.raises(TableError) as caught:
        TrustedProxies(["proxy.example"])
    assert "--trusted-proxy" in caught.value.say("en")


def test_forwarding_headers_reach_nobody_behind_the_edge() -> None:
    headers = [(b"host", b"inside"), (b"x-forwarded-for", b"1.2.3.4"), (b"forwarded", b"for=1.2.3.4")]
    scope: Any = {"type": "websocket", "scheme": "ws", "client": ("9.9.9.9", 1), "headers": headers}
    rewrite(scope, PROXIES)
    assert (scope["client"], scope["headers"]) == (("9.9.9.9", 1), [(b"host", b"inside")])
    scope = {"type": "websocket", "scheme": "ws", "client": ("127.0.0.1", 1), "headers": headers}
    scope["headers"] = [*headers, (b"x-forwarded-proto", b"https"), (b"x-forwarded-host", b"games.example")]
    rewrite(scope, PROXIES)
    assert (scope["client"], scope["scheme"], scope["headers"]) == (
        ("1.2.3.4", 1),
        "wss",
        [(b"host", b"games.example")],
    )


def test_a_rate_limit_is_not_evaded_by_claiming_another_address(tmp_path: Path, start: Callable[..., Running]) -> None:
    limits = Limits(requests=Rate(1e-6, 5))
    server = start(str(tmp_path / "tables.sqlite"), limits=limits)
    answers = [
        httpx.get(f"http://{server.address}/api/games", headers={"X-Forwarded-For": f"1.2.{number}.4"}).status_code
        for number in range(10)
    ]
    assert answers == [200] * 5 + [429] * 5


def test_behind_a_trusted_proxy_every_client_has_a_limit_of_its_own(
    tmp_path: Path, start: Callable[..., Running]
) -> None:
    server = start(str(tmp_path / "tables.sqlite"), limits=Limits(requests=Rate(1e-6, 5)), proxies=("127.0.0.1",))
    answers = [
        httpx.get(f"http://{server.address}/api/games", headers={"X-Forwarded-For": f"1.2.{number // 6}.4"}).status_code
        for number in range(12)
    ]
    assert answers == ([200] * 5 + [429]) * 2


def listening(host: str) -> socket.socket:
    made = socket.socket()
    made.bind((host, 0))
    return made


def test_a_server_for_the_whole_network_names_an_address_that_others_reach() -> None:
    with listening("0.0.0.0") as server, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        own, port = probe.getsockname()[0], server.getsockname()[1]
        assert reachable_addresses(server) == (() if own.startswith("127.") else (f"http://{own}:{port}",))


def test_a_server_for_this_machine_names_none() -> None:
    with listening("127.0.0.1") as server:
        assert reachable_addresses(server) == ()


def test_only_the_servers_own_machine_is_told_how_others_reach_it(
    tmp_path: Path, start: Callable[..., Running]
) -> None:
    address = "http://192.168.1.5:8064"
    proxy = {"X-Forwarded-For": "198.51.100.7"}
    server = start(str(tmp_path / "tables.sqlite"), addresses=(address,), proxies=("127.0.0.1",))
    asked = f"http://{server.address}/api/addresses"
    assert httpx.get(asked).json() == {"addresses": [address]}
    assert httpx.get(asked, headers=proxy).json() == {"addresses": []}
