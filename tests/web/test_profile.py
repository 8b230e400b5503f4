"""Profiles and rated games in the browser: a rated table, what it changed, the page of a player."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.server.serving import Client
from tests.server.test_accounts import register
from tests.web.axe import violations
from tests.web.conftest import Visit

pytestmark = pytest.mark.rotating(shares=6)


def play_rated(address: str, first: str, second: str) -> tuple[Client, str]:
    """Play a rated game that the second player gives up; return the second player and the table."""
    ann, bob = Client(address, "x"), Client(address, "y")
    register(ann, first)
    register(bob, second)
    table = ann.make("katarenga", lot=True, rated=True, takeback=False, hints=False)["id"]
    bob.do(table, "join")
    for _ in range(2):
        for who in (ann, bob):
            seen = who.look(table)
            if seen["legal"]:
                who.do(table, "move", decision=seen["decision"], moves=seen["legal"][:1])
    bob.do(table, "resign")
    return bob, table


def test_a_profile_shows_ratings_and_games_with_filters(visit: Visit, server: str) -> None:
    _, table = play_rated(server.removeprefix("http://"), "Profile Ann", "Profile Bob")
    page = visit("/player/Profile%20Ann")
    expect(page.get_by_role("heading", name="Profile Ann")).to_be_visible()
    expect(page.get_by_role("row", name="Katarenga, no clock")).to_contain_text("provisional")
    expect(page.get_by_role("link", name="Katarenga ·")).to_have_attribute("href", f"/replay/{table}")
    page.get_by_label("Result").select_option("lost")
    expect(page.get_by_text("No games to show.")).to_be_visible()
    assert violations(page) == []
    expect(page.get_by_role("button", name="Follow")).to_have_count(0)


def test_a_player_with_an_account_follows_blocks_and_reports_by_keyboard(visit: Visit, server: str) -> None:
    bob, table = play_rated(server.removeprefix("http://"), "Related Ann", "Related Bob")
    page = visit("/player/Related%20Ann", who=bob)
    page.get_by_role("button", name="Follow").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Unfollow")).to_have_attribute("aria-pressed", "true")
    page.get_by_text("Report", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_label("What should the operator know?").fill("Only a test")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Thank you")).to_be_visible()
    assert violations(page) == []
    page.goto(f"{server}/t/{table}")
    expect(page.get_by_role("list", name="Ratings")).to_contain_text("Related Ann")


def test_games_are_filtered_and_results_added_up(visit: Visit, server: str) -> None:
    ann, bob = Client(server.removeprefix("http://"), "x"), Client(server.removeprefix("http://"), "y")
    register(ann, "Sums Ann")
    register(bob, "Sums Bob")
    lost, won = (ann.make("katarenga")["id"] for _ in range(2))
    for table, loser in ((lost, ann), (won, bob)):
        bob.do(table, "join")
        loser.do(table, "resign")
    to_level = ann.make("kiwara", seats=[{"kind": "you"}, {"kind": "computer", "level": 1}])["id"]
    ann.do(to_level, "resign")
    page = visit("/player/Sums%20Ann")
    expect(page.get_by_role("row", name="Katarenga 1 0 1", exact=True)).to_be_visible()
    expect(page.get_by_role("row", name="Beginner 0 0 1")).to_be_visible()
    games = page.get_by_role("link", name=re.compile("^(Katarenga|Kiwara) ·"))
    expect(games).to_have_count(3)
    page.get_by_label("Result").select_option("won")
    expect(games).to_have_count(1)
    expect(games).to_have_attribute("href", f"/replay/{won}")
    page.get_by_label("Result").select_option("")
    page.get_by_label("Opponent").select_option("Beginner")
    expect(games).to_have_count(1)
    expect(games).to_have_attribute("href", f"/replay/{to_level}")
    page.get_by_label("Opponent").select_option("Sums Bob")
    expect(games).to_have_count(2)
    assert violations(page) == []


def test_your_profile_lists_whom_you_follow_and_what_they_play(visit: Visit, server: str) -> None:
    ann, bob = Client(server.removeprefix("http://"), "x"), Client(server.removeprefix("http://"), "y")
    register(ann, "Followed Ann")
    register(bob, "Following Bob")
    table = ann.make("kiwara", seats=[{"kind": "you"}, {"kind": "computer", "level": 1}])["id"]
    bob.post("/api/players/Followed%20Ann/relation", {"relation": "follow"})
    page = visit("/player/Following%20Bob", who=bob)
    people = page.get_by_role("region", name="Other players")
    expect(people.get_by_role("link", name="Kiwara")).to_have_attribute("href", f"/t/{table}")
    expect(people.get_by_role("link", name="Followed Ann", exact=True)).to_be_visible()
    assert violations(page) == []
    people.get_by_role("button", name="Unfollow: Followed Ann").focus()
    page.keyboard.press("Enter")
    expect(people).to_have_count(0)


def test_only_account_holders_are_offered_rated_games(visit: Visit, server: str) -> None:
    page = visit("/new/katarenga")
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    expect(page.get_by_label("Rated game")).to_have_count(0)
    client = Client(server.removeprefix("http://"), "x")
    register(client, "Rated Creator")
    page = visit("/new/katarenga", who=client)
    expect(page.get_by_label("Rated game")).to_be_visible()
