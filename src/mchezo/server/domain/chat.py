"""Who may write to whom at a table."""

from __future__ import annotations

from mchezo.server.domain.table import Table
from mchezo.server.messages import Room


def chat_rooms(table: Table, guest: str) -> tuple[Room, ...]:
    """Return the rooms that a person may read at a table of account holders; they write to the first.

    Players and spectators are apart until the end of the game, so that nobody is given advice or hidden information.
    """
    people = {one.holder for one in table.seats if one.kind == "person"}
    if not table.creation.settings.chat or table.status == "open" or len(people) < 2:
        return ()
    own: Room = "players" if table.seats_of(guest) else "spectators"
    if table.status != "over":
        return (own,)
    return (own, "spectators" if own == "players" else "players")
