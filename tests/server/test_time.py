"""The server's time: suspended processes and clocks that are set cost nobody a game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from mchezo.server.domain import log
from mchezo.server.errors import TableError
from mchezo.server.runtime.housekeeping import Housekeeping
from mchezo.server.storage.clock import MILLISECOND, SLEW, SteadyClock, elapsed, wall
from mchezo.server.storage.settings import Heartbeat
from mchezo.server.storage.store import OUTAGE, Store
from mchezo.server.storage.writer import Append, Writer
from tests.server.postgres import Postgres
from tests.server.serving import Client, Running, eventually, pass_time

SECOND, HOUR = 1_000, 3_600_000


class Hand:
    """Elapsed time that is moved by hand."""

    def __init__(self) -> None:
        self.milliseconds = 0

    def __call__(self) -> int:
        return self.milliseconds * MILLISECOND


@given(st.lists(st.tuples(st.integers(0, 100_000), st.none() | st.integers(0, 10**13)), max_size=50))
def test_time_never_runs_backwards_and_never_jumps_because_a_clock_was_set(
    steps: list[tuple[int, int | None]],
) -> None:
    hand = Hand()
    clock = SteadyClock(10**12, hand)
    for passed, reference in steps:
        before = clock.now()
        hand.milliseconds += passed
        after = clock.now()
        assert abs((after - before) - passed) <= passed / SLEW + 1
        assert after >= before
        if reference is not None:
            clock.follow(reference)
            assert clock.now() == after


def test_a_wrong_time_is_corrected_slowly_until_it_is_right() -> None:
    hand = Hand()
    clock = SteadyClock(10**12, hand)
    clock.follow(10**12 + 500)
    hand.milliseconds += 100 * SECOND
    assert clock.now() == 10**12 + 100 * SECOND + 100
    hand.milliseconds += 900 * SECOND
    assert clock.now() == 10**12 + 1_000 * SECOND + 500


def test_time_goes_on_where_the_last_server_stopped_though_the_clock_was_set_back(database: str) -> None:
    store = Store(database)
    stopped = store.now() + HOUR  # by a clock that is an hour ahead of today's
    store.settings.heartbeat(stopped).result()
    if store.shared:
        run = store.writer.run
        run(lambda c: c.exec_driver_sql("UPDATE settings SET value = '1' WHERE name = 'pulse-clock'").rowcount).result()
    store.close()
    again = Store(database)
    assert again.now() >= stopped
    again.close()


def test_a_server_joins_the_time_of_those_that_are_running(cluster: Postgres) -> None:
    url = cluster.database()
    here = Store(url)
    here.database.clock.advance_to(here.now() + HOUR)
    here.settings.heartbeat(here.now()).result()
    there = Store(url)
    assert abs(there.now() - here.now()) < OUTAGE
    behind = Store(url)
    here.database.clock.advance_to(here.now() + 60 * SECOND)
    here.settings.heartbeat(here.now()).result()
    behind.join_time()
    assert abs(behind.now() - here.now()) < OUTAGE
    for store in (here, there, behind):
        store.close()


def test_a_server_joins_those_that_are_running_although_the_clock_of_the_database_was_set(cluster: Postgres) -> None:
    url = cluster.database()
    here = Store(url)
    here.database.clock = SteadyClock(wall() - HOUR, elapsed)  # it runs since before the system clock was set
    here.settings.heartbeat(here.now()).result()
    earlier = sa.text(f"UPDATE settings SET value = value::bigint - {HOUR} WHERE name = 'pulse-clock'")
    with here.database.engine.begin() as connection:
        connection.execute(earlier)
    there = Store(url)
    assert there.now() - here.now() > HOUR - OUTAGE
    sessions = SimpleNamespace(started=there.now(), outage_since=None)
    housekeeping = Housekeeping(there, sessions, None)  # type: ignore[arg-type]  # stand-ins

    async def join() -> None:
        joining = asyncio.create_task(housekeeping.detect_outage())
        await asyncio.sleep(0.1)
        await asyncio.to_thread(here.settings.heartbeat(here.now() + 1).result)
        await joining

    asyncio.run(join())
    assert abs(there.now() - here.now()) < OUTAGE
    assert sessions.outage_since is None
    assert sessions.started == housekeeping.last_heartbeat <= there.now()
    for store in (here, there):
        store.close()


def test_a_heartbeat_is_of_a_living_server_while_it_is_fresh() -> None:
    assert Heartbeat(1_000, 500).time_of_living(OUTAGE) == 1_500
    assert Heartbeat(1_000, OUTAGE + 1).time_of_living(OUTAGE) is None
    assert Heartbeat(1_000, -1).time_of_living(OUTAGE) is None  # PostgreSQL's clock was set back
    assert Heartbeat(1_000, None).time_of_living(OUTAGE) is None


# Games


def clocked_game(ada: Client, ben: Client, seconds: int) -> str:
    """Start a game in which a clock runs."""
    table = str(ada.make("katarenga", clock={"milliseconds": seconds * SECOND, "increment": 0})["id"])
    ben.do(table, "join")
    for _ in range(2):
        move(ada, ben, table)
    return table


def move(ada: Client, ben: Client, table: str) -> dict[str, Any]:
    mover, seen = next((one, seen) for one in (ada, ben) if (seen := one.look(table))["legal"])
    return mover.do(table, "move", decision=seen["decision"], moves=[seen["legal"][0]])


def stand_still(server: Running, milliseconds: int) -> None:
    """Let time pass in which the process does not run, as after SIGSTOP or while the machine sleeps."""
    assert server.service is not None
    clock = server.service.store.database.clock
    real = clock.elapsed
    with clock.lock:
        clock.elapsed = lambda: real() + milliseconds * MILLISECOND


def paused(server: Running, table: str, least: int = 30 * SECOND) -> list[int]:
    """Return the spans that were excluded from a table's clock, without those that a busy machine took to store."""
    assert server.service is not None
    facts = server.service.store.tables.facts(table)
    return [fact.milliseconds for fact in facts if isinstance(fact, log.ClockPaused) and fact.milliseconds >= least]


