"""Puzzles of Katarenga: tactics."""

from collections.abc import Iterator
from importlib.resources import files

from mchezo.core.position import Position
from mchezo.core.puzzles import OnlyMoves, Puzzles, Solution
from mchezo.games.katarenga.components import tile_code

THEMES = {"captured": "capture", "entered-camp": "camp"}  # by the effect of a move
LONG = 3  # decisions


def options(at: Position) -> dict[str, str] | None:
    """Return the options that set up a position."""
    seen = at.view()
    if seen["position"] is None:
        return None
    return {"board": tile_code(seen["board"]) or seen["board"], "position": seen["position"]}


def themes(solution: Solution) -> Iterator[str]:
    """Yield the themes of a puzzle."""
    yield from (THEMES[effect.key] for effect in solution.effects if effect.key in THEMES)
    yield from quiet_themes(solution.start, solution.moves[0])
    if solution.proved and not solution.wins:
        yield "forced-win"
    decisions = len(solution.moves)
    yield "one-move" if decisions == 1 else "long" if decisions >= LONG else "two-moves"


def quiet_themes(start: Position, move: str) -> Iterator[str]:
    """Yield the themes of a first move that captures nothing and enters no camp."""
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
    """Return the moves that a seat would have if it were to move."""
    other = at.copy()
    other.states = at.states.copy()
    other.states[0].seat = seat
    return other.legal_moves


TACTICS = OnlyMoves(nodes=5_000, opening=6, fewest=8, most=4, must_be_proved=False, options=options)
PUZZLES = Puzzles(TACTICS, themes, files(__package__) / "puzzles.json.gz")
