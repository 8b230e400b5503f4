"""The API over HTTP and WebSocket, with real clients and both databases."""

from __future__ import annotations

import random
from typing import Any

import httpx
import pytest

import mchezo
from tests.server.serving import PATIENCE, Client, Running, eventually, new_id

pytestmark = pytest.mark.rotating(shares=24)


def begin(ada: Client, ben: Client, game: str = "katarenga", **given: Any) -> str:
    table = str(ada.make(game, **given)["id"])
    ben.do(table, "join")
    return table


def play_by_http(players: list[Client], table: str, rng: random.Random, most: int = 10_000) -> dict[str, Any]:
    """Play random moves for all players."""
    for _ in range(most):
        for player in players:
            seen = player.look(table)
            if seen["status"] == "over":
                return seen
            if seen["legal"]:
                player.do(table, "move", decision=seen["decision"], moves=[rng.choice(seen["legal"])])
    return seen


@pytest.mark.parametrize("game", mchezo.games())
def test_two_people_play_a_whole_game_live(ada: Client, ben: Client, game: str) -> None:
    table = begin(ada, ben, game)
    rng = random.Random(3)
    with ada.live(table) as first, ben.live(table) as second, Client(ada.address).live(table) as third:
        first.wait_for("news")
        second.wait_for("news")
        while first.table["status"] != "over":
            mover = first if first.table["legal"] else second
            other = second if mover is first else first
            if not mover.table["legal"]:
                mover.wait_for("news")
                continue
            decision, legal = mover.table["decision"], mover.table["legal"]
            answer = mover.ask("move", decision=decision, moves=[rng.choice(legal)])
            assert answer["type"] == "done", answer
            for live in (mover, other):
                while live.table["number"] < answer["number"]:
                    live.wait_for("news")
        while third.table.get("status") != "over":
            third.wait_for("news")
        for live in (first, second, third):
            numbers = [event["number"] for event in live.events]
            assert numbers == list(range(numbers[-1] + 1))
    record = mchezo.Record.parse(ada.http.get(f"/api/tables/{table}/record").text)
    assert record.verify() is not None
    assert first.table["seed_hash"] == record.seed_hash


def test_a_game_can_be_played_over_http_alone(ada: Client, ben: Client) -> None:
    table = begin(ada, ben, "kiwara")
    over = play_by_http([ada, ben], table, random.Random(1))
    assert over["result"]["winners"]
    news = ada.get(f"/api/tables/{table}/news", after=-1)
    assert news["fresh"] is True
    later = ada.get(f"/api/tables/{table}/news", after=news["table"]["number"] - 3)
    assert [event["number"] for event in later["events"]] == [later["table"]["number"] - 2 + n for n in range(3)]


def test_a_long_poll_ends_when_something_happens(ada: Client, ben: Client) -> None:
    import threading

    table = begin(ada, ben)
    number = ada.look(table)["number"]
    found: list[Any] = []
    wait = threading.Thread(target=lambda: found.append(ada.get(f"/api/tables/{table}/news", after=number, wait=25)))
    wait.start()
    seen = ben.look(table)
    ben.do(table, "move", decision=seen["decision"], moves=["turn90"])
    wait.join(PATIENCE)
    assert found[0]["events"][0]["told"][0] == {"key": "turned", "arguments": {"seat": 1, "degrees": 90}}


def test_a_client_that_reconnects_gets_exactly_what_it_missed(ada: Client, ben: Client) -> None:
    table = begin(ada, ben, "kiwara")
    with ada.live(table) as live:
        live.wait_for("news")
        number = live.table["number"]
    play_by_http([ada, ben], table, random.Random(2), most=6)
    with ada.live(table, f"?after={number}") as live:
        news = live.wait_for("news")
    assert news["fresh"] is False
    assert [event["number"] for event in news["events"]] == list(range(number + 1, news["table"]["number"] + 1))
    assert len(news["views"]) == len(news["events"])
    assert news["views"][-1] == news["table"]["view"]


def test_a_repeated_idempotency_key_is_carried_out_once(ada: Client, ben: Client) -> None:
    table = begin(ada, ben)
    decision = ben.look(table)["decision"]
    body = {"type": "move", "id": new_id(), "decision": decision, "moves": ["turn0"]}
    first = ben.post(f"/api/tables/{table}/commands", body)
    assert ben.post(f"/api/tables/{table}/commands", body) == first
    assert ben.look(table)["number"] == first["number"]
    other = ben.http.post(f"/api/tables/{table}/commands", json={**body, "moves": ["turn90"]})
    assert (other.status_code, other.json()["code"]) == (409, "duplicate")


