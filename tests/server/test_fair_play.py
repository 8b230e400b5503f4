"""Rated games between people are compared with the engine, once, and only an operator learns of it."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa
from msgspec import json

from mchezo.ratings.fair_play import Compared
from mchezo.server import messages
from mchezo.server.compute.fairness import FairShares
from mchezo.server.domain.payers import LAST, Payer
from mchezo.server.domain.rated import RatedResult, RatedSeat
from mchezo.server.domain.table import Table
from mchezo.server.identifiers import public_id
from mchezo.server.runtime.fair_play import FairPlay
from mchezo.server.storage import ratings
from mchezo.server.storage.analyses import AnalysisRow
from mchezo.server.storage.schema import ANALYSES, FAIR_PLAY, PAYERS
from mchezo.server.storage.store import Store
from mchezo.server.storage.tables import remove_tables
from mchezo.server.storage.writer import append_for
from tests.cli.running import run
from tests.server.earlier_versions import downgrade
from tests.server.serving import PATIENCE
from tests.server.test_ratings import rated


def play(store: Store, number: int, people: tuple[str | None, ...] = ("ada", "ben"), store_table: bool = True) -> str:
    """Write a rated game down; return its table."""
    id = f"fair{number:08}"
    if store_table:
        table = Table(id, rated().log)
        store.append(append_for(table, table.log)).result(PATIENCE)
    seats = tuple(
        RatedSeat(guest, None if guest else 4, place, None if guest else 1500) for place, guest in enumerate(people)
    )
    result = RatedResult(id, "kiwara rapid", number * 10**9, seats)
    store.writer.run(lambda connection: ratings.record(store.database, connection, result)).result(PATIENCE)
    return id


def moves(agreed: int, others: int, seat: int = 0) -> list[messages.AnalysedMove]:
    return [
        messages.AnalysedMove(
            number=number,
            seat=seat,
            move="a",
            best=["a" if number < agreed else "b"],
            did=[],
            chances=[0.5, 0.5],
            after=[0.5, 0.5] if number < agreed else [0.4, 0.6],
            points=[],
            points_after=[],
            mark="",
            solved=False,
            why=None,
        )
        for number in range(agreed + others)
    ]


def finish(store: Store, table: str, found: list[messages.AnalysedMove], status: str = "done") -> None:
    """Do what a thread that analyses does."""
    leased = store.analyses.leases.acquire("me", store.now(), 10_000).result(PATIENCE)
    assert leased is not None
    assert leased.id == table
    assert leased.payer == LAST
    row = AnalysisRow(status, len(found), json.encode(found))
    assert store.analyses.save(table, "me", row, 0).result(PATIENCE)


def sweep(store: Store) -> None:
    asyncio.run(FairPlay(store).sweep())


def test_games_between_people_are_analysed_compared_and_listed_for_the_operator(database: str) -> None:
    store = Store(database)
    store.accounts.create("ada", "Ada Engine", 1).result(PATIENCE)
    store.accounts.create("ben", "Ben Human", 1).result(PATIENCE)
    for number in range(1, 6):
        play(store, 100 + number, ("ada", None), store_table=False)  # against a computer
        table = play(store, number)
        sweep(store)
        finish(store, table, moves(28, 2) + moves(10, 20, seat=1))
        sweep(store)
        sweep(store)
    flagged, human = store.fair_play.figures()
    assert (flagged.name, flagged.kind, flagged.guest) == ("Ada Engine", "kiwara", public_id("ada"))
    assert flagged.compared == Compared(5, 150, 140, 10_000)
    assert flagged.compared.flagged
    assert flagged.tables == [f"fair{number:08}" for number in (5, 4, 3, 2, 1)]
    assert human.compared.agreement == pytest.approx(1 / 3)
    assert not human.compared.flagged
    assert store.fair_play.queued() == []
    store.close()


def test_an_operator_who_has_looked_sees_later_games_only(database: str) -> None:
    store = Store(database)
    store.accounts.create("ada", "Ada Engine", 1).result(PATIENCE)
    finish_one(store, 1)
    assert len(store.fair_play.figures()) == 1
    assert store.fair_play.review(public_id("ada"))
    assert not store.fair_play.review("0" * 16)
    assert store.fair_play.figures() == []
    assert [one.compared.games for one in store.fair_play.figures("ada")] == [1]  # the export has everything
    finish_one(store, 2)
    assert [one.compared.games for one in store.fair_play.figures()] == [1]
    store.people.delete("ada", store.now()).result(PATIENCE)
    with store.database.engine.connect() as connection:
        assert "ada" not in list(connection.scalars(sa.select(FAIR_PLAY.c.guest)))
    store.close()


def finish_one(store: Store, number: int) -> None:
    table = play(store, number)
    sweep(store)
    finish(store, table, moves(28, 2))
    sweep(store)


def test_a_few_games_wait_at_a_time_and_those_that_cannot_be_analysed_are_left_out(database: str) -> None:
    store = Store(database)
    tables = [play(store, number) for number in range(1, 5)]
    sweep(store)
    assert [one.table for one in store.fair_play.queued()] == tables[:2]
    finish(store, tables[0], [], "failed")
    with store.database.begin() as connection:
        connection.execute(sa.delete(ANALYSES).where(ANALYSES.c.table_id == tables[1]))
        connection.execute(sa.delete(PAYERS).where(PAYERS.c.kind == "analysis"))
        remove_tables(connection, [tables[1]])
    sweep(store)
    sweep(store)
    assert [one.table for one in store.fair_play.queued()] == tables[2:]
    store.close()


def test_two_processes_count_a_game_once(database: str) -> None:
    store = Store(database)
    table = play(store, 1)
    sweep(store)
    finish(store, table, moves(28, 2))
    found = {0: Compared(1, 30, 28, 2_000)}
    for _ in range(2):
        store.fair_play.settle(1, found).result(PATIENCE)
    with store.database.engine.connect() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(FAIR_PLAY)) == 1
    store.close()


def test_the_servers_own_work_waits_for_everybody() -> None:
    shares = FairShares()
    heavy = Payer("network", "guest")
    shares.charge(heavy, 10**9)
    shares.charge(LAST, 10**12)
    assert shares.tags(heavy) < shares.tags(LAST)
    assert shares.tags(Payer("other", "new")) < shares.tags(heavy)


def test_the_command_lists_flagged_accounts(tmp_path: object) -> None:
    url = f"{tmp_path}/tables.sqlite"
    store = Store(url)
    store.accounts.create("ada", "Ada Engine", 1).result(PATIENCE)
    for number in range(1, 5):
        finish_one(store, number)
    store.close()
    listed = run("admin", "fair-play", "--database", url, "--json")
    (one,) = json.decode(listed.stdout)
    assert (one["name"], one["flagged"], one["compared"]["games"]) == ("Ada Engine", True, 4)
    shown = run("admin", "fair-play", "--database", url)
    assert "Ada Engine" in shown.stdout
    assert "93 %" in shown.stdout
    run("admin", "fair-play", "--database", url, "--reviewed", one["guest"])
    assert json.decode(run("admin", "fair-play", "--database", url, "--json", "--all").stdout) == []


def test_a_database_of_the_version_before_gets_the_tables(database: str) -> None:
    before = Store(database)
    with before.database.engine.begin() as connection:
        downgrade(connection, "pairing")
    before.close()
    store = Store(database)
    sweep(store)
    store.close()
