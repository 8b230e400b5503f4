"""Plays a game on the engine and on a plain rule book at once, and compares everything there is to see."""

import random
from typing import Any, Protocol

from mchezo.core.position import Position


class Oracle(Protocol):
    """What every plain rule book answers."""

    @property
    def to_move(self) -> int | None: ...

    @property
    def outcome(self) -> Any: ...

    def legal_moves(self) -> list[str]: ...

    def play(self, move: str) -> None: ...


def compare(position: Position, oracle: Oracle, seen: dict[int | None, dict[str, object]]) -> None:
    """Legal moves, who is to move, and what each seat sees, here and now."""
    moves = position.legal_moves
    assert len(set(moves)) == len(moves)
    assert sorted(moves) == oracle.legal_moves(), position.moves
    assert position.to_move == oracle.to_move, position.moves
    for seat, expected in seen.items():
        view = position.view(seat)
        assert {name: view[name] for name in expected} == expected, position.moves


def choose(position: Position, generator: random.Random) -> str:
    """A random legal move."""
    return generator.choice(position.legal_moves)
