"""Losing the connection in the middle of a game against the computer changes nothing, once the app is on the device."""

import re

import pytest
from playwright.sync_api import Page, expect

import mchezo
from tests.build.modules import needs_libraries
from tests.local.pyodide import needs_runtime
from tests.web.conftest import Visit
from tests.web.player import EASY, LOG, invite, play_on, press
from tests.web.proxy import Proxy
from tests.web.test_accounts import create_account
from tests.web.test_local_tables import press_until
from tests.web.test_offline import CUT, TAKEN_OVER, make_available
from tests.web.test_warm import WATCH_WORKERS, known, sit_down
from tests.web.waiting import attempts

pytestmark = [needs_libraries, needs_runtime, pytest.mark.rotating(shares=6)]

MANY = 6  # attempts to connect again: more than a game waits for
SAID = "The game continues on this device"
LOCAL = re.compile(r"/t/L\w{12}$")  # one character longer than the address of a server's table


@pytest.fixture
def page(visit: Visit, line: Proxy) -> Page:
    """The home page of somebody who made the app available offline, and plays against weak computers."""
    page = visit("/settings", line=line.address, forgiven=f"{CUT}|{TAKEN_OVER}")
    page.evaluate(EASY)
    page.reload()
    make_available(page)
    page.add_init_script(WATCH_WORKERS)
    page.goto("/")
    return page


def my_turn(page: Page) -> None:
    expect(page.locator(".prompt.mine")).to_be_visible()


def lose(page: Page, line: Proxy) -> None:
    """Cut the line until the page has tried many times to connect again."""
    line.cut()
    before = line.refused
    for _ in attempts(page):
        if line.refused >= before + MANY:
            return


def replay_and_list(page: Page) -> str:
    """Look at the finished game without a connection; return its id."""
    id = page.url.rpartition("/")[2]
    assert id.startswith("L")
    page.reload()
    expect(page.get_by_role("link", name="Download game")).to_be_visible()
    lines = page.locator(LOG).count()
    page.goto(f"/replay/{id}")
    page.locator("svg.board").wait_for()
    page.keyboard.press("End")
    assert lines > 5
    page.goto("/")
    expect(page.locator(".tables li")).to_have_count(1)
    return id


def test_a_game_that_was_started_on_the_device_goes_on(page: Page, line: Proxy) -> None:
    page.locator("[data-game=kiwara] button.primary").click()
    page.wait_for_url(LOCAL)
    press_until(page, 3)
    line.cut()
    play_on(page)
    expect(page.get_by_role("region", name="Result")).to_be_visible()
    replay_and_list(page)


def test_the_set_up_page_proposes_the_device(page: Page) -> None:
    page.goto("/new/kiwara")
    expect(page.get_by_label("On this device")).to_be_checked()
    page.locator("input[value=friend]").check()
    page.locator("form button.primary").click()
    page.wait_for_url(re.compile(r"/t/\w{12}$"))


def test_games_that_a_profile_counts_begin_at_the_server(page: Page) -> None:
    create_account(page, "Offline Olga")
    page.goto("/")
    page.locator("[data-game=kiwara] button.primary").click()
    page.wait_for_url(re.compile(r"/t/\w{12}$"))


@pytest.mark.parametrize("game", mchezo.games())
def test_a_game_at_the_server_goes_on_on_the_device(game: str, page: Page, line: Proxy) -> None:
    sit_down(page, game, available=True)
    known(page)
    press_until(page, 4)
    my_turn(page)
    log, served = page.locator(LOG).all_inner_texts(), page.url
    line.cut()
    for turn in attempts(page):
        if LOCAL.search(page.url):
            break
        press(page, turn)
    expect(page.get_by_role("status").filter(has_text=SAID)).to_be_visible()
    page.locator("svg.board").wait_for()
    assert page.locator(LOG).all_inner_texts()[: len(log)] == log
    play_on(page)
    id = replay_and_list(page)

    line.restore()
    page.goto("/")
    page.locator(".lists h2").nth(1).wait_for()  # the server's lists are here
    left = served.rpartition("/")[2]
    assert page.locator(f".tables a[href$='{left}']").count() == 0
    for _ in attempts(page):  # without a result: it is here
        if page.request.get(f"/api/tables/{left}").json()["status"] == "over":
            break
    page.goto(f"/t/{id}")
    page.get_by_role("button", name="Upload").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Upload").click()
    page.wait_for_url(re.compile(r"/replay/\w{12}$"))
    page.locator("svg.board").wait_for()


def test_a_game_that_its_player_goes_on_with_at_the_server_is_listed_again(page: Page, line: Proxy) -> None:
    sit_down(page, "kiwara", available=True)
    known(page)
    press_until(page, 4)
    my_turn(page)
    left = page.url.rpartition("/")[2]
    line.cut()
    for turn in attempts(page):
        if LOCAL.search(page.url):
            break
        press(page, turn)
    page.goto("/rules")  # not where own games are listed
    line.restore()
    other = page.context.new_page()
    other.goto(f"/t/{left}")
    my_turn(other)
    press_until(other, other.locator(LOG).count() + 6)
    page.goto("/")
    expect(page.locator(f".tables a[href$='{left}']")).to_be_visible()
    assert page.request.get(f"/api/tables/{left}").json()["status"] == "running"


def test_while_the_person_thinks_the_server_keeps_the_game(page: Page, line: Proxy) -> None:
    sit_down(page, "kiwara", available=True)
    known(page)
    my_turn(page)
    served = page.url
    lose(page, line)
    line.restore()
    expect(page.get_by_text("Reconnecting")).to_have_count(0)
    press_until(page, page.locator(LOG).count() + 1)
    assert page.url == served


def test_a_game_with_another_person_waits_for_the_server(visit: Visit, page: Page, line: Proxy) -> None:
    friend = visit(invite(page, "kiwara"), forgiven=CUT)
    friend.locator("svg.board").wait_for()
    page.locator("svg.board").wait_for()
    served = page.url
    lose(page, line)
    for turn in range(20):
        press(page, turn)
        page.wait_for_timeout(15)
    expect(page.get_by_text("Reconnecting")).to_be_visible()
    lose(page, line)
    assert page.url == served
