"""Computer players that play anything legal: the server is tested here, not the search."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from mchezo.core.position import Position
from mchezo.server.messages import LevelInfo


@dataclass(frozen=True)
class Thought:
    moves: tuple[str, ...]
    turn: int
    chances: tuple[float, ...]
    points: tuple[float, ...] = ()
    depth: int = 1
    nodes: int = 1
    solved: bool = False


class RandomPlayer:
    def __init__(self, level: int) -> None:
        self.dice = random.Random(level)

    def turn(self, position: Position, seconds: float | None = None, stop: Any = None) -> list[str]:
        return [self.dice.choice(position.legal_moves)]

    def think(self, position: Position, **budget: Any) -> Thought:
        seats = len(position.seats)
        return Thought((position.legal_moves[0],), 1, (1 / seats,) * seats)


class RandomOpponents:
    def levels(self, game: str) -> list[LevelInfo]:
        return [LevelInfo(level, f"Level {level}", None) for level in range(1, 9)]

    def player(self, game: str, level: int) -> RandomPlayer:
        return RandomPlayer(level)
