"""A real server and Debian's Chromium. Every page that is opened must stay without errors in its console."""

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.web.serving import CHROMIUM, serving

WAIT = 90_000  # milliseconds for anything on a page: the first answer of a computer comes when it is compiled
expect.set_options(timeout=WAIT)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("server") / "tables.db") as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is missing: apt-get install chromium")
        pytest.skip("Chromium is missing: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-background-networking"]
        )
        yield browser
        browser.close()


Visit = Callable[..., Page]


def complaint(kind: str, text: str, forgiven: str) -> list[str]:
    """What a console says, if it is an error that nobody has made on purpose."""
    return [text] if kind in ("error", "warning") and not re.search(forgiven, text) else []


@pytest.fixture
def visit(chromium: Browser, server: str) -> Iterator[Visit]:
    """Opens a page as a new person; settings are those of the browser's storage.

    `line` is another address of the server; complaints of the browser about it are `forgiven` (a regular expression).
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(
        path: str = "/",
        *,
        speed: int = 0,
        confirm: str = "never",
        language: str = "en",
        line: str | None = None,
        forgiven: str = "$^",
        **more: Any,
    ) -> Page:
        context = chromium.new_context(base_url=line or server, locale=language, **more)
        context.set_default_timeout(WAIT)
        settings = f'{{"speed": {speed}, "confirm": "{confirm}", "sound": false}}'
        context.add_init_script(f"localStorage.mchezo ??= '{settings}'")
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.extend(complaint(said.type, said.text, forgiven)))
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
