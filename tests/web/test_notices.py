"""Notices and chat in the browser: settings, links in e-mails, the header, two people who write."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from mchezo.server.sending.mail import Smtp
from tests.server.receivers import Browser, MailServer, Receiver, receiving, receiving_mail
from tests.server.serving import Client, Running, eventually
from tests.server.test_accounts import register
from tests.web.axe import violations
from tests.web.conftest import Visit
from tests.web.test_accounts import create_account
from tests.web.test_offline import TAKEN_OVER

pytestmark = pytest.mark.rotating(shares=24)

NO_PYTHON = "404"  # the settings look for what games without a server need
# Headless browsers have no push service, so the subscription is that of the test.
SUBSCRIBE = """(() => {
  const made = { endpoint: %r, keys: { p256dh: %r, auth: %r } };
  PushManager.prototype.subscribe = async () => ({ toJSON: () => made });
  Notification.requestPermission = async () => "granted";
})()"""


@pytest.fixture(scope="module")
def mail() -> Iterator[MailServer]:
    with receiving_mail() as found:
        yield found


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@pytest.fixture(scope="module")
def notifying(tmp_path_factory: pytest.TempPathFactory, mail: MailServer) -> Iterator[str]:
    """A server that can send e-mail, and pushes to this machine."""
    smtp = Smtp("127.0.0.1", mail.port, "games@example.org")
    database = str(tmp_path_factory.mktemp("notices") / "tables.sqlite")
    server = Running(database, smtp=smtp, private_endpoints=True)
    yield f"http://{server.address}"
    server.stop()


def opponent(server: str, name: str) -> Client:
    client = Client(server.removeprefix("http://"), "x")
    register(client, name)
    return client


def invited(page: Page, client: Client, **given: object) -> str:
    """Let the page's person join a table of the client's, and return it."""
    table = str(client.make("katarenga", **given)["id"])
    page.evaluate(
        """([table]) => fetch(`/api/tables/${table}/commands`, {method: "POST",
            headers: {"Content-Type": "application/json"}, body: JSON.stringify({type: "join", id: "j"})})""",
        [table],
    )
    return table


def test_a_browser_is_subscribed_tested_and_removed(visit: Visit, notifying: str, receiver: Receiver) -> None:
    browser = Browser(receiver, "/push/settings")
    page = visit("/settings", line=notifying, forgiven=f"{NO_PYTHON}|{TAKEN_OVER}")
    made = browser.subscription
    page.evaluate(SUBSCRIBE % (made["endpoint"], made["p256dh"], made["auth"]))
    section = page.get_by_role("region", name="Notifications")
    expect(section.get_by_role("checkbox", name="On these pages")).to_be_checked()
    expect(section.get_by_text("With an account you can also be notified by e-mail.")).to_be_visible()
    section.get_by_role("button", name="Turn on").press("Enter")
    section.get_by_role("button", name=re.compile("^Test ")).press("Enter")
    expect(section.get_by_role("status")).to_have_text("A test is on its way.")
    assert [one["title"] for one in browser.shown] == ["mchezo: test"]
    section.get_by_role("checkbox", name="Quiet hours").check()
    section.get_by_label("from").fill("21:30")
    section.get_by_label("from").blur()
    section.get_by_role("checkbox", name="One message a day").check()
    expect(section.get_by_label("at", exact=True)).to_have_value("18:00")
    page.reload()
    expect(section.get_by_label("from")).to_have_value("21:30")
    assert violations(page) == []
    section.get_by_role("button", name=re.compile("^Remove ")).press("Enter")
    expect(section.get_by_role("checkbox", name="Quiet hours")).to_have_count(0)


def test_an_address_is_confirmed_and_stopped_by_links(visit: Visit, notifying: str, mail: MailServer) -> None:
    page = visit("/settings", line=notifying, forgiven=NO_PYTHON, language="de")
    page.get_by_role("banner").get_by_role("button", name="Konto").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Benutzername").fill("Mila")
    dialog.get_by_role("button", name="Konto anlegen").click()
    expect(dialog).to_contain_text("Mila")
    page.keyboard.press("Escape")
    section = page.get_by_role("region", name="Benachrichtigungen")
    section.get_by_label("E-Mail").fill("mila@example.org")
    section.get_by_label("E-Mail").press("Enter")
    expect(section.get_by_text("noch nicht bestätigt")).to_be_visible()
    eventually(lambda: [one for one in mail.messages if one["To"] == "mila@example.org"])
    mail_sent = next(one for one in mail.messages if one["To"] == "mila@example.org")
    confirm = re.search(r"/notices/confirm/[0-9a-f]{48}", mail_sent.get_content())
    assert confirm is not None
    page.goto(confirm[0])
    page.get_by_role("button", name="Bestätigen").press("Enter")
    expect(page.get_by_role("status")).to_have_text("Die Adresse ist bestätigt.")
    assert violations(page) == []
    page.goto("/settings")
    expect(section.get_by_role("button", name="mila@example.org testen")).to_be_visible()
    page.goto(confirm[0].replace("confirm", "stop"))
    page.get_by_role("button", name="Abmelden").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Erledigt.")
    page.goto("/settings")
    expect(section.get_by_label("E-Mail")).to_be_visible()
    expect(section.get_by_text("mila@example.org")).to_have_count(0)


def test_a_webhook_shows_its_secret_once(visit: Visit, notifying: str, receiver: Receiver) -> None:
    page = visit("/settings", line=notifying, forgiven=NO_PYTHON)
    create_account(page, "Wim")
    page.keyboard.press("Escape")
    section = page.get_by_role("region", name="Notifications")
    section.get_by_label("Webhook").fill(f"{receiver.address}/wim")
    section.get_by_label("Webhook").press("Enter")
    expect(section.get_by_role("code")).to_have_text(re.compile("[0-9a-f]{48}"))
    page.reload()
    section.get_by_role("button", name=re.compile("^Test ")).press("Enter")
    expect(section.get_by_role("status")).to_have_text("A test is on its way.")
    expect(section.get_by_role("code")).to_have_count(0)


def test_the_header_shows_how_many_games_wait(visit: Visit, notifying: str) -> None:
    page = visit("/rules", line=notifying, forgiven=NO_PYTHON)
    page.evaluate("() => fetch('/api/me')")
    client = opponent(notifying, "Header")
    tables = [invited(page, client, days=3) for _ in range(4)]
    for table in tables:
        if client.look(table)["legal"]:
            client.do(table, "move", decision=client.look(table)["decision"], moves=[client.look(table)["legal"][0]])
    page.reload()
    page.get_by_role("link", name="Games waiting for you: 4").press("Enter")
    page.wait_for_url("**/t/*")
    expect(page.get_by_role("link", name="Games waiting for you: 3")).to_be_visible()
    page.goto("/settings")
    page.get_by_role("checkbox", name="On these pages").uncheck()
    expect(page.get_by_role("link", name="Games waiting for you")).to_have_count(0)


def test_players_chat_and_one_is_muted_and_reported(visit: Visit, notifying: str) -> None:
    page = visit("/", line=notifying, forgiven=NO_PYTHON)
    create_account(page, "Chatty")
    client = opponent(notifying, "Quiet")
    table = invited(page, client)
    page.goto(f"/t/{table}")
    chat = page.get_by_role("region", name="Chat")
    expect(chat).to_contain_text("players only")
    chat.get_by_label("Write a message").fill("Good luck!")
    chat.get_by_label("Write a message").press("Enter")
    expect(chat.get_by_role("list")).to_contain_text("Chatty Good luck!")
    client.post(f"/api/tables/{table}/chat", {"text": "<b>Thanks</b>"})
    expect(chat.get_by_role("list")).to_contain_text("Quiet <b>Thanks</b>")
    assert violations(page) == []
    chat.get_by_role("button", name="More about this message from Quiet").press("Enter")
    chat.get_by_role("button", name="Report").press("Enter")
    expect(chat.get_by_role("status")).to_have_text("Reported. Thank you.")
    chat.get_by_role("button", name="More about this message from Quiet").press("Enter")
    chat.get_by_role("button", name="Mute this player").press("Enter")
    expect(chat.get_by_role("list")).not_to_contain_text("Thanks")
    page.goto("/settings")
    page.get_by_role("checkbox", name="Chat at tables").uncheck()
    page.goto(f"/t/{table}")
    expect(page.get_by_role("region", name="Game log")).to_be_visible()
    expect(chat).to_have_count(0)
