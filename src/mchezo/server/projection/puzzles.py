"""Moves on the board of a puzzle, as messages."""

from __future__ import annotations

from typing import Any, cast

from mchezo.core import registry
from mchezo.puzzles.attempt import attempt
from mchezo.puzzles.puzzle import Puzzle
from mchezo.server import messages
from mchezo.server.projection.effects import previews
from mchezo.server.projection.replay import replay_steps


def try_puzzle(game: str, puzzle: Puzzle, moves: list[str]) -> messages.TriedPuzzle:
    """Play moves from the position of a puzzle, with the replies."""
    found = attempt(registry.find(game).name, puzzle, moves)
    position, first = found.position, len(puzzle.moves)
    seat = position.steps[first].by if found.moves else position.to_move
    assert seat is not None
    legal = position.legal_moves if found.verdict == "open" else []
    return messages.TriedPuzzle(
        seat=seat,
        moves=list(found.moves),
        steps=replay_steps(position, seat, first),
        view=cast(Any, position.view(seat)),
        legal=legal,
        previews=previews(position, legal),
        verdict=found.verdict,
        points=found.points,
    )
