"""The one way in which a table changes, for people, computers and the clock: decide, store, retry on conflict."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from mchezo.core.chance import new_seed
from mchezo.server.domain.context import Change, Context, Identity, Randomness
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.identifiers import new_seat_key, new_table_id
from mchezo.server.storage.store import Store
from mchezo.server.storage.writer import append_for

MAX_ATTEMPTS = 20
RANDOMNESS = Randomness(new_table_id, new_seat_key, new_seed)


@dataclass(frozen=True)
class Stored:
    """A change that is on disk: the table with it, and the table created with it, if any."""

    change: Change
    table: Table
    new_table: Table | None


def command_context(
    who: Identity, now: int, table: Table | None = None, delay: int = 0, away: Mapping[int, int] | None = None
) -> Context:
    """Return the context of a command; time at a table never goes back."""
    return Context(who, now if table is None else max(now, table.last_at), RANDOMNESS, delay, away or {})


async def append_change(
    store: Store,
    table: Table,
    decide: Callable[[Table], Change | None],
    reload: Callable[[Table], Awaitable[Table]],
) -> Stored | None:
    """Decide what follows at a table and store it; None if `decide` finds nothing to do.

    If another process was faster, `reload` returns the table as it is now, and it is decided again.
    """
    for _ in range(MAX_ATTEMPTS):
        change = decide(table)
        if change is None:
            return None
        following = table.after(change.facts, change.position)
        append = append_for(following, change.facts)
        new_table: Table | None = None
        if change.new_table is not None:
            id, facts = change.new_table
            new_table = Table(id, facts)
            append.new_table = append_for(new_table, facts)
        if await asyncio.wrap_future(store.append(append)):
            return Stored(change, following, new_table)
        table = await reload(table)
    raise TableError("overloaded", "overloaded")
