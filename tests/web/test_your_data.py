"""The guest's own data, in the settings: download, other sessions, sign-out, deletion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.axe import violations
from tests.web.conftest import Visit
from tests.web.player import one_screen
from tests.web.test_profile import play_rated

pytestmark = pytest.mark.rotating(shares=6)


def identity(page: Page) -> str:
    found: dict[str, Any] = page.evaluate("() => fetch('/api/me').then((answer) => answer.json())")
    return str(found["id"])


def look(page: Page, table: str) -> dict[str, Any]:
    seen: dict[str, Any] = page.evaluate(f"() => fetch('/api/tables/{table}').then((answer) => answer.json())")
    return seen


def your_data(page: Page) -> Locator:
    return page.locator("section", has=page.locator("#your-data"))


def named(page: Page, name: str) -> None:
    page.goto("/settings")
    with page.expect_response(lambda answer: answer.url.endswith("/api/me") and answer.request.method != "GET"):
        page.get_by_label("Your name").fill(name)
        page.get_by_label("Your name").press("Enter")


def test_a_guest_downloads_their_games(visit: Visit, tmp_path: Path) -> None:
    page = visit()
    one_screen(page, "katarenga")
    table = page.url.rpartition("/")[2]
    named(page, "Ada")
    with page.expect_download() as waiting:
        your_data(page).get_by_role("button", name="Download").click()
    waiting.value.save_as(tmp_path / "mchezo.json")
    data = json.loads((tmp_path / "mchezo.json").read_text(encoding="utf-8"))
    assert data["id"] == identity(page)
    assert data["name"] == "Ada"
    assert [(one["id"], one["game"], one["seats"]) for one in data["tables"]] == [(table, "katarenga", [0, 1])]
    assert '[Game "katarenga"]' in data["tables"][0]["record"]


def test_the_data_of_an_account_is_downloaded_whole(visit: Visit, server: str, tmp_path: Path) -> None:
    bob, _ = play_rated(server.removeprefix("http://"), "Export Ann", "Export Bob")
    bob.post("/api/players/Export%20Ann/relation", {"relation": "follow"})
    page = visit("/settings", who=bob)
    with page.expect_download() as waiting:
        your_data(page).get_by_role("button", name="Download").click()
    waiting.value.save_as(tmp_path / "mchezo.json")
    data = json.loads((tmp_path / "mchezo.json").read_text(encoding="utf-8"))
    stored = bob.get("/api/me/data")
    assert data.keys() == stored.keys() - {"before"}
    assert data["people"]["following"] == ["Export Ann"]
    assert len(data["ratings"]) == len(data["rated_games"]) == 1
    assert data["account"]["name"] == "Export Bob"


def test_other_sessions_end_and_this_one_goes_on(visit: Visit) -> None:
    page = visit("/settings")
    known = identity(page)
    stolen = page.context.cookies()
    page.get_by_role("button", name="End sessions").click()
    expect(your_data(page).get_by_role("status")).to_have_text("All other sessions have ended.")
    assert identity(page) == known
    thief = visit("/settings")
    thief.wait_for_load_state("networkidle")  # no request under way sees the cookies change
    thief.context.clear_cookies()
    thief.context.add_cookies([{**cookie} for cookie in stolen])  # type: ignore[typeddict-item]  # the same keys
    assert identity(thief) != known


def test_a_guest_who_signs_out_is_asked_first_and_becomes_another_one(visit: Visit) -> None:
    page = visit()
    named(page, "Ada")
    known = identity(page)
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Cancel").click()
    assert identity(page) == known
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(your_data(page).get_by_role("status")).to_have_text("You're signed out. You're a new guest now.")
    expect(page.get_by_label("Your name")).to_have_value("")
    assert identity(page) != known


def test_data_is_deleted_by_keyboard_after_a_confirmation(visit: Visit) -> None:
    page = visit()
    named(page, "Ada")
    known = identity(page)
    one_screen(page, "katarenga")
    table = page.url.rpartition("/")[2]
    page.goto("/settings")
    page.get_by_role("button", name="Delete").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Delete your data")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("button", name="Delete")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()  # a second Enter does no harm
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(your_data(page).get_by_role("status")).to_have_text("Your data is deleted. You're a new guest now.")
    assert violations(page) == []
    assert identity(page) != known
    assert look(page, table)["status"] == "over"


def test_a_refusal_is_shown(visit: Visit) -> None:
    page = visit("/settings", language="de", forgiven="status of 503")
    refusal = json.dumps({"type": "refused", "code": "unavailable", "words": "Die Datenbank ist gerade nicht da."})
    page.route("**/api/me/data", lambda route: route.fulfill(status=503, body=refusal))
    your_data(page).get_by_role("button", name="Herunterladen").click()
    expect(page.get_by_role("alert")).to_have_text("Die Datenbank ist gerade nicht da.")
    expect(your_data(page).get_by_role("button", name="Herunterladen")).to_be_enabled()
