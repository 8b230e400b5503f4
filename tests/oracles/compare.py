"""Plays a game on the engine and on a plain rule book at once, and compares everything there is to see."""

import random
from collections.abc import Callable
from typing import Any, Protocol, Self

from mchezo import Outcome, Position


class Oracle(Protocol):
    """What every plain rule book answers."""

    @property
    def to_move(self) -> int | None: ...

    @property
    def outcome(self) -> Any: ...

    def legal_moves(self) -> list[str]: ...

    def play(self, move: str) -> None: ...

    def copy(self) -> Self: ...


def perft(game: Oracle, depth: int) -> int:
    """How many sequences of exactly so many decisions there are, chance included; an earlier end counts nothing."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(game.legal_moves())
    total = 0
    for move in game.legal_moves():
        after = game.copy()
        after.play(move)
        total += perft(after, depth - 1)
    return total


def play_both(
    position: Position,
    oracle: Oracle,
    generator: random.Random,
    seen: Callable[[], dict[int | None, dict[str, object]]],
    told: Callable[[Outcome], object],
) -> int:
    """Play one random game on both and compare them at every position; returns how many positions there were.

    `seen` gives what the rule book says that seats see now, `told` an outcome as the rule book tells it.
    """
    positions = 1
    while True:
        moves = position.legal_moves
        assert len(set(moves)) == len(moves)
        assert sorted(moves) == oracle.legal_moves(), position.moves
        assert position.to_move == oracle.to_move, position.moves
        for seat, expected in seen().items():
            view = position.view(seat)
            assert {name: view[name] for name in expected} == expected, position.moves
        outcome = position.outcome
        assert oracle.outcome == (None if outcome is None else told(outcome)), position.moves
        if outcome is not None:
            return positions
        move = generator.choice(moves)
        position.play(move)
        oracle.play(move)
        positions += 1
