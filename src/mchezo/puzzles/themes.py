"""What puzzles are about, computed from what the solution's moves do.

The sentence of a theme is the game's `theme-NAME` in this package's `words.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator

from mchezo.core.effects import Effect
from mchezo.core.position import Position, Step
from mchezo.core.structs import plain
from mchezo.puzzles.puzzle import Puzzle

# Effects of the solver's moves, by the theme; with an argument where it matters.
TELLING = {
    "captured": "capture",
    "entered-camp": "camp",
    "swapped": "swap",
    "went-home": "chase",
    "card-used": "card",
    "attacked": "attack",
    "recruited": "recruit",
}
ANIMALS = {"G": "gazelle", "Z": "zebra", "C": "crocodile", "E": "elephant", "L": "lion"}
LONG = 3  # decisions


def themes(game: str, puzzle: Puzzle) -> list[str]:
    """Return the themes of a puzzle, in alphabetical order."""
    start = puzzle.start(game)
    seat, end = start.to_move, start.copy()
    for move in puzzle.line:
        end.play(move)
    own = [(number, step) for number, step in enumerate(end.steps) if number >= len(start.steps) and step.by == seat]
    found = {theme for number, step in own for theme in of_step(end, number, step)}
    outcome = end.outcome
    if outcome is not None and not puzzle.points and seat in outcome.winners:
        found.add("win")
    decisions = len(own)
    if game == "katarenga":
        found |= set(of_pawns(start, puzzle))
        if puzzle.proved and "win" not in found:
            found.add("forced-win")
        found.add("one-move" if decisions == 1 else "long" if decisions >= LONG else "two-moves")
    if game == "kiwara":
        found.add("totem" if any(step.text[0] in "+-" for _, step in own) else "placing")
    if game == "kitara":
        found.add("last-turn" if is_last_round(start) else "middle-game")
        if "master-animal" not in found:
            found.add("feeding")  # only warriors on savannas can have brought the points
    return sorted(found)


def of_step(end: Position, number: int, step: Step) -> Iterator[str]:
    """Yield the themes of one of the solver's moves."""
    for effect in effects_at(end, number, step):
        if effect.key in TELLING:
            yield TELLING[effect.key]
        elif effect.key == "placed" and "animal" in effect.arguments:
            yield ANIMALS[str(effect.arguments["animal"])]
        elif effect.key == "crossed" and "A" in str(effect.arguments["pawns"]):
            yield "master-animal"


def effects_at(end: Position, number: int, step: Step) -> Iterator[Effect]:
    """Yield what a step of a game did."""
    game, after = end.game, end.steps[number + 1].before if number + 1 < len(end.steps) else end.states
    before, setup = plain(step.before), end.setup_fields
    yield from game.effects.of(game.notation.parse(step.text, before, setup), before, plain(after), setup, True)


def of_pawns(start: Position, puzzle: Puzzle) -> Iterator[str]:
    """Katarenga: yield the themes of a first move that captures nothing."""
    move = puzzle.line[0]
    if "x" in move or move[-1] in "09":
        return
    yield "quiet"
    seat = start.to_move
    assert seat is not None
    if any(text.endswith(f"x{move[:2]}") for text in moves_as(start, 1 - seat)):
        yield "escape"
    after = start.copy()
    after.play(move)
    if after.to_move is not None and sum(text.startswith(f"{move[-2:]}x") for text in moves_as(after, seat)) > 1:
        yield "double-threat"


def moves_as(at: Position, seat: int) -> list[str]:
    """Return the moves that a seat of Katarenga would have if it were to move."""
    other = at.copy()
    other.states = at.states.copy()
    other.states[0].seat = seat
    return other.legal_moves


def is_last_round(at: Position) -> bool:
    """Return whether a game of Kitara is in its last round."""
    state = plain(at.states)
    return bool(state.last_round and state.round_number == state.last_round)
