"""Trying a puzzle: moves are played, the other side answers, and the result is judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mchezo.core.position import Position
from mchezo.core.puzzles import BestTurn
from mchezo.core.structs import CHANCE
from mchezo.puzzles.puzzle import Puzzle

Verdict = Literal["open", "solved", "missed"]


@dataclass(frozen=True)
class Attempt:
    """Where moves on a puzzle's board lead."""

    position: Position
    moves: tuple[str, ...]  # those tried, and what followed by itself: replies, and decisions with one legal move
    verdict: Verdict
    points: int = 0  # reached, where the puzzle is about points


def attempt(game: str, puzzle: Puzzle, moves: Sequence[str]) -> Attempt:
    """Play moves from a puzzle's position; an illegal one raises an error.

    Without points to reach, the first move that is not the solution's misses. Otherwise any turn with the points will
    do, and it is judged when it is over.
    """
    position = puzzle.start(game)
    seat, first = position.to_move, len(position.steps)
    assert seat is not None
    for move in moves:
        position.play(move)
    while True:
        made = tuple(position.moves[first:])
        verdict, points = judge(puzzle, position, made, seat)
        reply = None if verdict != "open" else automatic(puzzle, position, made, seat)
        if reply is None:
            return Attempt(position, made, verdict, points)
        position.play(reply)


def judge(puzzle: Puzzle, position: Position, made: tuple[str, ...], seat: int) -> tuple[Verdict, int]:
    """Return whether a puzzle is solved, and the points reached."""
    puzzles = position.game.puzzles
    if puzzle.points and puzzles is not None and isinstance(puzzles.kind, BestTurn):
        if puzzles.kind.is_within(position.states, seat):
            return "open", 0
        reached = puzzles.kind.points(position.states, position.setup_fields, seat)
        return ("solved" if reached >= puzzle.points else "missed"), reached
    if made != tuple(puzzle.line[: len(made)]):
        return "missed", 0
    return ("solved" if len(made) == len(puzzle.line) else "open"), 0


def automatic(puzzle: Puzzle, position: Position, made: tuple[str, ...], seat: int) -> str | None:
    """Return the move that follows without being asked for; None if the solver decides."""
    legal = position.legal_moves
    assert position.to_move not in (None, CHANCE)
    if position.to_move == seat:
        return legal[0] if made and len(legal) == 1 else None
    follows = made == tuple(puzzle.line[: len(made)]) and len(made) < len(puzzle.line)
    return puzzle.line[len(made)] if follows else legal[0]
