"""Puzzles of Kiwara: endgames, all of them proved."""

from __future__ import annotations

import random
from collections.abc import Iterator

from mchezo.core.position import Position
from mchezo.puzzles.mining import Style

LEVELS = (2, 3, 4, 4, 5)
ENDGAME = 7  # empty spaces, at most
BRANCHES = 32  # of a game: itself, and endings in which everybody plays at random
BRANCHING = 9  # empty spaces where they begin


def options(at: Position) -> dict[str, str] | None:
    """Return the options that set up a position; there are none in the middle of a turn, or of the game."""
    seen = at.view()
    if seen["position"] is None or empty_spaces(seen["position"]) > ENDGAME:
        return None
    return {"position": seen["position"]}


def empty_spaces(position: str) -> int:
    """Return how many spaces of a written position are empty."""
    return sum(int(letter) for letter in position.split()[0] if letter.isdigit())


def branches(game: Position, chance: random.Random) -> Iterator[Position]:
    """Yield a game, and the same with other endings."""
    yield game
    places = [at for at, step in enumerate(game.steps) if spaces_left(game.earlier(at)) == BRANCHING]
    for _ in range(BRANCHES - 1 if places else 0):
        other = game.earlier(places[0])
        while other.to_move is not None:
            other.play(chance.choice(other.legal_moves))
        yield other


def spaces_left(at: Position) -> int | None:
    """Return how many spaces are empty at the beginning of a turn; None in its middle."""
    written = at.view()["position"]
    return None if written is None else empty_spaces(written)


STYLE = Style(
    start={},
    nodes=8_000,
    opening=10,
    levels=LEVELS,
    share=0.25,
    fewest=40,
    options=options,
    must_be_proved=True,
    most=8,
    branches=branches,
)
