"""A puzzle: a position and the only good way to go on."""

from __future__ import annotations

import msgspec

from mchezo.core import registry
from mchezo.core.position import Position
from mchezo.core.record import Record


class Puzzle(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position and the only good way to go on from it."""

    options: dict[str, str]  # of the game, as records have them
    line: list[str]  # the solution from the first move on, with the other side's replies and without chance
    themes: list[str] = []
    rating: int = 0
    moves: list[str] = []  # from the start to the position, with chance outcomes
    points: int = 0  # that the turn leaves its seat with, where that is the task
    proved: bool = False  # by exact search, without any evaluation
    id: str = ""

    def start(self, game: str) -> Position:
        """Return the position; chance is never drawn."""
        rules = registry.find(game).version
        return Record(game=game, rules=rules, options=self.options, moves=tuple(self.moves), outcome=None).replay()
