"""Where the puzzles of a game come from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from mchezo.core.position import Position
from mchezo.core.puzzles import OnlyMoves
from mchezo.puzzles import mining, turns
from mchezo.puzzles.collection import puzzles_of
from mchezo.puzzles.puzzle import Puzzle


@dataclass(frozen=True)
class Source:
    """How a game is played for its puzzles, searched for them, and how a puzzle is checked again."""

    play: Callable[[int, int], Position]  # number of the game and seed -> a finished game
    mine: Callable[[Position, int, int], Iterator[Puzzle]]  # game, its number, one in how many easy ones is kept
    # puzzle, multiple of the first search's nodes, margin of the chances -> it has one solution
    holds: Callable[[Puzzle, int, float], bool]


def source_of(game: str) -> Source:
    """Return where the puzzles of a game come from; raise UserError if it has none."""
    kind = puzzles_of(game).kind
    if isinstance(kind, OnlyMoves):
        return Source(
            partial(mining.played, game, kind), partial(mining.mine, game, kind), partial(mining.holds, game, kind)
        )
    return Source(partial(turns.played, game, kind), partial(turns.mine, game, kind), partial(turns.holds, game, kind))
