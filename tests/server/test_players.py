"""What players do besides moving, over the network, with both databases."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest

import mchezo
from mchezo.core.chance import Seed
from mchezo.server.transport import tables_api
from tests.server.serving import Client, Running, eventually, pass_time

pytestmark = pytest.mark.rotating(shares=24)

MINUTE = 60_000


def begin(ada: Client, *others: Client, game: str = "katarenga", **given: Any) -> str:
    seats = [{"kind": "you"}, *({"kind": "open"} for _ in others)]
    table = str(ada.make(game, given.pop("seats", seats), **given)["id"])
    for other in others:
        other.do(table, "join")
    return table


def move(player: Client, table: str, *moves: str) -> dict[str, Any]:
    """Submit moves, or any legal one."""
    seen = player.look(table)
    return player.do(table, "move", decision=seen["decision"], moves=list(moves) or [seen["legal"][0]])


def play_on(players: list[Client], table: str, until: Callable[[dict[str, Any]], bool], rng: random.Random) -> Any:
    """Play random moves for these players, while computers play theirs."""

    def next_one() -> tuple[Client, dict[str, Any]] | None:
        looks = [(player, player.look(table)) for player in players]
        return next((look for look in looks if look[1]["legal"] or until(look[1])), None)

    for _ in range(3_000):
        player, seen = eventually(next_one)
        if until(seen):
            return seen
        player.do(table, "move", decision=seen["decision"], moves=[rng.choice(seen["legal"])])
    raise AssertionError("it never came to that")


def is_over(table: dict[str, Any]) -> bool:
    return bool(table["status"] == "over")


# Coming and going


def test_a_player_who_leaves_before_the_start_frees_the_seat(ada: Client, ben: Client) -> None:
    table = begin(ada, game="kitara", seats=[{"kind": "you"}, {"kind": "open"}, {"kind": "open"}])
    keys = ada.look(table)["keys"]
    ben.do(table, "join", key=keys["2"])
    assert ben.look(table)["you"] == [2]
    ben.do(table, "leave", seat=2)
    seen = ada.look(table)
    assert (ben.look(table)["you"], seen["status"]) == ([], "open")
    assert seen["keys"]["2"] != keys["2"]
    assert ben.refused(table, "join", key=keys["2"]) == (403, "bad-key")
    ben.do(table, "join", key=seen["keys"]["2"])
    assert ada.refused(table, "resign") == (409, "not-running")


def test_seats_are_drawn_from_a_seed_that_is_published_afterwards(ada: Client, ben: Client) -> None:
    first = set()
    for _ in range(20):
        table = begin(ada, ben, lot=True)
        first.add(ada.look(table)["you"][0])
        if len(first) == 2:
            break
    assert first == {0, 1}
    assert ada.look(table)["seed"] is None
    ada.do(table, "resign")
    seen = ada.look(table)
    assert Seed(seen["seed"]).hash == seen["seed_hash"]


def test_an_abandoned_seat_is_claimed_after_the_grace_period(database: str, start: Callable[..., Running]) -> None:
    server = start(database)
    ada, ben = server.client("Ada"), server.client("Ben")
    table = begin(ada, ben, grace=MINUTE)
    move(ben, table, "turn0")
    with ada.live(table) as gone:
        gone.wait_for("news")
    with ben.live(table) as live:
        live.wait_for("news")
        assert ben.refused(table, "claim", absent=0) == (409, "not-possible")
        assert server.service is not None
        pass_time(server, MINUTE - 5_000)
        assert ben.refused(table, "claim", absent=0) == (409, "not-possible")
        assert "claim-0" not in ben.look(table)["may"]
        pass_time(server, 10_000)
        while "claim-0" not in live.table["may"]:  # sent though nothing happens at the table
            live.wait_for("news")
        assert live.table["seats"][0]["claim"] == "win"
        assert ada.refused(table, "claim", absent=0)[1] == "not-possible"  # and Ada is back
        assert ben.refused(table, "claim", absent=0) == (409, "not-possible")
        pass_time(server, MINUTE + 5_000)
        assert live.ask("claim", absent=0)["type"] == "done"
    over = ben.look(table)
    assert (over["status"], over["result"]["winners"], over["result"]["reason"]) == ("over", [1], "abandoned")


def test_a_computer_takes_over_an_abandoned_seat_and_plays_on(database: str, start: Callable[..., Running]) -> None:
    server = start(database)
    ada, ben = server.client("Ada"), server.client("Ben")
    table = begin(ada, ben, game="kiwara", grace=MINUTE, abandoned="computer", stand_in=3)
    assert server.service is not None
    pass_time(server, MINUTE + 1_000)
    ben.do(table, "claim", absent=0)
    seen = eventually(lambda: next((t for t in [ben.look(table)] if t["legal"]), None))
    assert (seen["status"], seen["seats"][0]["out"]) == ("running", "abandoned")
    assert ada.refused(table, "move", decision=seen["decision"], moves=["T0"]) == (403, "not-your-seat")
    over = play_on([ben], table, is_over, random.Random(5))
    assert over["result"]["lines"]


# Dropping out


def test_computers_replace_players_of_four_who_resign_or_run_out_of_time(ada: Client, ben: Client) -> None:
    cay, dan = Client(ada.address, "Cay"), Client(ada.address, "Dan")
    seats = [{"kind": "you"}, {"kind": "open"}, {"kind": "open"}, {"kind": "open", "clock": {"milliseconds": 1_000}}]
    table = begin(ada, ben, cay, dan, game="kitara", seats=seats)
    cay.do(table, "resign")
    assert (ada.look(table)["status"], ada.look(table)["seats"][2]["out"]) == ("running", "resignation")
    assert cay.refused(table, "resign") == (403, "not-your-seat")
    # Only Dan has a clock, and he never moves.
    seen = play_on([ada, ben], table, lambda seen: seen["seats"][3]["out"] is not None, random.Random(1))
    assert (seen["seats"][3]["out"], seen["status"]) == ("time-out", "running")

    def both_play_on(_: dict[str, Any]) -> bool:
        events = ada.get(f"/api/tables/{table}/news", after=0)["events"]
        return {2, 3} <= {event["seat"] for event in events if event["key"] == "moved"}

    play_on([ada, ben], table, both_play_on, random.Random(2))
    ben.do(table, "resign")
    over = ada.look(table)
    assert (over["result"]["winners"], over["result"]["reason"]) == ([0], "resignation")
    record = ada.http.get(f"/api/tables/{table}/record").text
    assert '[Out2 "resignation"]' in record
    assert '[Out3 "time-out"]' in record
    assert mchezo.Record.parse(record).verify() is not None


def test_players_may_have_different_times(ada: Client, ben: Client) -> None:
    seats = [{"kind": "you", "clock": {"milliseconds": 90_000, "increment": 180_000}}, {"kind": "open"}]
    table = begin(ada, ben, seats=seats, clock={"milliseconds": 30_000})
    clock = ada.look(table)["clock"]
    assert (clock["left"], clock["increment"], clock["running"]) == ([90_000, 30_000], [180_000, 0], None)
    move(ben, table, "turn0")
    move(ada, table)
    clock = ada.look(table)["clock"]
    assert clock["running"] == 1
    assert clock["left"][0] > 90_000  # three minutes were added


def test_a_time_out_is_stored_though_nobody_is_connected_and_nobody_asks(
    database: str, start: Callable[..., Running]
) -> None:
    server = start(database)
    ada, ben = server.client("Ada"), server.client("Ben")
    table = begin(ada, ben, clock={"milliseconds": 1_000})
    move(ben, table, "turn0")
    store = server.service.store if server.service else None
    assert store is not None
    stored = eventually(lambda: next((t for t in [store.tables.load(table)] if t and t.ending), None))
    assert (stored.ending.reason, stored.ending.winners) == ("time-out", [1])


# Questions


def test_a_draw_is_offered_declined_and_agreed_to(ada: Client, ben: Client) -> None:
    table = begin(ada, ben)
    move(ben, table, "turn0")
    with ada.live(table) as first, ben.live(table) as second:
        for live in (first, second):
            live.wait_for("news")
        assert first.ask("ask", what="draw")["type"] == "done"
        while "answer-draw" not in second.table["may"]:
            second.wait_for("news")
        assert second.ask("answer", what="draw", yes=False)["type"] == "done"
        assert first.ask("ask", what="draw")["code"] == "too-often"
        assert second.ask("ask", what="draw")["type"] == "done"
        assert first.ask("answer", what="draw", yes=True)["type"] == "done"
        while first.table["status"] != "over":
            first.wait_for("news")
        keys = [event["key"] for event in first.events]
    assert keys[-5:] == ["asked", "answered", "asked", "answered", "ended"]
    assert (first.table["result"]["reason"], first.table["result"]["winners"]) == ("agreement", [])


def test_a_move_is_taken_back_if_the_other_player_agrees(ada: Client, ben: Client) -> None:
    table = begin(ada, ben)
    move(ben, table, "turn90")
    before = ada.look(table)
    move(ada, table)
    ada.do(table, "ask", what="takeback")
    ben.do(table, "answer", what="takeback", yes=True)
    after = ada.look(table)
    assert (after["made"], after["legal"], after["view"]["position"]) == (
        before["made"],
        before["legal"],
        before["view"]["position"],
    )
    assert ada.refused(table, "move", decision=before["decision"], moves=[before["legal"][0]]) == (409, "stale")


def test_a_move_that_revealed_something_is_not_taken_back(ada: Client, ben: Client) -> None:
    table = begin(ada, ben, game="kitara")
    rng = random.Random(3)
    for _ in range(200):
        seen = ada.look(table)
        player = ada if seen["legal"] else ben
        legal = player.look(table)["legal"]
        move(player, table, rng.choice(legal))
        if ada.get(f"/api/tables/{table}/news", after=seen["number"])["events"][-1]["key"] == "drawn":
            break
    assert player.refused(table, "ask", what="takeback") == (409, "revealed")
    assert "ask-takeback" not in player.look(table)["may"]


def test_a_touched_pawn_must_move(ada: Client, ben: Client) -> None:
    table = begin(ada, ben, touch_move=True)
    move(ben, table, "turn0")
    seen = ada.look(table)
    places = sorted({text[:2] for text in seen["legal"]})
    ada.do(table, "touch", decision=seen["decision"], place=places[0])
    touched = ada.look(table)
    assert touched["touched"] == places[0]
    assert touched["legal"] == [text for text in seen["legal"] if text.startswith(places[0])]
    other = next(text for text in seen["legal"] if text.startswith(places[1]))
    assert ada.refused(table, "move", decision=touched["decision"], moves=[other]) == (409, "illegal")
    assert ada.refused(table, "touch", decision=touched["decision"], place=places[1]) == (409, "illegal")
    assert ada.refused(table, "ask", what="takeback") == (409, "not-possible")
    move(ada, table)


def test_a_series_continues_at_the_next_table(ada: Client, ben: Client) -> None:
    table = begin(ada, ben, series=True)
    move(ben, table, "turn0")
    ada.do(table, "resign")
    second = ada.look(table)["next"]
    seen = ada.look(second)
    assert (seen["status"], seen["previous"], seen["series"]["game"]) == ("running", table, 2)
    assert seen["series"]["score"] == [0.0, 1.0]
    ada.do(second, "resign")
    over = ben.look(second)
    assert (over["series"]["winner"], over["next"]) == (1, None)


# What if


def test_a_trial_gives_the_same_answer_over_http_and_socket_and_stores_nothing(ada: Client, ben: Client) -> None:
    table = begin(ben, ada, game="kiwara")
    move(ben, table)
    seen = ada.look(table)
    tried = ada.post(f"/api/tables/{table}/try", {"decision": seen["decision"], "moves": [], "previews": True})
    assert set(tried["previews"]) == set(seen["legal"])
    one = seen["legal"][0]
    by_http = ada.post(f"/api/tables/{table}/try", {"decision": seen["decision"], "moves": [one]})
    with ada.live(table) as live:
        live.wait_for("news")
        by_socket = live.ask("try", decision=seen["decision"], moves=[one])
    del by_socket["id"], by_http["id"]
    assert {name: by_socket[name] for name in by_http} == by_http
    assert by_http["told"]
    assert ada.look(table)["number"] == seen["number"]
    other = ben.http.post(f"/api/tables/{table}/try", json={"decision": seen["decision"], "moves": [one]})
    assert other.json()["code"] == "not-your-turn"


# Records and metrics


def test_all_records_are_downloaded_page_by_page(
    database: str, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables_api, "RECORDS_PER_PAGE", 5)
    server = start(database, threads=0)
    ada = server.client("Ada")
    made = set()
    for _ in range(8):
        table = ada.make("kiwara", [{"kind": "you"}, {"kind": "you"}])["id"]
        ada.do(table, "resign")
        made.add(table)
    hidden = ada.make("kiwara", [{"kind": "you"}, {"kind": "you"}], public=False)["id"]
    ada.do(hidden, "resign")
    found, before, pages = [], None, 0
    while True:
        answer = ada.http.get("/api/records", params={} if before is None else {"before": before})
        records = [mchezo.Record.parse(text) for text in re.split(r"^(?=\[Game )", answer.text, flags=re.MULTILINE)[1:]]
        found += [record.tags["Site"] for record in records]
        pages += 1
        before = answer.headers.get("X-Before")
        if before is None:
            break
    assert pages == 2
    assert sorted(found) == sorted(made)


def test_metrics_count_what_the_server_did(database: str, start: Callable[..., Running]) -> None:
    server = start(database)
    ada = server.client("Ada")

    def figures() -> dict[str, float]:
        lines = ada.metrics().splitlines()
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line[0] != "#")}

    before = figures()
    table = ada.make("katarenga", [{"kind": "you"}, {"kind": "you"}])["id"]
    with ada.live(table) as live:
        live.wait_for("news")
        move(ada, table, "turn0")
        ada.refused(table, "move", decision=0, moves=["turn0"])
        after = figures()
    rise = {name: value - before.get(name, 0.0) for name, value in after.items()}
    assert rise["mchezo_moves_total"] == 1
    assert rise['mchezo_commands_total{answer="done",kind="move"}'] == 1
    assert rise['mchezo_commands_total{answer="stale",kind="move"}'] == 1
    assert rise["mchezo_sockets"] == 1
    assert rise["mchezo_commit_seconds_count"] >= 2
