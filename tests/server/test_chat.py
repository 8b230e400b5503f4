"""Chat at tables of account holders: players and spectators apart until the end, muting, reports, limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count

import pytest

from mchezo.server import messages
from mchezo.server.domain.chat import chat_rooms
from mchezo.server.runtime.limits import Rate
from mchezo.server.storage.chat import MAX_LINES
from tests.server.contexts import ADA, BEN, do, make, two
from tests.server.serving import UNLIMITED, Client, Running
from tests.server.test_accounts import register

pytestmark = pytest.mark.rotating(shares=24)

NUMBERS = count(1)


def account(server: Running, name: str) -> Client:
    client = server.client("x")
    register(client, f"{name} {next(NUMBERS)}")
    return client


def name(client: Client) -> str:
    return str(client.get("/api/me")["name"])


def seated(first: Client, second: Client, **given: object) -> str:
    """Return a running table of two people."""
    table = str(first.make("kitara", **given)["id"])
    second.do(table, "join")
    return table


def texts(client: Client, table: str, after: int = 0) -> list[str]:
    return [line["text"] for line in client.get(f"/api/tables/{table}/chat", after=after)["lines"]]


def write(client: Client, table: str, text: str) -> str | None:
    """Write something; return why it was refused."""
    answer = client.http.post(f"/api/tables/{table}/chat", json={"text": text})
    return None if answer.status_code == 201 else str(answer.json()["told"]["key"])


@pytest.fixture
def ann(running: Running) -> Client:
    return account(running, "Ann")


@pytest.fixture
def bob(running: Running) -> Client:
    return account(running, "Bob")


@pytest.fixture
def eve(running: Running) -> Client:
    return account(running, "Eve")


def test_rooms_follow_from_seats_and_the_end_of_the_game() -> None:
    table = two()
    assert chat_rooms(table, ADA.guest) == ("players",)
    assert chat_rooms(table, "somebody") == ("spectators",)
    assert chat_rooms(make(), ADA.guest) == ()
    assert chat_rooms(two(chat=False), ADA.guest) == ()
    over = do(table, BEN, messages.Resign("r"))
    assert chat_rooms(over, ADA.guest) == ("players", "spectators")
    assert chat_rooms(over, "somebody") == ("spectators", "players")


def test_spectators_and_players_are_apart_until_the_end(ann: Client, bob: Client, eve: Client) -> None:
    table = seated(ann, bob)
    assert write(ann, table, "  Hello \n Bob ") is None
    assert write(eve, table, "Her hero is weak") is None
    assert texts(bob, table) == ["Hello Bob"]
    assert texts(ann, table) == ["Hello Bob"]
    assert texts(eve, table) == ["Her hero is weak"]
    (line,) = bob.get(f"/api/tables/{table}/chat")["lines"]
    assert (line["name"], line["seat"], line["yours"]) == (name(ann), 0, False)
    assert texts(bob, table, line["number"]) == []
    bob.do(table, "resign")
    for client in (ann, bob, eve):
        assert texts(client, table) == ["Hello Bob", "Her hero is weak"]
    assert write(eve, table, "Well played") is None
    assert texts(ann, table)[-1] == "Well played"


def test_those_at_the_table_learn_of_a_line_at_once(ann: Client, bob: Client) -> None:
    table = seated(ann, bob)
    with bob.live(table) as live:
        live.wait_for("news")
        number = ann.look(table)["number"]
        assert write(ann, table, "Quick") is None
        told = live.wait_for("chatted")
        assert bob.get(f"/api/tables/{table}/chat")["lines"][-1]["number"] == told["number"]
    assert ann.look(table)["number"] == number  # chat is no part of the game


def test_guests_neither_write_nor_read(running: Running, ann: Client, bob: Client, ada: Client) -> None:
    table = seated(ann, bob)
    write(ann, table, "Between us")
    assert ada.get(f"/api/tables/{table}/chat") == {"room": None, "lines": []}
    assert write(ada, table, "Me too") == "no-chat"
    with_guest = seated(ann, ada)
    assert write(ann, with_guest, "Hello?") == "no-chat"
    assert ann.get(f"/api/tables/{with_guest}/chat")["room"] is None
    register(ada, f"Adele {next(NUMBERS)}")  # a guest becomes an account in the middle of a game
    assert write(ann, with_guest, "Hello!") is None
    assert texts(ada, with_guest) == ["Hello!"]
    bot = running.client("robot", bot=True)
    assert write(bot, table, "beep") == "no-chat"


def test_a_table_without_chat_has_none(ann: Client, bob: Client) -> None:
    table = seated(ann, bob, chat=False)
    assert write(ann, table, "Hello") == "no-chat"


def test_muted_and_blocked_people_are_not_read(ann: Client, bob: Client) -> None:
    table = seated(ann, bob)
    write(ann, table, "La la la")
    path = f"/api/players/{name(ann)}/relation"
    assert bob.post(path, {"relation": "mute"})["muted"] == [name(ann)]
    assert texts(bob, table) == []
    assert texts(ann, table) == ["La la la"]
    bob.post(path, {"relation": "block"})
    assert texts(bob, table) == []
    bob.post(path, {"relation": None})
    assert texts(bob, table) == ["La la la"]


def test_a_report_keeps_what_was_written(running: Running, ann: Client, bob: Client, eve: Client) -> None:
    table = seated(ann, bob)
    write(ann, table, "Something rude")
    (line,) = bob.get(f"/api/tables/{table}/chat")["lines"]
    path = f"/api/tables/{table}/chat/{line['number']}/reports"
    assert eve.http.post(path, json={}).status_code == 404  # of a room that she may not read
    assert ann.http.post(path, json={}).json()["told"]["key"] == "yourself"
    assert bob.http.post(path, json={"text": "again"}).status_code == 204
    assert running.service is not None
    report = running.service.store.relations.reports()[0]
    assert (report.about_name, report.by_name) == (name(ann), name(bob))
    assert report.text == f"/t/{table}: “Something rude” (again)"


def test_what_a_person_wrote_is_exported_and_deleted_with_them(ann: Client, bob: Client) -> None:
    table = seated(ann, bob)
    write(ann, table, "Mine")
    (line,) = ann.get("/api/me/data")["chat"]
    assert (line["table"], line["text"]) == (table, "Mine")
    assert ann.http.delete("/api/me").status_code == 204
    assert texts(bob, table) == []


def test_lines_are_bounded_and_limited(database: str, start: Callable[..., Running]) -> None:
    server = start(database, limits=replace(UNLIMITED, chat=Rate(1e-6, 3), guests_per_network=100))
    ann, bob = account(server, "Ann"), account(server, "Bob")
    table = seated(ann, bob)
    for text in ("", "x" * 301, "\x07"):
        assert write(ann, table, text) in ("bad-request", "name-empty")
    answers = [write(ann, table, "spam") for _ in range(5)]
    assert answers[-1] == "too-often"
    assert answers.count(None) <= 3
    assert server.service is not None
    chat, guest = server.service.store.chat, "somebody"
    for _ in range(MAX_LINES - answers.count(None)):
        chat.write(table, guest, "players", "x", 0)
    assert write(bob, table, "one more") == "chat-full"


def test_spectators_cannot_fill_the_chat_of_the_players(running: Running, ann: Client, bob: Client) -> None:
    table = seated(ann, bob)
    assert running.service is not None
    for _ in range(MAX_LINES):
        running.service.store.chat.write(table, "somebody", "spectators", "x", 0)
    assert write(account(running, "Eve"), table, "one more") == "chat-full"
    assert write(ann, table, "hello") is None
