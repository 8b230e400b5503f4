"""Profiles: games, following, blocking and reporting."""

from __future__ import annotations

from secrets import token_hex
from typing import Any

import pytest

from mchezo.server.storage.administration import Administration
from mchezo.server.transport import players_api
from tests.server.serving import Client, Running
from tests.server.test_accounts import register

pytestmark = pytest.mark.rotating(shares=24)


@pytest.fixture
def ann(running: Running) -> Client:
    client = running.client("x")
    register(client, f"Ann {token_hex(4)}")
    return client


@pytest.fixture
def bob(running: Running) -> Client:
    client = running.client("y")
    register(client, f"Bob {token_hex(4)}")
    return client


def name(client: Client) -> str:
    return str(client.get("/api/me")["name"])


def finished(ann: Client, bob: Client, *, public: bool) -> str:
    made = ann.make("katarenga", public=public)
    bob.do(made["id"], "join", key=made["keys"]["1"])
    bob.do(made["id"], "resign")
    return str(made["id"])


def test_others_see_public_games_only_and_the_player_all_of_them(ann: Client, bob: Client) -> None:
    shown, private = finished(ann, bob, public=True), finished(ann, bob, public=False)
    path = f"/api/players/{name(ann)}/games"
    assert [one["table"]["id"] for one in bob.get(path)["games"]] == [shown]
    assert {one["table"]["id"] for one in ann.get(path)["games"]} == {shown, private}
    (game,) = bob.get(path)["games"]
    assert game["seats"] == [0]
    assert game["table"]["winners"] == [0]
    assert bob.get(path, game="kiwara")["games"] == []


def resigned(loser: Client, other: Client, game: str = "katarenga", **given: Any) -> str:
    """Play a game that ends at once; return its table."""
    made = loser.make(game, **given)
    if made.get("keys"):
        other.do(made["id"], "join", key=made["keys"]["1"])
    loser.do(made["id"], "resign")
    return str(made["id"])


def test_games_are_filtered_by_result_opponent_and_level(ann: Client, bob: Client, ada: Client) -> None:
    lost, won = resigned(ann, bob), resigned(bob, ann)
    against_level = resigned(ann, bob, "kiwara", seats=[{"kind": "you"}, {"kind": "computer", "level": 2}])
    path = f"/api/players/{name(ann)}/games"

    def found(**query: Any) -> set[str]:
        return {one["table"]["id"] for one in ada.get(path, **query)["games"]}

    assert found() == {lost, won, against_level}
    assert found(result="won") == {won}
    assert found(result="lost") == {lost, against_level}
    assert found(result="drawn") == set()
    assert found(opponent=name(bob)) == {lost, won}
    assert found(level=2) == {against_level}
    assert found(level=3) == set()
    assert found(opponent=name(bob), result="lost", game="katarenga") == {lost}
    assert ada.http.get(path, params={"result": "lucky"}).status_code == 400


def test_a_filter_finds_games_beyond_the_first_page(ann: Client, bob: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players_api, "GAMES_PER_PAGE", 2)
    won = [resigned(bob, ann) for _ in range(3)]
    for _ in range(3):
        resigned(ann, bob)
    path = f"/api/players/{name(ann)}/games"
    first = bob.get(path, result="won")
    second = bob.get(path, result="won", before=first["before"])
    assert [one["table"]["id"] for one in first["games"] + second["games"]] == won[::-1]
    assert second["before"] is None
    pages, before = 0, 2**53
    while before is not None:
        before, pages = bob.get(path, before=before)["before"], pages + 1
    assert pages == 4  # the last one is empty


