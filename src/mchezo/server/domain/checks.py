"""What several commands require: a running game, a seat of one's own, the open decision."""

from __future__ import annotations

from collections.abc import Sequence

from mchezo.server.domain.context import Context, Identity
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError


def require_running(table: Table) -> None:
    """Refuse unless the game has started and is not over."""
    if table.status != "running":
        raise TableError("not-running", "not-started" if table.status == "open" else "over")


def acting_seat(table: Table, who: Identity, seat: int | None, prefer: Sequence[int | None] = ()) -> int:
    """Return the seat for which somebody acts: the one named, else a preferred one, else their first."""
    # A player who dropped out has no say in the game any more, but may want a rematch.
    held = table.seats_of(who.guest)
    if table.dropped_out and not table.ending:
        held = [own for own in held if own not in table.dropped_out]
    if seat is not None:
        if seat not in held:
            raise TableError("not-your-seat", "not-your-seat", seat=seat)
        return seat
    if not held:
        raise TableError("not-your-seat", "not-seated")
    for wanted in prefer:
        if wanted is not None and wanted in held:
            return wanted
    return held[0]


def require_decision(table: Table, seat: int | None, decision: int, context: Context) -> int:
    """Return the seat that answers the open decision, if it may."""
    require_running(table)
    to_move = table.to_move
    own = acting_seat(table, context.who, seat, (to_move,))
    if decision != table.decision:
        raise TableError("stale", "stale")
    if to_move != own:
        raise TableError("not-your-turn", "not-your-turn")
    if table.clock and table.clock.is_down(context.now, table.latency_credit(own, context.delay)):
        raise TableError("not-possible", "time-is-up")
    return own
