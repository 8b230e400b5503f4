"""Servers killed in the middle of games, and several on one PostgreSQL: nothing is lost, doubled or half there."""

import asyncio
import sqlite3
import time
from pathlib import Path

import pytest

from mchezo.server.facts import Chanced, Decided, Facts, Stood
from tests.server import trials
from tests.server.postgres import Postgres
from tests.server.serving import Client, Process, eventually
from tests.server.trials import Sent


def test_after_a_kill_every_acknowledged_move_is_there_and_all_games_go_on(tmp_path: Path) -> None:
    course = asyncio.run(trials.run(str(tmp_path / "tables.sqlite"), games=8, kills=2, between=1.0, computers=2))
    assert course.acknowledged > 50
    assert course.findings == trials.Findings()


def test_players_of_one_table_sit_at_different_processes_of_which_one_is_killed(cluster: Postgres) -> None:
    course = asyncio.run(trials.run(cluster.database(), games=8, kills=1, between=1.5, processes=2, computers=1))
    assert course.acknowledged > 50
    assert course.findings == trials.Findings()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, trials.Course]:
    """Games that were played without a kill, and their database."""
    database = str(tmp_path_factory.mktemp("played") / "tables.sqlite")
    return database, asyncio.run(trials.run(database, games=2, kills=0, between=0, pause=0))


def test_the_trial_notices_a_loss_that_is_planted_in_the_database(played: tuple[str, trials.Course]) -> None:
    database, course = played
    assert course.findings == trials.Findings()
    game = course.games[0]
    last = max(sent.answer for sent in game.sent.values() if isinstance(sent.answer, int))
    with sqlite3.connect(database) as connection:  # as if the last commit had never been
        connection.execute("DELETE FROM facts WHERE table_id = ? AND number >= ?", (game.id, last))
        connection.execute("UPDATE tables SET number = ?, status = 'running' WHERE id = ?", (last - 1, game.id))
    server = Process(database)
    try:
        found = trials.check(course, database, server.address)
    finally:
        server.stop()
    assert (found.lost, found.unfinished, found.unverified) == (1, 1, 1)


@pytest.mark.parametrize("planted", ["lost", "half", "doubled", "unasked", "reordered", "told twice"])
def test_the_trial_counts_every_kind_of_damage(planted: str) -> None:
    facts: dict[int, Facts] = {
        0: Stood(at=1, seat=0, key=""),
        1: Decided(at=1, seat=0, move="a", first=True, id="0-0", by="ada"),
        2: Decided(at=1, seat=0, move="b"),
        3: Decided(at=1, seat=1, move="c", first=True, id="1-1", by="ben"),
        4: Decided(at=1, seat=0, move="d", first=True, id="0-2", by="ada"),
    }
    sent = {"0-0": Sent(0, ["a", "b"], 1), "1-1": Sent(1, ["c"]), "0-2": Sent(0, ["d"], 4)}
    told = list(facts)
    well = trials.find(sent, facts, told, "")
    assert well == trials.Findings(unverified=1)  # there is no record of so small a game
    match planted:
        case "lost":
            del facts[4], told[4]
        case "half":
            facts[2] = Chanced(at=1, move="b")
        case "doubled":
            facts[5] = Decided(at=1, seat=0, move="d", first=True, id="0-2", by="ada")
            told.append(5)
        case "unasked":
            sent["1-1"].answer = "refused"
        case "reordered":
            sent["0-0"].answer, sent["0-2"].answer = 4, 1
        case "told twice":
            told.append(4)
    found = trials.find(sent, facts, told, "")
    assert getattr(found, {"told twice": "doubled"}.get(planted, planted)) >= 1


def test_clocks_do_not_count_the_time_without_a_server(tmp_path: Path) -> None:
    database = str(tmp_path / "tables.sqlite")
    server = Process(database)
    ada = Client(server.address, "Ada")
    table = ada.make("katarenga", [{"kind": "you"}, {"kind": "you"}], clock={"milliseconds": 5_000})["id"]
    ada.do(table, "move", decision=ada.look(table)["decision"], moves=["turn0"])
    server.kill()
    time.sleep(6)
    again = Process(database, server.port)
    try:
        seen = ada.look(table)
        assert seen["status"] == "running"
        assert seen["clock"]["left"][0] > 0
        over = eventually(lambda: next((t for t in [ada.look(table)] if t["status"] == "over"), None))
        assert over["result"]["reason"] == "time-out"
    finally:
        again.stop()


def test_a_server_that_is_told_to_stop_stops_and_has_lost_nothing(tmp_path: Path) -> None:
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
