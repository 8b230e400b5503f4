"""Clients that ask for facts instead of views: what they are sent is enough, and small."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

import mchezo
from tests.server.serving import Client, Live
from tests.server.test_hidden import before_a_token

MOVES = 12


def next_facts(live: Live) -> dict[str, Any]:
    return live.wait_for("facts")


@pytest.mark.parametrize("game", ["katarenga", "kiwara"])
def test_the_game_follows_from_the_facts(ada: Client, ben: Client, game: str) -> None:
    id = ada.make(game)["id"]
    ben.do(id, "join")
    with ada.live(id, "?want=facts") as first, ben.live(id, "?want=facts") as second:
        table = first.wait_for("news")["table"]  # the table as it is now, once
        second.wait_for("news")
        position = mchezo.game(game).start(chance="manual", **table["options"])
        decision, number = table["decision"], table["number"]
        for _ in range(MOVES):
            mover = (first, second)[position.to_move or 0]
            move = position.legal_moves[0]
            mover.send({"type": "move", "id": f"move {number}", "decision": decision, "moves": [move]})
            for live in (first, second):
                facts = next_facts(live)
                (event,) = facts["events"]
                assert (event["key"], event["move"], event["number"]) == ("moved", move, number + 1)
            position.play(move)
            assert facts["to_move"] == position.to_move
            decision, number = facts["decision"], event["number"]
        shown = (ada, ben)[position.to_move or 0].look(id)
        assert shown["legal"] == position.legal_moves
        assert shown["decision"] == decision


def test_facts_are_small(ada: Client, ben: Client) -> None:
    id = ada.make("kitara")["id"]
    ben.do(id, "join")
    with ada.live(id, "?want=facts") as live:
        table = live.wait_for("news")["table"]
        mover = ada if table["legal"] else ben
        seen = mover.look(id)
        mover.do(id, "move", decision=seen["decision"], moves=[seen["legal"][0]])
        facts = next_facts(live)
        assert len(json.dumps(facts)) < 150 * len(facts["events"]) + 100
        assert all(event.get("told", []) == [] for event in facts["events"])


def test_only_the_owner_is_sent_a_hidden_fact(ada: Client, ben: Client) -> None:
    record, before, move = before_a_token()
    table = ada.make("kitara", record=record, at=before)["id"]
    ben.do(table, "join")
    anybody = Client(ada.address)
    with (
        ada.live(table, "?want=facts") as first,
        ben.live(table, "?want=facts") as second,
        anybody.live(table, "?want=facts") as third,
    ):
        lives = [first, second, third]
        shown = [live.wait_for("news")["table"] for live in lives]
        owner = shown[0]["to_move"]
        moved = {"type": "move", "id": "move", "decision": shown[0]["decision"], "moves": [move]}
        lives[owner].send(moved)
        for seat, live in enumerate(lives):
            drawn = [event["move"] for event in next_facts(live)["events"] if event["key"] == "drawn"]
            assert drawn
            assert ("=?" in drawn) == (seat != owner)


def test_a_reconnecting_client_misses_no_fact(ada: Client, ben: Client) -> None:
    id = ada.make()["id"]
    ben.do(id, "join")
    with ada.live(id, "?want=facts") as live:
        known = live.wait_for("news")["table"]["number"]
    seen = ada.look(id)
    player = ada if seen["legal"] else ben
    player.do(id, "move", decision=seen["decision"], moves=[player.look(id)["legal"][0]])
    with ada.live(id, f"?want=facts&after={known}") as live:
        news = live.wait_for("news")
        assert [event["number"] for event in news["events"]] == [known + 1]


@pytest.mark.parametrize("query", ["?want=everything", "?after=none", "?seat=9"])
def test_an_unknown_request_is_refused(ada: Client, query: str) -> None:
    id = ada.make()["id"]
    headers = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Version": "13",
    }
    assert httpx.get(f"http://{ada.address}/api/tables/{id}/live{query}", headers=headers).status_code == 404
    for name, wrong in (("Sec-WebSocket-Version", "8"), ("Sec-WebSocket-Key", "short")):
        answer = httpx.get(f"http://{ada.address}/api/tables/{id}/live", headers={**headers, name: wrong})
        assert answer.status_code == 400
