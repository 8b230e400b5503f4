"""The explorer: finished public games of this server, by position; nothing of running, private or uploaded ones."""

from __future__ import annotations

import pytest

from mchezo.server.storage import explorer
from tests.server.records import ONE_SCREEN, error, record_of, upload
from tests.server.serving import Client


def play(ada: Client, public: bool, moves: int = 4) -> tuple[str, list[str]]:
    """Play some moves of a game at one screen, and resign."""
    table = ada.make(seats=ONE_SCREEN, options={"board": "b0d3a0c3", "choose_baseline": False}, public=public)["id"]
    made = []
    for _ in range(moves):
        seen = ada.look(table)
        made.append(seen["legal"][-1])
        ada.do(table, "move", decision=seen["decision"], moves=[made[-1]])
    return table, made


@pytest.fixture(autouse=True)
def always_new(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for new games at every request."""
    monkeypatch.setattr(explorer, "LISTED_FOR", -1.0)


def test_a_finished_public_game_counts_and_no_other(ada: Client) -> None:
    def first(table: str) -> dict[str, tuple[int, float]]:
        found = ada.post(f"/api/tables/{table}/replay/explore", {"at": 0})
        return {one["move"]: (one["games"], one["score"]) for one in found["here"]}

    table, moves = play(ada, public=True)
    running = ada.http.post(f"/api/tables/{table}/replay/explore", json={"at": 0})
    assert error(running) == (409, "not-over")
    ada.do(table, "resign", seat=1)
    assert first(table)[moves[0]] == (1, 1.0)
    second, again = play(ada, public=True)
    assert again[0] == moves[0]
    assert first(table)[moves[0]] == (1, 1.0)  # the second one is running
    ada.do(second, "resign", seat=0)
    assert first(table)[moves[0]] == (2, 0.5)
    private, _ = play(ada, public=False)
    ada.do(private, "resign", seat=0)
    assert first(private)[moves[0]] == (2, 0.5)
    reply = ada.post(f"/api/tables/{table}/replay/explore", {"at": 0, "moves": moves[:1]})
    assert [one["move"] for one in reply["here"]] == [moves[1]]
    assert reply["here"][0]["score"] == 0.5
    end = ada.post(f"/api/tables/{table}/replay/explore", {"at": len(moves)})
    assert end["here"] == []


def test_an_uploaded_record_does_not_count(ada: Client) -> None:
    id = upload(ada, record_of("kiwara"))
    assert ada.post(f"/api/tables/{id}/replay/explore", {"at": 0})["here"] == []
    refused = ada.http.post(f"/api/tables/{id}/replay/explore", json={"at": 9_999})
    assert error(refused) == (409, "no-such-move")


def test_only_the_newest_games_are_kept_and_a_few_are_read_at_a_time(
    ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = []
    for _ in range(4):
        table, moves = play(ada, public=True, moves=1)
        ada.do(table, "resign", seat=1)
        tables.append(table)

    def games() -> int:
        found = ada.post(f"/api/tables/{tables[0]}/replay/explore", {"at": 0})["here"]
        return sum(one["games"] for one in found if one["move"] == moves[0])

    before = games()
    assert before >= 4
    monkeypatch.setattr(explorer, "GAMES", 2)
    assert games() == 2
    monkeypatch.setattr(explorer, "GAMES", 4)
    monkeypatch.setattr(explorer, "BATCH", 1)
    assert [games(), games(), games()] == [3, 4, 4]
