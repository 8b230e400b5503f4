"""At the real table: a clock between two people, boards to lay out, score pads; and how this server's games went."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.axe import violations
from tests.web.conftest import Visit

PARTS = ("clock", "katarenga", "kiwara", "score-kiwara", "score-kitara")
PHONE = {"width": 360, "height": 740}


def shows(page: Page, near: str, far: str) -> None:
    """Both sides show these times."""
    expect(page.locator("[data-side='0'] .time")).to_have_text(near)
    expect(page.locator("[data-side='1'] .time")).to_have_text(far)


def begin_clock(page: Page, near: str = "5", far: str | None = None, seconds: str = "0") -> None:
    if far is not None:
        page.get_by_text("Different times").click()
    page.locator("input[type=number]").nth(0).fill(near)
    page.locator("input[type=number]").nth(1).fill(seconds)
    if far is not None:
        page.locator("input[type=number]").nth(2).fill(far)
        page.locator("input[type=number]").nth(3).fill(seconds)
    page.get_by_role("button", name="To the clock").click()
    page.locator(".clock").wait_for()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/real-table", "/statistics", *(f"/real-table/{part}" for part in PARTS)])
def test_these_pages_are_reachable_for_all_and_fit_a_small_phone(visit: Visit, path: str, theme: str) -> None:
    page = visit(path, color_scheme=theme, viewport=PHONE)
    page.locator("h1").wait_for()
    page.wait_for_timeout(400)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_home_page_leads_there(visit: Visit) -> None:
    page = visit()
    page.get_by_role("link", name="At the real table").click()
    page.get_by_role("link", name=re.compile("^Clock")).click()
    expect(page.get_by_role("heading", name="Clock")).to_be_visible()


def test_the_clock_runs_for_who_is_to_move_and_adds_the_increment(visit: Visit) -> None:
    page = visit("/real-table/clock", viewport=PHONE)
    page.clock.set_fixed_time(1_000_000)  # seconds
    begin_clock(page, near="5", far="3", seconds="10")
    shows(page, "5:00", "3:00")
    page.locator("[data-side='1']").click()  # who does not begin presses first
    page.clock.set_fixed_time(1_000_021)
    shows(page, "4:39", "3:00")
    page.locator("[data-side='1']").click()  # in vain: the near player is to move
    page.locator("[data-side='0']").click()
    shows(page, "4:49", "3:00")
    page.clock.set_fixed_time(1_000_081)
    shows(page, "4:49", "2:00")
    page.get_by_role("button", name="Pause").click()
    page.clock.set_fixed_time(1_000_581)
    expect(page.get_by_text("Paused").first).to_be_visible()
    shows(page, "4:49", "2:00")
    page.get_by_role("button", name="Go on").click()
    page.keyboard.press("Space")
    shows(page, "4:49", "2:10")


def test_a_clock_goes_on_after_the_page_was_loaded_anew_and_falls(visit: Visit) -> None:
    page = visit("/real-table/clock", viewport=PHONE)
    page.clock.set_fixed_time(1_000_000)
    begin_clock(page, near="1")
    page.locator("[data-side='1']").click()
    page.clock.set_fixed_time(1_000_030)
    page.reload()
    shows(page, "0:30", "1:00")
    page.clock.set_fixed_time(1_000_045)
    shows(page, "0:15.0", "1:00")
    assert violations(page) == []
    page.clock.set_fixed_time(1_000_090)
    expect(page.get_by_text("Time is up")).to_be_visible()
    expect(page.locator("[data-side='0']")).to_be_disabled()
    page.get_by_role("button", name="Put the clock away").click()
    expect(page.get_by_role("button", name="To the clock")).to_be_visible()


def test_the_far_half_stands_on_its_head_and_both_fill_the_screen(visit: Visit) -> None:
    page = visit("/real-table/clock", viewport=PHONE)
    begin_clock(page)
    far, near = (page.locator(f"[data-side='{number}']") for number in (1, 0))
    assert far.evaluate("(half) => getComputedStyle(half).rotate") == "180deg"
    boxes = [half.bounding_box() for half in (far, near)]
    assert all(box is not None and box["width"] >= 345 and box["height"] > 300 for box in boxes)


def test_a_katarenga_board_is_laid_out_tile_by_tile_and_remembered(visit: Visit) -> None:
    page = visit("/real-table/katarenga")
    page.get_by_role("button", name="Shuffle").click()
    code = page.locator("input[size='9']").input_value()
    for number, corner in enumerate(("top left", "top right", "bottom left", "bottom right"), 1):
        expect(page.get_by_role("heading", name=f"Tile {number} of 4")).to_be_visible()
        expect(page.locator(".lay p")).to_contain_text(corner)
        page.get_by_role("button", name="Next", exact=True).click()
    expect(page.get_by_role("heading", name="The board lies")).to_be_visible()
    page.reload()
    expect(page.locator("input[size='9']")).to_have_value(code)
    expect(page.get_by_role("heading", name="The board lies")).to_be_visible()


def test_a_balanced_board_comes_from_the_catalogue_with_its_rating(visit: Visit) -> None:
    page = visit("/new/katarenga")
    page.get_by_text("Build it").click()
    code = page.locator("input[size='9']")
    before = code.input_value()
    page.get_by_role("button", name="Balanced").click()
    expect(code).not_to_have_value(before)
    expect(page.get_by_text("Favours nobody, as far as is known")).to_be_visible()
    expect(page.locator(".rating")).to_contain_text(re.compile(r"White scores \d+ ± \d+\s%"))
    # A turned board keeps the rating, another one has another or none.
    page.get_by_role("button", name="Swap with the next").first.click()
    expect(page.get_by_text("Favours nobody, as far as is known")).to_be_hidden()


def test_a_kiwara_board_is_drawn_by_lot_and_remembered(visit: Visit) -> None:
    page = visit("/real-table/kiwara")
    picture = page.get_by_role("img", name="A free board")
    told = page.get_by_text("edges with a river")
    expect(told).to_be_visible()
    page.get_by_role("button", name="Another board").click()
    page.wait_for_timeout(500)
    first = picture.get_attribute("aria-label")
    page.get_by_role("button", name="Another board").click()
    expect(picture).not_to_have_attribute("aria-label", first or "")
    second = picture.get_attribute("aria-label")
    page.reload()
    expect(picture).to_have_attribute("aria-label", second or "")


def test_the_kiwara_pad_counts_the_printed_example(visit: Visit) -> None:
    page = visit("/real-table/score-kiwara")
    page.get_by_role("button", name=re.compile("^B")).click()
    for token in (
        "zebra, Yellow", "zebra, Yellow, hidden", "lion, Red", "elephant, Yellow", "crocodile, Yellow", "gazelle, Red",
        "zebra, Red",
    ):  # fmt: skip
        page.get_by_role("button", name=f"Add: {token}", exact=True).click()
    expect(page.get_by_text("Yellow leads 4 to 3 and takes 20 points.")).to_be_visible()
    expect(page.locator(".totals strong").nth(0)).to_have_text("20")
    page.get_by_label("Red", exact=True).check()
    expect(page.locator(".totals strong").nth(1)).to_have_text("5")
    # A player has one elephant only.
    expect(page.get_by_role("button", name="Add: elephant, Yellow", exact=True)).to_be_disabled()
    page.reload()
    expect(page.locator(".totals strong").nth(0)).to_have_text("20")
    page.get_by_role("button", name="Take away: zebra, Yellow", exact=True).click()
    expect(page.get_by_text("As many of both")).to_be_visible()
    page.get_by_role("button", name="Clear the pad").click()
    expect(page.locator(".totals strong").nth(0)).to_have_text("0")


def test_the_kitara_pad_adds_up_and_breaks_ties_by_hero_tokens(visit: Visit) -> None:
    page = visit("/real-table/score-kitara", viewport=PHONE)
    page.get_by_label("3", exact=True).check()
    rows = page.locator("tbody tr")

    def fill(row: int, *values: int) -> None:
        for column, value in enumerate(values):
            rows.nth(row).locator("input").nth(column).fill(str(value))

    fill(0, 40, 38, 30)  # the track
    fill(1, 0, 1, 0)  # tokens of 2
    fill(4, 2, 2, 0)  # tokens of 5
    fill(5, 3, 3, 2)  # cards
    totals = page.locator("tfoot strong")
    expect(totals).to_have_text(["56", "56", "34"])
    expect(page.get_by_text(re.compile("Level on points; .* wins with more hero tokens"))).to_be_visible()
    page.locator("thead input").nth(1).fill("Ada")
    expect(page.get_by_text("Level on points; Ada wins with more hero tokens.")).to_be_visible()
    fill(1, 1, 1, 0)
    expect(page.get_by_text(re.compile("wins\\.$"))).to_be_visible()
    page.reload()
    expect(totals).to_have_text(["58", "56", "34"])
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_statistics_show_a_finished_game_as_plots_and_tables(visit: Visit) -> None:
    page = visit("/new/katarenga")
    page.locator("input[value=screen]").check()
    page.locator("form button.primary").click()
    page.locator("svg.board").wait_for()
    page.wait_for_url("**/t/*")
    table = page.url.rsplit("/", 1)[-1]
    before = page.evaluate("fetch('/api/statistics').then((answer) => answer.json())")
    page.evaluate(
        """(table) => fetch(`/api/tables/${table}/commands`, { method: "POST",
           headers: { "Content-Type": "application/json" },
           body: JSON.stringify({ type: "resign", id: "over", seat: 1 }) })""",
        table,
    )
    after = page.evaluate("fetch('/api/statistics').then((answer) => answer.json())")
    games = [sum(game["games"] for game in figures["games"]) for figures in (before, after)]
    assert games[1] == games[0] + 1
    page.goto("/statistics")
    section = page.locator("section[data-game=katarenga]")
    expect(section.get_by_role("img", name="Victories by seat")).to_be_visible()
    section.get_by_text("As a table").first.click()
    expect(section.get_by_role("row").filter(has_text="White").first).to_contain_text("%")
    assert violations(page) == []


@pytest.mark.parametrize("language", ["de", "fr", "nl"])
def test_they_speak_every_language_and_fit(visit: Visit, language: str, tmp_path: Path) -> None:
    page = visit("/real-table", language=language, viewport=PHONE)
    for path in ("/real-table", "/statistics", *(f"/real-table/{part}" for part in PARTS)):
        page.goto(path)
        page.locator("h1").wait_for()
        page.wait_for_timeout(150)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
