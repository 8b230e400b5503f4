"""Puzzles of Kiwara: endgames, all of them proved."""

from __future__ import annotations

from mchezo.core.position import Position
from mchezo.puzzles.mining import Style

LEVELS = (2, 3, 4, 4, 5)
ENDGAME = 10  # empty spaces, at most


def options(at: Position) -> dict[str, str] | None:
    """Return the options that set up a position; there are none in the middle of a turn, or of the game."""
    seen = at.view()
    if seen["position"] is None or empty_spaces(seen["position"]) > ENDGAME:
        return None
    return {"position": seen["position"]}


def empty_spaces(position: str) -> int:
    """Return how many spaces of a written position are empty."""
    return sum(int(letter) for letter in position.split()[0] if letter.isdigit())


STYLE = Style(
    start={},
    nodes=20_000,
    opening=10,
    levels=LEVELS,
    share=0.25,
    fewest=40,
    options=options,
    must_be_proved=True,
)
