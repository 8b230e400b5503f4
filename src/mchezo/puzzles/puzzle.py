"""A puzzle: a position and the only good way to go on."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from mchezo.core import registry
from mchezo.core.position import Position
from mchezo.core.record import Record

Word = Annotated[str, Meta(max_length=40)]  # the bounds are for those that clients send


class Puzzle(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position and the only good way to go on from it."""

    # of the game, as records have them
    options: Annotated[dict[Word, Annotated[str, Meta(max_length=500)]], Meta(max_length=20)]
    # the solution from the first move on, with the other side's replies and without chance
    line: Annotated[list[Word], Meta(max_length=100)]
    themes: Annotated[list[Word], Meta(max_length=20)] = []
    rating: Annotated[int, Meta(ge=0, le=10_000)] = 0
    # from the start to the position, with chance outcomes
    moves: Annotated[list[Word], Meta(max_length=2_000)] = []
    points: Annotated[int, Meta(ge=0, le=1_000)] = 0  # that the turn leaves its seat with, where that is the task
    proved: bool = False  # by exact search, without any evaluation
    id: Annotated[str, Meta(max_length=20)] = ""

    def start(self, game: str) -> Position:
        """Return the position; chance is never drawn."""
        rules = registry.find(game).version
        return Record(game=game, rules=rules, options=self.options, moves=tuple(self.moves), outcome=None).replay()