def test_errors_have_a_code_and_a_text_in_the_players_language(ada: Client, ben: Client) -> None:
    table = begin(ada, ben)
    seen = ben.look(table)
    assert ada.refused(table, "move", decision=seen["decision"], moves=["turn0"]) == (409, "not-your-turn")
    assert ben.refused(table, "move", decision=seen["decision"] - 1, moves=["turn0"]) == (409, "stale")
    assert ben.refused(table, "move", decision=seen["decision"], moves=["O-O"]) == (400, "unreadable")
    assert ben.refused(table, "move", decision=seen["decision"], moves=["a1-a2"]) == (409, "illegal")
    assert ben.refused(table, "move", decision=seen["decision"], moves=["turn0"], seat=0) == (403, "not-your-seat")
    assert ben.refused("x" * 12, "resign") == (404, "unknown-table")
    ben.http.headers["Accept-Language"] = "fr-CH, de;q=0.8"
    body = {"type": "move", "id": new_id(), "decision": seen["decision"], "moves": ["a1-a2"]}
    answer = ben.http.post(f"/api/tables/{table}/commands", json=body).json()
    assert "Noir choisit d'abord son côté" in answer["words"]
    assert ben.look(table)["number"] == seen["number"]


def test_a_computer_plays_and_gives_a_hint(ada: Client) -> None:
    table = ada.make("kiwara", [{"kind": "computer", "level": 2}, {"kind": "you"}])["id"]
    seen = eventually(lambda: next((t for t in [ada.look(table)] if t["legal"]), None))
    computer = {"kind": "computer", "name": "Level 2", "level": 2, "rating": None, "avatar": None, "account": False}
    assert seen["seats"][0]["player"] == computer
    rng = random.Random(1)
    for _ in range(5):
        ada.do(table, "move", decision=seen["decision"], moves=[rng.choice(seen["legal"])])
        seen = eventually(lambda: next((t for t in [ada.look(table)] if t["legal"]), None))
    hint = ada.post(f"/api/tables/{table}/hint", {"decision": seen["decision"], "type": "hint"})
    assert hint["moves"][0] in seen["legal"]
    assert hint["instead"] in seen["legal"]
    assert hint["instead"] != hint["moves"][0]
    while seen["view"]["decision"] != "place":
        ada.do(table, "move", decision=seen["decision"], moves=[rng.choice(seen["legal"])])
        seen = eventually(lambda: next((t for t in [ada.look(table)] if t["legal"]), None))
    # in the middle of a turn: the animal is placed, the totem has not been moved
    hint = ada.post(f"/api/tables/{table}/hint", {"decision": seen["decision"], "type": "hint"})
    unsent = {"decision": seen["decision"], "moves": hint["moves"][:1]}
    tried = ada.post(f"/api/tables/{table}/try", {**unsent, "type": "try"})
    later = ada.post(f"/api/tables/{table}/hint", {**unsent, "type": "hint"})
    assert later["moves"][0] in tried["legal"]
    over = {**unsent, "moves": [hint["moves"][0], later["moves"][0]], "type": "hint"}
    assert ada.http.post(f"/api/tables/{table}/hint", json=over).json()["code"] == "illegal"


def test_a_player_loses_on_time_while_nobody_is_connected(ada: Client, ben: Client) -> None:
    clock = {"milliseconds": 1_000}
    table = begin(ada, ben, clock=clock)
    ben.do(table, "move", decision=ben.look(table)["decision"], moves=["turn0"])
    over = eventually(lambda: next((t for t in [ben.look(table)] if t["status"] == "over"), None))
    assert (over["result"]["reason"], over["result"]["winners"]) == ("time-out", [1])


def test_lists_show_public_tables_to_all_and_private_ones_to_their_players(ada: Client, ben: Client) -> None:
    hidden, shown = ada.make(public=False)["id"], ada.make(public=True)["id"]
    for client, yours in ((ada, True), (ben, False)):
        lists = client.get("/api/tables")
        assert shown in [table["id"] for table in lists["open"]]
        assert hidden not in [table["id"] for table in lists["open"]]
        assert (hidden in [table["id"] for table in lists["yours"]]) == yours
    assert hidden not in Client(ada.address).http.get("/api/tables").text


def test_records_of_finished_games_are_served_singly_and_in_bulk(ada: Client, ben: Client) -> None:
    table = begin(ada, ben, "kitara")
    assert "Seed " not in ada.http.get(f"/api/tables/{table}/record").text.replace("SeedHash", "")
    ada.do(table, "resign")
    text = ada.http.get(f"/api/tables/{table}/record").text
    assert mchezo.Record.parse(text).verify() is not None
    assert text in ben.http.get("/api/records", params={"game": "kitara"}).text


def test_a_rematch_leads_everybody_to_the_next_table(ada: Client, ben: Client) -> None:
    table = begin(ada, ben)
    ada.do(table, "resign")
    ben.do(table, "ask", what="revenge")
    ada.do(table, "answer", what="revenge", yes=True)
    following = ben.look(table)["next"]
    assert following
    seen = ada.look(following)
    assert (seen["status"], seen["previous"], seen["you"]) == ("running", table, [0])


