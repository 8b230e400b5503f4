"""At a server's table in a page in which Python runs already, choosing a move waits for no line."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, WebSocket, expect

import mchezo
from tests.local.pyodide import require_runtime
from tests.web.conftest import Visit
from tests.web.hosting import needs_libraries
from tests.web.player import press
from tests.web.proxy import Proxy
from tests.web.test_local_tables import KEEP_WORKERS, press_until
from tests.web.waiting import attempts

pytestmark = [needs_libraries, pytest.mark.rotating(shares=6)]

FOREVER = 3_600  # seconds: nothing comes over such a line
SENT = "main .play .actions .primary, .play .primary"  # confirms a turn


@pytest.fixture(scope="module", autouse=True)
def runtime() -> None:
    require_runtime()


@pytest.fixture
def line(server: str) -> Iterator[Proxy]:
    proxy = Proxy(server)
    yield proxy
    proxy.cut()


def listen(page: Page) -> list[str]:
    """Return a list of the types of all messages that the page sends to its tables from now on."""
    types: list[str] = []

    def watch(socket: WebSocket) -> None:
        socket.on("framesent", lambda sent: types.append(json.loads(sent)["type"]))

    page.on("websocket", watch)
    return types


def warm(page: Page) -> None:
    """Start Python with a game on this device, and leave it."""
    page.locator("a[href='/new/kiwara']").first.click()
    page.locator("input[value=screen]").check()
    page.get_by_label("On this device").check()
    page.locator("form button.primary").click()
    page.locator("svg.board [data-place].open").first.wait_for(state="attached")
    page.locator("header a.home").click()


def sit_down(page: Page, game: str) -> None:
    """Start a game at the server, without loading the page again."""
    page.locator(f"a[href='/new/{game}']").first.click()
    page.locator("input[value=computer]").check()
    page.locator("input[name=side][value='0']").check()
    if page.get_by_label("On this device").is_checked():
        page.get_by_label("On this device").uncheck()
    page.locator("form button.primary").click()
    page.wait_for_url("**/t/*")
    assert "/t/L" not in page.url
    page.locator("svg.board [data-place].open").first.wait_for(state="attached")


def known(page: Page) -> None:
    """Wait until the page has asked for the record, and Python has built the table from it."""
    page.wait_for_function(
        "() => performance.getEntriesByType('resource').some((one) => /\\/record\\?seat=/.test(one.name))"
    )
    page.wait_for_timeout(300)


@pytest.mark.parametrize("game", mchezo.games())
def test_a_turn_is_chosen_while_nothing_comes_over_the_line(game: str, visit: Visit, line: Proxy) -> None:
    page = visit("/", line=line.address, confirm="always")
    types = listen(page)
    warm(page)
    sit_down(page, game)
    known(page)
    types.clear()
    line.delay = FOREVER
    send = page.get_by_role("button", name="Confirm")
    for turn in attempts(page):
        if send.count():
            break
        press(page, turn)
    assert types == []  # everything was found out here
    line.delay = 0
    before = page.locator("section.log li").count()
    send.click()
    press_until(page, before)
    assert "move" in types


def test_an_ordinary_page_asks_the_server(visit: Visit, line: Proxy) -> None:
    page = visit("/", line=line.address)
    types = listen(page)
    sit_down(page, "kiwara")
    expect.poll(lambda: types) if False else None
    for turn in attempts(page):
        if types.count("try") > 1:
            break
        press(page, turn)


def test_the_server_answers_when_the_worker_has_died(visit: Visit, line: Proxy) -> None:
    page = visit("/", line=line.address)
    page.add_init_script(KEEP_WORKERS)
    page.reload()
    types = listen(page)
    warm(page)
    sit_down(page, "kiwara")
    known(page)
    page.evaluate("window.workers.forEach((worker) => worker.terminate())")  # nobody says so
    types.clear()
    press_until(page, page.locator("section.log li").count() + 1)
    assert "try" in types
    assert "move" in types
