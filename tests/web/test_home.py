"""The home page: one click to a board, and the lists of tables."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.axe import violations
from tests.web.conftest import Visit
from tests.web.player import invite

pytestmark = pytest.mark.rotating(shares=24)

YOURS = "section:has(h2:text-is('Your games')) li"


def table_of(page: Page) -> dict[str, object]:
    """Return the table of a page."""
    found: dict[str, object] = page.request.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}").json()
    return found


def test_quick_play_begins_without_a_question_on_a_balanced_board(visit: Visit) -> None:
    page = visit()
    card = page.locator("[data-game=katarenga].card")
    expect(card).to_contain_text("balanced board, no capture on the first move")
    card.locator("button.primary").click()
    page.wait_for_url("**/t/*")
    page.locator("svg.board").wait_for()
    table = table_of(page)
    options = table["options"]
    assert isinstance(options, dict)
    assert options["choose_baseline"] is False
    assert options["first_capture"] == "never"
    rated = page.request.post(
        "/api/games/katarenga/sketch",
        data={"board": options["board"]},
        headers={"Origin": page.url.split("/t/")[0]},
    ).json()
    assert rated["rating"]["balanced"] is True
    assert rated["rating"]["chosen"] == 0  # as it lies, since nobody turns it


def test_all_own_games_are_shown_when_asked_for_and_finished_ones_are_removed(visit: Visit) -> None:
    page = visit()
    page.request.get("/api/me")
    for _ in range(10):
        made = page.request.post(
            "/api/tables",
            data={"game": "kiwara", "seats": [{"kind": "you"}, {"kind": "you"}]},
            headers={"Origin": page.url.rstrip("/")},
        )
        assert made.ok, made.text()
    page.reload()
    expect(page.locator(YOURS)).to_have_count(8)
    page.get_by_role("button", name="Show all").first.click()
    expect(page.locator(YOURS)).to_have_count(10)
    assert violations(page) == []
    # resign one of them: then it can be removed
    table = made.json()["id"]
    done = page.request.post(
        f"/api/tables/{table}/commands",
        data={"type": "resign", "id": "resign", "seat": 0},
        headers={"Origin": page.url.rstrip("/")},
    )
    assert done.ok, done.text()
    page.reload()
    page.get_by_role("button", name="Remove from your list").click()
    expect(page.get_by_role("button", name="Remove from your list")).to_have_count(0)
    page.get_by_role("button", name="Show all").first.click()
    expect(page.locator(YOURS)).to_have_count(9)
    page.reload()
    page.get_by_role("button", name="Show all").first.click()
    expect(page.locator(YOURS)).to_have_count(9)


def test_a_table_that_waits_is_cancelled_from_the_list(visit: Visit) -> None:
    page = visit()
    invite(page, "kiwara")
    table = page.url.rsplit("/", 1)[1]
    page.goto("/")
    page.get_by_role("button", name="Cancel this table").click()
    expect(page.locator(YOURS)).to_have_count(0)
    assert page.request.get(f"/api/tables/{table}").status == 404
