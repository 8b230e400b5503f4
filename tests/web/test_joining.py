"""Joining by link: a name and an avatar are suggested, asked for once, and can be changed; players say set phrases."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.axe import violations
from tests.web.conftest import Visit
from tests.web.player import invite, start

pytestmark = pytest.mark.rotating(shares=24)

FRESH = "localStorage.mchezo = '{\"speed\": 0}'"


def test_a_name_is_suggested_and_asked_for_once(visit: Visit) -> None:
    host = visit()
    link = invite(host, "kiwara")
    friend = visit("/settings")
    friend.evaluate(FRESH)
    friend.goto(link)
    name = friend.get_by_label("Your name")
    expect(name).not_to_have_value("")
    assert violations(friend) == []
    name.fill("Ada")
    expect(friend.get_by_role("radio", checked=True)).to_have_count(1)  # an avatar is suggested, too
    friend.get_by_role("radio", name="Crocodile").check()
    friend.get_by_role("button", name="Join the game").click()
    friend.locator("svg.board").wait_for()
    seat = host.locator("article.player", has_text="Ada")
    expect(seat.locator("img[src$='#crocodile']")).to_be_visible()
    host.goto("/")
    expect(host.locator(".tables img[src$='#crocodile']")).to_be_visible()
    friend.goto(invite(visit(), "kiwara"))
    friend.locator("svg.board").wait_for()  # not asked again


def test_an_avatar_is_changed_in_the_settings(visit: Visit) -> None:
    page = visit("/settings")
    page.get_by_role("radio", name="Okapi").check()
    assert violations(page) == []
    page.reload()
    expect(page.get_by_role("radio", name="Okapi")).to_be_checked()
    invite(page, "kiwara")
    expect(page.locator("article.player img[src$='#okapi']")).to_be_visible()


def test_set_phrases_are_said_read_out_and_muted(visit: Visit) -> None:
    host = visit(viewport={"width": 360, "height": 740})
    friend = visit(invite(host, "kiwara"))
    for page in (host, friend):
        page.locator("svg.board").wait_for()

    def say(page: Page, phrase: str) -> None:
        page.locator(".menu summary", has_text="Say something").click()
        page.get_by_role("button", name=phrase).click()

    host.locator(".menu summary", has_text="Say something").click()
    for phrase in host.locator(".phrases button").all():
        expect(phrase).to_be_in_viewport(ratio=1)
    assert violations(host) == []
    host.get_by_role("button", name="Well played!").click()
    for page, player in ((host, "You"), (friend, "Guest")):
        expect(page.locator(".said[aria-live]")).to_have_text(f"{player}: Well played!")
    friend.locator(".menu summary", has_text="Say something").click()
    friend.get_by_label("Mute phrases").check()
    say(host, "Ha ha!")
    expect(host.locator(".said[aria-live]")).to_have_text("You: Ha ha!")
    friend.get_by_label("Mute phrases").uncheck()
    say(host, "Thanks!")
    expect(friend.locator(".said[aria-live]")).to_have_text("Guest: Thanks!")
    expect(friend.locator(".bubble")).to_have_count(1)


def test_nobody_talks_to_a_computer(visit: Visit) -> None:
    page = visit()
    start(page, "kiwara")
    expect(page.locator(".menu summary")).to_have_count(1)


def test_a_guest_without_a_name_is_called_so_in_the_readers_language(visit: Visit) -> None:
    host = visit(language="de-DE")
    friend = visit(invite(host, "kiwara"))
    friend.locator("svg.board").wait_for()
    expect(host.locator("article.player", has_text="Gast")).to_be_visible()
