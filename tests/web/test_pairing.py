"""Pairing in the browser: two who look for the same play each other, challenges, and a computer instead."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.server.serving import Client
from tests.web.axe import violations
from tests.web.conftest import Visit
from tests.web.test_profile import play_rated
from tests.web.test_two import OPEN, move

pytestmark = pytest.mark.rotating(shares=24)


def button(page: Page, kind: str, clock: str) -> Locator:
    return page.get_by_role("button", name=re.compile(f"^{kind}, *{re.escape(clock)}"))


def look_for(page: Page, kind: str, clock: str) -> None:
    """Choose a game and a speed by keyboard."""
    button(page, kind, clock).focus()
    page.keyboard.press("Enter")


def mover(one: Page, other: Page) -> tuple[Page, Page]:
    """Return who is to move, and who is not."""
    for page in (one, other):
        page.wait_for_url("**/t/*")
        page.locator("svg.board").wait_for()
    look = "() => fetch(`/api${location.pathname.replace('/t/', '/tables/')}`).then((a) => a.json())"
    return (one, other) if one.evaluate(look)["legal"] else (other, one)


def test_two_find_each_other_by_keyboard_and_play_a_move(visit: Visit) -> None:
    one, other = visit("/"), visit("/play")
    one.get_by_role("link", name="Find opponents").click()
    expect(one.get_by_text("Nobody is waiting right now.")).to_be_visible()
    look_for(one, "Kiwara", "15+10")
    expect(one.get_by_role("heading", name="Looking for opponents")).to_be_visible()
    expect(button(one, "Kiwara", "15+10")).to_have_attribute("aria-pressed", "true")
    expect(other.get_by_role("listitem").filter(has_text="Kiwara · 15 min + 10 s · casual")).to_be_visible()
    assert violations(one) == []
    assert violations(other) == []
    look_for(other, "Kiwara", "15+10")
    first, second = mover(one, other)
    assert one.url == other.url
    expect(first.get_by_text("15:00").first).to_be_visible()
    move(first)
    expect(second.locator(OPEN).first).to_be_attached()


def test_somebody_in_the_list_is_joined_and_a_seek_is_cancelled(visit: Visit) -> None:
    one, other = visit("/play"), visit("/play")
    one.get_by_label("Katarenga variant").select_option(label="Congress")
    look_for(one, "Congress", "∞")
    other.get_by_role("button", name="Play Guest, Congress, no clock").click()
    mover(one, other)
    one.goto("/play")
    look_for(one, "Congress", "5+3")
    one.get_by_role("button", name="Stop looking").click()
    expect(one.get_by_role("heading", name="Looking for opponents")).to_have_count(0)


def test_a_correspondence_game_is_found_by_two_who_need_not_stay(visit: Visit) -> None:
    one, other = visit("/play"), visit("/play")
    look_for(one, "Kiwara", "3 days")
    mine = one.get_by_role("region", name="Your search for correspondence games")
    expect(mine).to_contain_text("Kiwara · 3 days per move · casual")
    expect(button(one, "Kiwara", "3 days")).to_have_attribute("aria-pressed", "true")
    assert violations(one) == []
    one.goto("/rules")  # the seek stays
    other.get_by_role("button", name="Play Guest, Kiwara, 3 days per move").click()
    other.wait_for_url("**/t/*")
    one.goto("/play")
    expect(mine).to_contain_text("Your game has started.")
    assert violations(one) == []
    mine.get_by_role("button", name="Go to your game").click()
    mover(one, other)
    assert one.url == other.url
    other.goto("/play")
    look_for(other, "Kiwara", "7 days")
    other.get_by_role("button", name="Withdraw: Kiwara, 7 days per move, casual").click()
    expect(other.get_by_role("region", name="Your search for correspondence games")).to_have_count(0)


def test_a_computer_of_about_the_same_strength_is_offered(visit: Visit) -> None:
    page = visit("/play")
    look_for(page, "Kiwara", "5+3")
    page.get_by_role("button", name="Play the computer").click()
    page.wait_for_url("**/t/*")
    page.locator("svg.board").wait_for()
    table = page.evaluate("() => fetch(`/api${location.pathname.replace('/t/', '/tables/')}`).then((a) => a.json())")
    assert 4 in [seat["player"]["level"] for seat in table["seats"]]
    assert page.evaluate("() => fetch('/api/lobby').then((a) => a.json())")["seeking"] is None


def test_a_challenge_from_a_profile_reaches_any_page_and_is_accepted(visit: Visit, server: str) -> None:
    bob, _ = play_rated(server.removeprefix("http://"), "Duel Ann", "Duel Bob")
    challenged = visit("/rules", who=bob)
    page = visit("/player/Duel%20Bob")
    expect(page.get_by_label("Rated game")).to_have_count(0)  # a guest
    page.get_by_label("Speed").select_option(label="15 min + 10 s")
    page.get_by_role("button", name="Challenge Duel Bob").click()
    expect(page.get_by_text("Waiting for Duel Bob's answer")).to_be_visible()
    offer = challenged.get_by_role("region", name="Challenges")
    expect(offer).to_contain_text("Guest challenges you")
    assert violations(challenged) == []
    assert violations(page) == []
    offer.get_by_role("button", name="Decline").click()
    expect(page.get_by_text("Duel Bob declined your challenge")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Challenge Duel Bob").click()
    accept = offer.get_by_role("button", name="Accept")
    accept.focus()
    challenged.keyboard.press("Enter")
    mover(page, challenged)
    assert page.url == challenged.url


def test_a_bot_of_the_lobby_is_challenged(visit: Visit, server: str) -> None:
    from tests.server.test_lobby import lobby

    bot = Client(server.removeprefix("http://"), "Robo Lion", bot=True)
    page = visit("/play")
    with lobby(bot, "?plays=kiwara") as bot_sees:
        page.get_by_role("button", name="Challenge Robo Lion").click()
        expect(page.locator("form").get_by_label("Game").locator("option")).to_have_text(["Kiwara"])
        assert violations(page) == []
        page.get_by_role("button", name="Challenge Robo Lion").last.click()
        (challenge,) = bot_sees(lambda state: state["challenges"])
        bot.post(f"/api/challenges/{challenge['id']}", {"accept": True})
        page.wait_for_url("**/t/*")


def test_a_profile_has_openings_levels_and_games_to_continue(visit: Visit, server: str) -> None:
    bob, _ = play_rated(server.removeprefix("http://"), "Opening Ann", "Opening Bob")
    table = bob.make("kiwara", seats=[{"kind": "you"}, {"kind": "computer", "level": 1}])["id"]
    for _ in range(2):
        seen = bob.look(table)
        while not seen["legal"]:
            seen = bob.look(table)
        bob.do(table, "move", decision=seen["decision"], moves=seen["legal"][:1])
    bob.do(table, "resign")
    running = bob.make("kitara", seats=[{"kind": "you"}, {"kind": "computer", "level": 1}])["id"]
    page = visit("/player/Opening%20Bob")
    expect(page.get_by_role("region", name="Favourite openings")).to_contain_text("Kiwara")
    expect(page.get_by_role("table", name="By level of the computer")).to_be_visible()
    expect(page.get_by_role("heading", name="Continue")).to_have_count(0)
    assert violations(page) == []
    page = visit("/player/Opening%20Bob", who=bob)
    expect(page.get_by_role("region", name="Continue").get_by_role("link")).to_have_attribute("href", f"/t/{running}")
    assert violations(page) == []
