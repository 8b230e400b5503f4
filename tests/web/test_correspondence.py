"""Correspondence in the browser, by keyboard: set up, plan an answer, keep a note, go on to the next game, travel."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.server.serving import Client, eventually
from tests.web.axe import violations
from tests.web.conftest import Visit
from tests.web.test_accounts import create_account

pytestmark = pytest.mark.rotating(shares=6)


def me(page: Page) -> None:
    page.evaluate("() => fetch('/api/me')")


def press(button: Locator) -> None:
    """Press a button by keyboard, once the request before it is answered."""
    expect(button).to_be_enabled()
    button.press("Enter")


def joined(page: Page, server: str, **given: Any) -> tuple[Client, str]:
    """Return an opponent who is to move in a correspondence game with the visitor, and the game."""
    body = {"game": "katarenga", "seats": [{"kind": "you"}, {"kind": "open"}], "days": 3, "lot": False, **given}
    code = """(body) => fetch("/api/tables", {method: "POST", body: JSON.stringify(body),
        headers: {"Content-Type": "application/json"}}).then((answer) => answer.json())"""
    ben = Client(server.removeprefix("http://"), "Ben")
    for _ in range(20):  # the first player is drawn
        made = page.evaluate(code, body)
        ((_, key),) = made["table"]["keys"].items()
        ben.do(made["id"], "join", key=key)
        if ben.look(made["id"])["legal"]:
            return ben, made["id"]
        ben.do(made["id"], "resign")
    raise AssertionError("Ben is never first")


def test_a_correspondence_game_is_set_up_and_shows_its_days(visit: Visit) -> None:
    page = visit("/new/katarenga")
    page.get_by_role("radio", name="A friend").check()
    page.get_by_role("radio", name="Days per move").check()
    page.get_by_role("radio", name="5", exact=True).check()
    page.get_by_role("checkbox", name="Weekends don't count").check()
    assert violations(page) == []
    press(page.get_by_role("button", name="Create game"))
    page.wait_for_url("**/t/*")
    table = page.evaluate("() => fetch(`/api${location.pathname.replace('/t/', '/tables/')}`).then((a) => a.json())")
    assert (table["settings"]["days"], table["settings"]["weekends"]) == (5, True)


def test_an_answer_is_planned_by_keyboard_and_played(visit: Visit, server: str) -> None:
    page = visit("/")
    me(page)
    ben, table = joined(page, server)
    page.goto(f"{server}/t/{table}")
    expect(page.get_by_text("3 days").first).to_be_visible()
    press(page.get_by_role("button", name="Conditional moves"))
    dialog = page.get_by_role("dialog")
    move = ben.look(table)["legal"][0]
    dialog.get_by_label("If Ben plays").select_option(move)
    press(dialog.get_by_role("button", name="Add move"))
    answers = dialog.get_by_label("then I play")
    answer = answers.locator("option").nth(1).inner_text()
    answers.select_option(answer)
    press(dialog.get_by_role("button", name="Add move"))
    press(dialog.get_by_role("button", name="Save line"))
    expect(dialog.get_by_role("listitem")).to_contain_text(f"{move} {answer}")
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Conditional moves (1)")).to_be_visible()
    ben.do(table, "move", decision=ben.look(table)["decision"], moves=[move])
    eventually(lambda: ben.look(table)["made"] == 2)
    expect(page.get_by_role("button", name="Conditional moves", exact=True)).to_be_visible()


def test_a_note_is_not_replaced_by_a_late_answer(visit: Visit, server: str) -> None:
    page = visit("/")
    me(page)
    _, table = joined(page, server)
    late: list[Route] = []
    page.route("**/note", lambda route: late.append(route) if route.request.method == "GET" else route.continue_())
    page.goto(f"{server}/t/{table}")
    note = page.get_by_label("My notes")
    expect(note).to_be_disabled()
    late.pop().continue_()
    note.fill("Mind the camps.")
    expect(page.get_by_text("only you can see them")).to_be_visible()
    expect(note).to_have_value("Mind the camps.")


def test_notes_stay_and_the_next_game_is_a_click_away(visit: Visit, server: str) -> None:
    page = visit("/")
    me(page)
    ben, first = joined(page, server)
    _, second = joined(page, server)
    page.goto(f"{server}/t/{second}")
    page.get_by_label("My notes").fill("Mind the camps.")
    expect(page.get_by_text("only you can see them")).to_be_visible()
    expect(page.get_by_role("button", name="No other games waiting")).to_be_disabled()
    ben.do(first, "move", decision=ben.look(first)["decision"], moves=[ben.look(first)["legal"][0]])
    page.reload()
    expect(page.get_by_label("My notes")).to_have_value("Mind the camps.")
    press(page.get_by_role("button", name="Next game (1)"))
    page.wait_for_url(f"**/t/{first}")


def test_a_vacation_is_taken_and_ended_in_the_settings(visit: Visit) -> None:
    page = visit("/settings")
    create_account(page, "Vera Vacation")
    page.get_by_role("button", name="Done").click()
    day = page.evaluate("() => new Date(Date.now() + 3 * 86400000).toISOString().slice(0, 10)")
    page.get_by_label("First day").fill(day)
    page.get_by_label("Last day").fill(day)
    press(page.get_by_role("button", name="Take vacation"))
    end = page.get_by_role("button", name="vacation from")
    expect(end).to_have_text("Cancel")
    expect(page.get_by_text("29 of 30 days a year left")).to_be_visible()
    assert violations(page) == []
    press(end)
    expect(end).to_have_count(0)


def test_feeds_have_an_address_only_if_wanted(visit: Visit) -> None:
    page = visit("/settings")
    create_account(page, "Felix Feed")
    page.get_by_role("button", name="Done").click()
    press(page.get_by_role("button", name="Create address"))
    address = page.get_by_role("link", name="Calendar").get_attribute("href")
    assert page.request.get(f"{page.url.partition('/settings')[0]}{address}").text().startswith("BEGIN:VCALENDAR")
    press(page.get_by_role("button", name="Remove address"))
    expect(page.get_by_role("button", name="Create address")).to_be_visible()
    assert page.request.get(f"{page.url.partition('/settings')[0]}{address}").status == 404
