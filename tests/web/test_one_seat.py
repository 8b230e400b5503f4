"""Isolation alone in the browser: the board of the day, from the home page to the result."""

from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect

import mchezo
from tests.web.axe import violations
from tests.web.conftest import Visit
from tests.web.player import play_on

pytestmark = pytest.mark.rotating(shares=6)


def daily(day: str) -> str:
    """Return the board of a day."""
    board: str = mchezo.game("katarenga").start(variant="isolation-alone", board=day).options["board"]
    return board


def board_of(page: Page) -> str:
    table = page.request.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}").json()
    return str(table["options"]["board"])


def test_the_board_of_the_day_is_played_from_the_home_page_to_its_result(visit: Visit) -> None:
    days = [datetime.now(UTC).date().isoformat()]
    page = visit()
    page.get_by_role("button", name="Play today's board").click()
    page.wait_for_url("**/t/*")
    page.locator("svg.board [data-place].open").first.wait_for(state="attached")
    days.append(datetime.now(UTC).date().isoformat())  # it may have become midnight
    assert board_of(page) in map(daily, days)
    most = mchezo.game("katarenga").start(variant="isolation-alone", board=board_of(page)).view()["most"]
    expect(page.get_by_text(f"Best possible on this board: {most}")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Hint").click()
    page.locator(".hint, [class*=hint]").first.wait_for(state="attached")
    page.locator("svg.board [data-place].open").first.dispatch_event("click")
    expect(page.get_by_text("Pawns on the board: 1")).to_be_visible()
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_text("Pawns on the board: 0")).to_be_visible()
    play_on(page)
    result = page.request.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}").json()["result"]
    placed = round(result["scores"][0])
    expect(page.get_by_role("heading", name=f"{placed} of 16")).to_be_visible()
    said = "the best possible on this board" if placed == most else f"The best possible here is {most}."
    expect(page.get_by_text(said).first).to_be_visible()
    assert violations(page) == []
    page.goto("/")
    expect(page.locator("section:has(h2:text-is('Recent games')) li, section li").first).to_be_visible()
    expect(page.get_by_text("Draw", exact=True)).to_have_count(0)


def test_the_set_up_for_one_asks_for_no_opponent(visit: Visit) -> None:
    page = visit("/new/katarenga?variant=isolation-alone", language="de")
    expect(page.get_by_text("Brett des Tages", exact=True)).to_be_visible()
    expect(page.locator("input[name=mode]")).to_have_count(0)
    page.locator("input[name=board][value=random]").check()
    page.locator("form button.primary").click()
    page.wait_for_url("**/t/*")
    expect(page.get_by_text("Höchstens möglich auf diesem Brett:")).to_be_visible()
