"""Statistics: every finished game once, no names, fast with many games."""

from __future__ import annotations

import random

import pytest
import sqlalchemy as sa

from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.summary import DAY, outcome_code
from mchezo.server.domain.table import Table
from mchezo.server.storage.schema import RESULTS
from mchezo.server.storage.statistics import DAYS
from mchezo.server.storage.store import Store
from mchezo.server.storage.writer import append_for
from tests.server.contexts import ADA, BEN, YOU, computer, do, make, new_id, play, play_random, two
from tests.server.earlier_versions import FIRST, downgrade
from tests.server.records import record_of, upload
from tests.server.serving import PATIENCE, Client


def keep(store: Store, id: str, table: Table) -> Table:
    """Store a table under another name."""
    named = Table(id, table.log)
    assert store.append(append_for(named, named.log)).result(PATIENCE)
    return named


def of(store: Store, game: str) -> messages.GameStatistics:
    return next(found for found in store.statistics().games if found.game == game)


def test_a_finished_game_is_counted_once_and_a_running_one_not_at_all(database: str) -> None:
    store = Store(database)
    begun = play(two(), "turn0")
    keep(store, "running", begun)
    assert of(store, "katarenga").games == 0
    over = do(begun, BEN, messages.Resign(new_id()))
    kept = keep(store, "over", over)
    asked = do(kept, ADA, messages.Ask(new_id(), "rematch"))
    assert store.append(append_for(asked, asked.log[kept.number + 1 :])).result(PATIENCE)
    found = of(store, "katarenga")
    assert found.games == 1
    assert found.seats == [messages.SeatFigures(2, 0, 1, 1.0), messages.SeatFigures(2, 1, 1, 0.0)]
    assert found.players == [messages.PlayerFigures("person", None, 2, 1.0, 1.0)]
    assert sum(found.moves) == sum(found.minutes) == 1
    assert sum(found.reasons.values()) == 1
    store.close()


def test_an_uploaded_record_is_not_counted(ada: Client) -> None:
    before = ada.get("/api/statistics")
    upload(ada, record_of("kiwara"))
    assert ada.get("/api/statistics") == before


def test_a_game_that_ended_without_a_result_is_not_counted(ada: Client, ben: Client) -> None:
    table = ada.make(seats=[{"kind": "you"}, {"kind": "computer", "level": 1}])["id"]
    before = ada.get("/api/statistics")
    assert ben.http.delete(f"/api/tables/{table}").status_code == 409
    assert ada.http.delete(f"/api/tables/{table}").status_code == 204
    assert ada.look(table)["result"]["reason"] == "unfinished"
    assert ada.get("/api/statistics") == before
    assert ada.http.delete(f"/api/tables/{table}").status_code == 409


def test_levels_seats_and_shared_victories_are_told_apart(database: str) -> None:
    store = Store(database)
    occupants = [log.Occupant("person"), log.Occupant("computer", level=5)]
    assert outcome_code(occupants, [0]) == "p+ c5-"
    assert outcome_code(occupants, []) == "p= c5="
    for number in range(3):
        table = make("kitara", seats=(YOU, YOU, YOU), seed=f"{number + 1:064x}", options={"players": 3})
        keep(store, f"kitara{number}", play_random(table, random.Random(number)))
    found = of(store, "kitara")
    assert found.games == 3
    assert [(seat.players, seat.seat) for seat in found.seats] == [(3, 0), (3, 1), (3, 2)]
    assert sum(seat.won for seat in found.seats) == pytest.approx(3, abs=0.02)
    assert found.players[0].fair == pytest.approx(3)
    against = make("katarenga", seats=(YOU, computer(4)), options={"choose_baseline": False})
    keep(store, "level", do(against, ADA, messages.Resign(new_id())))
    computers = [player for player in of(store, "katarenga").players if player.kind == "computer"]
    assert computers == [messages.PlayerFigures("computer", 4, 1, 1.0, 0.5)]
    store.close()


def test_statistics_reveal_no_name_and_no_table(ada: Client, ben: Client) -> None:
    made = ada.make("katarenga")
    ben.do(made["id"], "join")
    ada.do(made["id"], "resign")
    text = ada.http.get("/api/statistics").text
    assert '"games"' in text
    for secret in ("Ada", "Ben", made["id"]):
        assert secret not in text


def test_the_migration_counts_games_that_ended_before_there_were_statistics(database: str) -> None:
    store = Store(database)
    keep(store, "old", do(play(two(), "turn0"), BEN, messages.Resign(new_id())))
    with store.database.engine.begin() as connection:
        downgrade(connection, FIRST)
    store.close()
    again = Store(database)
    found = of(again, "katarenga")
    assert found.games == 1
    assert found.seats[0].won == 1.0
    again.close()


def test_ten_thousand_games_are_counted_with_a_handful_of_queries(database: str) -> None:
    store = Store(database)
    rng = random.Random(1)
    rows = [
        {
            "table_id": f"g{number}",
            "game": rng.choice(("katarenga", "kiwara")),
            "went": rng.choice(("p+ c5-", "p- c5+", "p= c3=", "p+ p-")),
            "reason": "both-camps",
            "moves": rng.randrange(0, 200, 10),
            "minutes": rng.randrange(0, 60, 5),
            "day": store.now() // DAY - rng.randrange(90),
        }
        for number in range(10_000)
    ]
    with store.database.engine.begin() as connection:
        connection.execute(sa.insert(RESULTS), rows)
    read: list[int] = []

    @sa.event.listens_for(store.database.engine, "after_cursor_execute")
    def note(*ran: object) -> None:
        read.append(1)

    found = store.statistics()
    assert sum(game.games for game in found.games) == 10_000
    assert len(read) <= 6, "a handful of queries, whatever the number of games"
    for game in found.games:
        assert sum(game.moves) == sum(game.minutes) == game.games
        assert len(game.days) == DAYS
        assert sum(game.days) < game.games or not game.games
    store.close()
