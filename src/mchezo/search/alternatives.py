"""What speaks for the best move: the next best one, and why it is weaker."""

from __future__ import annotations

from dataclasses import dataclass

from mchezo.core.effects import Effect
from mchezo.core.position import Position
from mchezo.search import accuracy
from mchezo.search.analysis import points_given_away
from mchezo.search.players import Engine
from mchezo.search.reasons import why
from mchezo.search.thought import Stop, Thought

NOTABLE = 0.02  # loss in the chance of winning


@dataclass(frozen=True)
class Alternative:
    """The next best move; `why` is None if it is about as good."""

    move: str
    why: Effect | None


def alternative(
    at: Position, best: Thought, thinker: Engine, *, nodes: int, stop: Stop | None = None
) -> Alternative | None:
    """Return the best of the other moves; None if there is no other, or only one player."""
    others = [move for move in at.legal_moves if move != best.moves[0]]
    if not others or len(at.seats) == 1:
        return None
    other, *_ = thinker.best(at, 1, nodes=nodes, only=others, stop=stop)
    seat = at.to_move
    assert seat is not None
    loss = max(
        best.chances[seat] - other.chances[seat], accuracy.as_chances(max(0.0, points_given_away(best, other, seat)))
    )
    return Alternative(other.moves[0], why(at, best, other, thinker) if loss >= NOTABLE else None)
