"""Seeks for correspondence games: they wait for days, and their players do not have to."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from mchezo.server.domain.pairing import ANYBODY
from mchezo.server.runtime.limits import Limits, Rate
from mchezo.server.runtime.lobby import ALONE_EVERY
from mchezo.server.storage.correspondence_seeks import KNOWN, LASTS, MAX_ALL, MAX_FOUND
from mchezo.server.storage.schema import CORRESPONDENCE_SEEKS
from tests.server.postgres import Postgres
from tests.server.serving import Client, Process, Running, eventually, pass_time
from tests.server.test_accounts import refused
from tests.server.test_lobby import lobby, name, person

pytestmark = pytest.mark.rotating(shares=6)


def write(client: Client, kind: str = "kiwara", days: int = 3, **given: Any) -> Any:
    return client.post("/api/seeks", {"kind": kind, "days": days, **given})["letters"]


def own(client: Client) -> list[Any]:
    return [one for one in client.get("/api/lobby")["letters"] if one["yours"]]


def games(client: Client) -> list[str]:
    return [one["table"] for one in own(client) if one["table"]]


def test_two_who_are_never_there_at_the_same_time_are_paired(running: Running) -> None:
    ann, bob = person(running), person(running)
    (mine,) = [one for one in write(ann, days=7, rated=True) if one["yours"]]
    assert ann.get("/api/me/data")["seeks"] == [mine]
    assert (mine["name"], mine["days"], mine["rated"], mine["table"]) == (name(ann), 7, True, None)
    write(bob, days=3, rated=True)
    write(bob, days=7)
    assert games(bob) == []  # other terms
    (found,) = [one["table"] for one in write(bob, days=7, rated=True) if one["table"]]
    assert games(ann) == games(bob) == [found]
    look = ann.look(found)
    assert look["settings"]["days"] == 7
    assert look["settings"]["rated"]
    assert {tuple(one.look(found)["you"]) for one in (ann, bob)} == {(0,), (1,)}
    ann.http.delete(f"/api/seeks/{mine['id']}").raise_for_status()
    assert own(ann) == []
    assert ann.look(found)["status"] == "running"
    bob.http.delete("/api/me").raise_for_status()


def test_a_seek_of_the_list_is_accepted_by_one_and_not_by_its_own_player(running: Running) -> None:
    ann, bob, cay = person(running), person(running), person(running)
    (offer,) = [one for one in write(ann, "congress", spread=50) if one["yours"]]
    same = {"kind": "congress", "days": 3, "accept": offer["id"]}
    assert refused(ann.http.post("/api/seeks", json=same)) == "not-welcome"
    assert own(ann)[0]["id"] == offer["id"]
    assert refused(bob.http.post("/api/seeks", json={**same, "days": 5})) == "seek-gone"
    assert own(bob) == []
    bob.post("/api/seeks", same)
    assert games(bob) == games(ann) != []
    assert refused(cay.http.post("/api/seeks", json=same)) == "seek-gone"
    assert own(cay) == []


def test_nobody_is_paired_with_themselves_or_with_whom_they_blocked(running: Running) -> None:
    ann, bob = person(running), person(running)
    write(ann, "quebec")
    write(ann, "quebec")
    assert [one["table"] for one in own(ann)] == [None]
    bob.post(f"/api/players/{name(ann)}/relation", {"relation": "block"})
    write(bob, "quebec")
    assert games(bob) == []
    for one in (ann, bob):
        one.http.delete(f"/api/seeks/{own(one)[0]['id']}")


def test_what_cannot_be_sought_is_refused(running: Running) -> None:
    guest, bot, ann = person(running, account=False), running.client("Bot", bot=True), person(running)
    terms = {"kind": "isolation", "days": 2}
    assert refused(guest.http.post("/api/seeks", json={**terms, "rated": True})) == "rated-account"
    assert refused(bot.http.post("/api/seeks", json=terms)) == "people-only"
    assert guest.http.post("/api/seeks", json={**terms, "days": 4}).status_code == 400
    for days in (1, 2, 3, 5, 7):
        write(ann, "isolation", days)
    assert refused(ann.http.post("/api/seeks", json={**terms, "days": 14})) == "too-many-seeks"
    write(ann, "isolation", 7)  # in place of the last one
    assert len(own(ann)) == 5
    ann.http.delete("/api/me").raise_for_status()
    assert not [one for one in guest.get("/api/lobby")["letters"] if one["kind"] == "isolation"]


def test_games_that_were_found_do_not_fill_the_lobby(running: Running) -> None:
    ann, bob = person(running, account=False), person(running, account=False)
    assert running.service is not None
    found: list[str] = []
    for _ in range(MAX_FOUND + 3):
        for one in (ann, bob):
            write(one, "congress", 14)
        (new,) = {one["table"] for one in own(ann) if one["table"]} - set(found)
        found.append(new)
        ann.do(new, "resign")
    assert len(games(ann)) <= MAX_FOUND + 1
    assert len(games(bob)) <= MAX_FOUND + 1
    assert set(games(ann)) >= set(found[-MAX_FOUND:])


def test_the_guests_of_a_network_cannot_take_all_the_seeks_there_may_be(
    tmp_path: Path, start: Callable[..., Running]
) -> None:
    server = start(str(tmp_path / "tables.sqlite"), limits=Limits(seeks=Rate(1 / 1_200, 3)))
    ann, bob = person(server, account=False), person(server, account=False)
    for days in (1, 2):
        write(ann, "isolation", days)
    write(bob, "isolation", 3)
    refusal = bob.http.post("/api/seeks", json={"kind": "isolation", "days": 5})
    assert (refusal.status_code, refused(refusal)) == (429, "too-often")
    most = Limits().seeks.burst + Limits().seeks.per_second * LASTS / 1_000
    assert most < 0.6 * MAX_ALL


@pytest.mark.parametrize("path", ["seek", "seeks/0123456789abcdef", "challenges/0123456789abcdef"])
def test_withdrawing_again_and_again_is_limited_since_it_reads_the_lobby(
    tmp_path: Path, start: Callable[..., Running], path: str
) -> None:
    server = start(
        str(tmp_path / "tables.sqlite"), limits=Limits(requests=Rate(1_000, 1_000), creations=Rate(0.001, 2))
    )
    ann = person(server, account=False)
    statuses = [ann.http.delete(f"/api/{path}").status_code for _ in range(30)]
    assert 429 in statuses


def test_three_find_a_game_of_kitara_by_correspondence(running: Running) -> None:
    people = [person(running, account=False) for _ in range(3)]
    for one in people:
        write(one, "kitara-3", 14)
    (table,) = {tuple(games(one)) for one in people}
    assert len({people[0].look(table[0])["seats"][seat]["player"]["name"] for seat in range(3)}) >= 1
    assert {one.look(table[0])["you"][0] for one in people} == {0, 1, 2}


def test_a_seek_ends_after_two_weeks_and_a_found_game_is_shown_for_days(
    start: Callable[..., Running], database: str
) -> None:
    running = start(database)
    ann, bob = person(running, account=False), person(running, account=False)
    write(ann)
    pass_time(running, LASTS)
    assert own(ann) == []
    assert not [one for one in write(bob) if one["table"]]
    write(ann)
    pass_time(running, KNOWN - 3_600_000)
    assert len(games(ann)) == 1
    pass_time(running, 3_600_000)
    assert games(ann) == []
    assert len(ann.get("/api/tables")["yours"]) == 1


def test_a_blocked_player_is_neither_shown_nor_paired(start: Callable[..., Running], database: str) -> None:
    running = start(database)
    assert running.service is not None
    ann, bob = person(running, account=False), person(running, account=False)
    write(ann)
    store = running.service.store
    with store.database.begin() as connection:
        from mchezo.server.storage.people import set_guest

        set_guest(store.database, connection, ann.get("/api/me")["id"], "blocked", blocked=True)
    eventually(lambda: not bob.get("/api/lobby")["letters"])
    assert [one["table"] for one in write(bob)] == [None]


def test_those_whose_ratings_differ_are_paired_later_although_nobody_is_connected(
    start: Callable[..., Running], database: str
) -> None:
    running = start(database)
    assert running.service is not None
    ann, bob = person(running, account=False), person(running, account=False)
    write(ann)
    with running.service.store.database.begin() as connection:
        connection.execute(sa.update(CORRESPONDENCE_SEEKS).values(rating=80_000, deviation=3_000))
    write(bob)
    assert games(bob) == []
    pass_time(running, max(ANYBODY, ALONE_EVERY))
    eventually(lambda: games(ann))
    assert games(ann) == games(bob)


def test_two_servers_pair_everybody_exactly_once(cluster: Postgres, start: Callable[..., Running]) -> None:
    database = cluster.database()
    servers = start(database), start(database)
    people = [person(servers[number % 2], account=False) for number in range(8)]
    with ThreadPoolExecutor(len(people)) as pool:
        list(pool.map(write, people))
    with lobby(people[0]):
        eventually(lambda: all(games(one) for one in people))
    tables = [games(one) for one in people]
    assert sorted(tables.count(table) for table in tables) == [2] * 8
    assert [len(one.get("/api/tables")["yours"]) for one in people] == [1] * 8


def test_a_seek_waits_while_no_server_runs(database: str) -> None:
    first = Process(database)
    ann = Client(first.address, "Ann")
    write(ann)
    first.kill()
    second = Process(database)
    try:
        bob = Client(second.address, "Bob")
        write(bob)
        ann.move_to(second.address)
        assert games(ann) == games(bob) != []
    finally:
        second.kill()
