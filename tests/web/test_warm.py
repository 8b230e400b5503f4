"""At a server's table in a page where Python already runs, choosing a move does not wait for the connection."""

import json
import re

import pytest
from playwright.sync_api import Page, WebSocket, expect

import mchezo
from tests.build.modules import needs_libraries
from tests.local.pyodide import needs_runtime
from tests.web.conftest import Visit
from tests.web.player import LOG, press
from tests.web.proxy import Proxy
from tests.web.test_local_tables import press_until
from tests.web.waiting import attempts

pytestmark = [needs_libraries, needs_runtime, pytest.mark.rotating(shares=24)]

# Keeps the workers of a page where a test can end them, the answer to the last call that follows a table, how many of
# the records for such calls are on their way, and the number of the last event of which news were made here.
WATCH_WORKERS = """
window.workers = [];
window.records = 0;
const request = window.fetch;
window.fetch = async (...given) => {
  if (!String(given[0]).includes("/record")) return request(...given);
  window.records++;
  try {
    const response = await request(...given);
    await response.clone().text();
    return response;
  } finally {
    window.records--;
  }
};
window.Worker = class extends Worker {
  calls = [];
  constructor(...given) {
    super(...given);
    window.workers.push(this);
    this.addEventListener("message", ({ data }) => {
      if (!("answer" in data)) return;
      const call = this.calls.shift();
      if (call.includes('"call":"follow"')) window.followed = data.answer;
      if (call.includes('"call":"hear"')) window.heard = JSON.parse(data.answer).table?.number;
    });
  }
  postMessage(message) {
    if (typeof message === "string") this.calls.push(message);
    if (window.lag) setTimeout(() => super.postMessage(message), window.lag);
    else super.postMessage(message);
  }
}
"""
FOREVER = 3_600  # seconds: nothing comes over such a line


def listen(page: Page) -> list[str]:
    """Return a list of the types of all messages that the page sends to its tables from now on."""
    types: list[str] = []

    def watch(socket: WebSocket) -> None:
        socket.on("framesent", lambda sent: types.append(json.loads(sent)["type"]))

    page.on("websocket", watch)
    return types


def warm(page: Page) -> list[str]:
    """Start Python with a game on this device, and leave it; return what `listen` does."""
    page.add_init_script(WATCH_WORKERS)
    page.reload()
    types = listen(page)
    page.locator("a[href='/new/kiwara']").first.click()
    page.locator("input[value=screen]").check()
    page.get_by_label("On this device").check()
    page.locator("form button.primary").click()
    page.locator("svg.board [data-place].open").first.wait_for(state="attached")
    page.locator("header a.home").click()
    return types


def sit_down(page: Page, game: str, *, available: bool = False) -> None:
    """Start a game at the server, without loading the page again; where it is available offline, that is a choice."""
    page.locator(f"a[href='/new/{game}']").first.click()
    page.locator("input[value=computer]").check()
    page.locator("input[name=side][value='0']").check()
    if available:
        expect(page.get_by_label("On this device")).to_be_checked()
        page.get_by_label("On this device").uncheck()
    page.locator("form button.primary").click()
    page.wait_for_url("**/t/*")
    assert re.search("/t/[0-9A-Za-z]{12}$", page.url)  # those of the device are longer
    page.locator("svg.board [data-place].open").first.wait_for(state="attached")


def known(page: Page) -> None:
    """Wait until Python knows the server's table, even if news, such as a computer's move, came in between."""
    page.wait_for_function("() => window.followed === 'null' && window.records === 0")


@pytest.mark.parametrize("game", mchezo.games())
def test_a_turn_is_chosen_while_nothing_comes_over_the_line(game: str, visit: Visit, line: Proxy) -> None:
    page = visit("/", line=line.address, confirm="always")
    types = warm(page)
    sit_down(page, game)
    known(page)
    choose_a_turn(page, types, line)


def test_a_worker_that_takes_long_is_still_heard(visit: Visit, line: Proxy) -> None:
    page = visit("/", line=line.address, confirm="always")
    types = warm(page)
    sit_down(page, "katarenga")
    known(page)
    page.evaluate("window.lag = 1500")  # milliseconds, after which the server has been asked, too
    choose_a_turn(page, types, line)


def choose_a_turn(page: Page, types: list[str], line: Proxy) -> None:
    """Choose a turn while nothing comes over the line, and send it when it is whole again."""
    types.clear()
    line.delay = FOREVER
    send = page.get_by_role("button", name="Confirm")
    for turn in attempts(page):
        if send.count():
            break
        press(page, turn)
    assert "move" not in types
    line.delay = 0
    before = page.locator("section.log li").count()
    send.click()
    press_until(page, before)
    assert "move" in types


@pytest.mark.parametrize("game", mchezo.games())
def test_a_page_that_knows_the_table_is_sent_facts(game: str, visit: Visit, line: Proxy) -> None:
    page = visit("/", line=line.address)
    warm(page)
    sit_down(page, game)
    known(page)
    for turn in attempts(page):
        if page.evaluate("window.heard > 6"):
            break
        press(page, turn)
    other = page.context.new_page()  # in which Python does not run
    other.goto(page.url)
    other.locator("svg.board").wait_for()
    for _ in attempts(page):  # a computer may be thinking
        if page.locator(LOG).all_inner_texts() == other.locator(LOG).all_inner_texts():
            break


def test_an_ordinary_page_asks_the_server(visit: Visit, line: Proxy) -> None:
    page = visit("/", line=line.address)
    types = listen(page)
    sit_down(page, "kiwara")
    for turn in attempts(page):
        if types.count("try") > 1:
            break
        press(page, turn)


def test_the_server_answers_when_the_worker_has_died(visit: Visit, line: Proxy) -> None:
    page = visit("/", line=line.address, forgiven="the worker has ended")
    types = warm(page)
    sit_down(page, "kiwara")
    known(page)
    page.evaluate("window.workers.forEach((worker) => worker.terminate())")  # nobody says so
    types.clear()
    for turn in attempts(page):
        if {"try", "move"} <= set(types):
            break
        press(page, turn)
    press_until(page, page.locator("section.log li").count())
    expect(page.get_by_role("alert")).to_have_count(0)
