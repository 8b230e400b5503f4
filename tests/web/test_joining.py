"""Joining by link: a name is suggested, asked for once, and can be changed; guests without one are translated."""

import pytest
from playwright.sync_api import expect

from tests.web.axe import violations
from tests.web.conftest import Visit
from tests.web.player import invite

pytestmark = pytest.mark.rotating(shares=2)

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
    friend.get_by_role("button", name="Join the game").click()
    friend.locator("svg.board").wait_for()
    expect(host.locator("article.player", has_text="Ada")).to_be_visible()
    friend.goto(invite(visit(), "kiwara"))
    friend.locator("svg.board").wait_for()  # not asked again


def test_a_guest_without_a_name_is_called_so_in_the_readers_language(visit: Visit) -> None:
    host = visit(language="de-DE")
    friend = visit(invite(host, "kiwara"))
    friend.locator("svg.board").wait_for()
    expect(host.locator("article.player", has_text="Gast")).to_be_visible()
