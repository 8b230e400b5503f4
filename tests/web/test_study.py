"""Replay and analysis on this device: the engine, and records that are imported without a connection."""

import re

import pytest
from playwright.sync_api import Page, expect

import mchezo
from tests.build.modules import needs_libraries
from tests.local.pyodide import needs_runtime
from tests.web.axe import violations
from tests.web.conftest import Visit
from tests.web.records import short_record
from tests.web.test_local_tables import CUT

pytestmark = [needs_libraries, needs_runtime, pytest.mark.rotating(shares=24)]


def import_record(page: Page, text: str) -> None:
    """Import a record on the page for it."""
    page.get_by_label("Game record").fill(text)
    page.get_by_role("button", name="Import", exact=True).click()
    page.wait_for_url("**/replay/*")
    page.locator("svg.board").wait_for()


def analyse_and_ask(page: Page) -> None:
    """Analyse a game, find the analysis again after a reload, and ask the computer about a position."""
    page.get_by_role("button", name="Analyse").click()
    expect(page.get_by_role("columnheader", name="Accuracy")).to_be_visible()
    page.reload()
    expect(page.get_by_role("columnheader", name="Accuracy")).to_be_visible()  # kept
    page.get_by_role("button", name="Try other moves").click()
    page.get_by_role("button", name="Ask the computer").click()
    expect(page.locator(".variation").get_by_role("status").nth(1)).to_contain_text("Best now")


@pytest.mark.parametrize("game", mchezo.games())
def test_the_engine_shows_the_best_lines_of_a_position(game: str, visit: Visit) -> None:
    page = visit("/replay")
    import_record(page, short_record(game))
    panel = page.get_by_role("region", name="Engine")
    panel.get_by_role("switch").check()
    expect(panel.get_by_role("listitem").first).to_be_visible()
    expect(panel.get_by_text(re.compile(r"(Depth|depth) \d+"))).to_be_visible()
    panel.get_by_label("Lines").select_option("1")
    expect(panel.get_by_role("listitem")).to_have_count(1)
    page.get_by_role("button", name="Try other moves").click()
    panel.get_by_role("listitem").get_by_role("button").click()
    expect(page.locator(".variation li").first).to_be_visible()
    assert violations(page) == []
    panel.get_by_role("switch").uncheck()
    expect(panel.get_by_role("listitem")).to_have_count(0)


def test_the_engine_looks_beyond_what_is_drawn_next(visit: Visit) -> None:
    page = visit("/replay")
    import_record(page, short_record("kitara"))
    panel = page.get_by_role("region", name="Engine")
    page.keyboard.press("Home")
    expect(page.get_by_text("Start of the game")).to_be_visible()
    panel.get_by_role("switch").check()
    expect(panel.get_by_text("After the next random draw:")).to_be_visible()
    line = panel.get_by_role("listitem").first
    move = line.locator("code").inner_text().split()[0]
    line.click()
    expect(page.locator(".variation li button").first).to_have_attribute("title", move)
    assert "at=6" in page.url  # six cards were drawn


def test_a_record_is_imported_and_analysed_without_the_server(visit: Visit) -> None:
    page = visit("/replay", forgiven=CUT)
    page.evaluate("() => localStorage.mchezo = JSON.stringify({...JSON.parse(localStorage.mchezo), offline: true})")
    page.route("**/api/**", lambda route: route.abort("internetdisconnected"))
    page.reload()
    import_record(page, short_record("katarenga"))
    page.wait_for_url("**/replay/L*")
    analyse_and_ask(page)
