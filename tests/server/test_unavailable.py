"""While the database is away or its disk is full, people learn that. It is no bug, and nothing is lost."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from mchezo.server.errors import TableError
from mchezo.server.runtime.probes import Probe
from mchezo.server.storage import database as opening
from mchezo.server.storage.store import Store
from tests.server import postgres
from tests.server.serving import Running, eventually, run_in_thread

pytestmark = pytest.mark.rotating(shares=24)


def refused(answer: Any) -> tuple[int, str, str]:
    assert int(answer.headers["Retry-After"]) > 0
    return answer.status_code, answer.json()["code"], answer.json()["told"]["key"]


class FullDisk:
    """A disk without a free page, for the connections of a SQLite database."""

    def __init__(self, server: Running) -> None:
        assert server.service is not None
        self.pages = 1
        sa.event.listen(server.service.store.database.engine, "checkout", self.limit)

    def limit(self, connection: Any, *_: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {self.pages}")  # at least what is used already


def test_a_full_disk_is_not_called_our_mistake(tmp_path: Path, start: Callable[..., Running]) -> None:
    server = start(str(tmp_path / "tables.sqlite"))
    assert server.service is not None
    server.service.writing.keep = 0.0
    ada = server.client("Ada")
    table = ada.make()["id"]
    assert ada.http.get("/readyz").status_code == 200
    disk = FullDisk(server)
    body = {"game": "kiwara", "seats": [{"kind": "you"}, {"kind": "open"}]}
    german = {"Accept-Language": "de"}
    answer = ada.http.post("/api/tables", json=body, headers=german)
    while answer.status_code == 201:  # until the last page is full
        answer = ada.http.post("/api/tables", json=body, headers=german)
    assert refused(answer) == (503, "unavailable", "disk-full")
    assert "voll" in answer.json()["words"]
    assert ada.look(table)["id"] == table
    assert ada.get("/healthz")["status"] == "ok"  # it is alive
    disk.pages = 2**30
    eventually(lambda: ada.http.post("/api/tables", json=body).status_code == 201)
    assert ada.get("/readyz")["status"] == "ok"


def test_readiness_tests_writing(tmp_path: Path, start: Callable[..., Running]) -> None:
    server = start(str(tmp_path / "tables.sqlite"))
    assert server.service is not None
    server.service.writing.keep = 0.0
    ada = server.client("Ada")
    engine = server.service.store.database.engine

    @sa.event.listens_for(engine, "checkout")
    def forbid(connection: Any, *_: object) -> None:
        connection.execute("PRAGMA query_only = ON")

    assert refused(ada.http.get("/readyz")) == (503, "not-ready", "not-writable")
    assert ada.get("/healthz")["status"] == "ok"
    body = {"game": "kiwara", "seats": [{"kind": "you"}, {"kind": "open"}]}
    assert refused(ada.http.post("/api/tables", json=body)) == (503, "unavailable", "database-readonly")


def test_while_postgresql_restarts_nobody_sees_an_internal_error() -> None:
    cluster = postgres.begin()
    try:
        server = Running(cluster.database())
        ada = server.client("Ada")
        tables = [ada.make("kiwara", [{"kind": "you"}, {"kind": "you"}])["id"] for _ in range(3)]
        seen = ada.look(tables[0])
        move = {"type": "move", "id": "late", "decision": seen["decision"], "moves": [seen["legal"][0]]}
        with ada.live(tables[0]) as live:
            live.wait_for("news")
            cluster.cut()
            for _ in range(5):
                for answer in (
                    ada.http.post(f"/api/tables/{tables[0]}/commands", json=move),
                    ada.http.post("/api/tables", json={"game": "kiwara", "seats": [{"kind": "you"}] * 2}),
                    ada.http.get("/api/tables"),
                    ada.http.get("/api/statistics"),
                    ada.http.get("/api/tables/nonexistent0"),
                ):
                    assert refused(answer) == (503, "unavailable", "database-away")
                assert refused(ada.http.get("/readyz")) == (503, "not-ready", "not-writable")
                assert refused(ada.http.get("/healthz")) == (503, "not-ready", "database-away")
            assert live.ask(**{**move, "id": "later"})["code"] == "unavailable"
            cluster.resume()
            eventually(lambda: ada.http.get("/api/tables").status_code == 200)
            assert live.ask(**{**move, "id": "last"})["type"] == "done"
        with ada.live(tables[1]) as live:
            assert live.wait_for("news")
        server.stop()
    finally:
        cluster.stop()


def test_a_probe_costs_the_same_however_often_it_is_asked_for() -> None:
    calls = 0
    time = 0.0
    release = asyncio.Event()

    async def check() -> int:
        nonlocal calls
        calls += 1
        await release.wait()
        return calls

    async def run() -> None:
        nonlocal time
        probe = Probe(check, keep=1.0, patience=600.0, now=lambda: time)
        asked = [asyncio.create_task(probe.ask()) for _ in range(100)]
        await asyncio.sleep(0)
        asked[0].cancel()  # a client that disconnects
        release.set()
        assert await asyncio.gather(*asked[1:]) == [1] * 99
        assert await probe.ask() == 1
        time = 1.5
        assert await probe.ask() == 2

    run_in_thread(run())
    assert calls == 2


def test_a_probe_fails_if_its_check_takes_too_long() -> None:
    async def run() -> None:
        probe = Probe(asyncio.Event().wait, keep=1.0, patience=0.0)
        assert await probe.ask() is None

    run_in_thread(run())


# Starting


def serve(database: str, language: str = "en") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mchezo", "-l", language, "serve", "--port", "0", "--no-browser"]
    return subprocess.run([*command, "--database", database], capture_output=True, text=True, env={**os.environ})


@pytest.mark.parametrize(("language", "words"), [("en", "newer version"), ("nl", "nieuwere versie")])
def test_a_newer_database_is_refused_in_words(tmp_path: Path, language: str, words: str) -> None:
    file = str(tmp_path / "tables.sqlite")
    store = Store(file)
    with store.database.engine.begin() as connection:
        connection.execute(sa.text("INSERT INTO alembic_version VALUES ('from the future')"))
    store.close()
    done = serve(file, language)
    assert done.returncode == 1
    assert words in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_what_is_no_database_is_refused_in_words(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("not a database, but long enough to be one " * 100, encoding="utf-8")
    done = serve(str(file))
    assert done.returncode == 1
    assert "cannot be opened" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    missing = serve("postgresql://nobody@127.0.0.1:1/nothing")
    assert missing.returncode == 1
    assert "cannot be opened" in " ".join(missing.stderr.split())


def test_a_read_only_database_is_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "tables.sqlite"
    Store(str(file)).close()
    create = opening.create_engine

    def create_read_only(url: sa.URL) -> sa.Engine:
        engine = create(url)
        sa.event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA query_only = ON"))
        return engine

    monkeypatch.setattr(opening, "create_engine", create_read_only)
    with pytest.raises(TableError) as caught:
        Store(str(file))
    assert "cannot be written" in caught.value.say("en")
