"""The best moves of a player who plays alone: those after which the most points can still be reached."""

from __future__ import annotations

from collections.abc import Collection

from mchezo.core.position import Position
from mchezo.search.thought import Thought

BUDGET = 200_000  # nodes for each move


def best(position: Position, count: int, only: Collection[str] | None = None) -> list[Thought]:
    """Return thoughts on the `count` best moves, best first.

    The chance of a line is the share of what can be reached from here at best.
    """
    wanted = [move for move in position.legal_moves if only is None or move in only]
    most, plan, proven, nodes = attainable(position)
    if count == 1 and only is None and plan:
        return [Thought(plan, 1, (1.0,), (float(most),), len(plan), nodes, proven)]
    thoughts = []
    for move in wanted:
        after = position.copy()
        after.play(move)
        points, rest, sure, nodes = (placed(after), (), True, 0) if after.outcome else attainable(after)
        share = points / max(1, most, points)
        thoughts.append(Thought((move, *rest), 1, (share,), (float(points),), 1 + len(rest), nodes, proven and sure))
    return sorted(thoughts, key=lambda thought: -thought.points[0])[:count]


def attainable(position: Position) -> tuple[int, tuple[str, ...], bool, int]:
    """Return the most points that can be reached, the moves to them, whether that is proven, and the nodes searched."""
    game = position.game
    assert game.evaluation.attainable is not None
    most, actions, proven, nodes = game.evaluation.attainable(position.states, position.setups, BUDGET)
    state, setup = position.states[0], position.setups[0]
    return most, tuple(game.notation.write(action, state, setup) for action in actions), proven, nodes


def placed(position: Position) -> int:
    """Return the points of a finished game."""
    assert position.outcome is not None
    return round(position.outcome.scores[0])
