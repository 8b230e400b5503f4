"""Tools for the real table: a chess clock, boards to lay out, score pads; and the server's statistics."""

import json
import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import mchezo
from tests.web.axe import violations
from tests.web.conftest import Visit

pytestmark = pytest.mark.rotating(shares=24)

PARTS = ("clock", "katarenga", "kiwara", "score-kiwara", "score-kitara")
PHONE = {"width": 360, "height": 740}


def shows(page: Page, near: str, far: str) -> None:
    """Expect these times on both sides."""
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
    page.get_by_role("button", name="Start clock").click()
    page.locator(".clock").wait_for()


@pytest.mark.rotating(shares=24)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/real-table", "/statistics", *(f"/real-table/{part}" for part in PARTS)])
def test_these_pages_are_accessible_and_fit_a_small_phone(visit: Visit, path: str, theme: str) -> None:
    page = visit(path, color_scheme=theme, viewport=PHONE)
    page.locator("h1").wait_for()
    page.wait_for_load_state("networkidle")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_home_page_leads_there(visit: Visit) -> None:
    page = visit()
    page.get_by_role("link", name="For your own box").click()
    page.get_by_role("link", name=re.compile("^Clock")).click()
    expect(page.get_by_role("heading", name="Clock")).to_be_visible()


def test_the_clock_of_the_player_to_move_runs_and_gains_the_increment(visit: Visit) -> None:
    page = visit("/real-table/clock", viewport=PHONE)
    page.clock.set_fixed_time(1_000_000)  # seconds
    begin_clock(page, near="5", far="3", seconds="10")
    shows(page, "5:00", "3:00")
    page.locator("[data-side='1']").click()  # the player who does not begin presses first
    page.clock.set_fixed_time(1_000_021)
    shows(page, "4:39", "3:00")
    page.locator("[data-side='1']").click()  # no effect: the near player is to move
    page.locator("[data-side='0']").click()
    shows(page, "4:49", "3:00")
    page.clock.set_fixed_time(1_000_081)
    shows(page, "4:49", "2:00")
    page.get_by_role("button", name="Pause").click()
    page.clock.set_fixed_time(1_000_581)
    expect(page.get_by_text("Paused").first).to_be_visible()
    shows(page, "4:49", "2:00")
    page.get_by_role("button", name="Resume").click()
    page.keyboard.press("Space")
    shows(page, "4:49", "2:10")


def test_a_clock_survives_a_reload_and_expires(visit: Visit) -> None:
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
    expect(page.get_by_text("Time's up")).to_be_visible()
    expect(page.locator("[data-side='0']")).to_be_disabled()
    page.get_by_role("button", name="Exit").click()
    expect(page.get_by_role("button", name="Start clock")).to_be_visible()


def test_the_far_half_is_upside_down_and_both_fill_the_screen(visit: Visit) -> None:
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
        expect(page.get_by_role("heading", name=f"Quarter {number} of 4")).to_be_visible()
        expect(page.locator(".lay p")).to_contain_text(corner)
        page.get_by_role("button", name="Next", exact=True).click()
    expect(page.get_by_role("heading", name="Board complete")).to_be_visible()
    page.reload()
    expect(page.locator("input[size='9']")).to_have_value(code)
    expect(page.get_by_role("heading", name="Board complete")).to_be_visible()


def test_a_balanced_board_comes_from_the_catalogue_with_its_rating(visit: Visit) -> None:
    page = visit("/new/katarenga")
    page.get_by_text("Build your own").click()
    code = page.locator("input[size='9']")
    before = code.input_value()
    page.get_by_role("button", name="Balanced").click()
    expect(code).not_to_have_value(before)
    expect(page.get_by_text("Fair for both sides")).to_be_visible()
    expect(page.locator(".rating")).to_contain_text(re.compile(r"White scores \d+ ± \d+\s%"))
    # A turned board keeps the rating, another one has another or none.
    page.get_by_role("button", name="Swap with next").first.click()
    expect(page.get_by_text("Fair for both sides")).to_be_hidden()


