"""Play a game on the engine and on an oracle in parallel, and compare everything that can be observed."""

import random
from collections.abc import Callable
from typing import Any, Protocol, Self

from mchezo import Outcome, Position


class Oracle(Protocol):
    """A slow and plain implementation of the rules."""

    @property
    def to_move(self) -> int | None: ...

    @property
    def outcome(self) -> Any: ...

    def legal_moves(self) -> list[str]: ...

    def play(self, move: str) -> None: ...

    def copy(self) -> Self: ...


def perft(game: Oracle, depth: int) -> int:
    """Count the sequences of exactly `depth` decisions, including chance; shorter games do not count."""
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
    views: Callable[[], dict[int | None, dict[str, object]]],
    as_oracle: Callable[[Outcome], object],
    choose: Callable[[Position, random.Random], str] = lambda position, generator: generator.choice(
        position.legal_moves
    ),
) -> int:
    """Play one random game on both and compare every position; return the number of positions.

    `views` returns what the oracle says that each seat sees now; `as_oracle` converts an outcome to the oracle's form;
    `choose` returns the next move.
    """
    positions = 1
    while True:
        moves = position.legal_moves
        assert len(set(moves)) == len(moves)
        assert sorted(moves) == oracle.legal_moves(), position.moves
        assert position.to_move == oracle.to_move, position.moves
        for seat, expected in views().items():
            view = position.view(seat)
            assert {name: view[name] for name in expected} == expected, position.moves
        outcome = position.outcome
        assert oracle.outcome == (None if outcome is None else as_oracle(outcome)), position.moves
        if outcome is not None:
            return positions
        move = choose(position, generator)
        position.play(move)
        oracle.play(move)
        positions += 1
