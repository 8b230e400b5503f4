"""Notices: one a turn by Web Push, e-mail and webhook, never in quiet hours, on vacation or while somebody looks."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from ipaddress import ip_address
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from mchezo.server.domain.days_clock import DAY
from mchezo.server.errors import TableError
from mchezo.server.runtime.access import Access
from mchezo.server.runtime.config import Config
from mchezo.server.runtime.guests import Guests
from mchezo.server.runtime.notices import RETRY_AFTER, SETTLE, TO_ONE_HOST
from mchezo.server.runtime.signing import Signer
from mchezo.server.sending.mail import Smtp, is_mail_address, read_smtp
from mchezo.server.sending.notification import Notification
from mchezo.server.sending.outbound import Outbound, SendingFailed
from mchezo.server.sending.times import NoticeSettings, due_time, next_allowed
from mchezo.server.sending.webhook import signature
from mchezo.server.storage.notice_channels import Channel
from tests.server.receivers import Browser, MailServer, Receiver, receiving, receiving_mail, signer
from tests.server.serving import PATIENCE, Client, Running, eventually, pass_time
from tests.server.test_accounts import register
from tests.server.test_correspondence import pair

pytestmark = pytest.mark.rotating(shares=24)

HOUR = 3_600_000


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@pytest.fixture
def mail() -> Iterator[MailServer]:
    with receiving_mail() as found:
        yield found


@pytest.fixture
def server(database: str, start: Callable[..., Running], mail: MailServer) -> Running:
    smtp = Smtp("127.0.0.1", mail.port, "games@example.org")
    return start(database, smtp=smtp, private_endpoints=True)


def sweep(server: Running) -> None:
    """Do at once what the server does every few seconds."""
    service = server.service
    assert service is not None
    loop = service.mailbox.loop
    assert loop is not None
    asyncio.run_coroutine_threadsafe(service.notices.sweep(), loop).result(PATIENCE)
    eventually(lambda: not service.notices.sending)


def settle(server: Running) -> None:
    """Let a turn begin, and a while pass in which it could have been played."""
    sweep(server)
    pass_time(server, SETTLE)
    sweep(server)


def take_turn(client: Client, table: str) -> None:
    """Make all decisions of a turn."""
    while client.look(table)["legal"]:
        move(client, table)


def move(client: Client, table: str) -> None:
    seen = client.look(table)
    client.do(table, "move", decision=seen["decision"], moves=[seen["legal"][0]])


# When


def at(zone: str, *when: int) -> int:
    return round(datetime(*when, tzinfo=ZoneInfo(zone)).timestamp() * 1000)  # type: ignore[misc, arg-type]  # numbers


def test_quiet_hours_go_past_midnight_in_the_person_s_time_zone() -> None:
    night = NoticeSettings("Europe/Berlin", 22 * 60, 7 * 60 + 30)
    evening, morning = at("Europe/Berlin", 2026, 3, 28, 23, 15), at("Europe/Berlin", 2026, 3, 29, 7, 30)
    assert due_time(night, [], evening) == morning  # the clocks go forwards in this night
    assert due_time(night, [], morning) == morning
    noon = at("Europe/Berlin", 2026, 3, 28, 12, 0)
    assert due_time(night, [], noon) == noon
    assert next_allowed(night._replace(quiet_from=8 * 60, quiet_until=13 * 60), [], noon) == noon + HOUR


def test_a_digest_comes_once_a_day_and_a_vacation_delays_everything() -> None:
    daily = NoticeSettings("America/New_York", digest=18 * 60)
    noon = at("America/New_York", 2026, 7, 1, 12, 0)
    assert due_time(daily, [], noon) == at("America/New_York", 2026, 7, 1, 18, 0)
    assert due_time(daily, [], noon + 7 * HOUR) == at("America/New_York", 2026, 7, 2, 18, 0)
    night = daily._replace(quiet_from=17 * 60, quiet_until=8 * 60)  # the time of a digest is a person's choice
    assert due_time(night, [], noon + 5 * HOUR) == at("America/New_York", 2026, 7, 1, 18, 0)
    away = [(noon - DAY, at("America/New_York", 2026, 7, 5, 0, 0))]
    assert due_time(daily, away, noon) == at("America/New_York", 2026, 7, 5, 18, 0)
    assert due_time(NoticeSettings("America/New_York", 0, 9 * 60), away, noon) == at(
        "America/New_York", 2026, 7, 5, 9, 0
    )


# Where to


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://192.168.1.5:8443/x",
        "https://169.254.169.254/latest/meta-data",
        "https://[::ffff:10.0.0.1]/",
        "https://[64:ff9b::a00:1]/",
        "https://[64:ff9b:1::7f00:1]/",
        "https://[::127.0.0.1]/",
        "https://[::ffff:0:127.0.0.1]/",
        "https://[fec0::1]/",
        "https://192.88.99.1/",
        "https://user@example.org/",
        "https://example.org:99999/",
        "https://exa mple.org/",
        "https:///x",
        "file:///etc/passwd",
        "https://example.org/\r\nX: y",
        f"https://example.org/{'x' * 1_000}",
    ],
)
def test_nothing_is_sent_to_private_or_odd_addresses(url: str) -> None:
    with pytest.raises(TableError) as error:
        Outbound().check(url)
    assert error.value.key == "bad-endpoint"
    Outbound().check("https://push.example.org/abc?d=e")


def test_a_name_of_a_private_address_is_refused_when_something_is_sent(receiver: Receiver) -> None:
    url = receiver.address.replace("127.0.0.1", "localhost")
    with pytest.raises(SendingFailed):
        Outbound().post(url, b"hello", {})
    assert not receiver.requests
    assert Outbound(allow_private=True).post(url, b"hello", {}) == 201
    assert not Outbound().allows(ip_address("100.64.0.1"))


@pytest.mark.parametrize("url", ["https://2130706433/", "https://0x7f.1/", "https://127.1/", "https://localhost./"])
def test_other_spellings_of_loopback_are_not_connected_to(url: str) -> None:
    with pytest.raises(SendingFailed):
        Outbound().post(url, b"", {})


def test_redirects_are_not_followed(receiver: Receiver) -> None:
    receiver.status = 307
    assert Outbound(allow_private=True).post(f"{receiver.address}/here", b"", {}) == 307
    assert [request.path for request in receiver.requests] == ["/here"]


def test_mail_servers_and_addresses_are_read() -> None:
    assert read_smtp("smtps://ann:p%40ss@mail.example.org", "a@b.org") == Smtp(
        "mail.example.org", 465, "a@b.org", "ann", "p@ss", True
    )
    assert read_smtp("smtp://mail", "a@b.org").port == 587
    for url in ("http://mail", "smtp://", "smtp://mail:x", "smtp://mail/path"):
        with pytest.raises(TableError):
            read_smtp(url, "a@b.org")
    with pytest.raises(TableError):
        read_smtp("smtp://mail", "nobody")
    assert not is_mail_address("a@b.org\r\nBcc: c@d.org")
    assert not is_mail_address("a b@c.org")
    assert is_mail_address("first.last+tag@sub.example.org")


# Web Push


def test_a_turn_gives_one_encrypted_push_however_many_decisions_it_has(server: Running, receiver: Receiver) -> None:
    first, second, table = pair(server, game="kiwara", days=2)
    browser = Browser(receiver)
    key = second.get("/api/notices")["push_key"]
    found = second.post("/api/notices/push", {**browser.subscription, "language": "de"})
    assert [one["kind"] for one in found["channels"]] == ["push"]
    settle(server)
    assert not receiver.requests  # it is the other's turn
    take_turn(first, table)
    settle(server)
    name = first.get("/api/me")["name"]
    (shown,) = browser.shown
    assert shown["title"] == f"Kiwara: Du bist gegen {name} am Zug"
    assert shown["path"] == f"/t/{table}"
    request = receiver.requests[0]
    assert request.headers["content-encoding"] == "aes128gcm"
    assert 86_400 < int(request.headers["ttl"]) < 3 * 86_400
    assert request.headers["topic"] == shown["tag"]
    signed, claims = signer(request)
    assert signed == key
    assert claims["aud"] == receiver.address
    move(second, table)  # the first decision of the turn
    settle(server)
    settle(server)
    assert len(browser.shown) == 1
    take_turn(second, table)
    take_turn(first, table)
    settle(server)
    assert len(browser.shown) == 2
    assert len({one["tag"] for one in browser.shown}) == 2


def test_a_browser_that_is_gone_is_removed_and_a_failure_is_tried_again(server: Running, receiver: Receiver) -> None:
    first, second, table = pair(server, days=2)
    browser = Browser(receiver)
    second.post("/api/notices/push", browser.subscription)
    receiver.status = 503
    move(first, table)
    settle(server)
    assert len(receiver.requests) == 1
    pass_time(server, RETRY_AFTER[0] - 1_000)
    sweep(server)
    assert len(receiver.requests) == 1
    pass_time(server, 1_000)
    receiver.status = 201
    sweep(server)
    sweep(server)
    assert len(browser.shown) == 2
    assert browser.shown[0]["tag"] == browser.shown[1]["tag"]  # a browser shows the same one once
    receiver.status = 410
    move(second, table)
    move(first, table)
    settle(server)
    assert len(receiver.requests) == 3
    assert second.get("/api/notices")["channels"] == []


def test_notices_that_keep_failing_are_given_up(server: Running, receiver: Receiver) -> None:
    first, second, table = pair(server, days=14)
    second.post("/api/notices/push", Browser(receiver).subscription)
    receiver.status = 500
    move(first, table)
    settle(server)
    for wait in (*RETRY_AFTER, DAY, DAY):
        pass_time(server, wait)
        sweep(server)
    assert len(receiver.requests) == 1 + len(RETRY_AFTER)
    assert len(second.get("/api/notices")["channels"]) == 1


def test_nobody_is_notified_while_they_look_at_the_table(server: Running, receiver: Receiver) -> None:
    first, second, table = pair(server, days=2)
    browser = Browser(receiver)
    second.post("/api/notices/push", browser.subscription)
    with second.live(table) as live:
        live.wait_for("news")
        move(first, table)
        settle(server)
    settle(server)
    assert not browser.shown
    with second.live(table) as live:
        live.wait_for("news")
        live.send({"type": "look", "looking": False})  # the page is in the background
        assert live.ask("move", decision=live.table["decision"], moves=[live.table["legal"][0]])["type"] == "done"
        move(first, table)
        settle(server)
    assert len(browser.shown) == 1


def test_a_turn_that_was_played_meanwhile_is_not_notified_of(server: Running, receiver: Receiver) -> None:
    first, second, table = pair(server, days=2)
    second.post("/api/notices/push", Browser(receiver).subscription)
    move(first, table)
    sweep(server)
    move(second, table)
    settle(server)
    move(first, table)
    sweep(server)
    first.do(table, "resign")
    settle(server)
    assert not receiver.requests


def test_turns_that_come_together_are_one_message(server: Running, receiver: Receiver) -> None:
    first, second, table = pair(server, days=2)
    assert server.service is not None
    browser = Browser(receiver)
    second.post("/api/notices/push", browser.subscription)
    now = server.service.store.now()
    digest = (now // 60_000 + 60) % (24 * 60)  # in an hour, by UTC
    assert second.post("/api/notices", {"digest": digest})["times"]["digest"] == digest
    other = first.make("kiwara", days=2)["id"]
    second.do(other, "join")
    if first.look(other)["legal"]:
        take_turn(first, other)
    else:  # it began with the other's turn
        take_turn(second, other)
        take_turn(first, other)
    take_turn(first, table)
    settle(server)
    assert not browser.shown
    pass_time(server, HOUR)
    settle(server)
    (shown,) = browser.shown
    assert shown["title"] == "2 games are waiting for you"
    assert len(shown["body"].splitlines()) == 2
    pass_time(server, DAY)
    settle(server)
    assert len(browser.shown) == 1


def test_a_browser_belongs_to_the_person_who_used_it_last(server: Running, receiver: Receiver) -> None:
    first, second, table = pair(server, days=2)
    browser = Browser(receiver)
    second.post("/api/notices/push", browser.subscription)
    first.post("/api/notices/push", browser.subscription)
    assert second.get("/api/notices")["channels"] == []
    move(first, table)
    settle(server)
    assert not browser.shown
    for bad in ({"auth": "x"}, {"p256dh": "AAAA"}, {"endpoint": "ftp://example.org"}):
        answer = first.http.post("/api/notices/push", json={**browser.subscription, **bad})
        assert answer.status_code == 400, answer.text


# E-mail


def test_mail_is_sent_to_a_confirmed_address_only_and_ends_with_one_click(server: Running, mail: MailServer) -> None:
    first, second, table = pair(server, days=2)
    answer = second.http.post("/api/notices/mail", json={"address": "bea@example.org"})
    assert answer.json()["told"]["key"] == "no-account"
    register(second, "Bea")
    found = second.post("/api/notices/mail", {"address": "bea@example.org", "language": "fr"})
    (channel,) = found["channels"]
    assert not channel["confirmed"]
    eventually(lambda: mail.messages)
    (asked,) = mail.messages
    assert asked["Subject"] == "Confirme ton adresse e-mail"
    link = re.search(r"/notices/confirm/([0-9a-f]{48})\b", asked.get_content())
    assert link is not None
    test = second.http.post(f"/api/notices/channels/{channel['id']}/test")
    assert test.json()["told"]["key"] == "not-confirmed"
    move(first, table)
    settle(server)
    assert len(mail.messages) == 1
    anybody = server.client()
    assert anybody.http.post(f"/api/notices/links/{'0' * 48}/confirm").status_code == 404
    assert anybody.http.post(f"/api/notices/links/{link[1]}/confirm").status_code == 204
    move(second, table)
    move(first, table)
    settle(server)
    assert len(mail.messages) == 2
    notice = mail.messages[1]
    name = first.get("/api/me")["name"]
    assert notice["Subject"] == f"Katarenga : à toi de jouer contre {name}"
    assert f"http://{server.address}/t/{table}" in notice.get_content()
    assert notice["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    stop = notice["List-Unsubscribe"].strip("<>")
    one_click = anybody.http.post(
        stop,
        content="List-Unsubscribe=One-Click",
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )
    assert one_click.status_code == 204
    assert second.get("/api/notices")["channels"] == []
    move(second, table)
    move(first, table)
    settle(server)
    assert len(mail.messages) == 2


def test_mail_that_is_refused_for_now_is_sent_later_and_once(server: Running, mail: MailServer) -> None:
    first, second, table = pair(server, days=2)
    register(second, "Cleo")
    second.post("/api/notices/mail", {"address": "cleo@example.org"})
    eventually(lambda: mail.messages)
    secret = re.findall("[0-9a-f]{48}", mail.messages.pop().get_content())[0]
    assert second.http.post(f"/api/notices/links/{secret}/confirm").status_code == 204
    mail.refusing = True
    move(first, table)
    settle(server)
    assert not mail.messages
    mail.refusing = False
    pass_time(server, RETRY_AFTER[0])
    settle(server)
    assert len(mail.messages) == 1
    pass_time(server, HOUR)
    settle(server)
    assert len(mail.messages) == 1


def test_an_address_is_not_written_to_again_and_again(server: Running, mail: MailServer) -> None:
    _, second, _ = pair(server, days=2)
    register(second, "Dora")
    answers = [second.post("/api/notices/mail", {"address": "victim@example.org"}) for _ in range(4)]
    assert all(len(answer["channels"]) == 1 for answer in answers)
    eventually(lambda: len(mail.messages) == 2)
    second.post("/api/notices/mail", {"address": "dora@example.org"})
    eventually(lambda: len(mail.messages) == 3)
    assert [message["To"] for message in mail.messages] == ["victim@example.org"] * 2 + ["dora@example.org"]
    answer = second.http.post("/api/notices/mail", json={"address": "not an address"})
    assert answer.json()["told"]["key"] == "bad-mail"


def test_a_server_without_a_mail_server_says_so(running: Running) -> None:
    client = running.client("x")
    register(client, "Emil")
    assert client.get("/api/notices")["mail"] is False
    answer = client.http.post("/api/notices/mail", json={"address": "emil@example.org"})
    assert answer.json()["told"]["key"] == "no-mail"


# Webhooks


def test_a_webhook_is_signed_by_a_secret_that_is_shown_once(server: Running, receiver: Receiver) -> None:
    first, second, table = pair(server, days=2)
    register(second, "Fay")
    found = second.post("/api/notices/webhook", {"url": f"{receiver.address}/hook"})
    secret = found["secret"]
    (channel,) = found["notices"]["channels"]
    assert secret not in json.dumps(second.get("/api/notices"))
    assert second.http.post(f"/api/notices/channels/{channel['id']}/test").status_code == 204
    assert json.loads(receiver.requests[0].body)["type"] == "test"
    move(first, table)
    settle(server)
    _, request = receiver.requests
    sent = json.loads(request.body)
    assert [(one["table"], one["game"]) for one in sent["turns"]] == [(table, "katarenga")]
    assert sent["id"] == request.headers["idempotency-key"]
    seconds = int(request.headers["mchezo-signature"].partition(",")[0].removeprefix("t="))
    assert request.headers["mchezo-signature"] == signature(secret, seconds, request.body)
    receiver.status = 302
    test = second.http.post(f"/api/notices/channels/{channel['id']}/test")
    assert test.json()["told"]["key"] == "notice-failed"
    stranger = first.http.post(f"/api/notices/channels/{channel['id']}/test")
    assert stranger.status_code == 404


# Settings and data


def test_times_are_checked_and_everything_is_off_at_first(server: Running) -> None:
    client = server.client("Gil")
    assert client.get("/api/notices") | {"push_key": ""} == {
        "times": {"zone": "UTC", "quiet_from": None, "quiet_until": None, "digest": None},
        "channels": [],
        "push_key": "",
        "mail": True,
    }
    times = {"zone": "Europe/Paris", "quiet_from": 1320, "quiet_until": 420, "digest": None}
    assert client.post("/api/notices", times)["times"] == times
    for bad in ({"zone": "Europe/Nowhere"}, {"zone": "../../etc/passwd"}, {"quiet_from": 1}, {"digest": 1440}):
        assert client.http.post("/api/notices", json=bad).status_code == 400
    bot = server.client("robot", bot=True)
    assert bot.http.get("/api/notices").json()["told"]["key"] == "notices-bot"


def test_exported_data_has_channels_and_a_deleted_person_is_not_notified(server: Running, receiver: Receiver) -> None:
    first, second, table = pair(server, days=2)
    browser = Browser(receiver)
    second.post("/api/notices/push", browser.subscription)
    second.post("/api/notices", {"zone": "Europe/Rome"})
    exported = second.get("/api/me/data")
    assert exported["notices"]["zone"] == "Europe/Rome"
    assert [one["kind"] for one in exported["channels"]] == ["push"]
    move(first, table)
    sweep(server)
    assert second.http.delete("/api/me").status_code == 204
    settle(server)
    assert not receiver.requests


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)  # SQLite has one server
def test_two_servers_send_a_notice_once(database: str, start: Callable[..., Running], receiver: Receiver) -> None:
    one, other = start(database, private_endpoints=True), start(database, private_endpoints=True)
    first, second, table = pair(one, days=2)
    browser = Browser(receiver)
    second.post("/api/notices/push", browser.subscription)
    second.move_to(other.address)
    assert first.get("/api/notices")["push_key"] == second.get("/api/notices")["push_key"]
    for turns in range(1, 4):
        move(first, table)
        for server in (one, other):
            pass_time(server, SETTLE)
        for server in (other, one, other):
            sweep(server)
        assert len(browser.shown) == turns
        move(second, table)


def test_a_server_for_a_copy_of_the_database_notifies_nobody(
    tmp_path: Path, start: Callable[..., Running], receiver: Receiver
) -> None:
    quiet = start(str(tmp_path / "tables.sqlite"), private_endpoints=True, notices=False)
    first, second, table = pair(quiet, days=2)
    browser = Browser(receiver)
    second.post("/api/notices/push", browser.subscription)
    move(first, table)
    settle(quiet)
    assert not browser.shown
    quiet.stop()
    settle(start(str(tmp_path / "tables.sqlite"), private_endpoints=True))
    assert len(browser.shown) == 1


def test_hosts_that_never_answer_do_not_delay_the_notices_of_others(server: Running, receiver: Receiver) -> None:
    assert server.service is not None
    notices = server.service.notices
    never, slow = threading.Event(), threading.Semaphore(0)
    send = notices.send_by_kind

    def send_slowly(channel: Channel, notification: Notification) -> None:
        if "tar.example" in channel.address:
            slow.release()
            never.wait(PATIENCE)
            raise SendingFailed("too late")
        send(channel, notification)

    notices.send = send_slowly
    try:
        for _ in range(4):
            first, attacker, table = pair(server, game="kiwara", days=2)
            for number in range(10):
                keys = Browser(receiver).subscription
                attacker.post("/api/notices/push", {**keys, "endpoint": f"https://tar.example/{table}{number}"})
            take_turn(first, table)
        begin(server)
        for _ in range(TO_ONE_HOST):
            assert slow.acquire(timeout=PATIENCE)
        assert notices.busy["tar.example"] == TO_ONE_HOST
        first, honest, table = pair(server, game="kiwara", days=2)
        browser = Browser(receiver)
        honest.post("/api/notices/push", browser.subscription)
        take_turn(first, table)
        begin(server)
        eventually(lambda: browser.shown)
        assert not slow.acquire(blocking=False)  # no more threads wait for that host
    finally:
        never.set()
        eventually(lambda: not notices.sending)
    assert not notices.busy


def begin(server: Running) -> None:
    """Begin to send what is due, without waiting for the end."""
    service = server.service
    assert service is not None
    assert service.mailbox.loop is not None
    for wait in (0, SETTLE):
        pass_time(server, wait)
        asyncio.run_coroutine_threadsafe(service.notices.sweep(), service.mailbox.loop).result(PATIENCE)


def test_links_in_mail_lead_to_a_name_of_ours_not_to_an_address_in_a_request(tmp_path: Path) -> None:
    signer = Signer(b"x" * 32, Guests({}))
    access = Access(Config(str(tmp_path / "x.sqlite"), hosts=("play.example.org",), secure=True), signer)
    assert access.public_origin({"host": "6.6.6.6"}, "https") == "https://play.example.org"
    assert access.public_origin({"host": "[2001:db8::6]:443"}, "https") == "https://play.example.org"
    assert access.public_origin({"host": "play.example.org:8443"}, "https") == "https://play.example.org:8443"
    home = Access(Config(str(tmp_path / "x.sqlite")), signer)
    assert home.public_origin({"host": "192.168.1.5:8064"}, "http") == "http://192.168.1.5:8064"
