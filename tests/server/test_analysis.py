"""Analyses: computed by the computers' threads, once for everybody, stored, resumed after a stop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import mchezo
from mchezo.server.compute import analyses
from mchezo.server.domain.payers import Payer
from mchezo.server.storage.analyses import MaxWaiting
from mchezo.server.storage.store import Store
from tests.server.random_players import RandomOpponents
from tests.server.records import ONE_SCREEN, error, record_of, upload
from tests.server.serving import Client, Running, eventually

pytestmark = pytest.mark.rotating(shares=4)


def finished(who: Client, id: str) -> dict[str, Any]:
    """Return the analysis once it is done."""
    path = f"/api/tables/{id}/analysis"
    found: dict[str, Any] = eventually(lambda: (seen := who.get(path))["status"] == "done" and seen)
    return found


def test_a_game_is_analysed_once_and_everybody_sees_the_same(ada: Client, ben: Client) -> None:
    text = record_of("katarenga")
    id = upload(ada, text)
    path = f"/api/tables/{id}/analysis"
    assert ben.get(path)["status"] == "none"
    asked = [who.post(path, {}) for who in (ada, ben)]
    assert {one["status"] for one in asked} <= {"waiting", "done"}
    found = finished(ben, id)
    assert found == finished(ada, id)
    moves = mchezo.Record.parse(text).moves
    assert found["done"] == found["total"] == len(found["moves"]) > 20
    for move in found["moves"]:
        assert move["move"] == moves[move["number"]]
        # RandomAnalyst thinks that the first legal move wins and every other loses.
        good = move["move"] == move["best"][0]
        assert (move["mark"], move["why"] is None) == (("", True) if good else ("missed win", False))
        assert move["did"]
    assert ben.get(path, after=len(moves))["moves"] == []
    assert all(0 < share <= 1 for share in found["accuracy"])


def test_a_running_game_is_not_analysed(ada: Client) -> None:
    table = ada.make(seats=ONE_SCREEN)["id"]
    assert error(ada.http.post(f"/api/tables/{table}/analysis", json={})) == (409, "not-over")
    assert error(ada.http.get(f"/api/tables/{table}/analysis")) == (409, "not-over")


def test_an_interrupted_analysis_is_resumed(database: str, start: Callable[..., Running]) -> None:
    server = start(database, threads=0)
    ada = server.client("Ada")
    id = upload(ada, record_of("katarenga"))
    ada.post(f"/api/tables/{id}/analysis", {})
    assert server.service is not None
    store = server.service.store
    thinking = analyses.Analyses(store, RandomOpponents(), lambda payer, nodes: None)
    left = iter([False] * 5)
    assert thinking.work_on_next("one", lambda payer: next(left, True))
    seen = ada.get(f"/api/tables/{id}/analysis")
    assert (seen["status"], seen["done"]) == ("waiting", 5)
    assert thinking.work_on_next("other", lambda payer: False)
    after = ada.get(f"/api/tables/{id}/analysis")
    assert after["status"] == "done"
    assert after["moves"][:5] == seen["moves"]
    assert not thinking.work_on_next("other", lambda payer: False)


def test_a_failed_analysis_can_be_requested_again_and_a_full_queue_refuses(
    database: str, start: Callable[..., Running]
) -> None:
    server = start(database, threads=0)
    ada = server.client("Ada")
    id = upload(ada, record_of("katarenga", moves=6))
    path = f"/api/tables/{id}/analysis"
    ada.post(path, {})

    class Broken(RandomOpponents):
        def analyst(self, game: str) -> Any:
            raise RuntimeError("out of order")

    assert server.service is not None
    store: Store = server.service.store
    broken = analyses.Analyses(store, Broken(), lambda payer, nodes: None)
    assert broken.work_on_next("one", lambda payer: False)
    assert ada.get(path)["status"] == "failed"
    assert ada.post(path, {})["status"] == "waiting"
    for number in range(analyses.MAX_WAITING.total):
        payer = Payer(f"network {number}", f"guest {number}")
        store.analyses.request(f"table{number:07}", number, payer, MaxWaiting(10_000, 10_000, 10_000)).result()
    other = upload(ada, record_of("katarenga", moves=7))
    assert error(ada.http.post(f"/api/tables/{other}/analysis", json={})) == (503, "analyses-full")
