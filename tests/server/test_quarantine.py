"""Tables that cannot be read are set aside; everything else works."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

import mchezo
from mchezo.core import registry
from mchezo.core.words import LANGUAGES
from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.replaying import UnreadableTable, replay
from mchezo.server.domain.table import Table
from mchezo.server.errors import WORDS, TableError
from mchezo.server.storage.schema import FACTS, RESULTS, TABLES
from mchezo.server.storage.store import Store
from mchezo.server.storage.writer import append_for
from tests.server.contexts import ADA, YOU, computer, do, make, play, play_random, stored, two
from tests.server.earlier_versions import migrate
from tests.server.serving import PATIENCE, Client, Running, eventually, pass_time

pytestmark = pytest.mark.rotating(shares=24)

HOUR = 3_600_000  # milliseconds

BROKEN, CLOCKED, COMPUTER = "B" * 12, "C" * 12, "D" * 12
CLOCK = messages.ClockRules(60_000, 0)


def store_table(store: Store, table: Table, id: str) -> Table:
    named = Table(id, table.log)
    assert store.append(append_for(named, named.log)).result(PATIENCE)
    return named


def clocked_game() -> Table:
    """Return a running game in which a clock runs."""
    return two_moves(two(clock=CLOCK))


def two_moves(table: Table) -> Table:
    for _ in range(2):
        table = play(table, table.legal[0])
    return table


def rewrite(store: Store, table: str, number: int, fact: bytes) -> None:
    where = (FACTS.c.table_id == table) & (FACTS.c.number == number)
    store.writer.run(lambda c: c.execute(sa.update(FACTS).where(where).values(fact=fact)).rowcount).result(PATIENCE)


def remove(store: Store, table: str, number: int) -> None:
    where = (FACTS.c.table_id == table) & (FACTS.c.number == number)
    store.writer.run(lambda c: c.execute(sa.delete(FACTS).where(where)).rowcount).result(PATIENCE)


def damage(store: Store, table: Table, how: str) -> None:
    """Damage a stored table in one way."""
    last = table.number
    move = table.log[last]
    assert isinstance(move, log.MovePlayed)
    match how:
        case "not JSON":
            rewrite(store, table.id, last, b'{"fact":"deci')
        case "deep nesting":
            rewrite(store, table.id, last, b"[" * 100_000)
        case "not text":
            rewrite(store, table.id, last, b'{"fact":"decided","seat":0,"move":"\xff\xfe","at":5}')
        case "unknown fact":
            rewrite(store, table.id, last, b'{"fact":"invented","at":5}')
        case "missing field":
            rewrite(store, table.id, last, b'{"fact":"decided","at":5}')
        case "illegal move":
            rewrite(store, table.id, last, log.encode(msgspec.structs.replace(move, move="a1a9")))
        case "another seat's move":
            rewrite(store, table.id, last, log.encode(msgspec.structs.replace(move, seat=1 - move.seat)))
        case "gap":
            remove(store, table.id, 1)
        case "last fact missing":
            remove(store, table.id, last)
        case "no facts":
            for number in range(last + 1):
                remove(store, table.id, number)
        case "unknown game":
            rewrite(store, table.id, 0, log.encode(msgspec.structs.replace(table.creation, game="chess")))
        case "newer rules":
            rewrite(store, table.id, 0, log.encode(msgspec.structs.replace(table.creation, rules=99)))
        case "pack that is gone":
            options = {**table.creation.options, "pack": "gone#" + "0" * 64}
            rules = mchezo.game("kitara").version
            kitara = msgspec.structs.replace(table.creation, game="kitara", rules=rules, options=options)
            rewrite(store, table.id, 0, log.encode(kitara))
        case _:
            raise AssertionError(how)


WAYS = (
    "not JSON",
    "deep nesting",
    "not text",
    "unknown fact",
    "missing field",
    "illegal move",
    "another seat's move",
    "gap",
    "last fact missing",
    "no facts",
    "unknown game",
    "newer rules",
    "pack that is gone",
)


@pytest.mark.parametrize("how", WAYS)
def test_a_damaged_table_is_set_aside_with_its_reason_and_others_are_read(tmp_path: Path, how: str) -> None:
    store = Store(str(tmp_path / "tables.sqlite"))
    good, bad = store_table(store, clocked_game(), CLOCKED), store_table(store, clocked_game(), BROKEN)
    damage(store, bad, how)
    for _ in range(2):
        with pytest.raises(TableError) as caught:
            store.tables.load(BROKEN)
        assert caught.value.code == "set-aside"
    (broken,) = store.quarantine.broken_tables()
    assert (broken.table, broken.kind) == (BROKEN, "rules" if how in ("unknown game", "newer rules") else "damaged")
    assert broken.reason
    assert store.tables.with_running_clock() == [CLOCKED]
    assert store.tables.timed_out(2**50) == [CLOCKED]
    found = store.tables.load(CLOCKED)
    assert found is not None
    assert found.log == good.log
    store.close()


def test_a_damaged_table_is_set_aside_in_both_databases(database: str) -> None:
    store = Store(database)
    bad = store_table(store, clocked_game(), BROKEN)
    store_table(store, make("kiwara", seats=(computer(), YOU)), COMPUTER)
    damage(store, bad, "unknown fact")
    with pytest.raises(TableError):
        store.tables.load(BROKEN)
    assert [broken.table for broken in store.quarantine.broken_tables()] == [BROKEN]
    assert [broken.table for broken in store.quarantine.held_by(ADA.guest)] == [BROKEN]
    assert store.quarantine.held_by("somebody else") == []
    leased = store.computer_turns.acquire("one", 1_000, 500).result()
    assert leased is not None
    assert leased.id == COMPUTER
    store.close()


def test_a_set_aside_table_is_released_once_it_is_repaired_and_its_clock_lost_nothing(database: str) -> None:
    store = Store(database)
    bad = store_table(store, clocked_game(), BROKEN)
    intact = log.encode(bad.log[-1])
    damage(store, bad, "illegal move")
    with pytest.raises(TableError):
        store.tables.load(BROKEN)
    with pytest.raises(UnreadableTable, match=f"fact {bad.number}"):
        store.tables.release(BROKEN)
    assert store.quarantine.count() == 1
    rewrite(store, BROKEN, bad.number, intact)
    assert store.tables.release(BROKEN)
    assert store.quarantine.broken_tables() == []
    assert not store.tables.release(BROKEN)
    found = store.tables.load(BROKEN)
    assert found is not None
    assert found.log[:-1] == bad.log
    assert found.clock is not None
    assert bad.clock is not None
    assert found.clock.left_at(found.last_at) == bad.clock.left
    assert store.tables.with_running_clock() == [BROKEN]
    after = found.after(play(found, found.legal[0], now=found.last_at).log[found.number + 1 :])
    assert store.append(append_for(after, after.log[found.number + 1 :])).result(PATIENCE)
    store.close()


def test_a_full_memory_is_no_reason_to_set_a_table_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(str(tmp_path / "tables.sqlite"))
    store_table(store, clocked_game(), CLOCKED)

    def fail(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(Table, "apply", fail)
        with pytest.raises(MemoryError):
            store.tables.load(CLOCKED)
    assert store.quarantine.count() == 0
    assert store.tables.load(CLOCKED) is not None
    store.close()


def test_databases_of_the_version_before_are_upgraded(database: str) -> None:
    migrate(database, "0003")
    store = Store(database)
    assert store.quarantine.broken_tables() == []
    store.close()


# A server with one bad table


def refusal(client: Client, path: str, language: str = "en", **query: Any) -> tuple[int, str, str]:
    answer = client.http.get(path, params=query, headers={"Accept-Language": language})
    return answer.status_code, answer.json()["code"], answer.json()["words"]


@pytest.mark.parametrize("how", ["unknown fact", "illegal move", "unknown game"])
def test_one_bad_table_does_not_stop_clocks_computers_or_lists_of_a_server(
    database: str, start: Callable[..., Running], how: str
) -> None:
    first = start(database)
    ada, ben = first.client("Ada"), first.client("Ben")
    tables = []
    for _ in range(2):
        table = ada.make("katarenga", clock={"milliseconds": HOUR, "increment": 0})["id"]
        ben.do(table, "join")
        for _ in range(2):
            mover, seen = next((one, seen) for one in (ada, ben) if (seen := one.look(table))["legal"])
            mover.do(table, "move", decision=seen["decision"], moves=[seen["legal"][0]])
        tables.append(table)
    first.stop()
    store = Store(database)
    bad = store.tables.load(tables[0])
    assert bad is not None
    damage(store, up_to_last_move(bad), how)
    # An outage, so that all running clocks are corrected at the start.
    earlier = "UPDATE settings SET value = CAST(CAST(value AS BIGINT) - 60000 AS TEXT) WHERE name LIKE 'pulse%'"
    store.writer.run(lambda c: c.execute(sa.text(earlier)).rowcount).result(PATIENCE)
    store.close()

    second = start(database)
    for client in (ada, ben):
        client.move_to(second.address)
    assert refusal(ada, f"/api/tables/{tables[0]}")[:2] == (409, "set-aside")
    sentences = {refusal(ada, f"/api/tables/{tables[0]}", language)[2] for language in LANGUAGES}
    assert len(sentences) == len(LANGUAGES)
    with ada.live(tables[0]) as live:
        assert live.wait_for("refused")["code"] == "set-aside"
    lists = ada.get("/api/tables")
    assert [table["id"] for table in lists["set_aside"]] == [tables[0]]
    assert tables[0] not in [table["id"] for name in ("yours", "running") for table in lists[name]]
    assert tables[1] in [table["id"] for table in lists["yours"]]
    # The other clock runs down though nobody asks, and a computer answers.
    pass_time(second, HOUR)
    eventually(lambda: ada.look(tables[1])["status"] == "over")
    against = ada.make("kiwara", [{"kind": "computer", "level": 1}, {"kind": "you"}])["id"]
    eventually(lambda: ada.look(against)["legal"])
    health = ada.get("/healthz")
    assert (health["status"], health["set_aside"]) == ("ok", 1)
    assert "mchezo_tables_set_aside 1.0" in ada.metrics()


def up_to_last_move(table: Table) -> Table:
    """Return the table up to its last move."""
    last = max(number for number, fact in enumerate(table.log) if isinstance(fact, log.MovePlayed))
    return Table(table.id, table.log[: last + 1])


def test_watchers_learn_that_their_table_was_set_aside(database: str, start: Callable[..., Running]) -> None:
    server = start(database)
    ada, ben = server.client("Ada"), server.client("Ben")
    table = ada.make()["id"]
    ben.do(table, "join")
    service = server.service
    assert service is not None
    with ada.live(table) as live:
        live.wait_for("news")
        number = live.events[-1]["number"]

        def append_garbage(connection: sa.Connection) -> None:
            connection.execute(sa.insert(FACTS).values(table_id=table, number=number + 1, fact=b"{"))
            connection.execute(sa.update(TABLES).where(TABLES.c.id == table).values(number=number + 1))

        service.store.writer.run(append_garbage).result(PATIENCE)
        service.mailbox.put(service.sessions.notify, table, number + 1)
        assert live.wait_for("refused")["code"] == "set-aside"
    assert ada.refused(table, "resign") == (409, "set-aside")
    assert refusal(ada, f"/api/tables/{table}/news")[:2] == (409, "set-aside")


def test_records_statistics_and_lists_leave_out_what_is_damaged(database: str, start: Callable[..., Running]) -> None:
    store = Store(database)
    over = do(two(), ADA, messages.Resign("resign"))
    store_table(store, over, CLOCKED)
    bad = store_table(store, over, BROKEN)
    rewrite(store, BROKEN, bad.number, b"[]")
    store_table(store, over, COMPUTER)

    def spoil(connection: sa.Connection) -> None:
        connection.execute(sa.update(TABLES).where(TABLES.c.id == COMPUTER).values(summary=b"\xff"))
        row = {"game": "chess", "went": "p+ p-", "reason": "resignation", "moves": 0, "minutes": 0, "day": 1}
        connection.execute(sa.insert(RESULTS), {"table_id": "R" * 12, **row})
        connection.execute(sa.insert(RESULTS), {"table_id": "S" * 12, **row, "game": "katarenga", "went": "??"})

    store.writer.run(spoil).result(PATIENCE)
    store.close()
    client = start(database).client("Cay")
    assert [table["id"] for table in client.get("/api/tables")["finished"]].count(COMPUTER) == 0
    assert client.http.get("/api/records").text.count("[Site") == 1
    games = {game["game"]: game["games"] for game in client.get("/api/statistics")["games"]}
    assert games["katarenga"] == 3
    assert client.get("/healthz")["set_aside"] == 2


# The version of the rules


def with_version(monkeypatch: pytest.MonkeyPatch, game: str, version: int) -> None:
    monkeypatch.setitem(registry.LOADED, game, dataclasses.replace(registry.find(game), version=version))


def finished() -> Table:
    table = play_random(two("kiwara"), random.Random(5))
    assert table.ending is not None
    return table


def test_a_log_without_a_version_has_version_1() -> None:
    first = msgspec.json.decode(log.encode(two().log[0]))
    del first["rules"]
    fact = log.decode(msgspec.json.encode(first))
    assert isinstance(fact, log.TableCreated)
    assert fact.rules == 1


def test_a_log_of_older_rules_is_replayed_by_its_recorded_outcomes(monkeypatch: pytest.MonkeyPatch) -> None:
    over, running = finished(), two_moves(two())
    with_version(monkeypatch, "kiwara", 2)
    with_version(monkeypatch, "katarenga", 2)
    assert replay(over.id, stored(over.log)).ending == over.ending
    assert replay(running.id, stored(running.log)).legal == running.legal


@pytest.mark.parametrize("change", ["winners", "goes on", "illegal"])
def test_a_log_of_older_rules_that_leads_elsewhere_is_set_aside(monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    over = finished()
    facts = stored(over.log)
    end = next(number for number, fact in enumerate(facts) if isinstance(fact, log.GameEnded))
    if change == "winners":
        ended = facts[end]
        assert isinstance(ended, log.GameEnded)
        facts[end] = msgspec.structs.replace(ended, winners=[1 - seat for seat in ended.winners] or [0])
    elif change == "goes on":
        facts = facts[:end]
    else:
        facts[end - 1] = msgspec.structs.replace(facts[end - 1], move="nowhere")
    with_version(monkeypatch, "kiwara", 2)
    with pytest.raises(UnreadableTable, match="rules version 1 of kiwara is no longer known here") as caught:
        replay(over.id, facts)
    assert caught.value.kind == "rules"


def test_the_sentences_are_there_in_every_language() -> None:
    for key in ("set-aside", "set-aside-rules"):
        assert len({WORDS.say(key, language) for language in LANGUAGES}) == len(LANGUAGES)


def test_the_export_of_ones_data_leaves_out_a_table_that_cannot_be_read(running: Running, ada: Client) -> None:
    readable, broken = ada.make()["id"], ada.make()["id"]
    assert running.service is not None
    rewrite(running.service.store, broken, 0, b"{")
    exported = [table["id"] for table in ada.get("/api/me/data")["tables"]]
    assert readable in exported
    assert broken not in exported
