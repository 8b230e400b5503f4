"""What if: unsent decisions, played on a copy."""

from __future__ import annotations

from typing import Any, cast

from mchezo.core.structs import CHANCE
from mchezo.server import messages
from mchezo.server.domain.checks import require_running
from mchezo.server.domain.playing import require_same_turn
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.projection.effects import effects_of, others, previews
from mchezo.server.projection.viewers import AUTO, viewing_seat


def try_moves(table: Table, guest: str | None, asked: messages.Try) -> messages.Tried:
    """Play unsent decisions on a copy, for the seat to move; stop before anything that chance decides."""
    seat = viewing_seat(table, guest, AUTO if asked.seat is None else asked.seat)
    if seat is None:
        raise TableError("not-your-seat", "not-seated")
    require_running(table)
    if asked.decision != table.decision:
        raise TableError("stale", "stale")
    if table.to_move != seat:
        raise TableError("not-your-turn", "not-your-turn")
    assert table.position is not None
    position = table.position.copy()
    if asked.moves and table.touched and asked.moves[0] not in table.legal:
        raise TableError("illegal", "touched-must-move", place=table.touched)
    told = []
    for text in asked.moves:
        require_same_turn(position, seat, text)
        position.play(text)
        told.append(effects_of(position, position.steps[-1], position.states, seen=True))
    own_turn = position.to_move == seat and not (asked.moves and position.each_move_is_a_turn)
    legal = position.legal_moves if own_turn else []
    if not asked.moves:
        legal = table.legal
    view = position.view(seat)
    decision = messages.Message(f"decision-{view['decision']}", {"seat": seat})
    return messages.Tried(
        id=asked.id,
        decision=asked.decision,
        moves=list(asked.moves),
        view=cast(Any, view),
        legal=legal,
        told=told,
        turn_over=not own_turn,
        chance=position.to_move == CHANCE,
        say=decision if own_turn else messages.Message("send", {}),
        previews=previews(position, legal) if asked.previews else None,
        others=others(position) if asked.previews and own_turn else {},
    )
