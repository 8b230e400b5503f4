"""Games on this device: played by clicks without a connection, kept in the browser, listed, downloaded, uploaded."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import mchezo
from tests.build.modules import needs_libraries
from tests.local.pyodide import needs_runtime
from tests.web.axe import violations
from tests.web.conftest import Visit
from tests.web.player import LOG, play_on, press, resign
from tests.web.waiting import attempts

pytestmark = [needs_libraries, needs_runtime, pytest.mark.rotating(shares=24)]

# What the browser says about requests without a connection.
CUT = "ERR_INTERNET_DISCONNECTED|Failed to fetch|ended by a test|the worker has ended"
# Keeps the workers of a page where a test can end them.
KEEP_WORKERS = """
window.workers = [];
window.Worker = class extends Worker {
  constructor(...given) {
    super(...given);
    window.workers.push(this);
  }
}
"""


Start = Callable[..., Page]


@pytest.fixture
def start(visit: Visit) -> Start:
    """Starts a game on this device from the set-up page."""

    def create(game: str, *, level: int = 1, mode: str = "computer", side: str = "0", forgiven: str = CUT) -> Page:
        page = visit("/", forgiven=forgiven)
        page.evaluate(
            "(levels) => localStorage.mchezo = JSON.stringify({...JSON.parse(localStorage.mchezo), levels})",
            {game: level},
        )
        page.add_init_script(KEEP_WORKERS)
        page.goto(f"/new/{game}")
        page.locator(f"input[value={mode}]").check()
        if mode == "computer":
            page.locator(f"input[name=side][value='{side}']").check()
        page.get_by_label("On this device").check()
        page.locator("form button.primary").click()
        page.wait_for_url("**/t/L*")
        page.locator("svg.board").wait_for()
        return page

    return create


def lines(page: Page) -> int:
    return page.locator(LOG).count()


def press_until(page: Page, more: int) -> None:
    """Press whatever can be pressed until the log has more than a number of lines."""
    for turn in attempts(page):
        if lines(page) > more:
            return
        press(page, turn)


@pytest.mark.parametrize("game", mchezo.games())
def test_a_whole_game_is_played_without_a_connection(game: str, start: Start) -> None:
    page = start(game)
    page.context.set_offline(True)
    assert play_on(page) > 5
    expect(page.get_by_role("region", name="Result")).to_be_visible()
    with page.expect_download() as downloaded:
        page.get_by_role("link", name="Download game").click()
    record = mchezo.Record.parse(Path(downloaded.value.path()).read_text("utf-8"))
    assert record.replay().outcome is not None
    page.context.set_offline(False)
    page.goto("/")
    entry = page.locator(".tables li", has_text="On this device")
    expect(entry).to_have_count(1)


def test_a_game_goes_on_after_the_page_was_closed(start: Start) -> None:
    page = start("kiwara")
    press_until(page, 6)
    expect(page.locator(".prompt.mine")).to_be_visible()
    log, address = page.locator(LOG).all_inner_texts(), page.url
    page.close()
    again = page.context.new_page()
    again.goto("/")
    again.locator(".tables li", has_text="On this device").get_by_role("link").click()
    again.wait_for_url(address)
    again.locator("svg.board").wait_for()
    assert again.locator(LOG).all_inner_texts() == log
    again.locator("svg.board [data-place].open").first.wait_for(state="attached")
    resign(again)
    expect(again.get_by_role("link", name="Download game")).to_be_visible()


def test_a_move_is_taken_back_while_the_computer_thinks(start: Start) -> None:
    page = start("katarenga", level=8)
    page.locator("svg.board [data-place].open").first.wait_for(state="attached")
    before, turn = lines(page), 0
    while not page.locator(".prompt", has_text="thinking").count():
        turn += press(page, turn) == "pressed"
        page.wait_for_timeout(10)
    ended = page.evaluate("window.workers.length")
    page.get_by_role("button", name="Take back move").click()
    page.locator("svg.board [data-place].open").first.wait_for(state="attached")
    expect(page.locator(LOG).last).to_contain_text("taken back")
    assert lines(page) > before
    page.wait_for_function("(before) => window.workers.length === before + 1", arg=ended)  # another one thinks next
    press(page, 1)


def test_a_worker_that_breaks_is_replaced_and_nothing_is_lost(start: Start) -> None:
    page = start("kiwara", mode="screen")
    press_until(page, 3)
    before = lines(page)
    workers = page.evaluate("window.workers.length")
    page.evaluate("""() => {
      const [tables] = window.workers;
      tables.terminate();
      tables.dispatchEvent(new ErrorEvent("error", { message: "ended by a test" }));
    }""")
    press_until(page, before)
    assert page.evaluate("window.workers.length") == workers + 1
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_computer_thinks_again_when_its_worker_dies_silently(start: Start) -> None:
    page = start("katarenga", level=8)
    page.locator("svg.board [data-place].open").first.wait_for(state="attached")
    for turn in attempts(page):
        if page.locator(".prompt", has_text="thinking").count():
            break
        press(page, turn)
    before, workers = lines(page), page.evaluate("window.workers.length")
    page.evaluate("window.workers.at(-1).terminate()")  # nobody says so
    page.wait_for_function("(before) => window.workers.length === before + 1", arg=workers)
    page.wait_for_function("([log, before]) => document.querySelectorAll(log).length > before", arg=[LOG, before])
    expect(page.get_by_role("alert")).to_have_count(0)
    press_until(page, lines(page))


def test_a_game_without_moves_is_not_uploaded_and_the_page_says_why(start: Start) -> None:
    page = start("kiwara", mode="screen", forgiven="400")
    resign(page)
    page.get_by_role("button", name="Upload").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Upload").click()
    expect(dialog.get_by_role("alert")).to_contain_text("no moves")


def test_two_tabs_do_not_play_the_same_game(start: Start) -> None:
    page = start("kiwara", mode="screen")
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.get_by_role("alert")).to_contain_text("open in another tab")
    assert other.locator("svg.board").count() == 0
    other.get_by_role("button", name="Play here").click()
    other.locator("svg.board").wait_for()
    expect(page.get_by_role("alert")).to_contain_text("open in another tab")
    other.close()
    expect(page.get_by_role("alert")).to_have_count(0)  # it is this tab's again
    page.locator("svg.board [data-place].open").first.wait_for(state="attached")


def test_a_game_is_uploaded_and_deleted_on_request(start: Start) -> None:
    page = start("kiwara", mode="screen")
    press_until(page, 2)
    resign(page)
    page.get_by_role("button", name="Upload").first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("anyone with the link can see it")
    assert violations(page) == []
    dialog.get_by_role("button", name="Upload").click()
    page.wait_for_url(re.compile(r"/replay/\w{12}$"))
    page.locator("svg.board").wait_for()
    page.goto("/")
    entry = page.locator(".tables li", has_text="On this device")
    entry.get_by_role("button").click()
    expect(dialog.get_by_role("link", name="View the upload")).to_be_visible()
    dialog.get_by_role("button", name="Delete").click()
    expect(dialog).to_contain_text("exists nowhere else")
    dialog.get_by_role("button", name="Delete").click()
    expect(entry).to_have_count(0)
    page.reload()
    page.locator(".games").wait_for()
    expect(entry).to_have_count(0)


def test_a_player_whose_time_runs_out_loses(visit: Visit) -> None:
    page = visit("/new/kiwara")
    page.locator("input[value=screen]").check()
    page.locator("input[name=clock][value=custom]").check()
    page.get_by_label("Different").check()
    for field in page.get_by_label("Minutes").all():
        field.fill("0.05")
    page.get_by_label("On this device").check()
    page.locator("form button.primary").click()
    page.locator("svg.board [data-place].open").first.wait_for(state="attached")
    press(page, 1)  # clocks start with the first move
    expect(page.get_by_role("link", name="Download game")).to_be_visible()
    expect(page.locator(LOG).last).to_contain_text("time")


def test_a_game_that_is_not_on_this_device_is_not_found(visit: Visit) -> None:
    page = visit("/t/LaaaaaaaaaaaA")
    expect(page.get_by_role("heading")).to_contain_text("no such game on this device")
    page.goto("/replay/LaaaaaaaaaaaA")
    expect(page.get_by_text("no such game on this device")).to_be_visible()
    assert page.evaluate("performance.getEntriesByType('resource').every(({ name }) => !name.includes('.bin'))")


def test_what_cannot_be_loaded_can_be_tried_again(visit: Visit) -> None:
    page = visit("/new/kiwara", forgiven="ERR_FAILED|index.json|Failed to fetch|WorkerFailed")
    page.context.route("**/local/**", lambda route: route.abort())
    page.get_by_label("On this device").check()
    page.locator("form button.primary").click()
    expect(page.get_by_role("alert")).to_contain_text("could not be loaded")
    page.context.unroute("**/local/**")
    page.locator("form button.primary").click()
    page.wait_for_url("**/t/L*")