def test_any_earlier_position_can_be_viewed(ada: Client, ben: Client) -> None:
    table = begin(ada, ben, "kiwara")
    play_by_http([ada, ben], table, random.Random(4), most=4)
    made = ada.look(table)["made"]
    first, last = (ben.get(f"/api/tables/{table}/moves/{n}") for n in (0, made))
    assert (first["move"], first["view"]["totem"]) == (None, None)
    assert last["view"]["animals"] == ada.look(table)["view"]["animals"]
    assert ben.http.get(f"/api/tables/{table}/moves/{made + 1}").status_code == 409
    assert ben.http.get(f"/api/tables/{table}/picture.svg").text.startswith("<svg")


def test_setups_are_checked_and_shown(ada: Client) -> None:
    found = ada.post("/api/games/katarenga/setup", {"options": {"board": "A0c1B2d3"}})
    assert found["extras"]["code"] == "A0c1B2d3"
    assert found["svg"].startswith("<svg")
    assert ada.post("/api/games/kiwara/setup", {"options": {"board": "free"}})["options"]["board"].count("/") == 4
    wrong = ada.http.post("/api/games/kiwara/setup", json={"options": {"board": "AAAA"}})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "invalid-setup")
    sketch = ada.post("/api/games/kiwara/sketch", {"rivers": ["a1-b1"]})
    assert (sketch["complete"], len(sketch["regions"])) == (False, 1)
    board = ada.get("/api/packs/reconstruction/maps/3")
    assert {space["kind"] for space in board["spaces"]} == {"savanna", "ruin", "lake"}


def test_games_texts_health_metrics_and_schema_are_served(ada: Client) -> None:
    games = {game["name"]: game for game in ada.get("/api/games")}
    assert games["kitara"]["players"] == [1, 2, 3, 4]
    assert games["katarenga"]["draws"]
    assert games["katarenga"]["touch_move"]
    assert len(games["kiwara"]["levels"]) == 8
    words = ada.get("/api/words/nl")
    assert words["kiwara"]["seat-red"] == "Rood"
    assert "/api/tables/{id}/commands" in ada.get("/schema/openapi.json")["paths"]
    assert ada.get("/healthz")["status"] == "ok"
    assert "mchezo_commands_total" in ada.metrics()


def test_pages_have_security_headers_and_unknown_addresses_are_refused(running: Running) -> None:
    answer = httpx.get(f"http://{running.address}/t/abc")
    assert answer.status_code == 200
    assert "mchezo" in answer.text
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert httpx.get(f"http://{running.address}/../../etc/passwd.txt").status_code == 404
    assert httpx.get(f"http://{running.address}/api/nothing").json()["code"] == "unknown-page"


def test_the_cookie_keeps_the_players_name(running: Running) -> None:
    client = running.client("  Ada\tLovelace ")
    assert client.get("/api/me")["name"] == "Ada Lovelace"
    assert client.make()["seats"][0]["player"]["name"] == "Ada Lovelace"


def test_the_creator_cancels_a_table_that_waits(ada: Client, ben: Client) -> None:
    table = str(ada.make("katarenga")["id"])
    with ben.live(table) as watching:
        watching.wait_for("news")
        assert ada.http.delete(f"/api/tables/{table}").status_code == 204
        assert watching.wait_for("refused")["code"] == "unknown-table"
    assert ada.http.get(f"/api/tables/{table}").status_code == 404
    assert table not in [listed["id"] for listed in ada.get("/api/tables")["yours"]]


def test_others_only_give_back_their_seats(running: Running, ada: Client, ben: Client) -> None:
    seats = [{"kind": "you"}, {"kind": "open"}, {"kind": "open"}]
    table = str(ada.make("kitara", seats=seats)["id"])
    ben.do(table, "join")
    assert running.client("Cleo").http.delete(f"/api/tables/{table}").json()["code"] == "not-your-seat"
    assert ben.http.delete(f"/api/tables/{table}").status_code == 204
    assert [seat["player"] is None for seat in ada.look(table)["seats"]] == [False, True, True]


def test_a_game_that_has_started_cannot_be_cancelled(ada: Client, ben: Client) -> None:
    table = begin(ada, ben)
    assert ada.http.delete(f"/api/tables/{table}").json()["code"] == "not-open"
    assert ada.look(table)["status"] == "running"


def test_a_link_is_drawn_as_a_qr_code(ada: Client) -> None:
    answer = ada.http.get("/api/qr", params={"text": "http://192.168.1.5:8064/join/abcdefghijkl/key"})
    assert answer.headers["Content-Type"].startswith("image/svg+xml")
    assert "<path" in answer.text
    assert ada.http.get("/api/qr", params={"text": "x" * 201}).status_code == 400
