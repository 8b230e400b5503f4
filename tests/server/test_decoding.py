"""JSON of clients: bounded in depth, and accepted only as application/json."""

from __future__ import annotations

import json

import pytest

from mchezo.server import messages
from mchezo.server.errors import TableError
from mchezo.server.transport.decoding import MAX_DEPTH, decode, nests_deeply
from tests.server.serving import Client


def test_nesting_is_bounded() -> None:
    assert decode(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH)
    assert decode(json.dumps([{"a": "[" * 1000}] * 100)) == [{"a": "[" * 1000}] * 100
    for deep in (b"[" * 60_000, b'{"a":' * (MAX_DEPTH + 1) + b"1" + b"}" * (MAX_DEPTH + 1)):
        with pytest.raises(TableError) as caught:
            decode(deep)
        assert (caught.value.code, caught.value.key) == ("bad-request", "nested")


@pytest.mark.parametrize("end", [b"", b'"', b"\\"])
def test_an_endless_string_is_scanned_once(end: bytes) -> None:
    # Quadratic, this would take hours.
    assert not nests_deeply(b"[" * 20 + b'"' + b'\\"[[' * 500_000 + end)


@pytest.mark.parametrize("text", ["", "nonsense", '{"type":"join"', b"\xff", '{"type":"nothing"}', "[1]"])
def test_what_cannot_be_decoded_is_a_bad_request(text: str | bytes) -> None:
    with pytest.raises(TableError) as caught:
        decode(text, messages.FromClient)
    assert caught.value.code == "bad-request"


def test_nested_arrays_are_a_bad_request_over_http_and_websocket(ada: Client) -> None:
    deep = "[" * 60_000 + "]" * 60_000
    answer = ada.http.post("/api/me", content=deep, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-request")
    table = ada.make()["id"]
    with ada.live(table) as live:
        live.wait_for("news")
        live.socket.send(deep[:60_000])
        assert live.wait_for("refused")["code"] == "bad-request"
        assert ada.look(table)["id"] == table


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_json_is_accepted_only_as_json(ada: Client, kind: str) -> None:
    answer = ada.http.post("/api/me", content='{"name": "Eve"}', headers={"Content-Type": kind})
    assert (answer.status_code, answer.json()["code"]) == (415, "media-type")
    assert ada.get("/api/me")["name"] == "Ada"
    accepted = ada.http.post(
        "/api/me", content='{"name": "Ada"}', headers={"Content-Type": "application/json; charset=utf-8"}
    )
    assert accepted.status_code == 200
