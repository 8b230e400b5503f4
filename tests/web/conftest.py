"""A real server and a real browser. Every page must stay without errors in its console."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.local.pyodide import require_runtime
from tests.server.serving import Client
from tests.web.browser import launch
from tests.web.proxy import Proxy
from tests.web.serving import serving
from tests.web.waiting import WAIT

expect.set_options(timeout=WAIT)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("server") / "tables.db") as address:
        yield address


@pytest.fixture(scope="session")
def runtime() -> None:
    """Python for the browser, which the server offers."""
    require_runtime()


@pytest.fixture
def line(server: str) -> Iterator[Proxy]:
    """A connection to the server that can be slow, or cut."""
    proxy = Proxy(server)
    yield proxy
    proxy.cut()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


Visit = Callable[..., Page]


SLOW = "was preloaded using link preload"  # and not used within a few seconds: the machine is busy


def complaint(kind: str, text: str, forgiven: str) -> list[str]:
    """Return the text of a console message if it is an unexpected error."""
    return [text] if kind in ("error", "warning") and not re.search(f"{SLOW}|{forgiven}", text) else []


@pytest.fixture
def visit(chromium: Browser, server: str) -> Iterator[Visit]:
    """Opens a page as a new person; settings are those of the browser's storage.

    `who` is somebody else to open it as: signed in before the first request, whose answer could set another cookie.
    `line` is another address of the server; complaints of the browser about it are `forgiven` (a regular expression).
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(
        path: str = "/",
        *,
        who: Client | None = None,
        speed: float = 0,
        confirm: str = "never",
        language: str = "en",
        line: str | None = None,
        forgiven: str = "$^",
        **more: Any,
    ) -> Page:
        context = chromium.new_context(base_url=line or server, locale=language, **more)
        context.set_default_timeout(WAIT)
        settings = f'{{"speed": {speed}, "confirm": "{confirm}", "sound": false, "advanced": true, "named": true}}'
        context.add_init_script(f"localStorage.mchezo ??= '{settings}'")
        contexts.append(context)
        if who is not None:
            address = f"http://{who.address}"
            context.add_cookies([{"name": "mchezo", "value": who.http.cookies["mchezo"], "url": address}])
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.extend(complaint("error", str(error), forgiven)))
        page.on("console", lambda said: complaints.extend(complaint(said.type, said.text, forgiven)))
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