def test_a_suspended_process_costs_nobody_a_game(database: str, start: Callable[..., Running]) -> None:
    server = start(database)
    ada, ben = server.client("Ada"), server.client("Ben")
    table, other = clocked_game(ada, ben, 1_000), clocked_game(ada, ben, 1_000)
    stand_still(server, HOUR)
    move(ada, ben, table)  # the first thing that happens after the process continues
    for one in (table, other):
        (lost,) = eventually(lambda one=one: paused(server, one))
        assert HOUR <= lost <= HOUR + 60 * SECOND
        seen = ada.look(one)
        assert seen["status"] == "running"
        assert min(seen["clock"]["left"]) > 500 * SECOND
    assert server.service is not None
    before = server.service.store.now()
    eventually(lambda: server.service and server.service.housekeeping.last_heartbeat > before)
    assert len(paused(server, table)) == 1


def test_clocks_run_on_when_the_system_clock_is_set(
    tmp_path: Any, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start(str(tmp_path / "tables.sqlite"))
    ada, ben = server.client("Ada"), server.client("Ben")
    service = server.service
    assert service is not None
    for jump in (HOUR, -HOUR):
        table = clocked_game(ada, ben, 1_000)
        monkeypatch.setattr("mchezo.server.storage.database.wall", lambda jump=jump: wall() + jump)
        service.store.database.sync_clock()
        before, began = service.store.now(), service.store.database.clock.elapsed()
        eventually(lambda before=before: service.store.now() > before + 50)
        after = service.store.now()
        passed = (service.store.database.clock.elapsed() - began) // MILLISECOND
        assert after - before <= 2 * passed + 50
        assert ada.look(table)["status"] == "running"
        assert paused(server, table) == []
        monkeypatch.undo()


def test_a_clock_runs_from_when_the_move_before_is_stored(
    tmp_path: Any, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start(str(tmp_path / "tables.sqlite"))
    ada, ben = server.client("Ada"), server.client("Ben")
    table = clocked_game(ada, ben, 1_000)
    assert server.service is not None
    housekeeping, clock, commit = server.service.housekeeping, server.service.store.database.clock, Writer.commit

    def commit_slowly(self: Writer, appends: list[Append]) -> None:
        later = clock.now() + 200 * SECOND
        housekeeping.last_heartbeat = later  # no outage
        clock.advance_to(later)
        monkeypatch.undo()
        commit(self, appends)

    monkeypatch.setattr(Writer, "commit", commit_slowly)
    waiting = next(seat for seat, one in enumerate((ada, ben)) if not one.look(table)["legal"])
    move(ada, ben, table)
    eventually(lambda: paused(server, table))
    left = ada.look(table)["clock"]["left"]
    assert left[waiting] > 900 * SECOND  # it has just started
    assert left[1 - waiting] > 900 * SECOND  # it stopped before the disk was slow


def test_a_computers_move_that_is_stored_late_is_sent_and_costs_nobody_time_though_the_database_is_busy(
    tmp_path: Any, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start(str(tmp_path / "tables.sqlite"))
    ada = server.client("Ada")
    assert server.service is not None
    housekeeping, clock, commit = server.service.housekeeping, server.service.store.database.clock, Writer.commit
    late: list[int] = []  # when the computer's move was stored
    failed: list[Append] = []  # corrections

    def commit_slowly(self: Writer, appends: list[Append]) -> None:
        for append in appends:
            fact = append.new[0]
            if isinstance(fact, log.MovePlayed) and fact.seat == 1 and not late:
                later = clock.now() + 200 * SECOND
                housekeeping.last_heartbeat = later  # no outage
                clock.advance_to(later)
                late.append(later)
            if isinstance(fact, log.ClockPaused) and len(failed) < 3:
                failed.append(append)
                append.done(sa.exc.OperationalError("", None, Exception("database is locked")))
            else:
                commit(self, [append])

    monkeypatch.setattr(Writer, "commit", commit_slowly)  # before the game: the computer may decide first
    seats = [{"kind": "you"}, {"kind": "computer", "level": 1}]
    table = ada.make("katarenga", seats, clock={"milliseconds": 150 * SECOND, "increment": 0})["id"]
    while (seen := ada.look(table))["to_move"] == 0 and not late:
        ada.do(table, "move", decision=seen["decision"], moves=[seen["legal"][0]])
    eventually(lambda: late)
    seen = eventually(lambda: next((seen for seen in [ada.look(table)] if seen["to_move"] == 0), None))
    assert seen["status"] == "running"
    eventually(lambda: paused(server, table))
    assert len(failed) == 3
    assert ada.look(table)["status"] == "running"
    assert ada.look(table)["clock"]["left"][0] > 100 * SECOND


def test_clocks_run_out_though_the_database_was_locked_at_the_start(
    tmp_path: Any, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    record = Housekeeping.record_heartbeat
    failed: list[bool] = []

    async def fail_once(self: Housekeeping) -> None:
        if not failed:
            failed.append(True)
            raise sa.exc.OperationalError("", None, Exception("database is locked"))
        await record(self)

    monkeypatch.setattr(Housekeeping, "record_heartbeat", fail_once)
    server = start(str(tmp_path / "tables.sqlite"))
    ada, ben = server.client("Ada"), server.client("Ben")
    table = clocked_game(ada, ben, 1)
    eventually(lambda: ada.look(table)["status"] == "over")
    assert failed


def test_only_time_without_any_server_is_an_outage(cluster: Postgres, start: Callable[..., Running]) -> None:
    url = cluster.database()
    first, second = start(url), start(url)
    ada, ben = first.client("Ada"), first.client("Ben")
    table = clocked_game(ada, ben, 7_200)
    service = first.service
    assert service is not None
    # Both clocks advance by a minute; only the first process did not run during it.
    before = service.store.now()
    pass_time(second, 60 * SECOND)
    stand_still(first, 60 * SECOND)
    eventually(lambda: service.housekeeping.last_heartbeat > before + 60 * SECOND)
    assert paused(first, table) == []


class UnwritableSessions:
    """Sessions of one table with a running clock, on a database that fails at first."""

    outage_since = 0

    def __init__(self, failure: Exception) -> None:
        self.failure: Exception | None = failure
        self.done: list[str] = []

    async def exclude_outage(self, table: str, since: int, until: int) -> None:
        if self.failure is not None:
            raise self.failure
        self.done.append(f"corrected {until - since}")

    async def time_out(self, table: str) -> None:
        self.done.append("timed out")


@pytest.mark.parametrize(
    ("failure", "later"),
    [
        (sa.exc.OperationalError("INSERT", {}, psycopg.errors.DiskFull()), ["corrected 5000", "timed out"]),
        (TableError("not-ready", "compiling", game="kitara"), ["corrected 5000", "timed out"]),
        (TableError("set-aside", "set-aside"), ["timed out", "timed out"]),
    ],
)
def test_a_clock_that_cannot_be_corrected_yet_does_not_run_out(failure: Exception, later: list[str]) -> None:
    store = SimpleNamespace(now=lambda: 5_000, tables=SimpleNamespace(timed_out=lambda now: ["table"]))
    sessions = UnwritableSessions(failure)

    async def follow_admin_log() -> None:
        pass

    async def keep_house() -> None:
        housekeeping = Housekeeping(store, sessions, follow_admin_log)  # type: ignore[arg-type]  # stand-ins
        await housekeeping.correct_clock("table", 0, 5_000)
        await housekeeping.append_time_outs()
        sessions.failure = None
        await housekeeping.append_time_outs()

    asyncio.run(keep_house())
    assert sessions.done == later


def test_the_same_clock_may_be_corrected_twice_at_once(caplog: pytest.LogCaptureFixture) -> None:
    store = SimpleNamespace(now=lambda: 5_000, tables=SimpleNamespace(timed_out=lambda now: []))

    class SlowSessions(UnwritableSessions):
        async def exclude_outage(self, table: str, since: int, until: int) -> None:
            await asyncio.sleep(0)
            await super().exclude_outage(table, since, until)

    sessions = SlowSessions(ValueError())
    sessions.failure = None

    async def keep_house() -> None:
        housekeeping = Housekeeping(store, sessions, None)  # type: ignore[arg-type]  # stand-ins
        await asyncio.gather(housekeeping.correct_clock("table", 0, 5_000), housekeeping.append_time_outs())
        assert not housekeeping.uncorrected

    asyncio.run(keep_house())
    assert sessions.done == ["corrected 5000", "corrected 5000"]
    assert caplog.messages == []
