"""Tables in lists, as a guest sees them."""

from __future__ import annotations

from typing import Any, cast

from mchezo.core import registry
from mchezo.server import messages
from mchezo.server.domain.summary import Summary
from mchezo.server.projection.events import seated_player


def list_table(id: str, summary: Summary, changed: int, guest: str | None) -> messages.ListedTable:
    """Return a table's entry in a list."""
    sides = registry.find(summary.game).setup.seats(summary.options)
    own = [guest is not None and occupant.holder == guest for occupant in summary.seats]
    return messages.ListedTable(
        id=id,
        game=summary.game,
        status=cast(Any, summary.status),
        options=summary.options,
        seats=[
            messages.ListedSeat(side, seated_player(occupant), yours)
            for side, occupant, yours in zip(sides, summary.seats, own, strict=True)
        ],
        clock=next((occupant.clock for occupant in summary.seats if occupant.clock), None),
        made=summary.moves_made,
        created=summary.created,
        changed=changed,
        your_move=summary.to_move is not None and own[summary.to_move],
        winners=summary.winners,
        reason=summary.reason,
        days=summary.days,
        deadline=summary.deadline,
        turn=summary.turn,
        turn_since=summary.turn_since,
    )
