"""Tournaments in the browser: organise one, enter, be paired, play, and follow standings and bracket."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.server.serving import Client, eventually
from tests.server.test_accounts import register
from tests.web.axe import violations
from tests.web.conftest import Visit

pytestmark = pytest.mark.rotating(shares=24)
CLOCK = {"milliseconds": 600_000, "increment": 0}


def account(server: str, name: str) -> Client:
    client = Client(server.removeprefix("http://"), "x")
    register(client, name)
    return client


def test_somebody_organises_a_tournament_and_players_are_told_when_they_are_paired(visit: Visit, server: str) -> None:
    ann, bob = account(server, "Organiser Ann"), account(server, "Entrant Bob")
    page = visit("/tournaments", who=ann)
    page.get_by_role("link", name="New tournament").click()
    page.get_by_role("textbox", name="Name").fill("Browser open")
    page.get_by_role("radio", name="Swiss").check()
    page.get_by_role("combobox", name="Game").select_option("kiwara")
    page.get_by_role("spinbutton", name="Rounds").fill("1")
    assert violations(page) == []
    page.get_by_role("textbox", name="Name").press("Enter")
    expect(page.get_by_role("heading", name="Browser open")).to_be_visible()
    expect(page.get_by_text("Nobody has entered yet.")).to_be_visible()
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_text("You are in.")).to_be_visible()
    other = visit(page.url, who=bob)
    other.get_by_role("button", name="Enter").focus()
    other.keyboard.press("Enter")
    expect(page.get_by_role("row", name="Entrant Bob")).to_be_visible()  # without a click
    assert violations(page) == []
    page.get_by_role("button", name="Start now").click()
    expect(other.get_by_role("status").filter(has_text="Your game is ready.")).to_be_visible()
    expect(other).to_have_title("● Browser open · mchezo")
    assert violations(other) == []
    other.get_by_role("link", name="Go to your game").click()
    expect(other.get_by_role("link", name="Back to the tournament")).to_be_visible()
    table = other.url.rpartition("/")[2]
    bob.do(table, "resign")
    other.get_by_role("link", name="Back to the tournament").first.click()
    expect(other.get_by_text("Winner: Organiser Ann")).to_be_visible()
    expect(other.get_by_role("row", name="1 Organiser Ann 1 ")).to_be_visible()
    expect(other.locator(f"a[href='/replay/{table}']")).to_be_visible()
    assert violations(other) == []
    page.goto("/tournaments")
    expect(page.get_by_role("link", name="Browser open")).to_contain_text("Winner: Organiser Ann")


def test_an_organiser_is_asked_before_a_person_is_removed(visit: Visit, server: str) -> None:
    ann, bob = account(server, "Removing Ann"), account(server, "Removed Bob")
    id = ann.post("/api/tournaments", {"name": "Small", "format": "swiss", "game": "kiwara", "clock": CLOCK})["id"]
    bob.post(f"/api/tournaments/{id}/commands", {"type": "enter"})
    page = visit(f"/tournament/{id}", who=ann)
    remove, dialog = page.get_by_role("button", name="Remove Removed Bob"), page.get_by_role("dialog")
    remove.click()
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    assert ann.get(f"/api/tournaments/{id}")["players"][0]["active"]
    remove.click()
    assert violations(page) == []
    dialog.get_by_role("button", name="Remove", exact=True).click()
    expect(page.get_by_text("withdrawn", exact=True)).to_be_visible()


def test_a_knock_out_shows_its_bracket(visit: Visit, server: str) -> None:
    ann = account(server, "Bracket Ann")
    plan = {"name": "Cup", "format": "knock-out", "game": "kiwara", "clock": CLOCK, "computers": True}
    id = ann.post("/api/tournaments", plan)["id"]
    page = visit(f"/tournament/{id}", who=ann)
    page.get_by_role("combobox", name="Level").select_option("1")
    for number in range(3):
        page.get_by_role("button", name="Add computer").click()
        expect(page.get_by_role("row")).to_have_count(number + 2)
    page.get_by_role("button", name="Remove Computer (Beginner 3, level 1)").click()
    expect(page.get_by_text("withdrawn", exact=True)).to_be_visible()
    page.get_by_role("button", name="Add computer").click()
    page.get_by_role("button", name="Start now").click()
    expect(page.get_by_role("heading", name="Bracket")).to_be_visible()
    eventually(lambda: ann.get(f"/api/tournaments/{id}")["status"] == "over")
    expect(page.get_by_text("Winner: Computer (Beginner")).to_be_visible()
    bracket = page.get_by_role("group", name="Bracket")
    expect(bracket.get_by_role("heading")).to_have_count(2)
    expect(bracket.get_by_text("goes through")).to_have_count(3)
    assert violations(page) == []


GUESTS = [
    ("de", "Turniere", "Konto anlegen"),
    ("fr", "Tournois", "Créer un compte"),
    ("nl", "Toernooien", "Account aanmaken"),
]


@pytest.mark.parametrize(("language", "title", "button"), GUESTS)
def test_guests_look_at_tournaments_in_their_language(visit: Visit, language: str, title: str, button: str) -> None:
    page = visit("/", language=language, viewport={"width": 360, "height": 740})
    page.get_by_role("link", name=title).click()
    expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
    page.goto("/tournaments/new")
    expect(page.get_by_role("button", name=button)).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
