"""The one way in which a table changes, for people, computers and the clock: decide, store, retry on conflict."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from functools import partial

from mchezo.core.chance import new_seed
from mchezo.server.domain.context import Change, Context, Identity, Randomness
from mchezo.server.domain.playing import pause_clock
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.identifiers import new_seat_key, new_table_id
from mchezo.server.storage.store import Store
from mchezo.server.storage.writer import Append, Result, append_for

MAX_ATTEMPTS = 20
LATE = 1_000  # milliseconds from a move to its commit, from which on they are excluded from the next clock
RANDOMNESS = Randomness(new_table_id, new_seat_key, new_seed)

Decide = Callable[[Table], Change | None]


def command_context(
    who: Identity, now: int, table: Table | None = None, delay: int = 0, away: Mapping[int, int] | None = None
) -> Context:
    """Return the context of a command; time at a table never goes back."""
    return Context(who, now if table is None else max(now, table.last_at), RANDOMNESS, delay, away or {})


def prepare(table: Table, change: Change) -> Append:
    """Return what to store of a change at a table."""
    append = append_for(table.after(change.facts, change.position), change.facts)
    if change.new_table is not None:
        id, facts = change.new_table
        append.new_table = append_for(Table(id, facts), facts)
    return append


async def append_change(
    store: Store,
    table: Table,
    decide: Decide,
    reload: Callable[[Table], Awaitable[Table]],
    stored: Callable[[Append], None] | None = None,
) -> Append | None:
    """Decide what follows at a table and store it; None if `decide` finds nothing to do.

    If another process was faster, `reload` returns the table as it is now, and it is decided again. `stored` is called
    on the writer thread, before it writes anything else.
    """
    for _ in range(MAX_ATTEMPTS):
        change = decide(table)
        if change is None:
            return None
        append = prepare(table, change)
        future: Future[Result] = Future()
        future.set_running_or_notify_cancel()  # who stops waiting does not stop the writer
        append.done = partial(resolve, append, stored, future)
        store.submit([append])
        result = await asyncio.wrap_future(future)
        if isinstance(result, Exception):
            raise result
        if result:
            return append
        table = await reload(table)
    raise TableError("overloaded", "overloaded")


def resolve(append: Append, stored: Callable[[Append], None] | None, future: Future[Result], result: Result) -> None:
    """Pass the result of an append on."""
    if stored is not None and result is True:
        stored(append)
    future.set_result(result)


def exclude_delay(table: Table, changed: int, now: int) -> Decide | None:
    """Return what to decide after a change that was stored late: the clock that it started runs from now on.

    The player whose clock stopped is not charged for a slow disk, so the change is dated when it was requested; the
    player whose clock started learns of it only now.
    """
    clock = table.clock
    if clock is None or clock.deadline is None or clock.since < changed:
        return None
    since, delay = clock.since, now - clock.since
    if delay < LATE:
        return None

    def decide(table: Table) -> Change | None:
        if table.clock is None or table.clock.since != since:
            return None  # an outage was excluded, or the player has moved
        facts = pause_clock(table, delay, max(now, table.last_at))
        return Change(facts) if facts else None

    return decide
