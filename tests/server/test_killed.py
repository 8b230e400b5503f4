"""Servers killed in the middle of games, and several on one PostgreSQL: nothing is lost, duplicated or torn."""

import sqlite3
from pathlib import Path

import msgspec
import pytest

from mchezo.server.domain.log import AnyFact, ChanceResolved, MovePlayed, SeatLeft, decode, encode
from tests.server import trials
from tests.server.postgres import Postgres
from tests.server.serving import Client, Process, eventually, run_in_thread
from tests.server.trials import Sent

HOUR = 3_600_000  # milliseconds

pytestmark = pytest.mark.rotating(shares=8)


@pytest.mark.rotating(shares=8)
@pytest.mark.parametrize("processes", [1, 2])
def test_no_acknowledged_move_is_lost_and_all_games_continue_after_a_kill(
    processes: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if processes == 1:
        trial = trials.run(str(tmp_path / "tables.sqlite"), games=8, kills=2, between=1.0, computers=2)
    else:  # the players of a table use different processes, and one is killed
        cluster: Postgres = request.getfixturevalue("cluster")
        trial = trials.run(cluster.database(), games=8, kills=1, between=1.5, processes=2, computers=1)
    course = run_in_thread(trial)
    assert course.acknowledged > 50
    assert course.findings == trials.Findings()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, trials.Course]:
    """Return games that were played without a kill, and their database."""
    database = str(tmp_path_factory.mktemp("played") / "tables.sqlite")
    return database, run_in_thread(trials.run(database, games=2, kills=0, between=0, pause=0))


def test_the_trial_notices_a_loss_planted_in_the_database(played: tuple[str, trials.Course]) -> None:
    database, course = played
    assert course.findings == trials.Findings()
    game = course.games[0]
    last = max(sent.answer for sent in game.sent.values() if isinstance(sent.answer, int))
    with sqlite3.connect(database) as connection:  # as if the last commit had not happened
        connection.execute("DELETE FROM facts WHERE table_id = ? AND number >= ?", (game.id, last))
        connection.execute("UPDATE tables SET number = ?, status = 'running' WHERE id = ?", (last - 1, game.id))
    server = Process(database)
    try:
        found = trials.check(course, database, server.address)
    finally:
        server.stop()
    assert (found.lost, found.unfinished, found.unverified) == (1, 1, 1)


@pytest.mark.parametrize("planted", ["lost", "partial", "duplicated", "unexpected", "reordered", "sent twice"])
def test_the_trial_counts_every_kind_of_damage(planted: str) -> None:
    facts: dict[int, AnyFact] = {
        0: SeatLeft(at=1, seat=0, key=""),
        1: MovePlayed(at=1, seat=0, move="a", first=True, id="0-0", by="ada"),
        2: MovePlayed(at=1, seat=0, move="b"),
        3: MovePlayed(at=1, seat=1, move="c", first=True, id="1-1", by="ben"),
        4: MovePlayed(at=1, seat=0, move="d", first=True, id="0-2", by="ada"),
    }
    sent = {"0-0": Sent(0, ["a", "b"], 1), "1-1": Sent(1, ["c"]), "0-2": Sent(0, ["d"], 4)}
    numbers = list(facts)
    well = trials.find(sent, facts, numbers, "")
    assert well == trials.Findings(unverified=1)  # this game is too small to have a record
    match planted:
        case "lost":
            del facts[4], numbers[4]
        case "partial":
            facts[2] = ChanceResolved(at=1, move="b")
        case "duplicated":
            facts[5] = MovePlayed(at=1, seat=0, move="d", first=True, id="0-2", by="ada")
            numbers.append(5)
        case "unexpected":
            sent["1-1"].answer = "refused"
        case "reordered":
            sent["0-0"].answer, sent["0-2"].answer = 4, 1
        case "sent twice":
            numbers.append(4)
    found = trials.find(sent, facts, numbers, "")
    assert getattr(found, {"sent twice": "duplicated"}.get(planted, planted)) >= 1


def test_clocks_exclude_the_time_without_a_server(tmp_path: Path) -> None:
    database = str(tmp_path / "tables.sqlite")
    server = Process(database)
    ada = Client(server.address, "Ada")
    table = ada.make("katarenga", [{"kind": "you"}, {"kind": "you"}], clock={"milliseconds": HOUR})["id"]
    ada.do(table, "move", decision=ada.look(table)["decision"], moves=["turn0"])
    server.kill()
    backdate(database, 2 * HOUR)
    stale = heartbeat(database)
    server = Process(database, server.port)
    try:
        seen = ada.look(table)
        assert seen["status"] == "running"
        assert seen["clock"]["left"][0] > 0
        eventually(lambda: heartbeat(database) > stale)  # the next server must not find the same outage
    finally:
        server.kill()
    backdate(database, 2 * HOUR, server_alive=True)
    server = Process(database, server.port)
    try:
        over = eventually(lambda: next((t for t in [ada.look(table)] if t["status"] == "over"), None))
        assert over["result"]["reason"] == "time-out"
    finally:
        server.stop()


def heartbeat(database: str) -> int:
    """Return when a server last recorded that it is running."""
    with sqlite3.connect(database) as connection:
        return int(connection.execute("SELECT value FROM settings WHERE name = 'pulse'").fetchone()[0])


def backdate(database: str, milliseconds: int, server_alive: bool = False) -> None:
    """Move all stored times into the past, with or without a server that was alive since then."""
    with sqlite3.connect(database) as connection:
        for table, number, text in connection.execute("SELECT table_id, number, fact FROM facts").fetchall():
            fact = decode(text)
            older = encode(msgspec.structs.replace(fact, at=fact.at - milliseconds))
            connection.execute("UPDATE facts SET fact = ? WHERE table_id = ? AND number = ?", (older, table, number))
        connection.execute("UPDATE tables SET deadline = deadline - ?, changed = changed - ?", [milliseconds] * 2)
        if not server_alive:
            connection.execute("UPDATE settings SET value = value - ? WHERE name = 'pulse'", [milliseconds])


def test_a_server_stops_gracefully_and_loses_nothing(tmp_path: Path) -> None:
    database = str(tmp_path / "tables.sqlite")
    server = Process(database)
    ada = Client(server.address, "Ada")
    table = ada.make()["id"]
    with ada.live(table) as live:
        live.wait_for("news")
        assert server.stop() == 0
    again = Process(database, server.port)
    try:
        assert ada.look(table)["you"] == [0]
    finally:
        again.stop()
