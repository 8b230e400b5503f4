"""Whole games through the interface: against the computer, on one screen, by touch, in German."""

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Visit
from tests.web.player import LOG, play_on, start

pytestmark = pytest.mark.rotating(shares=24)


@pytest.mark.rotating(shares=24)
@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
def test_a_whole_game_against_the_computer(visit: Visit, game: str) -> None:
    page = visit()
    start(page, game)
    assert play_on(page) > 0
    assert page.locator(LOG).count() > 10
    expect(page.locator("aside h2").first).to_be_visible()
    expect(page.get_by_role("link", name="Download game")).to_be_visible()


@pytest.mark.rotating(shares=24)
@pytest.mark.parametrize(
    "variant",
    [
        "troika",
        "battle-stations",
        "cornered",
        "quartermaster",
        "central-park",
        "colorado",
        "north-west-passage",
        "chameleon",
    ],
)
def test_a_whole_game_of_each_variant_against_the_computer(visit: Visit, variant: str) -> None:
    page = visit(f"/new/katarenga?variant={variant}")
    expect(page.locator(f"input[value={variant}]")).to_be_checked()
    page.locator("form button.primary").click()
    page.wait_for_url("**/t/*")
    page.locator("svg.board").wait_for()
    assert play_on(page) > 0
    expect(page.get_by_role("link", name="Download game")).to_be_visible()


def test_a_game_in_german_is_in_german_throughout(visit: Visit) -> None:
    page = visit(language="de-DE")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    start(page, "kiwara")
    play_on(page)
    expect(page.get_by_role("link", name="Partie herunterladen")).to_be_visible()
    expect(page.locator("section.log")).to_contain_text("Die Partie beginnt.")
    assert "{" not in page.locator("main").inner_text()


@pytest.mark.rotating(shares=24)
@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
def test_on_one_screen_both_sides_are_played_here(visit: Visit, game: str) -> None:
    page = visit(f"/new/{game}")
    page.get_by_text("Same screen").click()
    page.get_by_role("button", name="Start game", exact=True).click()
    page.wait_for_url("**/t/*")
    page.locator("svg.board").wait_for()
    play_on(page)
    expect(page.get_by_role("link", name="Download game")).to_be_visible()


def test_a_turn_of_kiwara_is_taken_back_step_by_step_until_it_is_sent(visit: Visit) -> None:
    page = visit("/new/kiwara")
    page.get_by_text("Same screen").click()
    page.get_by_role("button", name="Start game", exact=True).click()
    page.wait_for_url("**/t/*")
    page.locator("svg.board [data-place='2']").click()
    page.locator("svg.board [data-place='c3'].open").click()
    expect(page.locator("svg.board g.token")).to_have_count(2)  # the animal and the totem
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("svg.board g.token")).to_have_count(1)
    expect(page.locator("section.log li")).to_have_count(2)  # nobody else has seen it


def test_on_a_touch_screen_a_move_waits_for_confirmation(visit: Visit) -> None:
    page = visit(
        "/new/katarenga", confirm="touch", has_touch=True, is_mobile=True, viewport={"width": 360, "height": 740}
    )
    page.get_by_text("Same screen").tap()
    page.get_by_text("Black chooses a side").tap()
    page.get_by_role("button", name="Start game", exact=True).tap()
    page.locator("svg.board [data-place='d1'].open").tap()
    page.locator("svg.board [data-place].open:not([aria-label*='pawn'])").first.tap()
    confirm = page.get_by_role("button", name="Confirm")
    expect(confirm).to_be_visible()
    expect(page.locator("section.log li")).to_have_count(1)
    confirm.tap()
    expect(page.locator("section.log li")).to_have_count(2)
