"""Invitations and links: copied, shared and scanned, on this machine and from others."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.axe import violations
from tests.web.conftest import Visit
from tests.web.player import invite
from tests.web.serving import NAME
from tests.web.test_replay import record_of, upload

pytestmark = pytest.mark.rotating(shares=8)

UNTRUSTED = "Cross-Origin-Opener-Policy"  # Chromium logs that it ignores this header without https
NETWORK = "http://192.168.1.5:8064"


def by_name(server: str) -> str:
    """Return the address of the server by a host name, as others on the network open it."""
    return server.replace("127.0.0.1", NAME)


def pasted(page: Page) -> str:
    """Return what is on the clipboard."""
    page.goto("/replay")
    page.locator("textarea").focus()
    page.keyboard.press("Control+V")
    return page.locator("textarea").input_value()


@pytest.mark.parametrize("secure", [True, False])
def test_an_invitation_is_copied_with_and_without_a_secure_context(visit: Visit, server: str, secure: bool) -> None:
    page = visit(line=server if secure else by_name(server), forgiven=UNTRUSTED)
    assert page.evaluate("isSecureContext") is secure
    link = invite(page, "kiwara")
    page.locator(".waiting").get_by_role("button", name="Copy").click()
    expect(page.locator(".waiting")).to_contain_text("Copied")
    assert pasted(page) == link


def test_the_link_of_a_replay_is_copied_without_a_secure_context(visit: Visit, server: str) -> None:
    page = visit("/replay", line=by_name(server), forgiven=UNTRUSTED)
    upload(page, record_of("katarenga", 9))
    page.locator(".moves button").nth(3).click()
    page.wait_for_url("**at=4")
    page.locator("section:has(a[href$='/record']) button").first.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    address = page.url
    assert pasted(page) == address


def test_a_browser_that_refuses_to_copy_shows_the_link(visit: Visit, server: str) -> None:
    page = visit(line=by_name(server), forgiven=UNTRUSTED)
    link = invite(page, "kiwara")
    page.evaluate("document.execCommand = () => false")
    page.locator(".waiting").get_by_role("button", name="Copy").click()
    expect(page.get_by_role("alert")).to_contain_text(link)


def reachable(page: Page, *addresses: str) -> None:
    def answer(route: Route) -> None:
        route.fulfill(json={"addresses": list(addresses)})

    page.route("**/api/addresses", answer)


def test_an_invitation_made_on_the_servers_machine_works_from_others(visit: Visit) -> None:
    page = visit()
    reachable(page, NETWORK)
    link = invite(page, "kiwara")
    assert re.fullmatch(rf"{NETWORK}/join/\w+/\w+", link)
    code = page.get_by_role("img", name="QR code")
    expect(code).to_be_visible()
    assert violations(page) == []


def test_a_link_that_works_on_this_machine_only_says_so(visit: Visit, server: str) -> None:
    page = visit()
    link = invite(page, "kiwara")
    assert link.startswith(f"{server}/join/")
    expect(page.get_by_role("note")).to_contain_text("--host 0.0.0.0")
    expect(page.get_by_role("img", name="QR code")).to_have_count(0)


def test_an_invitation_is_shared_where_the_system_has_a_share_sheet(visit: Visit) -> None:
    page = visit()
    page.add_init_script("navigator.share = (what) => Promise.resolve((window.shared = what))")
    page.reload()
    link = invite(page, "kitara")
    page.get_by_role("button", name="Share").click()
    assert page.evaluate("shared.url") == link