def test_results_are_added_up_by_game_side_level_and_opponent(ann: Client, bob: Client) -> None:
    resigned(ann, bob)
    for _ in range(2):
        resigned(bob, ann)
    resigned(ann, bob, "kiwara", seats=[{"kind": "you"}, {"kind": "computer", "level": 2}])
    resigned(ann, bob, seats=[{"kind": "you"}, {"kind": "you"}])  # against nobody
    found = ann.get(f"/api/players/{name(ann)}/results")
    assert found["games"] == 4
    sums = {
        (one["by"], one["game"], one["level"], one["opponent"]): (one["won"], one["drawn"], one["lost"])
        for one in found["scores"]
        if one["by"] != "side"
    }
    assert sums == {
        ("game", "katarenga", None, None): (2, 0, 1),
        ("game", "kiwara", None, None): (0, 0, 1),
        ("level", None, 2, None): (0, 0, 1),
        ("opponent", None, None, name(bob)): (2, 0, 1),
    }
    sides = [one for one in found["scores"] if one["by"] == "side" and one["game"] == "katarenga"]
    assert sum(one["won"] + one["lost"] for one in sides) == 3
    assert len({one["side"] for one in sides}) == 2
    only = ann.get(f"/api/players/{name(ann)}/results", game="kiwara")
    assert only["games"] == 1


def test_running_public_games_of_followed_players_are_found(ann: Client, bob: Client, ada: Client) -> None:
    assert ada.get("/api/people/tables") == {"tables": []}
    shown, private = (ann.make("katarenga", public=public) for public in (True, False))
    open_one = ann.make("kiwara")
    assert open_one["status"] == "open"
    for made in (shown, private):
        ada.do(made["id"], "join", key=made["keys"]["1"])
    assert bob.get("/api/people/tables") == {"tables": []}
    bob.post(f"/api/players/{name(ann)}/relation", {"relation": "follow"})
    own = ann.make("katarenga")
    bob.do(own["id"], "join", key=own["keys"]["1"])
    assert [one["id"] for one in bob.get("/api/people/tables")["tables"]] == [shown["id"]]
    ann.do(shown["id"], "resign")
    assert bob.get("/api/people/tables") == {"tables": []}


def test_a_player_follows_and_blocks_by_name_and_nobody_else_sees_it(ann: Client, bob: Client) -> None:
    path = f"/api/players/{name(bob)}/relation"
    assert ann.post(path, {"relation": "follow"}) == {"following": [name(bob)], "blocked": [], "muted": []}
    assert ann.post(path, {"relation": "block"}) == {"following": [], "blocked": [name(bob)], "muted": []}
    assert bob.get("/api/people") == {"following": [], "blocked": [], "muted": []}
    table = ann.make("katarenga")["id"]
    assert bob.http.post(f"/api/tables/{table}/commands", json={"type": "join", "id": "j"}).json()["told"]["key"] == (
        "not-welcome"
    )
    with bob.live(table) as live:
        live.wait_for("news")
        live.send({"type": "join", "id": "again"})
        assert live.wait_for("refused")["told"]["key"] == "not-welcome"
    assert ann.post(path, {"relation": None}) == {"following": [], "blocked": [], "muted": []}
    bob.do(table, "join")


def test_guests_without_an_account_neither_follow_nor_report(ada: Client, ann: Client) -> None:
    for path, body in (("relation", {"relation": "follow"}), ("reports", {"text": "hello"})):
        answer = ada.http.post(f"/api/players/{name(ann)}/{path}", json=body)
        assert answer.json()["told"]["key"] == "no-account"


def test_nobody_follows_or_reports_themselves(ann: Client) -> None:
    answer = ann.http.post(f"/api/players/{name(ann)}/relation", json={"relation": "follow"})
    assert answer.json()["told"]["key"] == "yourself"


