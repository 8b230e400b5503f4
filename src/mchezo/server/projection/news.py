"""What is new at a table for somebody who knows it up to a number."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, cast

from mchezo.server import messages
from mchezo.server.domain.table import Table
from mchezo.server.projection.events import encoded_events, step_views
from mchezo.server.projection.table_view import project_table
from mchezo.server.projection.viewers import viewing_seat

MAX_EVENTS = 500  # sent to a watcher that reconnects; beyond that it starts over


def starts_anew(table: Table, known: int) -> bool:
    """Return whether somebody who knows the table up to a number is sent all of it."""
    return known < 0 or known > table.number or table.number - known > MAX_EVENTS


def news_since(
    table: Table,
    guest: str | None,
    wanted: int | None,
    known: int,
    now: int,
    here: Sequence[bool] = (),
    claimable: Collection[int] = (),
) -> messages.News:
    """Return the events after the number that a guest knows, and the table now; the rest is as in `project_table`."""
    seat = viewing_seat(table, guest, wanted)
    fresh = starts_anew(table, known)
    first = max(0, table.number + 1 - MAX_EVENTS) if fresh else known + 1
    events = cast(Any, encoded_events(table, first, seat))
    views = [] if fresh else step_views(table, first, seat)
    return messages.News(events, project_table(table, guest, wanted, now, here, claimable), fresh, views)
