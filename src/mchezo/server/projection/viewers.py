"""Which seat's view a guest gets."""

from __future__ import annotations

from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError

AUTO = -1  # the seat to move, if it is the viewer's; else the viewer's first seat


def viewing_seat(table: Table, guest: str | None, wanted: int | None) -> int | None:
    """Return the seat whose view a guest gets: one of their own, or None, a spectator's."""
    held = table.seats_of(guest)
    if wanted == AUTO:
        return table.to_move if table.to_move in held else held[0] if held else None
    if wanted is not None and wanted not in held:
        raise TableError("not-your-seat", "not-your-seat", seat=wanted)
    return wanted
