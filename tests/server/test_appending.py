"""The one append path: decide, store, and decide again after a conflict."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from mchezo.server import messages
from mchezo.server.domain import playing
from mchezo.server.domain.context import Change
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.runtime.mailbox import Mailbox
from mchezo.server.runtime.sessions import Sessions
from mchezo.server.runtime.table_session import LongPoll
from mchezo.server.storage import appending
from mchezo.server.storage.appending import append_change, command_context
from mchezo.server.storage.store import Store
from mchezo.server.storage.writer import Append
from tests.server.contexts import ADA, BEN, context, make, owner, play, two
from tests.server.serving import run_in_thread


class RacingStore:
    """A store at which another process wins the first races."""

    def __init__(self, conflicts: int) -> None:
        self.conflicts = conflicts
        self.appends: list[Append] = []

    def submit(self, appends: list[Append]) -> None:
        for append in appends:
            self.appends.append(append)
            append.done(len(self.appends) > self.conflicts)


def append(store: Any, table: Table, decide: Any, newer: Table) -> Any:
    async def reload(_: Table) -> Table:
        return newer

    return run_in_thread(append_change(store, table, decide, reload))


def resign(table: Table) -> Change:
    return playing.drop_out(table, 0, "resignation", context(ADA))


def test_a_change_is_stored_with_the_table_after_it() -> None:
    table, store = play(two(), "turn0"), RacingStore(conflicts=0)
    stored = append(store, table, resign, table)
    assert stored.table.ending is not None
    assert table.ending is None
    assert [one.change.after for one in store.appends] == [table.number]


def test_after_a_conflict_it_is_decided_again_on_the_newer_table() -> None:
    table = play(two(), "turn0")
    newer, store = play(table, table.legal[0]), RacingStore(conflicts=1)
    stored = append(store, table, resign, newer)
    assert [one.change.after for one in store.appends] == [table.number, newer.number]
    assert stored.table.moves_made == newer.moves_made


def test_nothing_is_stored_if_the_newer_table_leaves_nothing_to_do() -> None:
    table = play(two(), "turn0")
    newer, store = play(table, table.legal[0]), RacingStore(conflicts=1)
    assert append(store, table, lambda now: resign(now) if now is table else None, newer) is None
    assert len(store.appends) == 1


def test_it_gives_up_after_too_many_conflicts() -> None:
    table, store = play(two(), "turn0"), RacingStore(conflicts=1_000)
    with pytest.raises(TableError, match="busy"):
        append(store, table, resign, table)
    assert len(store.appends) == appending.MAX_ATTEMPTS


def test_a_table_created_by_a_change_is_stored_with_it() -> None:
    table, store = two(series=True), RacingStore(conflicts=0)
    stored = append(store, table, resign, table)
    assert stored.new_table.table.creation.previous == table.id
    assert store.appends[0].new_table is not None
    assert store.appends[0].new_table.change.id == stored.new_table.table.id


def test_time_at_a_table_never_goes_back() -> None:
    table = play(two(), "turn0", now=2_000_000)
    assert command_context(ADA, 1_000_000, table).now == 2_000_000
    assert command_context(ADA, 3_000_000, table).now == 3_000_000


def test_a_command_that_another_process_has_stored_is_not_refused(tmp_path: Path, monkeypatch: Any) -> None:
    store = Store(str(tmp_path / "tables.sqlite"))
    mailbox = Mailbox()
    here, there = (Sessions(store, lambda game: True, lambda: None, mailbox) for _ in range(2))

    async def trial() -> tuple[messages.Done, messages.Done]:
        mailbox.loop = asyncio.get_running_loop()
        table = make()
        await there.create(table.id, table.log)
        assert (await here.get(table.id)).table.status == "open"
        await there.command(table.id, messages.Join("join"), BEN)
        first = await there.command(table.id, messages.Resign("resign"), BEN)
        monkeypatch.setattr(store.database, "shared", True)  # else there is no other process
        again = await here.command(table.id, messages.Resign("resign"), BEN)
        monkeypatch.setattr(store.database, "shared", False)
        return first, again

    first, again = run_in_thread(trial())
    store.close()
    assert first == again


def test_a_process_reads_the_moves_of_a_table_that_nobody_watches_there_when_it_is_asked_for(tmp_path: Path) -> None:
    async def run() -> None:
        store, mailbox = Store(str(tmp_path / "tables.sqlite")), Mailbox()
        mailbox.loop = asyncio.get_running_loop()
        home, other = (Sessions(store, lambda game: True, lambda: None, mailbox) for _ in range(2))
        table = two()
        await home.create(table.id, table.log)
        assert (await other.get(table.id)).table.number == table.number
        assert table.decision is not None
        await home.command(table.id, messages.Move("one", table.decision, [table.legal[0]]), owner(table))
        reads = 0
        read = store.tables.facts

        def counted(id: str, after: int = -1) -> Any:
            nonlocal reads
            reads += 1
            return read(id, after)

        store.tables.facts = counted  # type: ignore[method-assign, assignment]  # counted
        other.notify(table.id, table.number + 1)
        await asyncio.sleep(0)
        assert (reads, other.tasks) == (0, set())
        assert (await other.get(table.id)).table.number == table.number + 1
        assert reads == 1
        store.close()

    run_in_thread(run())


def test_nothing_that_was_made_for_watchers_is_kept_once_the_last_one_has_left(tmp_path: Path) -> None:
    async def run() -> None:
        store, mailbox = Store(str(tmp_path / "tables.sqlite")), Mailbox()
        mailbox.loop = asyncio.get_running_loop()
        sessions, table = Sessions(store, lambda game: True, lambda: None, mailbox), two()
        for _ in range(12):
            table = play(table, table.legal[0])
        session = await sessions.create(table.id, table.log)
        watchers = [LongPoll(who.guest, None, -1) for who in (ADA, BEN)]
        for watcher in watchers:
            sessions.watch(session, watcher)
            sessions.news_for(session, watcher)
        kept = [key for key in session.table.cache if isinstance(key, tuple) and key[0] == "effects"]
        assert 0 < len(kept) < 12
        sessions.unwatch(session, watchers[0])
        assert session.table.cache
        sessions.unwatch(session, watchers[1])
        assert (session.table.cache, sessions.encoded.bytes) == ({}, 0)
        store.close()

    run_in_thread(run())
