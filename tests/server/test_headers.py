"""Headers: what pages may load, who may store answers, which origin is ours, and who sees the metrics."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from mchezo.server.errors import TableError
from mchezo.server.runtime.access import Access
from mchezo.server.runtime.config import Config
from mchezo.server.runtime.signing import Signer
from tests.server.serving import METRICS_TOKEN, Client, Running


@pytest.fixture
def access() -> Access:
    return Access(Config("-", hosts=("games.example",)), Signer(b"key"))


def test_pages_may_open_sockets_to_their_own_server_only(running: Running, ada: Client) -> None:
    policy = ada.http.get("/").headers["Content-Security-Policy"]
    (allowed,) = [part.split()[1:] for part in policy.split("; ") if part.startswith("connect-src")]
    assert allowed == ["'self'", f"ws://{running.address}"]


def test_with_https_browsers_are_asked_to_stay_with_it(tmp_path: Path, start: Callable[..., Running]) -> None:
    server = start(str(tmp_path / "tables.sqlite"), secure=True)
    for path in ("/", "/api/games", "/api/nothing"):
        answer = httpx.get(f"http://{server.address}{path}")
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
        assert f"connect-src 'self' wss://{server.address};" in answer.headers["Content-Security-Policy"]


def test_without_https_they_are_not(ada: Client) -> None:
    assert "Strict-Transport-Security" not in ada.http.get("/").headers


def test_answers_that_depend_on_who_asks_are_private(ada: Client) -> None:
    table = ada.make()["id"]
    for path in ("/api/me", "/api/tables", f"/api/tables/{table}", f"/api/tables/{table}/news", "/api/tables/nothing"):
        assert ada.http.get(path).headers["Cache-Control"] == "private, no-store", path
    assert ada.http.get(f"/api/tables/{table}/picture.svg").headers["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize(
    ("host", "scheme", "origin", "ours"),
    [
        ("games.example", "http", "http://games.example", True),
        ("games.example:80", "ws", "http://games.example", True),
        ("games.example", "https", "https://games.example:443", True),
        ("games.example", "wss", "https://games.example", True),
        ("games.example", "https", "http://games.example", False),  # whoever is on the way can write that page
        ("games.example", "http", "https://games.example", False),
        ("games.example", "http", "http://games.example:8080", False),
        ("games.example:8080", "http", "http://games.example", False),
        ("games.example", "http", "ftp://games.example", False),
        ("games.example", "http", "null", False),
    ],
)
def test_an_origin_is_compared_whole(access: Access, host: str, scheme: str, origin: str, ours: bool) -> None:
    headers = {"host": host, "origin": origin}
    if ours:
        access.check_origin(headers, scheme)
        return
    with pytest.raises(TableError):
        access.check_origin(headers, scheme)


@pytest.mark.parametrize(
    "host", ["games.example:80; script-src *", "games.example:", "evil.example", "a b", "[::1", ""]
)
def test_a_host_is_a_name_and_a_port(access: Access, host: str) -> None:
    with pytest.raises(TableError):
        access.check_host({"host": host})
    access.check_host({"host": "games.example:8064"})
    access.check_host({"host": "[::1]:8064"})


def test_behind_a_trusted_proxy_the_forwarded_scheme_counts(tmp_path: Path, start: Callable[..., Running]) -> None:
    server = start(str(tmp_path / "tables.sqlite"), proxies=("127.0.0.1",), hosts=("games.example",))
    ada = server.client("Ada")
    forwarded = {"X-Forwarded-For": "1.2.3.4", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "games.example"}
    for origin, status in (("https://games.example", 200), ("http://games.example", 403)):
        answer = ada.http.post("/api/me", json={"name": "Ada"}, headers={**forwarded, "Origin": origin})
        assert answer.status_code == status


def test_metrics_are_shown_to_those_who_know_the_token(ada: Client) -> None:
    for authorization in ("", "Bearer", "Bearer nonsense", METRICS_TOKEN, "Bearer None"):
        assert ada.http.get("/metrics", headers={"Authorization": authorization}).status_code == 404
    assert "mchezo_connections" in ada.metrics()


def test_without_a_token_metrics_are_not_on_the_public_port(tmp_path: Path, start: Callable[..., Running]) -> None:
    server = start(str(tmp_path / "tables.sqlite"), metrics_token=None)
    for authorization in ("", "Bearer", "Bearer None"):
        answer = httpx.get(f"http://{server.address}/metrics", headers={"Authorization": authorization})
        assert answer.status_code == 404
