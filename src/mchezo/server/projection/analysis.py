"""The analysis of a finished game as messages."""

from __future__ import annotations

from collections.abc import Sequence

from mchezo.core.effects import Effect
from mchezo.core.position import Position
from mchezo.search.accuracy import accuracy, points_lost
from mchezo.search.analysis import Moment
from mchezo.server import messages
from mchezo.server.errors import plain
from mchezo.server.projection.effects import effects_of


def analysed(
    status: messages.AnalysisStatus, total: int, moves: Sequence[messages.AnalysedMove], seats: int, after: int = 0
) -> messages.Analysed:
    """Return the progress of an analysis, and its moves after the first `after`."""
    shares = [accuracy(moves, seat) for seat in range(seats)]
    lost = [round(points_lost(moves, seat), 1) for seat in range(seats)] if moves and moves[0].points else []
    return messages.Analysed(status, len(moves), total, list(moves[after:]), shares, lost)


def analysed_move(at: Position, moment: Moment) -> messages.AnalysedMove:
    """Return the analysis of a decision as a message, which is also how it is stored."""
    after = at.copy()
    after.play(moment.best[0])
    did = effects_of(after, after.steps[-1], after.states, seen=True)
    return messages.AnalysedMove(
        number=moment.number,
        seat=moment.seat,
        move=moment.move,
        best=list(moment.best),
        did=did,
        chances=rounded(moment.chances),
        after=rounded(moment.after),
        points=rounded(moment.points),
        points_after=rounded(moment.points_after),
        mark=moment.mark,
        solved=moment.solved,
        why=None if moment.why is None else reason_message(moment.why),
        line=list(moment.line),
    )


def reason_message(reason: Effect) -> messages.Message:
    """Return a reason as a message, its NumPy numbers converted."""
    return messages.Message(reason.key, {name: plain(value) for name, value in reason.arguments.items()})


def rounded(numbers: Sequence[float]) -> list[float]:
    """Return the numbers with four decimals."""
    return [round(number, 4) for number in numbers]
