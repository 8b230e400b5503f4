"""A guest becomes an account in the middle of a game, and signs in elsewhere by passkey or recovery phrase."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.axe import violations
from tests.web.conftest import Visit
from tests.web.player import one_screen

pytestmark = pytest.mark.rotating(shares=24)


def named(server: str) -> str:
    """Return the server's address with a name, which passkeys need."""
    return server.replace("127.0.0.1", "localhost")


def add_authenticator(page: Page) -> Any:
    """Give the page a passkey provider without a finger on it; return the session that controls it."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    added = session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return session, added["authenticatorId"]


def me(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("() => fetch('/api/me').then((answer) => answer.json())")
    return found


def open_dialog(page: Page) -> Locator:
    page.get_by_role("banner").get_by_role("button", name="Account").click()
    return page.get_by_role("dialog")


def create_account(page: Page, name: str) -> None:
    dialog = open_dialog(page)
    dialog.get_by_label("Username").fill(name)
    dialog.get_by_role("button", name="Create account").click()
    expect(dialog).to_contain_text(f"You now have an account, {name}.")


def test_a_guest_becomes_an_account_in_two_clicks_in_the_middle_of_a_game(visit: Visit, server: str) -> None:
    page = visit(line=named(server))
    one_screen(page, "katarenga")
    before, table = me(page), page.url
    create_account(page, "Maria Two Clicks")
    assert me(page) == before | {"account": True, "name": "Maria Two Clicks"}
    assert violations(page) == []
    page.get_by_role("button", name="Done").click()
    assert page.url == table
    expect(page.locator("svg.board")).to_be_visible()


def test_a_passkey_signs_in_again_and_can_be_removed(visit: Visit, server: str) -> None:
    page = visit("/settings", line=named(server))
    session, authenticator = add_authenticator(page)
    create_account(page, "Passkey Pat")
    page.get_by_role("dialog").get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("dialog")).to_contain_text("Your passkey is ready.")
    page.get_by_role("button", name="Done").click()
    identity = me(page)["id"]
    page.context.clear_cookies()
    page.reload()
    assert me(page)["id"] != identity
    open_dialog(page).get_by_role("button", name="I have an account").click()
    with page.expect_navigation():
        page.get_by_role("button", name="Sign in with a passkey").click()
    assert me(page)["id"] == identity
    account = page.locator("#account")
    expect(account).to_contain_text("You are signed in as Passkey Pat.")
    page.get_by_role("button", name="Remove Chrome, Linux").click()
    expect(page.get_by_role("button", name="Remove Chrome, Linux")).to_have_count(0)
    session.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": authenticator})


def test_each_of_two_passkeys_signs_in_until_it_is_removed(visit: Visit, server: str) -> None:
    page = visit("/settings", line=named(server), forgiven="409")
    session, first = add_authenticator(page)
    create_account(page, "Two Keys Tess")
    page.get_by_role("dialog").get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("dialog")).to_contain_text("Your passkey is ready.")
    page.get_by_role("button", name="Done").click()
    identity = me(page)["id"]
    (kept,) = session.send("WebAuthn.getCredentials", {"authenticatorId": first})["credentials"]
    session.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": first})
    _, second = add_authenticator(page)
    page.get_by_role("button", name="Add a passkey").click()
    removals = page.get_by_role("button", name="Remove Chrome, Linux")
    expect(removals).to_have_count(2)

    def sign_in() -> None:
        page.context.clear_cookies()
        page.reload()
        assert me(page)["id"] != identity
        open_dialog(page).get_by_role("button", name="I have an account").click()
        page.get_by_role("button", name="Sign in with a passkey").click()

    def signed_in() -> None:
        expect(page.locator("#account")).to_contain_text("You are signed in as Two Keys Tess.")
        assert me(page)["id"] == identity

    sign_in()
    signed_in()  # with the second
    session.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": second})
    _, again = add_authenticator(page)
    session.send("WebAuthn.addCredential", {"authenticatorId": again, "credential": kept})
    sign_in()
    signed_in()  # with the first
    listed = page.evaluate("() => fetch('/api/account').then((answer) => answer.json())")["passkeys"]
    removals.nth(min(range(2), key=lambda place: listed[place]["created"])).click()
    expect(removals).to_have_count(1)
    sign_in()
    expect(page.get_by_role("alert")).to_be_visible()
    assert me(page)["id"] != identity


def test_a_recovery_phrase_signs_in_on_a_new_device(visit: Visit) -> None:
    page = visit("/settings")  # by a plain address, where passkeys cannot work
    create_account(page, "Phrase Phil")
    expect(page.get_by_role("dialog").get_by_role("button", name="Add a passkey")).to_have_count(0)
    page.get_by_role("dialog").get_by_role("button", name="Show a recovery phrase").click()
    words = page.get_by_role("dialog").locator("code").inner_text()
    assert len(words.split()) == 5
    other = visit("/settings", forgiven="409")
    open_dialog(other).get_by_role("button", name="I have an account").click()
    other.get_by_label("Recovery phrase").fill("wrong words")
    other.get_by_role("button", name="Sign in with the phrase").click()
    expect(other.get_by_role("alert")).to_have_text("No account has this recovery phrase. Check the spelling.")
    other.get_by_label("Recovery phrase").fill(f" {words.upper()} ")
    with other.expect_navigation():
        other.get_by_role("button", name="Sign in with the phrase").click()
    assert me(other)["id"] == me(page)["id"]
    account = other.locator("#account")
    expect(account).to_contain_text("You are signed in as Phrase Phil.")
    assert violations(other) == []
    account.get_by_role("button", name="Sign out").click()  # the first browser
    expect(account.get_by_role("button", name="Sign out")).to_have_count(0)
    assert not me(page)["account"]


def test_a_lost_passkey_is_removed_from_a_new_device_and_the_account_closed(visit: Visit, server: str) -> None:
    lost = visit("/settings", line=named(server), forgiven="409")
    add_authenticator(lost)
    create_account(lost, "Lost Lou")
    lost.get_by_role("dialog").get_by_role("button", name="Add a passkey").click()
    expect(lost.get_by_role("dialog")).to_contain_text("Your passkey is ready.")
    words = lost.evaluate(
        "() => fetch('/api/account/phrase', {method: 'POST'}).then((answer) => answer.json()).then((one) => one.phrase)"
    )
    page = visit("/settings", line=named(server), forgiven="404")
    open_dialog(page).get_by_role("button", name="I have an account").click()
    page.get_by_label("Recovery phrase").fill(words)
    with page.expect_navigation():
        page.get_by_role("button", name="Sign in with the phrase").click()
    page.get_by_role("button", name="Remove Chrome, Linux").click()
    expect(page.get_by_role("button", name="Remove Chrome, Linux")).to_have_count(0)
    page.locator("#account").get_by_role("button", name="Sign out").click()  # the lost device
    lost.context.clear_cookies()
    lost.reload()
    open_dialog(lost).get_by_role("button", name="I have an account").click()
    lost.get_by_role("button", name="Sign in with a passkey").click()
    expect(lost.get_by_role("alert")).to_be_visible()
    assert not me(lost)["account"]
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("status").filter(has_text="Your data is deleted.")).to_be_visible()
    assert page.evaluate("() => fetch('/api/players/Lost%20Lou').then((answer) => answer.status)") == 404


@pytest.mark.parametrize("reads_only", [False, True])
def test_a_bot_token_is_created_shown_once_and_revoked(visit: Visit, server: str, reads_only: bool) -> None:
    page = visit("/settings", line=named(server))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    create_account(page, f"Botty {'Reader' if reads_only else 'Player'}")
    page.get_by_role("button", name="Done").click()
    page.set_viewport_size({"width": 360, "height": 640})
    form = page.get_by_role("form", name="New bot")
    form.get_by_label("Name of the bot").fill("My little bot")
    if reads_only:
        form.get_by_role("checkbox", name="Read-only").press("Space")
    form.get_by_role("button", name="Create token").press("Enter")
    shown = form.get_by_role("status")
    expect(shown).to_contain_text("it won't be shown again")
    assert violations(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    token = shown.locator("code").inner_text()
    form.get_by_role("button", name="Copy").press("Enter")
    expect(form.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("() => navigator.clipboard.readText()") == token
    bot = httpx.Client(base_url=server, headers={"Authorization": f"Bearer {token}"})
    found = bot.get("/api/me").json()
    assert (found["name"], found["bot"]) == ("My little bot", True)
    made = bot.post("/api/tables", json={"game": "kiwara", "seats": [{"kind": "you"}, {"kind": "open"}]})
    assert made.is_success == (not reads_only)
    page.reload()
    expect(form).to_be_visible()
    expect(shown).to_have_count(0)
    page.get_by_role("button", name="Revoke My little bot").press("Enter")
    expect(page.get_by_role("button", name="Revoke My little bot")).to_have_count(0)
    assert bot.get("/api/me").is_error


def test_signing_out_warns_only_if_there_is_no_way_back(visit: Visit) -> None:
    page = visit("/settings")
    create_account(page, "Way Back Wes")
    page.get_by_role("button", name="Done").click()
    hint = page.locator("#account").get_by_text("Without one you can't get back to this account")
    expect(hint).to_be_visible()
    sign_out = page.locator("section", has=page.locator("#your-data")).get_by_role("button", name="Sign out")
    sign_out.click()
    expect(page.get_by_role("dialog")).to_contain_text("Add a passkey or a recovery phrase.")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Show a recovery phrase").click()
    expect(page.locator("#account code")).to_be_visible()
    expect(hint).to_have_count(0)
    sign_out.click()
    expect(page.get_by_role("dialog")).to_contain_text("You can sign in again")


def test_the_dialog_of_an_account_leads_to_the_profile_and_to_its_settings(visit: Visit) -> None:
    page = visit("/rules")
    create_account(page, "Known Kim")
    page.get_by_role("button", name="Done").click()
    dialog = open_dialog(page)
    expect(dialog.get_by_role("link", name="Your profile")).to_have_attribute("href", "/player/Known%20Kim")
    dialog.get_by_role("link", name="Manage account").click()
    expect(page.locator("#account")).to_be_in_viewport()


def test_a_taken_name_is_explained(visit: Visit) -> None:
    create_account(visit("/settings"), "Unique Uma")
    other = visit("/settings", forgiven="409")
    dialog = open_dialog(other)
    dialog.get_by_label("Username").fill("unique uma")
    dialog.get_by_role("button", name="Create account").click()
    expect(dialog.get_by_role("alert")).to_contain_text("belongs to somebody else")
