"""What any stranger may ask for, and takes milliseconds, is not done on the event loop, where moves are made."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from mchezo.server.domain import pairing
from mchezo.server.runtime.passkeys import Passkeys
from mchezo.server.transport import app, games_api, guests_api, guides, links, tables_api
from tests.server.serving import Running

pytestmark = pytest.mark.rotating(shares=8)


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[threading.Thread]]:
    """The threads in which functions were called, by their names."""
    found: dict[str, list[threading.Thread]] = {}

    def note(owner: Any, name: str) -> None:
        function = getattr(owner, name)

        def noting(*given: Any) -> Any:
            found.setdefault(name, []).append(threading.current_thread())
            return function(*given)

        monkeypatch.setattr(owner, name, staticmethod(noting) if isinstance(owner, type) else noting)

    note(guides, "attempt")
    note(tables_api, "export_record")
    note(app, "describe")
    note(games_api, "all_texts")
    note(Passkeys, "load")
    note(guests_api, "qr_code")
    note(links, "preview_tags")
    note(games_api, "shipped")
    return found


def test_it_runs_in_threads(
    threads: dict[str, list[threading.Thread]], tmp_path: Path, start: Callable[..., Running]
) -> None:
    server = start(str(tmp_path / "tables.sqlite"), threads=0)
    ada = server.client("Ada")
    with ThreadPoolExecutor(4) as together:
        for answer in together.map(lambda _: ada.http.get("/schema/openapi.json"), range(8)):
            assert "/api/tables" in answer.json()["paths"]
        for answer in together.map(lambda _: ada.http.get("/api/words/de"), range(8)):
            assert answer.json()["kiwara"]["seat-red"] == "Rot"
    assert ada.post("/api/rules/kiwara/examples/crocodile", {})["verdict"] == "open"
    host = {"Host": server.address.replace("127.0.0.1", "localhost")}
    host["Origin"] = f"http://{host['Host']}"
    assert ada.http.post("/api/sign-in/options", json={}, headers=host).status_code == 200
    table = ada.make("katarenga", [{"kind": "you"}, {"kind": "you"}])["id"]
    ada.do(table, "resign", seat=0)
    assert table in ada.http.get("/api/records").text
    unknown = {"puzzle": {"id": "none", "options": {}, "line": []}}
    assert ada.http.post("/api/puzzles/kiwara/try", json=unknown).status_code == 404
    assert ada.http.get("/api/qr", params={"text": "😀" * 200}).status_code == 200
    assert f"/replay/{table}" in ada.http.get(f"/replay/{table}").text
    assert threads.keys() == {
        "attempt",
        "describe",
        "all_texts",
        "load",
        "export_record",
        "qr_code",
        "preview_tags",
        "shipped",
    }
    assert not any(server.thread in those for those in threads.values())
    assert len(threads["describe"]) == len(threads["all_texts"]) == 1  # however many ask, and at the same time


def test_those_who_wait_together_are_matched_in_a_thread(
    tmp_path: Path, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[threading.Thread] = []
    match = pairing.match

    def noting(*given: Any) -> Any:
        found.append(threading.current_thread())
        return match(*given)

    monkeypatch.setattr(pairing, "match", noting)
    server = start(str(tmp_path / "tables.sqlite"), threads=0)
    for name in ("Ada", "Ben"):
        server.client(name).post("/api/seek", {"kind": "kiwara", "speed": "rapid"})
    assert found
    assert server.thread not in found


def test_documents_are_compressed_for_those_who_understand_it(tmp_path: Path, start: Callable[..., Running]) -> None:
    client = start(str(tmp_path / "tables.sqlite"), threads=0).client()
    for path in ("/schema/openapi.json", "/api/words/fr"):
        plain = client.http.get(path, headers={"Accept-Encoding": "identity"})
        assert "Content-Encoding" not in plain.headers
        compressed = client.http.get(path, headers={"Accept-Encoding": "gzip"})
        assert compressed.headers["Content-Encoding"] == "gzip"
        assert compressed.json() == plain.json()


@pytest.mark.parametrize("name", ["openapi.yaml", "openapi.yml", "redoc", "swagger", "elements", "rapidoc"])
def test_the_api_is_described_in_one_form_only(
    name: str, tmp_path: Path, start: Callable[..., Running]
) -> None:  # as YAML it took 0.4 s of the event loop
    client = start(str(tmp_path / "tables.sqlite"), threads=0).client()
    assert client.http.get(f"/schema/{name}").status_code == 404
