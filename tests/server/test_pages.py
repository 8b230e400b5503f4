"""The browser app's files: how they are cached, compressed and secured."""

from __future__ import annotations

import gzip
from pathlib import Path

import httpx
import pytest

from mchezo.server.transport import pages
from mchezo.server.transport.guarding import SECURITY_HEADERS
from mchezo.server.transport.pages import FOLDER, PYTHON
from tests.server.serving import PATIENCE, Client, Running

pytestmark = pytest.mark.rotating(shares=4)


@pytest.fixture
def http(running: Running) -> httpx.Client:
    return httpx.Client(base_url=f"http://{running.address}", timeout=PATIENCE)


def asset(kind: str) -> str:
    """Return the address of the largest asset of a kind."""
    files = sorted((FOLDER / "assets").glob(f"*.{kind}"), key=lambda file: file.stat().st_size)
    assert files, "the browser app is not built: pip install --editable . does it"
    return f"/assets/{files[-1].name}"


def raw(http: httpx.Client, path: str, **headers: str) -> tuple[httpx.Response, bytes]:
    """Return a response, and its body as it was sent."""
    with http.stream("GET", path, headers=headers) as response:
        return response, b"".join(response.iter_raw())


def test_assets_are_cached_for_good_and_the_page_is_revalidated(http: httpx.Client) -> None:
    script = http.get(asset("js"))
    assert script.status_code == 200
    assert {part.strip() for part in script.headers["Cache-Control"].split(",")} == {
        "public",
        "max-age=31536000",
        "immutable",
    }
    assert "javascript" in script.headers["Content-Type"]
    for page in ("/", "/rules/kiwara", "/t/abc", "/icon.svg"):
        assert http.get(page).headers["Cache-Control"] == "no-cache"
    assert http.get("/icon.svg").headers["Content-Type"].startswith("image/svg+xml")


@pytest.mark.parametrize("name", ["a" * 300, "é" * 200, "a" * 5_000])
def test_no_name_of_a_file_is_too_long_to_be_unknown(http: httpx.Client, name: str) -> None:
    for path in (f"/assets/{name}", f"/local/{name}/{name}", f"/local/0123456789abcdef/{name}"):
        assert http.get(path).status_code == 404


def test_scripts_and_texts_are_compressed(http: httpx.Client) -> None:
    for path in (asset("js"), asset("css"), "/", "/api/words/de", "/api/games"):
        response, body = raw(http, path, **{"Accept-Encoding": "gzip"})
        assert response.headers["Content-Encoding"] == "gzip"
        assert "accept-encoding" in response.headers["Vary"].lower()
        plain, expected = raw(http, path, **{"Accept-Encoding": "identity"})
        assert "Content-Encoding" not in plain.headers
        assert gzip.decompress(body) == expected
        assert len(body) < len(expected)


def test_assets_are_sent_in_the_best_encoding_that_a_browser_accepts(http: httpx.Client) -> None:
    sent = {}
    for accepted, encoding in {"identity": None, "gzip": "gzip", "gzip, deflate, br, zstd": "br"}.items():
        for method in ("GET", "HEAD"):
            answer = http.request(method, asset("js"), headers={"Accept-Encoding": accepted})
            assert answer.headers.get("Content-Encoding") == encoding
            assert "javascript" in answer.headers["Content-Type"]
            sent[accepted] = int(answer.headers["Content-Length"])
    assert list(sent.values()) == sorted(sent.values(), reverse=True)
    for missing in ("none.js", "%2e%2e%2findex.html", ".made-of"):
        assert http.get(f"/assets/{missing}").status_code == 404


def test_what_may_hold_secrets_is_not_compressed(ada: Client) -> None:
    table = ada.make(public=False)["id"]  # its creator sees seat keys beside names that others chose
    for path in (f"/api/tables/{table}", f"/api/tables/{table}/news?after=-1", "/api/tables", "/api/me"):
        answer = ada.http.get(path, headers={"Accept-Encoding": "gzip"})
        assert "Content-Encoding" not in answer.headers


def test_every_response_has_the_security_headers(http: httpx.Client) -> None:
    paths = (asset("js"), "/icon.svg", "/", "/api/games", "/api/nothing", "/nothing.txt", "/assets/nothing.js")
    answers = [http.get(path) for path in paths]
    answers.append(http.post("/api/games"))
    answers.append(http.get("/api/games", headers={"Host": "evil.example"}))
    assert [answer.status_code for answer in answers] == [200, 200, 200, 200, 404, 404, 404, 405, 403]
    for answer in answers:
        for name, value in SECURITY_HEADERS.items():
            if name != "Cache-Control":
                assert answer.headers.get_list(name) == [value], answer.url
        assert len(answer.headers.get_list("Cache-Control")) == 1
        assert len(answer.headers.get_list("Content-Security-Policy")) == 1


@pytest.mark.parametrize(
    "path", ["/assets/../index.html", "/assets/%2e%2e/index.html", "/assets/..%2findex.html", "/%2e%2e/pyproject.toml"]
)
def test_no_address_leads_out_of_the_folder(running: Running, path: str) -> None:
    import http.client

    connection = http.client.HTTPConnection(running.address, timeout=PATIENCE)
    connection.request("GET", path)  # httpx would resolve the dots
    answer = connection.getresponse()
    assert answer.status == 404
    assert b"hatchling" not in answer.read()


@pytest.mark.skipif(not (PYTHON / "index.json").is_file(), reason="Python for the browser is not built")
def test_python_for_the_browser_has_an_address_by_its_version_and_is_cached_for_good(http: httpx.Client) -> None:
    index = http.get("/local/index.json")
    assert index.headers["Cache-Control"] == "no-cache"
    version, sizes = index.json()["version"], index.json()["files"]
    for name, size in sizes.items():
        response, body = raw(http, f"/local/{version}/{name}", **{"Accept-Encoding": "gzip"})
        assert "immutable" in response.headers["Cache-Control"]
        assert len(body) == size if name.endswith(".bin") else len(body) < size
        assert http.get(f"/local/{'0' * 12}/{name}").status_code == 404
    assert http.get(f"/local/{version}/pyodide.mjs").headers["Content-Type"].startswith("text/javascript")
    for away in (f"/local/{version}/..%2findex.json", "/local/..%2fweb/index.html", "/local/%2e%2e/py.typed"):
        assert http.get(away).status_code == 404


def test_only_workers_may_run_webassembly(http: httpx.Client, tmp_path: Path) -> None:
    assert "wasm" not in http.get("/").headers["Content-Security-Policy"]
    assert "wasm" not in http.get(asset("js")).headers["Content-Security-Policy"]
    for name in ("worker-a_B-1.js", "common-a_B-1.js"):
        (tmp_path / name).write_text("")
        policy = pages.asset(tmp_path, name, "").headers.get("Content-Security-Policy", "")
        assert ("'wasm-unsafe-eval'" in policy) == name.startswith("worker")
        assert "'unsafe-eval'" not in policy