def test_a_kiwara_board_is_drawn_at_random_and_remembered(visit: Visit) -> None:
    page = visit("/real-table/kiwara")
    picture = page.get_by_role("img", name="A free board")
    summary = page.get_by_text("River edges:")
    expect(summary).to_be_visible()
    dealt = picture.get_attribute("aria-label")
    page.get_by_role("button", name="New board").click()
    expect(picture).not_to_have_attribute("aria-label", dealt or "")
    first = picture.get_attribute("aria-label")
    page.get_by_role("button", name="New board").click()
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
        page.get_by_role("button", name=f"Add {token}", exact=True).click()
    expect(page.get_by_text("Yellow leads 4 to 3 and takes 20 points.")).to_be_visible()
    expect(page.locator(".totals strong").nth(0)).to_have_text("20")
    page.get_by_label("Red", exact=True).check()
    expect(page.locator(".totals strong").nth(1)).to_have_text("5")
    # A player has one elephant only.
    expect(page.get_by_role("button", name="Add elephant, Yellow", exact=True)).to_be_disabled()
    page.reload()
    expect(page.locator(".totals strong").nth(0)).to_have_text("20")
    page.get_by_role("button", name="Remove zebra, Yellow", exact=True).click()
    expect(page.get_by_text("Equal numbers")).to_be_visible()
    page.get_by_role("button", name="Clear").click()
    expect(page.locator(".totals strong").nth(0)).to_have_text("0")


def test_the_kiwara_pad_agrees_with_the_rules(visit: Visit) -> None:
    page = visit("/real-table/score-kiwara")
    kiwara = mchezo.game("kiwara")
    for seed in range(6):
        position = kiwara.start(seed=seed, reinforcement=("okapi", "pile")[seed % 2])
        choice = random.Random(seed)
        while position.to_move is not None:
            position.play(choice.choice(position.legal_moves))
        view = position.view(None)
        tokens: list[list[str]] = [[] for _ in "ABCDEF"]
        for space, animal in view["animals"].items():
            letter = view["board"].split("/")[int(space[1]) - 1]["abcdef".index(space[0])]
            kind = animal["animal"].lower() if animal["hidden"] else animal["animal"]
            tokens["ABCDEF".index(letter)].append(f"{animal['seat']}{kind}")
        okapi = next((seat for seat in range(2) if "okapi" in view["cards"][seat]), None)
        pad = json.dumps({"tokens": tokens, "okapi": okapi, "open": 0})
        page.evaluate("(pad) => localStorage.setItem('mchezo-pad-kiwara', pad)", pad)
        page.reload()
        expect(page.locator(".totals strong")).to_have_text([str(points) for points in view["scores"]])


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
    expect(page.get_by_text(re.compile("Tied on points. .* wins with more hero tokens"))).to_be_visible()
    page.locator("thead input").nth(1).fill("Ada")
    expect(page.get_by_text("Tied on points. Ada wins with more hero tokens.")).to_be_visible()
    fill(1, 1, 1, 0)
    expect(page.get_by_text(re.compile("wins\\.$"))).to_be_visible()
    page.reload()
    expect(totals).to_have_text(["58", "56", "34"])
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def resign(page: Page, game: str) -> None:
    """Lose a game against the computer."""
    headers = {"Origin": "/".join(page.url.split("/")[:3])}
    seats = [{"kind": "you"}, {"kind": "computer", "level": 3}]
    page.request.get("/api/me")  # for the cookie
    made = page.request.post("/api/tables", data={"game": game, "seats": seats, "lot": False}, headers=headers)
    assert made.ok, made.text()
    command = {"type": "resign", "id": "over", "seat": 0}
    assert page.request.post(f"/api/tables/{made.json()['id']}/commands", data=command, headers=headers).ok


def test_the_statistics_show_nothing_below_ten_games_then_your_results(visit: Visit) -> None:
    page = visit("/statistics")
    for _ in range(9):
        resign(page, "katarenga")
    page.reload()
    expect(page.get_by_text("after 10 finished games. So far: 9")).to_be_visible()
    own = page.locator("section[data-own]")
    expect(own).to_have_count(0)
    resign(page, "katarenga")
    page.reload()
    expect(own.get_by_role("img", name="Your victories by opponent")).to_be_visible()
    own.locator("summary").first.click()
    row = own.get_by_role("row").filter(has_text="Level 3")
    expect(row).to_contain_text("0%")
    section = page.locator("section[data-game=katarenga]:not([data-own])")
    expect(section.get_by_role("img", name="Wins by seat")).to_be_visible()
    assert violations(page) == []


@pytest.mark.rotating(shares=24)
@pytest.mark.parametrize("language", ["de", "fr", "nl"])
def test_these_pages_fit_a_small_phone_in_every_language(visit: Visit, language: str, tmp_path: Path) -> None:
    page = visit("/real-table", language=language, viewport=PHONE)
    for path in ("/real-table", "/statistics", *(f"/real-table/{part}" for part in PARTS)):
        page.goto(path)
        page.locator("h1").wait_for()
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
