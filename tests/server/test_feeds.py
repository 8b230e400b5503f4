"""Feeds: a calendar and RSS at a secret address, with one entry a turn."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import pairwise
from xml.etree import ElementTree

import msgspec
import pytest

from mchezo.server import messages
from mchezo.server.domain.summary import decode_summary, summarize
from mchezo.server.projection.listing import list_table
from mchezo.server.transport.feeds import calendar, fold, rss
from tests.server.contexts import YOU, make, play, two
from tests.server.serving import Client, Running
from tests.server.test_correspondence import pair


@pytest.fixture
def server(database: str, start: Callable[..., Running]) -> Running:
    return start(database)


def read(client: Client, address: str, kind: str) -> str:
    answer = client.http.get(f"{address}.{kind}")
    assert answer.status_code == 200, answer.text
    return answer.text


@pytest.mark.parametrize("game", ["kiwara", "kitara"])
def test_a_turn_has_one_number_however_many_decisions_it_has(game: str) -> None:
    table, rng = two(game, days=3), random.Random(1)
    turns: list[tuple[int | None, int | None]] = []
    decisions = 0
    while table.to_move is not None and decisions < 40:
        turns.append((table.to_move, table.turn_number))
        table = play(table, rng.choice(table.legal))
        decisions += 1
    for (seat, turn), (next_seat, next_turn) in pairwise(turns):
        assert (turn == next_turn) == (seat == next_seat)
    assert len({turn for _, turn in turns}) < len(turns)


def test_texts_of_strangers_are_only_texts() -> None:
    name = "</title>,;\\ <b>"
    table = make(seats=(YOU, YOU), days=3)
    player = messages.SeatedPlayer("person", name)
    listed = list_table(table.id, decode_summary(summarize(table)), table.last_at, None)
    listed = msgspec.structs.replace(listed, seats=[messages.ListedSeat("white", player, False)])
    found = ElementTree.fromstring(rss([listed], "https://a&b.example", "en"))
    assert found.findtext("channel/item/link") == f"https://a&b.example/t/{table.id}"
    assert found.findtext("channel/item/title") == f"Katarenga: your turn against {name}"
    shown = calendar([listed], "https://example.org", "en")
    assert "against </title>\\,\\;\\\\ <b>" in shown.replace("\r\n ", "")


def test_long_lines_are_folded_between_characters() -> None:
    line = "SUMMARY:" + "é✓x" * 60
    pieces = fold(line).split("\r\n ")
    assert all(len(f" {piece}".encode()) <= 75 for piece in pieces)
    assert "".join(pieces) == line


def test_a_feed_shows_the_turns_that_wait_to_those_who_know_its_address(server: Running) -> None:
    first, second, table = pair(server, days=2)
    assert first.get("/api/feed") == {"address": None}
    address = first.post("/api/feed", {})["address"]
    anybody = server.client()
    shown = read(anybody, address, "ics")
    assert f"URL:http://{server.address}/t/{table}" in shown.replace("\r\n ", "")
    assert len(re.findall("BEGIN:VEVENT", shown)) == 1
    items = ElementTree.fromstring(read(anybody, address, "rss")).findall("channel/item")
    name = second.get("/api/me")["name"]
    assert [item.findtext("title") for item in items] == [f"Katarenga: your turn against {name}"]
    guid = items[0].findtext("guid")
    first.do(table, "ask", what="draw")  # no new turn
    again = ElementTree.fromstring(read(anybody, address, "rss")).findall("channel/item")
    assert [item.findtext("guid") for item in again] == [guid]
    first.do(table, "move", decision=first.look(table)["decision"], moves=[first.look(table)["legal"][0]])
    assert "BEGIN:VEVENT" not in read(anybody, address, "ics")
    new = first.post("/api/feed", {})["address"]
    assert new != address
    assert anybody.http.get(f"{address}.ics").status_code == 404
    assert first.http.delete("/api/feed").status_code == 200
    assert anybody.http.get(f"{new}.rss").status_code == 404