def test_an_operator_reads_and_closes_reports(running: Running, ann: Client, bob: Client) -> None:
    answer = ann.http.post(f"/api/players/{name(bob)}/reports", json={"text": "Rude \x07 phrases"})
    assert answer.status_code == 204
    assert ann.http.post(f"/api/players/{name(bob)}/reports", json={"text": "x" * 501}).status_code == 400
    assert running.service is not None
    administration = Administration(running.service.config.database)
    try:
        report = administration.store.relations.reports()[0]
        assert (report.by_name, report.about_name, report.text) == (name(ann), name(bob), "Rude phrases")
        assert administration.store.relations.close_report(report.number)
        assert report.number not in [one.number for one in administration.store.relations.reports()]
        assert not administration.store.relations.close_report(10**6)
    finally:
        administration.close()


def test_a_player_who_leaves_takes_relations_and_reports_along(running: Running, ann: Client, bob: Client) -> None:
    ann.post(f"/api/players/{name(bob)}/relation", {"relation": "follow"})
    ann.http.post(f"/api/players/{name(bob)}/reports", json={"text": "Gone soon"})
    assert ann.get("/api/me/data")["people"] == {"following": [name(bob)], "blocked": [], "muted": []}
    assert bob.http.delete("/api/me").status_code == 204
    assert ann.get("/api/people") == {"following": [], "blocked": [], "muted": []}
    assert running.service is not None
    assert "Gone soon" not in [one.text for one in running.service.store.relations.reports(closed=True)]


def test_exported_data_has_reports_rated_games_and_the_address_of_feeds(ann: Client, bob: Client) -> None:
    table = ann.make("katarenga", lot=True, rated=True, takeback=False, hints=False)["id"]
    bob.do(table, "join")
    for _ in range(2):
        for who in (ann, bob):
            seen = who.look(table)
            if seen["legal"]:
                who.do(table, "move", decision=seen["decision"], moves=seen["legal"][:1])
    bob.do(table, "resign")
    ann.http.post(f"/api/players/{name(bob)}/reports", json={"text": "Slow"})
    address = ann.post("/api/feed", {})["address"]
    data = ann.get("/api/me/data")
    (game,) = data["rated_games"]
    assert (game["table"], game["pool"], game["before"]) == (table, "katarenga unlimited", 1500)
    assert game["after"] > 1500
    (report,) = data["reports"]
    assert (report["about"], report["text"]) == (name(bob), "Slow")
    assert data["feed"] == address
    assert bob.get("/api/me/data")["reports"] == []


def opened(client: Client, rival: Client, moves: int, *, wins: bool) -> None:
    """Play a few first moves of Kiwara, always the first legal one, and end the game."""
    table = client.make("kiwara")["id"]
    rival.do(table, "join")
    for _ in range(moves):
        for who in (client, rival):
            while (seen := who.look(table))["legal"]:
                who.do(table, "move", decision=seen["decision"], moves=seen["legal"][:1])
    (rival if wins else client).do(table, "resign")


def test_openings_are_the_first_moves_that_a_player_plays_most(ann: Client, bob: Client) -> None:
    path = f"/api/players/{name(ann)}/openings"
    assert bob.get(path) == {"openings": [], "games": 0}
    opened(ann, bob, 2, wins=True)
    opened(ann, bob, 2, wins=False)
    opened(ann, bob, 0, wins=True)  # too short to be an opening
    found = bob.get(path)
    assert found["games"] == 3
    (mine,) = found["openings"]
    assert (mine["game"], mine["kind"], mine["games"], mine["score"]) == ("kiwara", "kiwara", 2, 1.0)
    assert len(mine["moves"]) == 2
    assert bob.get(path, game="katarenga") == {"openings": [], "games": 0}
    (theirs,) = ann.get(f"/api/players/{name(bob)}/openings")["openings"]
    assert theirs["side"] != mine["side"]
    opened(ann, bob, 2, wins=True)  # counted again after another game
    assert [one["games"] for one in bob.get(path)["openings"]] == [3]
    private = ann.make("kiwara", public=False)
    bob.do(private["id"], "join", key=private["keys"]["1"])
    bob.do(private["id"], "resign")
    assert bob.get(path)["games"] == 4
    assert ann.get(path)["games"] == 5
