"""The game of a table as a record, and its earlier positions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from mchezo.core.outcome import OUTSIDE_REASONS, Outcome
from mchezo.core.record import Record
from mchezo.server import messages
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.projection.table_view import side_names
from mchezo.server.projection.viewers import viewing_seat


def export_record(table: Table, guest: str | None = None, wanted: int | None = None) -> Record:
    """Return the game so far, as a seat of this guest or a spectator may see it; once it is over, all of it."""
    seat = viewing_seat(table, guest, wanted)
    position = table.position
    if position is None:
        raise TableError("not-running", "not-started")
    record = position.record()
    if not table.ending:
        record = replace(record, moves=tuple(position.seen_moves(seat)))
    tags = {"Event": "mchezo", "Site": table.id}
    for side, occupant in zip(side_names(table), table.seats, strict=True):
        name = occupant.name if occupant.level is None else f"{occupant.name} (level {occupant.level})"
        if occupant.kind != "rival":
            tags[side.capitalize()] = name
    for seat, reason in table.dropped_out.items():
        tags[f"Out{seat}"] = reason
    record = replace(record, tags=tags)
    ending = table.ending
    if ending is not None and position.outcome is None and ending.reason in OUTSIDE_REASONS:
        outcome = Outcome(tuple(ending.winners), tuple(ending.scores), ending.reason)
        record = replace(record, outcome=outcome)
    if ending is not None and position.from_seed:
        record = replace(record, seed=table.creation.seed, seed_hash=position.seed.hash)
    return record


def moment_after(table: Table, guest: str | None, wanted: int | None, moves_made: int) -> messages.Moment:
    """Return what a guest sees of the game after this many moves."""
    seat = viewing_seat(table, guest, wanted)
    if table.position is None:
        raise TableError("not-running", "not-started")
    position = table.position.copy()
    if not 0 <= moves_made <= len(position.steps):
        raise TableError("not-possible", "no-such-move", last=len(position.steps))
    moves = position.moves if table.ending else position.seen_moves(seat)
    while len(position.steps) > moves_made:
        position.undo()
    last = moves[moves_made - 1] if moves_made else None
    return messages.Moment(moves_made, last, cast(Any, position.view(seat)))
