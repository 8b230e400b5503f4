"""Computer players that play random legal moves: these tests are about the server, not the search."""

from __future__ import annotations

import random
from typing import Any

from mchezo.core.position import Position
from mchezo.search.thought import Thought
from mchezo.server.messages import LevelInfo


class RandomPlayer:
    def __init__(self, level: int) -> None:
        self.rng = random.Random(level)

    def turn(self, position: Position, seconds: float | None = None, stop: Any = None) -> list[str]:
        return [self.rng.choice(position.legal_moves)]

    def think(self, position: Position, **budget: Any) -> Thought:
        seats = len(position.seats)
        return Thought((position.legal_moves[0],), 1, (1 / seats,) * seats, (), 1, 1, False)


class RandomAnalyst:
    """Thinks that the first legal move wins and every other loses."""

    def best(self, position: Position, count: int, *, only: Any = None, **budget: Any) -> list[Thought]:
        move = next(iter(only)) if only else position.legal_moves[0]
        chance = 0.9 if move == position.legal_moves[0] else 0.1
        seats = len(position.seats)
        others = (1 - chance) / (seats - 1)
        chances = tuple(chance if seat == position.to_move else others for seat in range(seats))
        return [Thought((move,), 1, chances, (), 1, 1, False)]


class RandomOpponents:
    def levels(self, game: str) -> list[LevelInfo]:
        return [LevelInfo(level, f"Level {level}", None) for level in range(1, 9)]

    def player(self, game: str, level: int) -> RandomPlayer:
        return RandomPlayer(level)

    def nodes(self, game: str, level: int) -> int:
        return 1 << 2 * level

    def analyst(self, game: str) -> RandomAnalyst:
        return RandomAnalyst()
