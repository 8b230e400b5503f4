"""Rated games: what counts, exactly once, and the same numbers when everything is computed again."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from mchezo.core.errors import UserError
from mchezo.ratings.glicko import Rating
from mchezo.server import messages
from mchezo.server.domain import commands, log
from mchezo.server.domain.creation import create_table
from mchezo.server.domain.rated import RatedResult, RatedSeat, places, pool_of, pools, rated_result
from mchezo.server.domain.table import Table
from mchezo.server.storage import ratings
from mchezo.server.storage.administration import Administration
from mchezo.server.storage.schema import RATED_SEATS, RATINGS
from mchezo.server.storage.store import Store
from mchezo.server.storage.writer import append_for
from tests.server import rate_results
from tests.server.contexts import ADA, BEN, OPEN, YOU, computer, context, do, new_id, play, refused
from tests.server.earlier_versions import downgrade
from tests.server.serving import PATIENCE, Running
from tests.server.test_accounts import register

ANN, BOB = replace(ADA, device="d1"), replace(BEN, device="d2")
RESULTS = 10_000


def rated(seats: tuple[messages.SeatPlan, ...] = (YOU, OPEN), game: str = "katarenga", **given: Any) -> Table:
    given = {"public": True, "takeback": False, "hints": False, "rated": True, **given}
    request = messages.CreateTable(game, list(seats), **given)
    level = lambda game, level: (f"Level {level}", 1500)  # noqa: E731, one line of use
    return Table("R" * 12, create_table(request, request.options, None, level, context(ANN), "R" * 12))


def test_only_fair_tables_can_be_rated() -> None:
    assert rated().creation.settings.rated
    clock = messages.ClockRules(60_000)
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("rated-options", {"options": {"board": "RGBY" * 16}}),
        ("rated-options", {"options": {"first_capture": "never"}}),
        ("rated-options", {"game": "kiwara", "options": {"handicap": (0, 2)}}),
        ("rated-seats", {"seats": (YOU, YOU)}),
        ("rated-settings", {"takeback": True}),
        ("rated-settings", {"hints": True}),
        ("rated-settings", {"lot": False}),
        ("rated-clocks", {"seats": (YOU, messages.SeatPlan("open", clock=clock))}),
        ("rated-levels", {"seats": (YOU, computer(3)), "options": {"variant": "congress"}}),
        ("rated-levels", {"seats": (YOU, computer(7))}),
    ]
    for key, given in wrong:
        with pytest.raises(UserError) as caught:
            rated(**given)
        assert caught.value.key == key, given
    rated(options={"variant": "troika", "swap": True})
    rated(options={"board": "balanced"})
    rated((YOU, computer(6)))
    rated((YOU, OPEN, OPEN), "kitara", options={"players": 3})


def test_guests_and_bots_neither_make_nor_join_rated_tables() -> None:
    assert refused(rated(), BEN, messages.Join(new_id())) == ("not-possible", "rated-account")
    bot = replace(BOB, bot=True)
    assert refused(rated(), bot, messages.Join(new_id())) == ("not-possible", "rated-account")
    request = messages.CreateTable("katarenga", [YOU, OPEN], takeback=False, hints=False, rated=True)
    with pytest.raises(UserError) as caught:
        create_table(request, {}, None, lambda *_: ("", None), context(ADA), "R" * 12)
    assert caught.value.key == "rated-account"


def test_a_game_counts_once_everybody_has_moved() -> None:
    table = do(rated(options={"choose_baseline": False}), BOB, messages.Join(new_id()))
    early = do(table, ANN, messages.Resign(new_id()))
    assert rated_result(early) is None
    table = play(play(table, table.legal[0]), *play(table, table.legal[0]).legal[:1])
    assert rated_result(table) is None
    over = do(table, ANN, messages.Resign(new_id()))
    result = rated_result(over)
    assert result is not None
    assert result.pool == "katarenga unlimited"
    assert {seat.guest: seat.place for seat in result.seats} == {"ben": 0, "ada": 1}


def test_an_operator_who_ends_a_game_rates_nobody() -> None:
    table = do(rated(), BOB, messages.Join(new_id()))
    for _ in range(2):
        table = play(table, table.legal[0])
    ended = log.GameEnded(at=2_000_000, winners=[], scores=[0.0, 0.0], reason="unfinished")
    assert rated_result(table.after([ended])) is None


def test_places_follow_winners_points_and_dropping_out() -> None:
    ended = log.GameEnded(at=0, winners=[1], scores=[12.0, 20.0, 15.0, 15.0], reason="")
    assert places(ended) == [3, 0, 1, 1]
    assert places(ended, {2: "resignation"}) == [2, 0, 3, 1]
    shared = log.GameEnded(at=0, winners=[0, 3], scores=[20.0, 3.0, 15.0, 20.0], reason="")
    assert places(shared) == [0, 3, 2, 0]
    assert places(log.GameEnded(at=0, winners=[], scores=[0.5, 0.5], reason="agreement")) == [0, 0]


def test_pools_are_kinds_of_games_and_speeds() -> None:
    assert pool_of("katarenga", {"variant": "congress"}, None) == "congress unlimited"
    assert pool_of("kiwara", {}, messages.ClockRules(300_000)) == "kiwara blitz"
    assert pool_of("kitara", {"players": 3}, messages.ClockRules(600_000, 5_000)) == "kitara-3 rapid"
    assert len(pools()) == len(set(pools())) == 17 * 3


def test_a_revenge_stays_rated_only_from_the_other_side() -> None:
    table = do(rated(options={"choose_baseline": False}), BOB, messages.Join(new_id()))
    over = do(play_random_rated(table), ANN, messages.Ask(new_id(), "rematch"))
    again = commands.decide(over, messages.Answer(new_id(), "rematch", True), context(BOB)).new_table
    assert again is not None
    assert Table(*again).creation.settings.rated
    over = do(play_random_rated(table), ANN, messages.Ask(new_id(), "revenge"))
    back = commands.decide(over, messages.Answer(new_id(), "revenge", True), context(BOB)).new_table
    assert back is not None
    assert Table(*back).creation.settings.rated == over.creation.settings.swap


def play_random_rated(table: Table) -> Table:
    rng = random.Random(5)
    while table.to_move is not None:
        table = play(table, rng.choice(table.legal))
    return table


def recorded(store: Store, result: RatedResult) -> None:
    store.writer.run(lambda connection: ratings.record(store.database, connection, result)).result(PATIENCE)


def between(number: int, winner: str, loser: str, at: int = 0) -> RatedResult:
    seats = (RatedSeat(winner, None, 0), RatedSeat(loser, None, 1))
    return RatedResult(f"game{number:08}", "kiwara rapid", at, seats)


def test_the_end_of_a_game_changes_ratings_once_and_a_rebuild_finds_the_same(database: str) -> None:
    store = Store(database)
    table = do(rated(options={"choose_baseline": False}), BOB, messages.Join(new_id()))
    assert store.append(append_for(table, table.log)).result(PATIENCE)
    over = play_random_rated(table)
    new = over.log[table.number + 1 :]
    assert store.append(append_for(over, new)).result(PATIENCE)
    pool, seats = store.ratings.game("R" * 12)
    assert pool == "katarenga unlimited"
    assert sorted(seat.guest or "" for seat in seats) == ["ada", "ben"]
    before = store.ratings.of("ada")
    assert before["katarenga unlimited"].games == 1
    asked = do(over, ANN, messages.Ask(new_id(), "rematch"))
    assert store.append(append_for(asked, asked.log[over.number + 1 :])).result(PATIENCE)
    result = rated_result(over)
    assert result is not None
    recorded(store, result)
    assert store.ratings.of("ada") == before
    assert ratings.rebuild(store.database) == ratings.Rebuilt(1, 2, 0)
    store.close()


def test_only_ten_games_a_day_between_the_same_two_count(database: str) -> None:
    store = Store(database)
    for number in range(15):
        recorded(store, between(number, "ada", "ben"))
    assert store.ratings.of("ada")["kiwara rapid"].games == 10
    recorded(store, between(98, "ada", "cay"))
    recorded(store, between(99, "ada", "ben", at=2 * 86_400_000))
    assert store.ratings.of("ada")["kiwara rapid"].games == 12
    assert ratings.rebuild(store.database).changed == 0
    store.close()


def test_a_rebuild_repairs_damaged_rows(database: str) -> None:
    store = Store(database)
    for number in range(6):
        winner, loser = random.Random(number).sample(["ada", "ben", "cay"], 2)
        recorded(store, between(number, winner, loser))
    right = {name: store.ratings.of(name) for name in ("ada", "ben", "cay")}
    with store.database.begin() as connection:
        connection.execute(sa.update(RATINGS).where(RATINGS.c.guest == "ada").values(rating=1))
        connection.execute(sa.update(RATED_SEATS).where(RATED_SEATS.c.number == 2).values(after=5))
        connection.execute(sa.insert(RATINGS), ratings.rating_row("dan", "kiwara rapid", Rating()))
    assert ratings.rebuild(store.database).changed == 4
    assert {name: store.ratings.of(name) for name in ("ada", "ben", "cay")} == right
    assert store.ratings.of("dan") == {}
    store.close()


def test_the_ratings_of_others_stay_when_a_player_deletes_their_data(database: str) -> None:
    store = Store(database)
    for number in range(4):
        recorded(store, between(number, "ada", "ben"))
    before = store.ratings.of("ben")
    store.people.delete("ada", store.now()).result(PATIENCE)
    assert store.ratings.of("ada") == {}
    assert ratings.rebuild(store.database).changed == 0
    assert store.ratings.of("ben") == before
    with store.database.engine.connect() as connection:
        assert "ada" not in list(connection.scalars(sa.select(RATED_SEATS.c.guest)))
    store.close()


def test_a_database_of_the_version_before_gets_the_tables(database: str) -> None:
    before = Store(database)
    with before.database.engine.begin() as connection:
        downgrade(connection, "feeds")
    before.close()
    again = Store(database)
    recorded(again, between(1, "ada", "ben"))
    assert len(again.ratings.of("ada")) == 1
    again.close()


@pytest.mark.rotating(shares=24)
def test_a_rebuild_equals_the_live_ratings_after_ten_thousand_results_with_kills(tmp_path: Path) -> None:
    """A process is killed again and again in the middle of its work; the next one repeats a few results."""
    url = str(tmp_path / "tables.sqlite")
    Store(url).close()
    rng, done, kills = random.Random(1), 0, 0
    while done < RESULTS:
        first = max(0, done - 30)
        command = [sys.executable, "-m", "tests.server.rate_results", url, str(first), str(RESULTS)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            stop_at = done + rng.randint(1, 1_500)
            for line in process.stdout:
                done = int(line)
                if done >= stop_at and done < RESULTS:
                    process.kill()
                    kills += 1
                    break
        assert done == RESULTS or process.returncode < 0
    assert kills > 5
    store = Store(url)
    live = {guest: store.ratings.of(guest) for guest in (f"guest{one}" for one in range(rate_results.PEOPLE))}
    assert ratings.rebuild(store.database) == ratings.Rebuilt(RESULTS, sum(map(len, live.values())), 0)
    folded: dict[str, dict[str, Rating]] = {pool: {} for pool in rate_results.POOLS}
    for number in range(RESULTS):
        result = rate_results.result(number)
        for seat in result.seats:
            if seat.guest is not None:
                folded[result.pool].setdefault(seat.guest, Rating())
        ratings.apply(folded[result.pool], number, result.at, result.seats)
    for guest, found in live.items():
        assert found == {pool: those[guest] for pool, those in sorted(folded.items()) if guest in those}
    store.close()


def test_a_player_sees_ratings_curves_and_what_a_game_changed(running: Running) -> None:
    ann, bob = running.client("x"), running.client("y")
    register(ann, "Ann Rated")
    register(bob, "Bob Rated")
    name = ann.get("/api/me")["name"]
    table = ann.make(seats=[{"kind": "you"}, {"kind": "open"}], lot=True, rated=True, takeback=False, hints=False)
    assert table["settings"]["rated"]
    bob.do(table["id"], "join")
    for _ in range(2):
        for who in (ann, bob):
            seen = who.look(table["id"])
            if seen["legal"]:
                who.do(table["id"], "move", decision=seen["decision"], moves=seen["legal"][:1])
    assert ann.get(f"/api/tables/{table['id']}/rating") == {"pool": None, "seats": []}
    bob.do(table["id"], "resign")
    changed = ann.get(f"/api/tables/{table['id']}/rating")
    assert changed["pool"] == "katarenga unlimited"
    mine = ann.look(table["id"])["you"][0]
    assert changed["seats"][mine]["after"] > changed["seats"][mine]["before"] == 1500
    player = bob.get(f"/api/players/{name}")
    assert player["name"] == name
    (rating,) = player["ratings"]
    assert rating["provisional"]
    assert rating["rating"] == changed["seats"][mine]["after"]
    curve = bob.get(f"/api/players/{name}/curve", pool="katarenga unlimited")
    assert [point["rating"] for point in curve["points"]] == [rating["rating"]]
    assert ann.http.get("/api/players/Nobody here").status_code == 404
    assert ann.http.get(f"/api/players/{name}/curve", params={"pool": "chess"}).status_code == 400
    assert "guest" not in bob.http.get(f"/api/players/{name}").text


def test_the_command_rebuilds_ratings(tmp_path: Path) -> None:
    url = str(tmp_path / "tables.sqlite")
    store = Store(url)
    recorded(store, between(1, "ada", "ben"))
    store.close()
    administration = Administration(url)
    assert administration.rebuild_ratings() == ratings.Rebuilt(1, 2, 0)
    administration.close()
