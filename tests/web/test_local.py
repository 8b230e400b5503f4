"""Tables in Chromium without a server: Python in a worker, and computers that think in another."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

import mchezo
from tests.build.modules import needs_libraries
from tests.local.pyodide import require_runtime
from tests.web.test_kernels import ROOT, answered_page, javascript

pytestmark = [needs_libraries, pytest.mark.rotating(shares=24)]

TYPES = {".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json"}

START = """async (what) => {
  const worker = new Worker("/web/src/local/worker.ts", { type: "module" });
  const waiting = [];
  worker.onmessage = ({ data }) => "loading" in data || waiting.shift()(data);
  const next = () => new Promise((resolve) => waiting.push(resolve));
  const ready = next();
  worker.postMessage({ folder: "http://games.test/python/", what, language: "en", name: "Ada" });
  (window.workers ??= {})[what] = { worker, ask: (text) => (worker.postMessage(text), next()) };
  return await ready;
}"""
ASK = "async ([what, text]) => await window.workers[what].ask(text)"


@pytest.fixture(scope="module")
def folder() -> Path:
    return require_runtime()


@pytest.fixture
def page(chromium: Browser, folder: Path) -> Any:
    def answer(route: Route) -> None:
        asked = Path(route.request.url.partition("games.test/")[2])
        if asked.parts[:1] == ("python",):
            found = folder.joinpath(*asked.parts[1:])
            route.fulfill(path=found, content_type=TYPES.get(found.suffix, "application/octet-stream"))
        elif asked.parts[:1] == ("web",):
            route.fulfill(body=javascript((ROOT / asked).with_suffix(".ts")), content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html>", content_type="text/html")

    with answered_page(chromium, answer) as page:
        yield page


def call(page: Page, **asked: Any) -> Any:
    """Call the desk in the worker."""
    said = page.evaluate(ASK, ["tables", json.dumps(asked)])
    assert "answer" in said, said
    return json.loads(said["answer"])


@pytest.mark.parametrize("game", mchezo.games())
def test_a_game_is_played_against_the_strongest_computer(game: str, page: Page) -> None:
    for what in ("tables", "thinking"):
        assert page.evaluate(START, what) == {"ready": True}
    seats = [{"kind": "you"}, {"kind": "computer", "level": 8}]
    answer = call(page, call="create", request={"game": game, "seats": seats, "lot": False})
    table, played = answer["table"], {"you": 0, "computer": 0}
    for step in range(8):
        if turn := answer.get("turn"):
            moves = json.loads(page.evaluate(ASK, ["thinking", json.dumps(turn)])["answer"])
            named = {name: turn[name] for name in ("table", "decision", "seat")}
            answer = call(page, call="played", **named, moves=moves)
            played["computer"] += len(moves)
            assert answer["facts"]
            continue
        shown = call(page, call="open", table=table, facts=[])["messages"][0]["table"]
        assert shown["status"] == "running"
        move = {"type": "move", "id": f"m{step}", "decision": shown["decision"], "moves": shown["legal"][:1]}
        answer = call(page, call="send", table=table, message=move)
        assert answer["messages"][-1]["type"] == "done"
        played["you"] += 1
    assert min(played.values()) > 0
    record = mchezo.Record.parse(
        call(page, call="request", method="GET", path=f"/api/tables/{table}/record", body=None)
    )
    assert len(record.replay().moves) == len(record.moves) >= sum(played.values())


def test_a_worker_that_thinks_is_ended_at_once_and_tables_go_on(page: Page) -> None:
    for what in ("tables", "thinking"):
        page.evaluate(START, what)
    seats = [{"kind": "you"}, {"kind": "computer", "level": 8}]
    answer = call(page, call="create", request={"game": "kiwara", "seats": seats, "lot": False})
    shown = call(page, call="open", table=answer["table"], facts=[])["messages"][0]["table"]
    move = {"type": "move", "id": "m", "decision": shown["decision"], "moves": shown["legal"][:1]}
    turn = call(page, call="send", table=answer["table"], message=move)["turn"]
    page.evaluate("(turn) => void window.workers.thinking.ask(turn)", json.dumps(turn))
    page.evaluate("() => window.workers.thinking.worker.terminate()")
    ask = {"type": "ask", "id": "a", "what": "takeback"}
    answer = call(page, call="send", table=turn["table"], message=ask)
    assert "turn" not in answer
    assert answer["messages"][-1]["type"] == "done"
