"""Planted bugs: small changes of the server, each of which the simulation has to find."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

import msgspec
import sqlalchemy as sa

from mchezo.server.domain import checks, log, playing
from mchezo.server.domain.context import Change, Context
from mchezo.server.domain.table import Table
from mchezo.server.projection import events
from mchezo.server.runtime import sessions
from mchezo.server.runtime.housekeeping import Housekeeping
from mchezo.server.runtime.news_cache import Key, NewsCache
from mchezo.server.runtime.service import Service
from mchezo.server.storage import database
from mchezo.server.storage.appending import LATE
from mchezo.server.storage.bulk import ChangedRow, SqliteBulk
from mchezo.server.storage.tables import StoredTables
from mchezo.server.storage.writer import Append, Result, Writer
from tests.simulation import disk
from tests.simulation.run import Outcome, run

Plant = Callable[[], Any]  # returns a context manager


def create_unsynced_engine(url: sa.URL) -> sa.Engine:
    """Return an engine that does not sync its commits."""
    engine = database.create_engine(url)
    sa.event.listen(engine, "connect", lambda raw, _: raw.execute("PRAGMA synchronous=OFF"))
    return engine


def drop_fsync() -> Any:
    """Commit without syncing."""
    return patch.object(disk, "create_engine", create_unsynced_engine)


def tell_before_storing() -> Any:
    """Send what is queued for storing."""
    write = sessions.Sessions._write_soon

    def hasty(all_tables: sessions.Sessions, append: Append) -> None:
        done, append.done = append.done, lambda result: None
        write(all_tables, append)
        done(True)

    return patch.object(sessions.Sessions, "_write_soon", hasty)


def reuse_decision_numbers() -> Any:
    """After a takeback, use the number of the decision that was taken back again."""
    apply = Table.apply

    def forgetful(table: Table, fact: log.AnyFact) -> None:
        before = table.submissions[-1].number - 1 if table.log and table.submissions else None
        apply(table, fact)
        if isinstance(fact, log.MovesTakenBack) and before is not None:
            table.decision = before

    return patch.object(Table, "apply", forgetful)


def accept_stale_moves() -> Any:
    """Let a move answer whatever decision is open."""
    require = checks.require_decision

    def lenient(table: Table, seat: int | None, decision: int, context: Context) -> int:
        return require(table, seat, decision if table.decision is None else table.decision, context)

    return patch.object(playing, "require_decision", lenient)


def acknowledge_conflicts() -> Any:
    """Report appends that lost a race as stored."""
    submit = Writer.submit

    def lenient(writer: Writer, appends: list[Append]) -> None:
        for append in appends:
            append.done = partial(acknowledge, append.done)
        submit(writer, appends)

    def acknowledge(done: Callable[[Result], None], result: Result) -> None:
        done(result is False or result)

    return patch.object(Writer, "submit", lenient)


def forget_idempotency_keys() -> Any:
    """Know no idempotency key of a table that was loaded."""
    read = StoredTables.facts

    def anonymous(tables: StoredTables, table: str, after: int = -1) -> list[log.AnyFact]:
        return [msgspec.structs.replace(fact, id=None) for fact in read(tables, table, after)]

    return patch.object(StoredTables, "facts", anonymous)


def skip_a_fact() -> Any:
    """Miss the first of several facts when reading what another process has stored."""
    read = StoredTables.facts

    def hasty(tables: StoredTables, table: str, after: int = -1) -> list[log.AnyFact]:
        found = read(tables, table, after)
        return found[1:] if after >= 0 and len(found) > 1 else found

    return patch.object(StoredTables, "facts", hasty)


def hide_late_turns() -> Any:
    """Do not look at a computer's turn that took long to store."""
    moved = Service.computer_moved

    def forgetful(service: Service, append: Append) -> None:
        if service.store.now() - append.new[0].at < LATE:
            moved(service, append)

    return patch.object(Service, "computer_moved", forgetful)


class SharedNews(NewsCache):
    """Encoded news, the same for all seats."""

    def get(self, table: str, key: Key) -> bytes | None:
        return super().get(table, (key[0], None, None, key[3]))

    def add(self, table: str, key: Key, message: bytes) -> None:
        super().add(table, (key[0], None, None, key[3]), message)


def send_the_wrong_view() -> Any:
    """Send everybody the view of the first seat that asked."""
    return patch.object(sessions, "NewsCache", SharedNews)


def time_out_twice() -> Any:
    """Append a time-out that was decided, even if another process has appended it already."""
    decide = playing.time_out
    decided: dict[str, Change] = {}

    def stubborn(table: Table, context: Context) -> Change | None:
        change = decide(table, context)
        if change is None:
            return decided.get(table.id)
        return decided.setdefault(table.id, change)

    return patch.object(playing, "time_out", stubborn)


def forget_chance() -> Any:
    """Redraw what chance had decided, when a table is loaded."""

    def load(tables: StoredTables, id: str, facts: list[log.AnyFact]) -> Table:
        table = Table(id)
        for fact in facts:
            if isinstance(fact, log.ChanceResolved):
                assert table.position is not None
                fact = msgspec.structs.replace(fact, move=table.position.legal_moves[-1])
            table.apply(fact)
        return table

    return patch.object(StoredTables, "replay", load)


def count_downtime() -> Any:
    """Let clocks run while no server lives."""

    async def detect_nothing(housekeeping: Housekeeping) -> None:
        await asyncio.sleep(0)

    return patch.object(Housekeeping, "detect_outage", detect_nothing)


def show_hidden_draws() -> Any:
    """Send everybody what only one seat may see."""
    return patch.object(events, "is_visible", lambda table, number, seat: True)


def commit_in_two_transactions() -> Any:
    """Commit the row of a table before its facts."""
    change = SqliteBulk.change

    def careless(bulk: SqliteBulk, cursor: Any, rows: Sequence[ChangedRow]) -> set[str]:
        stored = change(bulk, cursor, rows)
        cursor.connection.commit()
        return stored

    return patch.object(SqliteBulk, "change", careless)


PLANTS: dict[str, Plant] = {
    "drop-fsync": drop_fsync,
    "tell-before-storing": tell_before_storing,
    "reuse-decision-numbers": reuse_decision_numbers,
    "accept-stale-moves": accept_stale_moves,
    "acknowledge-conflicts": acknowledge_conflicts,
    "forget-idempotency-keys": forget_idempotency_keys,
    "skip-a-fact": skip_a_fact,
    "hide-late-turns": hide_late_turns,
    "send-the-wrong-view": send_the_wrong_view,
    "time-out-twice": time_out_twice,
    "forget-chance": forget_chance,
    "count-downtime": count_downtime,
    "show-hidden-draws": show_hidden_draws,
    "commit-in-two-transactions": commit_in_two_transactions,
}


@contextmanager
def planted(name: str | None) -> Iterator[None]:
    """Run the server with a bug."""
    if name is None:
        yield
    else:
        with PLANTS[name]():
            yield


def run_planted(seed: int, kinds: Sequence[str], plant: str | None, keep_trace: bool = False) -> Outcome:
    """Run one seed, with a planted bug if one is named."""
    with planted(plant):
        return run(seed, kinds, keep_trace)
