"""The opening book of Kiwara on the classic board, as `mchezo balance kiwara --book` writes it."""

from collections.abc import Sequence
from functools import cache

from mchezo.core.data import read_toml
from mchezo.core.position import Position
from mchezo.games.kiwara.setup import OPTIONS

LONGEST = 3  # moves before the last turn in the book


@cache
def book() -> dict[str, list[list[str]]]:
    """Return the turns to choose from by the moves before them."""
    return read_toml(__package__, "book.toml")


def turns(position: Position) -> Sequence[Sequence[str]]:
    """Return the turns to choose from; none outside the book, or with other options than those of the box."""
    if len(position.steps) > LONGEST or any(position.options[one.name] != one.default for one in OPTIONS):
        return ()
    return book().get(" ".join(position.moves), ())
