"""What puzzles are about, computed from what the solution's moves do.

The sentence of a theme is `theme-NAME` in the `themes.toml` of its game; `win` is in this package's `words.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator

from mchezo.core.effects import Effect
from mchezo.core.position import Position, Step
from mchezo.core.puzzles import Solution
from mchezo.core.structs import plain
from mchezo.puzzles.collection import puzzles_of
from mchezo.puzzles.puzzle import Puzzle


def themes(game: str, puzzle: Puzzle) -> list[str]:
    """Return the themes of a puzzle, in alphabetical order."""
    start = puzzle.start(game)
    seat, end = start.to_move, start.copy()
    for move in puzzle.line:
        end.play(move)
    own = [(number, step) for number, step in enumerate(end.steps) if number >= len(start.steps) and step.by == seat]
    effects = tuple(effect for number, step in own for effect in effects_at(end, number, step))
    wins = not puzzle.points and end.outcome is not None and seat in end.outcome.winners
    solution = Solution(start, tuple(step.text for _, step in own), effects, wins, puzzle.proved)
    return sorted({*puzzles_of(game).themes(solution), *(["win"] if wins else [])})


def effects_at(end: Position, number: int, step: Step) -> Iterator[Effect]:
    """Yield what a step of a game did."""
    game, after = end.game, end.steps[number + 1].before if number + 1 < len(end.steps) else end.states
    before, setup = plain(step.before), end.setup_fields
    yield from game.effects.of(game.notation.parse(step.text, before, setup), before, plain(after), setup, True)
