"""Correspondence: days for every turn, vacations and weekends, conditional moves, notes, the next game."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.clock import MAX_CREDIT
from mchezo.server.domain.days_clock import DAY, FIRST_SATURDAY, WEEK, Vacation, days_clock
from mchezo.server.domain.plans import ahead, check_plan, next_moves, reply
from mchezo.server.domain.playing import is_claimable, time_out
from mchezo.server.domain.table import Table
from mchezo.server.domain.vacations import DAYS_A_GAME, DAYS_A_YEAR, apply_vacation, check_vacation
from mchezo.server.errors import TableError
from mchezo.server.projection.plan import explore_plan
from mchezo.server.runtime.limits import Rate
from tests.rotation import examples
from tests.server.contexts import ADA, BEN, YOU, context, do, make, owner, play, stored, two
from tests.server.serving import UNLIMITED, Client, Running, eventually, pass_time
from tests.server.worlds import has_secrets, other_world, played

pytestmark = pytest.mark.rotating(shares=24)

NOON = 1_000_000 * DAY + DAY // 2  # a Wednesday


def on_vacation(table: Table, who: str, vacation: Vacation, now: int) -> Table:
    change = apply_vacation(table, who, vacation, now)
    assert change is not None
    return table.after(change.facts)


# The clock


@given(
    st.integers(0, 4 * WEEK),
    st.sampled_from([1, 2, 3, 5, 7, 14]),
    st.booleans(),
    st.lists(st.tuples(st.integers(0, 8 * WEEK), st.integers(0, 2 * WEEK)), max_size=4),
)
@settings(max_examples=examples(300, shares=3))
def test_a_deadline_is_when_the_hours_that_count_are_used_up(
    since: int, days: int, weekends: bool, vacations: list[tuple[int, int]]
) -> None:
    clock = days_clock((True, True), days, weekends).switch(0, since)
    for number, (begin, length) in enumerate(vacations):
        clock = clock.with_vacation(0, Vacation(str(number), begin, begin + length))  # type: ignore[attr-defined]  # it is a DaysClock
    deadline = clock.deadline
    assert deadline is not None
    down = deadline - MAX_CREDIT
    assert clock.is_down(down)
    assert not clock.is_down(down - 1)
    # by counting quarters of an hour
    step = 900_000

    def free(at: int) -> bool:
        weekend = weekends and (at - FIRST_SATURDAY) % WEEK < 2 * DAY
        return weekend or any(begin <= at < begin + length for begin, length in vacations)

    counted = sum(step for at in range(since, down, step) if not free(at))
    assert abs(counted - days * DAY) <= step * (len(vacations) * 2 + 2 * (1 + (down - since) // WEEK) + 2)


def test_a_clock_is_full_again_with_every_turn_and_runs_from_the_start() -> None:
    table = two(days=2)
    first = table.to_move
    assert table.clock is not None
    assert table.clock.running == first
    assert table.clock.deadline == table.last_at + 2 * DAY + MAX_CREDIT
    table = play(table, table.legal[0], now=table.last_at + DAY)
    assert table.clock is not None
    assert table.clock.running == table.to_move
    assert table.clock.left_at(table.last_at) == (2 * DAY, 2 * DAY)
    late = context(now=table.last_at + 2 * DAY + MAX_CREDIT)
    change = time_out(table, late)
    assert change is not None
    assert table.after(change.facts).ending is not None


def test_a_game_whose_players_never_come_ends() -> None:
    table = two(days=14, weekends=True)
    assert table.clock is not None
    assert table.clock.deadline is not None
    assert table.clock.deadline - table.last_at <= 14 * DAY * 7 // 5 + 3 * DAY
    assert time_out(table, context(now=table.clock.deadline)) is not None


def test_nobody_claims_a_correspondence_game_because_a_player_is_away() -> None:
    assert is_claimable(two(), two().to_move or 0, {0: WEEK, 1: WEEK})
    table = two(days=1)
    assert not is_claimable(table, table.to_move or 0, {0: WEEK, 1: WEEK})


def test_days_and_a_clock_exclude_each_other_and_days_need_company() -> None:
    with pytest.raises(TableError) as error:
        make(days=3, clock=messages.ClockRules(60_000))
    assert error.value.key == "days-and-clock"
    with pytest.raises(TableError) as error:
        make("kitara", (YOU,), days=3)
    assert error.value.key == "days-alone"
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"game": "kiwara", "seats": [{"kind": "you"}], "days": 4}, messages.CreateTable)


def test_logs_without_days_read_as_before() -> None:
    table = two()
    raw = msgspec.json.decode(log.encode(table.creation))
    del raw["settings"]["days"], raw["settings"]["weekends"]
    old = log.decode(msgspec.json.encode(raw))
    assert old == table.creation


# Vacations


def test_a_vacation_moves_the_deadline_and_replays_to_the_same_one() -> None:
    table = two(days=3)
    who, now = owner(table).guest, table.last_at
    before = table.clock.deadline if table.clock else None
    assert before is not None
    later = on_vacation(table, who, Vacation("v", now + DAY, now + 8 * DAY), now)
    assert later.clock is not None
    assert later.clock.deadline == before + 7 * DAY
    assert apply_vacation(later, who, Vacation("v", now + DAY, now + 8 * DAY), now) is None
    assert Table(later.id, stored(later.log)).clock == later.clock
    back = on_vacation(later, who, Vacation("v", now + DAY, now + 2 * DAY), now + 2 * DAY)
    assert back.clock is not None
    assert back.clock.deadline == before + DAY
    none = on_vacation(back, who, Vacation("v", now + DAY, now + DAY), now + 2 * DAY)
    assert none.clock is not None
    assert none.clock.deadline == before


def test_a_vacation_of_the_other_player_changes_nothing_now() -> None:
    table = two(days=3)
    other = BEN if owner(table) is ADA else ADA
    later = on_vacation(table, other.guest, Vacation("v", 0, 100 * DAY), table.last_at)
    assert later.clock is not None
    assert table.clock is not None
    assert later.clock.deadline == table.clock.deadline
    moved = play(later, later.legal[0], now=later.last_at + 1)
    assert moved.clock is not None
    assert moved.clock.deadline is not None
    assert moved.clock.deadline > moved.last_at + 50 * DAY


def test_vacations_are_bounded_in_every_game() -> None:
    table = two(days=1)
    who, start = owner(table).guest, table.last_at
    for number in range(10):
        vacation = Vacation(str(number), start + 30 * number * DAY, start + 30 * (number + 1) * DAY)
        change = apply_vacation(table, who, vacation, start)
        if change is not None:
            table = table.after(change.facts)
    assert table.clock is not None
    assert table.clock.deadline == start + (DAYS_A_GAME + 1) * DAY + MAX_CREDIT


def test_an_ordinary_game_knows_no_vacation() -> None:
    assert apply_vacation(two(), "ada", Vacation("v", 0, 10**15), 1_000_000) is None


@given(st.lists(st.tuples(st.integers(0, 364), st.integers(1, 31)), max_size=60))
def test_no_year_has_more_vacation_than_allowed(asked: list[tuple[int, int]]) -> None:
    taken: list[Vacation] = []
    for since, days in asked:
        try:
            check_vacation(taken, NOON + since * DAY, NOON + (since + days) * DAY, NOON)
        except TableError:
            continue
        taken.append(Vacation(str(len(taken)), NOON + since * DAY, NOON + (since + days) * DAY))
    for start in range(-370, 370):
        begin, end = NOON + start * DAY, NOON + (start + 365) * DAY
        used = sum(max(0, min(one.until, end) - max(one.since, begin)) for one in taken)
        assert used <= DAYS_A_YEAR * DAY


@pytest.mark.parametrize(
    ("since", "until", "key"),
    [
        (-1, 5, "vacation-dates"),
        (3, 3, "vacation-dates"),
        (366, 367, "vacation-dates"),
        (12, 14, "vacation-overlaps"),
        (20, 46, "vacation-days"),
    ],
)
def test_a_vacation_has_to_be_possible(since: int, until: int, key: str) -> None:
    taken = [Vacation("v", NOON + 10 * DAY, NOON + 15 * DAY)]
    with pytest.raises(TableError) as error:
        check_vacation(taken, NOON + since * DAY, NOON + until * DAY, NOON)
    assert error.value.key == key


# Conditional moves


def line(table: Table, length: int, rng: random.Random) -> list[str]:
    """Return random moves from here on, up to a chance outcome."""
    seat = next(one for one in range(len(table.seats)) if one != table.to_move)
    moves: list[str] = []
    while len(moves) < length:
        step = explore_plan(table, seat, moves)
        if not step.legal:
            break
        moves.append(rng.choice(step.legal))
    return moves


def test_a_conditional_move_is_played_if_the_other_does_what_was_expected() -> None:
    table = two(days=3)
    seat = 1 - (table.to_move or 0)
    moves = line(table, 4, random.Random(1))
    plan = check_plan(table, seat, [moves])
    assert next_moves(table, plan) == []
    table = play(table, moves[0])
    assert next_moves(table, plan) == [moves[1]]
    change = reply(table, plan, context(now=2_000_000))
    assert change is not None
    table = table.after(change.facts)
    assert [fact.move for fact in table.log if isinstance(fact, log.MovePlayed)] == moves[:2]
    assert reply(table, plan, context(now=2_000_000)) is None
    other = next(move for move in table.legal if move != moves[2])
    assert next_moves(play(table, other), plan) is None
    table = play(table, moves[2])
    assert next_moves(table, plan) == [moves[3]]
    assert next_moves(play(table, moves[3]), plan) is None  # by hand: the line is at its end


def test_conditional_moves_have_one_answer_and_end_with_it() -> None:
    table = two(days=3)
    seat = 1 - (table.to_move or 0)
    first = table.legal[0]
    replies = explore_plan(table, seat, [first]).legal
    for lines, key in (
        ([[first]], "plan-no-reply"),
        ([[first, replies[0]], [first, replies[1]]], "plan-two-replies"),
    ):
        with pytest.raises(TableError) as error:
            check_plan(table, seat, lines)
        assert error.value.key == key
    with pytest.raises(TableError, match="your turn"):
        check_plan(table, table.to_move or 0, [[first, replies[0]]])
    with pytest.raises(TableError, match="correspondence"):
        check_plan(two(), seat, [[first, replies[0]]])


def test_conditional_moves_stop_where_chance_decides() -> None:
    table = two("kitara", days=3)
    seat = 1 - (table.to_move or 0)
    moves = line(table, 60, random.Random(5))
    step = explore_plan(table, seat, moves)
    assert not step.legal
    with pytest.raises(TableError) as error:
        ahead(table, seat, [*moves, "."])
    assert error.value.key == "beyond-chance"


def test_a_takeback_ends_conditional_moves() -> None:
    table = two(days=3)
    mover, seat = table.to_move or 0, 1 - (table.to_move or 0)
    moves = line(table, 4, random.Random(2))
    plan = check_plan(table, seat, [moves])
    table = play(table, moves[0])
    who = owner(table)
    table = do(table, ADA if who is BEN else BEN, messages.Ask("a", "takeback", mover))
    table = do(table, who, messages.Answer("b", "takeback", True))
    assert table.moves_made == 0
    assert next_moves(play(table, moves[0]), plan) is None


@pytest.mark.parametrize("number", range(6))
def test_what_a_plan_may_contain_does_not_depend_on_hidden_things(number: int) -> None:
    table = played("kitara", number, 60)
    creation = msgspec.structs.replace(
        table.creation, settings=msgspec.structs.replace(table.creation.settings, days=3)
    )
    table = Table(table.id, [creation, *table.log[1:]])
    seat = next(one for one in range(len(table.seats)) if one != table.to_move)
    rng = random.Random(number)
    other = other_world(table, seat, rng) if has_secrets(table, seat) else None
    if other is None:
        return
    moves = line(table, 6, rng)
    for end in range(len(moves) + 1):
        assert explore_plan(table, seat, moves[:end]) == explore_plan(other, seat, moves[:end])


# On a server


@pytest.fixture
def server(database: str, start: Callable[..., Running]) -> Running:
    """A server whose time this test passes."""
    return start(database)


def pair(server: Running, **given: Any) -> tuple[Client, Client, str]:
    """Return two clients, the one to move first, and their correspondence game."""
    ada, ben = server.client("Ada"), server.client("Ben")
    table = ada.make(**{"days": 3, **given})["id"]
    ben.do(table, "join")
    return (ada, ben, table) if ada.look(table)["legal"] else (ben, ada, table)


def test_conditional_moves_are_played_by_the_server_and_seen_by_nobody_else(server: Running) -> None:
    first, second, table = pair(server)
    legal = first.look(table)["legal"]
    step = second.post(f"/api/tables/{table}/plan/try", {"moves": [legal[0]]})
    assert step["to_move"] == second.look(table)["you"][0]
    answer = step["legal"][0]
    plan = second.post(f"/api/tables/{table}/plan", {"lines": [[legal[0], answer]]})
    assert plan["lines"] == [[legal[0], answer]]
    assert first.get(f"/api/tables/{table}/plan")["lines"] == []
    assert server.client("Eve").http.get(f"/api/tables/{table}/plan").json()["code"] == "not-your-seat"
    assert answer not in first.http.get(f"/api/tables/{table}").text.replace(str(legal), "")
    first.do(table, "move", decision=first.look(table)["decision"], moves=[legal[0]])
    eventually(lambda: first.look(table)["made"] == 2)
    assert first.get(f"/api/tables/{table}/moves/2")["move"] == answer
    eventually(lambda: second.get(f"/api/tables/{table}/plan")["lines"] == [])


def test_conditional_moves_survive_a_restart_and_a_crash_before_they_were_played(
    tmp_path: Any, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    database = str(tmp_path / "tables.sqlite")
    server = start(database)
    first, second, table = pair(server)
    legal = first.look(table)["legal"]
    answer = second.post(f"/api/tables/{table}/plan/try", {"moves": [legal[0]]})["legal"][0]
    second.post(f"/api/tables/{table}/plan", {"lines": [[legal[0], answer]]})
    assert server.service is not None
    server.service.sessions.on_correspondence = None  # as if the server was killed right after the move
    first.do(table, "move", decision=first.look(table)["decision"], moves=[legal[0]])
    server.stop()
    again = start(database)
    first.move_to(again.address)
    eventually(lambda: first.look(table)["made"] == 2)


def test_a_vacation_saves_a_game_and_its_limits_hold(server: Running) -> None:
    first, second, table = pair(server, days=1)
    assert first.http.get("/api/vacations").json()["told"]["key"] == "no-account"
    first.post("/api/account", {"name": "Traveller"})
    assert server.service is not None
    now = server.service.store.now()
    taken = first.post("/api/vacations", {"until": now + 10 * DAY})
    assert len(taken["vacations"]) == 1
    assert taken["left"] <= 20 * DAY + DAY
    shown = first.look(table)
    assert shown["clock"]["deadline"] > now + 10 * DAY
    assert shown["clock"]["vacations"][shown["you"][0]][0]["until"] == now + 10 * DAY
    pass_time(server, 5 * DAY)
    assert first.look(table)["status"] == "running"
    (vacation,) = first.get("/api/vacations")["vacations"]
    assert first.http.delete(f"/api/vacations/{vacation['id']}").status_code == 200
    deadline = first.look(table)["clock"]["deadline"]
    assert now + 5 * DAY < deadline < now + 7 * DAY
    events = [event["key"] for event in first.get(f"/api/tables/{table}/news")["events"]]
    assert events.count("vacation") == 2
    pass_time(server, DAY + MAX_CREDIT)
    eventually(lambda: second.look(table)["status"] == "over")
    assert second.look(table)["result"]["reason"] == "time-out"


def test_a_game_that_starts_during_a_vacation_waits_too(server: Running) -> None:
    ada, ben = server.client("Ada"), server.client("Ben")
    for client, name in ((ada, "Aida"), (ben, "Benno")):
        client.post("/api/account", {"name": name})
        assert server.service is not None
        client.post("/api/vacations", {"until": server.service.store.now() + 10 * DAY})
    table = ada.make(days=1)["id"]
    ben.do(table, "join")
    eventually(lambda: all(ada.look(table)["clock"]["vacations"]))
    pass_time(server, 9 * DAY)
    assert ada.look(table)["status"] == "running"


def test_notes_are_for_oneself(server: Running) -> None:
    first, second, table = pair(server)
    first.post(f"/api/tables/{table}/note", {"text": "Watch the camps."})
    assert first.get(f"/api/tables/{table}/note") == {"text": "Watch the camps."}
    assert second.get(f"/api/tables/{table}/note") == {"text": ""}
    answer = first.http.post(f"/api/tables/{table}/note", json={"text": "x" * 4_001})
    assert answer.status_code == 400
    first.post("/api/feed", {})
    exported = first.get("/api/me/data")
    assert [one["note"] for one in exported["tables"]] == ["Watch the camps."]
    assert first.http.delete("/api/me").status_code == 204
    assert server.service is not None
    with server.service.store.database.engine.connect() as connection:
        for name in ("notes", "plans", "vacations", "vacation_tables", "feeds"):
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar() == 0


def test_the_most_urgent_game_comes_first(server: Running) -> None:
    ada, ben = server.client("Ada"), server.client("Ben")
    tables = {}
    for days in (7, 1, 3):
        id = ada.make(days=days)["id"]
        ben.do(id, "join")
        tables[id] = days
    for client in (ada, ben):
        waiting = [tables[one["id"]] for one in client.get("/api/waiting")["tables"]]
        assert waiting == sorted(waiting)
        assert all(one["deadline"] for one in client.get("/api/waiting")["tables"])
    everything = [one["id"] for client in (ada, ben) for one in client.get("/api/waiting")["tables"]]
    assert sorted(everything) == sorted(tables)


def test_what_correspondence_stores_is_limited_by_guest(database: str, start: Callable[..., Running]) -> None:
    server = start(database, limits=replace(UNLIMITED, correspondence=Rate(0.001, 2)))
    first, _, table = pair(server)
    answers = [first.http.post(f"/api/tables/{table}/note", json={"text": "x"}).status_code for _ in range(3)]
    assert answers == [200, 200, 429]
