"""Puzzles of Katarenga: tactics."""

from __future__ import annotations

from mchezo.core.position import Position
from mchezo.games.katarenga.components import tile_code
from mchezo.puzzles.mining import Style

LEVELS = (2, 3, 4, 4, 5)


def options(at: Position) -> dict[str, str] | None:
    """Return the options that set up a position."""
    seen = at.view()
    if seen["position"] is None:
        return None
    return {"board": tile_code(seen["board"]) or seen["board"], "position": seen["position"]}


STYLE = Style(
    start={},
    nodes=5_000,
    opening=6,
    levels=LEVELS,
    share=0.25,
    fewest=8,
    options=options,
    must_be_proved=False,
    most=4,
)
