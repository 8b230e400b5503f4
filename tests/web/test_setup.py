"""The set-up page: one short column, everything else closed."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

import mchezo
from tests.web.axe import violations
from tests.web.conftest import Visit
from tests.web.records import set_table

pytestmark = pytest.mark.rotating(shares=24)

FRESH = "localStorage.mchezo = '{\"speed\": 0}'"


def created(page: Page) -> dict[str, Any]:
    """Start the game and return its table."""
    page.locator("form button.primary").click()
    page.wait_for_url("**/t/*")
    table: dict[str, Any] = page.request.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}").json()
    return table


@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
def test_a_newcomer_sees_a_short_form_and_a_live_board(visit: Visit, game: str) -> None:
    page = visit("/settings", viewport={"width": 1440, "height": 900})
    page.evaluate(FRESH)
    page.goto(f"/new/{game}")
    page.locator("svg.board").wait_for()
    advanced = page.locator("details")
    expect(advanced).not_to_have_attribute("open", "")
    box = page.locator("form").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 900  # without scrolling
    assert violations(page) == []
    advanced.locator("summary").click()
    page.wait_for_function("() => JSON.parse(localStorage.mchezo).advanced")  # the event comes after the click
    page.reload()
    expect(page.locator("details")).to_have_attribute("open", "")  # as it was left


def test_a_level_has_a_name_a_strength_and_a_description_but_no_rating(visit: Visit) -> None:
    page = visit("/new/kiwara")
    level = page.locator("label:has(input[type=range])")
    seen = set()
    for number in range(1, 9):
        page.locator("input[type=range]").fill(str(number))
        expect(level).to_contain_text(f"{number} of 8")
        seen.add(level.inner_text().splitlines()[-1])
    assert len(seen) == 8
    assert "rating" not in page.locator("form").inner_text().lower()


@pytest.mark.parametrize(
    ("clock", "left", "increment"), [("none", None, None), ("3+2", 180_000, 2_000), ("30+0", 1_800_000, 0)]
)
def test_a_clock_is_chosen_from_presets(visit: Visit, clock: str, left: int | None, increment: int | None) -> None:
    page = visit("/new/kiwara")
    page.locator("input[value=screen]").check()
    page.locator(f"input[name=clock][value='{clock}']").check()
    table = created(page)
    if left is None:
        assert table["clock"] is None
    else:
        assert (table["clock"]["left"], table["clock"]["increment"]) == ([left, left], [increment, increment])


def test_a_variant_is_named_with_its_aim_and_whom_it_favours(visit: Visit) -> None:
    page = visit("/new/katarenga?variant=troika")
    expect(page.get_by_role("heading", name="New game: Troika")).to_be_visible()
    expect(page.get_by_text("So the swap rule is on")).to_be_visible()
    page.get_by_label("Swap rule").uncheck()
    expect(page.get_by_text("The swap rule, which makes up for that, is off.")).to_be_visible()
    assert violations(page) == []
    page.locator("form p").get_by_role("link", name="Rules").click()
    expect(page.locator("#troika")).to_be_in_viewport()


def test_the_line_that_wins_troika_is_drawn(visit: Visit) -> None:
    page = visit()
    position = mchezo.game("katarenga").start(variant="troika", board="b0d3a0c3")
    for move in ("@a1", "@b3", "@d3", "@e5"):
        position.play(move)
    table = set_table(page, "katarenga", str(position.record()), [{"kind": "you"}, {"kind": "you"}])
    page.goto(f"/t/{table['id']}")
    page.locator("svg.board [data-place=g5].open").click()
    page.get_by_role("button", name="Show board").click()
    expect(page.locator("svg.board path.line")).to_have_count(2)
