"""Operators and guests change what is stored while servers run: tables, names, cookies, tokens, old games."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from websockets.exceptions import ConnectionClosed

import mchezo
from mchezo.server.domain import log
from mchezo.server.domain.context import Identity
from mchezo.server.errors import TableError
from mchezo.server.projection.records import export_record
from mchezo.server.runtime.signing import Signer
from mchezo.server.storage import people
from mchezo.server.storage.administration import DAY, Administration, Problem
from mchezo.server.storage.database import normalize_url
from mchezo.server.storage.people import AT_ONCE, anonymize
from mchezo.server.storage.store import Store
from mchezo.server.storage.writer import append_for
from tests.cli.running import run
from tests.server.contexts import make, two
from tests.server.earlier_versions import downgrade
from tests.server.serving import PATIENCE, Client, Running, eventually

pytestmark = pytest.mark.rotating(shares=24)


@pytest.fixture
def operator(running: Running) -> Iterator[Administration]:
    assert running.service is not None
    administration = Administration(running.service.config.database)
    yield administration
    administration.close()


def me(client: Client) -> str:
    return str(client.get("/api/me")["id"])


def seated(ada: Client, ben: Client, game: str = "kiwara") -> str:
    table = str(ada.make(game)["id"])
    ben.do(table, "join")
    return table


def copy_of(client: Client) -> Client:
    """Return the same guest in another browser."""
    other = Client(client.address)
    other.http.cookies = httpx.Cookies(client.http.cookies)
    return other


def status(client: Client, path: str = "/api/tokens") -> int:
    return client.http.post(path, json={"name": "x"}).status_code


# Guests


def test_a_blocked_guest_is_refused_until_admitted_again(operator: Administration, ada: Client, ben: Client) -> None:
    table = seated(ada, ben)
    bot = Client(ben.address)
    token = ben.post("/api/tokens", {"name": "bot of Ben"})["token"]
    bot.http.headers["Authorization"] = f"Bearer {token}"
    assert bot.get("/api/me")["bot"]
    with ben.live(table) as socket:
        socket.wait_for("news")
        operator.set_guest("blocked", me(ben), blocked=True)
        with pytest.raises(ConnectionClosed):
            socket.wait_for("nothing")  # until the server closes the socket
    answer = ben.http.get("/api/me")
    assert (answer.status_code, answer.json()["told"]["key"]) == (401, "blocked")
    assert status(bot) == 401  # the tokens that Ben created, too
    assert status(ada) == 201
    operator.set_guest("unblocked", operator.guests("Ben")[0].id, blocked=False)
    eventually(lambda: status(ben) == 201)


def test_a_renamed_guest_keeps_the_operators_name(operator: Administration, running: Running) -> None:
    rude = running.client("Rude")
    operator.set_guest("renamed", me(rude), name="Polite")
    eventually(lambda: rude.get("/api/me")["name"] == "Polite")
    assert rude.http.post("/api/me", json={"name": "Rude"}).json()["told"]["key"] == "name-fixed"
    assert rude.make()["seats"][0]["player"]["name"] == "Polite"
    operator.set_guest("renamed", me(rude), name=None)
    eventually(lambda: rude.http.post("/api/me", json={"name": "Kind"}).status_code == 200)


def test_revoked_cookies_end_everywhere_and_a_new_one_is_another_guest(
    operator: Administration, running: Running
) -> None:
    cay = running.client("Cay")
    old = me(cay)
    operator.set_guest("revoked", old, valid_from=operator.database.now() + 1)
    eventually(lambda: status(cay) == 401)
    assert me(cay) != old


def test_cookies_of_earlier_versions_stay_valid_until_they_are_revoked(
    operator: Administration, running: Running
) -> None:
    assert running.service is not None
    signer = Signer(running.service.signer.secret)
    old = running.client()
    old.http.cookies.set("mchezo", signer.cookie(Identity("1" * 32, "Old")))  # without a time
    assert old.get("/api/me")["name"] == "Old"
    operator.set_guest("revoked", me(old), valid_from=1)
    eventually(lambda: status(old) == 401)


# What a guest does alone


def test_a_guest_signs_out_of_one_browser(running: Running) -> None:
    dee = running.client("Dee")
    before, other = me(dee), copy_of(dee)
    answer = dee.http.post("/api/me/sign-out")
    assert answer.status_code == 204
    assert "mchezo" not in dee.http.cookies
    assert me(other) == before
    assert me(dee) != before


def test_a_guest_revokes_all_other_cookies_and_tokens(running: Running) -> None:
    eve = running.client("Eve")
    thief = copy_of(eve)
    bot = running.client()
    bot.http.headers["Authorization"] = f"Bearer {eve.post('/api/tokens', {'name': 'bot'})['token']}"
    before = me(eve)
    assert eve.post("/api/me/revoke", {})["id"] == before
    assert me(eve) == before
    assert status(eve) == 201
    assert status(thief) == 401
    assert status(bot) == 401
    assert bot.http.post("/api/me/revoke", json={}).status_code == 401


def test_a_guest_exports_and_deletes_their_data(running: Running, ben: Client, operator: Administration) -> None:
    fay = running.client("Fay Unique")
    finished, going, waiting = seated(fay, ben), seated(fay, ben, "katarenga"), fay.make()["id"]
    fay.do(finished, "resign")
    data = fay.get("/api/me/data")
    assert (data["name"], data["before"]) == ("Fay Unique", None)
    exported = {table["id"]: table for table in data["tables"]}
    assert exported.keys() == {finished, going, waiting}
    assert mchezo.Record.parse(exported[finished]["record"]).verify() is not None
    assert "[Seed " not in exported[going]["record"]  # hidden until the game is over
    assert exported[waiting]["record"] is None
    assert "Fay Unique" in ben.look(finished)["seats"][0]["player"]["name"]

    assert fay.http.delete("/api/me").status_code == 204
    assert "mchezo" not in fay.http.cookies
    assert running.service is not None
    for table in (finished, going, waiting):
        assert "Fay Unique" not in json.dumps(ben.look(table))
        stored = b"".join(map(log.encode, running.service.store.tables.facts(table)))
        assert b"Fay Unique" not in stored
    assert ben.look(going)["result"]["reason"] == "resignation"
    assert mchezo.Record.parse(ben.http.get(f"/api/tables/{finished}/record").text).verify() is not None
    assert ben.look(waiting)["status"] == "open"
    assert not operator.guests("Fay Unique")
    assert operator.log(1)[0].action == "deleted"
    assert not [found for found in operator.check() if found is not None]


def test_deleting_resigns_every_game_of_a_series(running: Running, ben: Client) -> None:
    gus = running.client("Gus")
    table = gus.make("katarenga", series=True)["id"]
    ben.do(table, "join")
    assert gus.http.delete("/api/me").status_code == 204
    assert not [one for one in ben.get("/api/tables")["yours"] if one["status"] == "running" and one["id"] == table]
    following = ben.look(table)["next"]
    assert following is None or ben.look(following)["status"] == "over"


def test_a_guest_is_removed_from_a_few_tables_at_a_time(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    removed: list[int] = []

    def counted(*given: Any) -> int:
        removed.append(anonymize(*given))
        return removed[-1]

    monkeypatch.setattr(people, "anonymize", counted)
    hal = running.client("Hal Unique")
    tables = [hal.make("katarenga", [{"kind": "you"}, {"kind": "you"}])["id"] for _ in range(2 * AT_ONCE + 1)]
    assert hal.http.delete("/api/me").status_code == 204
    assert sum(removed) == len(tables)
    assert max(removed) == AT_ONCE  # others write in between
    visitor = running.client("Visitor")
    assert "Hal Unique" not in json.dumps([visitor.look(table) for table in tables])


def test_requests_about_oneself_need_an_identity_and_the_own_pages(running: Running, ada: Client) -> None:
    stranger = running.client()
    for method, path in (("POST", "sign-out"), ("POST", "revoke"), ("GET", "data"), ("DELETE", "")):
        address = f"/api/me/{path}".rstrip("/")
        assert stranger.http.request(method, address).status_code == 401
        if method != "GET":
            foreign = ada.http.request(method, address, headers={"Origin": "http://elsewhere"})
            assert foreign.status_code == 403


# Tables


def test_an_operator_closes_open_and_running_tables(operator: Administration, ada: Client, ben: Client) -> None:
    waiting, running_table = ada.make()["id"], seated(ada, ben)
    with ada.live(waiting) as socket, ben.live(running_table) as other:
        socket.wait_for("news")
        other.wait_for("news")
        assert operator.close_table(waiting) == "removed"
        assert operator.close_table(running_table) == "ended"
        while other.table["status"] != "over":
            other.wait_for("news")
        with pytest.raises(ConnectionClosed):
            socket.wait_for("nothing")  # until the server closes the socket
    eventually(lambda: ada.http.get(f"/api/tables/{waiting}").status_code == 404)
    assert ben.look(running_table)["result"]["reason"] == "unfinished"
    assert mchezo.Record.parse(ben.http.get(f"/api/tables/{running_table}/record").text)
    with pytest.raises(TableError):
        operator.close_table(running_table)
    with pytest.raises(TableError):
        operator.close_table("nothing-here")


def test_a_guest_deleted_by_the_operator_is_gone_from_tables_in_memory(
    operator: Administration, running: Running, ben: Client
) -> None:
    hal = running.client("Hal Unique")
    table = seated(hal, ben)
    assert operator.export_guest(me(hal), export_record)["names"] == ["Hal Unique"]
    guest = me(hal)
    assert operator.delete_guest(guest) == 1
    eventually(lambda: "Hal Unique" not in json.dumps(ben.look(table)))
    assert ben.look(table)["result"]["winners"] == [1]
    eventually(lambda: status(hal) == 401)
    with pytest.raises(TableError, match="no guest"):
        operator.delete_guest("f" * 16)


# Without a server


def filled(database: str) -> None:
    store = Store(database)
    now = store.now()
    for id, table, age in (("open", make(), 40), ("running", two(), 40), ("recent", make(), 1)):
        named = type(table)(id.ljust(12, "-"), table.log)
        assert store.append(append_for(named, named.log)).result(PATIENCE)
        with store.database.begin() as connection:
            connection.execute(
                sa.text("UPDATE tables SET changed = :at WHERE id = :id"), {"at": now - age * DAY, "id": named.id}
            )
    store.close()


def test_only_old_tables_that_never_started_are_pruned(database: str) -> None:
    filled(database)
    operator = Administration(database)
    assert operator.prune(30, 30, None, dry_run=True) == (1, 0, 0)
    assert len(operator.tables()) == 3
    assert operator.prune(30, 30, None) == (1, 0, 0)
    assert {table.id for table in operator.tables()} == {"running-----", "recent------"}
    assert operator.prune(30, 30, None) == (0, 0, 0)
    operator.close_table("running-----")
    assert operator.prune(None, 1, 1) == (0, 0, 0)  # it has just ended
    with operator.database.begin() as connection:
        connection.execute(sa.text("UPDATE tables SET changed = 0 WHERE id = 'running-----'"))
    assert operator.prune(None, 1, 1) == (0, 1, 0)
    with operator.database.engine.connect() as connection:
        assert connection.scalar(sa.text("SELECT count(*) FROM facts WHERE table_id = 'running-----'")) == 0
    operator.close()


def test_the_check_finds_gaps_unreadable_facts_and_wrong_rows(tmp_path: Path) -> None:
    path = str(tmp_path / "tables.sqlite")
    store = Store(path)
    table = two("kitara")
    for id in ("gap", "unreadable", "wrong", "fine"):
        named = type(table)(id.ljust(12, "-"), table.log)
        assert store.append(append_for(named, named.log)).result(PATIENCE)
    store.close()
    operator = Administration(path)
    assert list(operator.check()) == [None] * 4
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM facts WHERE table_id = 'gap---------' AND number = 1")
        connection.execute("UPDATE facts SET fact = X'7B7D' WHERE table_id = 'unreadable--' AND number = 1")
        connection.execute("UPDATE tables SET status = 'over' WHERE id = 'wrong-------'")
    found = {problem.table: problem for problem in operator.check() if problem}
    assert {id.strip("-"): problem.kind for id, problem in found.items()} == {
        "gap": "gap",
        "unreadable": "unreadable",
        "wrong": "row",
    }
    assert found["wrong-------"] == Problem("wrong-------", "row", "status")
    assert operator.repair("wrong-------")
    assert operator.check_table("wrong-------") is None
    operator.close()


def test_a_repaired_table_is_released(tmp_path: Path) -> None:
    path = str(tmp_path / "tables.sqlite")
    store = Store(path)
    table = two()
    assert store.append(append_for(table, table.log)).result(PATIENCE)
    store.close()
    damage = "UPDATE facts SET fact = ? WHERE table_id = ? AND number = 1"
    with sqlite3.connect(path) as connection:
        connection.execute(damage, (b"{}", table.id))
    operator = Administration(path)
    with pytest.raises(TableError):
        operator.close_table(table.id)
    assert [(found.table, found.kind) for found in operator.broken()] == [(table.id, "damaged")]
    assert run("admin", "tables", "--broken", "--database", path).stdout.count(table.id) == 1
    assert run("admin", "release", table.id, "--database", path).returncode == 1
    with sqlite3.connect(path) as connection:
        connection.execute(damage, (log.encode(table.log[1]), table.id))
    assert run("admin", "release", table.id, "--database", path).returncode == 0
    assert operator.broken() == []
    assert operator.close_table(table.id) == "ended"
    with pytest.raises(TableError):
        operator.release(table.id)
    operator.close()


def test_the_schema_of_earlier_versions_is_upgraded(database: str) -> None:
    filled(database)
    engine = sa.create_engine(normalize_url(database))
    with engine.begin() as connection:
        downgrade(connection, "0003")
    engine.dispose()
    with pytest.raises(TableError, match="another schema version"):
        Administration(database)
    Store(database).close()
    operator = Administration(database)
    assert len(operator.tables()) == 3
    operator.close()


# The command line


def test_operators_use_the_command_line(tmp_path: Path, start: Callable[..., Running]) -> None:
    database = str(tmp_path / "tables.sqlite")
    ada = start(database).client("Ada")
    table, guest = ada.make()["id"], me(ada)

    def admin(*arguments: str, text: str = "", language: str = "en") -> tuple[int, str]:
        done = run("admin", *arguments, "--database", database, text=text, language=language)
        return done.returncode, done.stdout + done.stderr

    code, listed = admin("tables", "--json")
    assert (code, [one["id"] for one in json.loads(listed)]) == (0, [table])
    assert json.loads(admin("guests", "--name", "ad", "--json")[1])[0]["id"] == guest
    assert "Spieler" in admin("tables", language="de")[1]
    assert admin("block", guest)[0] == 0
    eventually(lambda: status(ada) == 401)
    assert admin("unblock", guest)[0] == 0
    eventually(lambda: status(ada) == 201)
    assert "Ada" in admin("export", guest)[1]
    assert admin("close", table, text="n\n")[0] == 1
    assert len(json.loads(admin("tables", "--json")[1])) == 1
    assert admin("check") == (0, "1 tables checked, 0 problems.\n")
    assert "1 open tables" in admin("prune", "--open", "0", "--dry-run")[1]
    assert admin("close", table, "--yes")[0] == 0
    assert [one["action"] for one in json.loads(admin("log", "--json")[1])] == ["removed", "unblocked", "blocked"]
    assert admin("delete", guest, "--yes")[0] == 0  # known by the restriction that was lifted
    assert admin("delete", "0" * 16, "--yes")[0] == 1
    assert admin("tables", "--broken", "--json") == (0, "[]\n")
    assert admin("rename", guest, " ")[0] == 1
    assert run("admin", "tables", "--database", str(tmp_path / "none")).returncode == 1
