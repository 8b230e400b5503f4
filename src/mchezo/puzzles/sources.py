"""Where the puzzles of each game come from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from mchezo.core.position import Position
from mchezo.puzzles import katarenga, kitara, kiwara, mining
from mchezo.puzzles.puzzle import Puzzle


@dataclass(frozen=True)
class Source:
    """How a game is played for its puzzles, searched for them, and how a puzzle is checked again."""

    play: Callable[[int, int], Position]  # number of the game and seed -> a finished game
    mine: Callable[[Position, int, int], Iterator[Puzzle]]  # game, its number, one in how many easy ones is kept
    # puzzle, multiple of the first search's nodes, margin of the chances -> it has one solution
    holds: Callable[[Puzzle, int, float], bool]


SOURCES = {
    **{
        name: Source(
            partial(mining.played, name, style), partial(mining.mine, name, style), partial(mining.holds, name, style)
        )
        for name, style in (("katarenga", katarenga.STYLE), ("kiwara", kiwara.STYLE))
    },
    "kitara": Source(kitara.played, kitara.mine, kitara.holds),
}
