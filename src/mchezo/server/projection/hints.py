"""Hints: who may have one, and a thought as a message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mchezo.core.position import Position
from mchezo.search.thought import Thought
from mchezo.server import messages
from mchezo.server.domain.checks import require_running
from mchezo.server.domain.playing import require_same_turn
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.projection.effects import effect_messages
from mchezo.server.projection.table_view import hints_allowed
from mchezo.server.projection.viewers import AUTO, viewing_seat

if TYPE_CHECKING:
    from mchezo.search.alternatives import Alternative


def require_hint(table: Table, guest: str, asked: messages.HintRequest) -> None:
    """Refuse a hint that is not for the guest's own decision, or at a table without hints."""
    require_running(table)
    seat = viewing_seat(table, guest, AUTO if asked.seat is None else asked.seat)
    if seat is None or table.to_move != seat:
        raise TableError("not-your-turn", "not-your-turn")
    if asked.decision != table.decision:
        raise TableError("stale", "stale")
    if not hints_allowed(table, table.seats_of(guest)):
        raise TableError("not-possible", "no-hints")


def play_unsent(position: Position, moves: Sequence[str]) -> None:
    """Play the unsent decisions before the one that a hint is for."""
    seat = position.to_move
    assert seat is not None
    for text in moves:
        require_same_turn(position, seat, text)
        position.play(text)
    if moves:
        require_same_turn(position, seat, moves[-1])


def hinted(thought: Thought, id: str, other: Alternative | None = None) -> messages.Hinted:
    """Return a thought as a message, with the next best move."""
    return messages.Hinted(
        id=id,
        moves=list(thought.moves),
        turn=thought.turn,
        chances=list(thought.chances),
        points=list(thought.points),
        depth=thought.depth,
        nodes=thought.nodes,
        solved=thought.solved,
        instead=other.move if other else None,
        why=effect_messages([other.why])[0] if other and other.why else None,
    )
