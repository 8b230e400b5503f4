"""Servers killed in the middle of games, and several on one PostgreSQL: nothing is lost, doubled or half there."""

import asyncio
import time
from pathlib import Path

from tests.server import trials
from tests.server.postgres import Postgres
from tests.server.serving import Client, Process, eventually


def test_after_a_kill_every_acknowledged_move_is_there_and_all_games_go_on(tmp_path: Path) -> None:
    course = asyncio.run(trials.run(str(tmp_path / "tables.sqlite"), games=8, kills=2, between=1.0, computers=2))
    assert course.acknowledged > 50


def test_players_of_one_table_sit_at_different_processes_of_which_one_is_killed(cluster: Postgres) -> None:
    course = asyncio.run(trials.run(cluster.database(), games=8, kills=1, between=1.5, processes=2, computers=1))
    assert course.acknowledged > 50


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
