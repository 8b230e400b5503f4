"""Plain solvers for the small games with the Katarenga kit: who wins from which first square with best play.

They share with the rule books nothing but how pawns move. Their answers are compared with the rule books elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.oracles.katarenga import FILES, SQUARES_FROM_TOP
from tests.oracles.katarenga_variants import Board

Line = Callable[[str, str, str], bool]


def last_placer_first_squares(board: Board, span: int = 8) -> list[str]:
    """Return the first squares that win when whoever places the last pawn wins, as in Cornered.

    All pawns lie within `span` files and ranks: four in Quartermaster.
    """
    column, row = {square: FILES.index(square[0]) for square in board.area}, {s: int(s[1]) for s in board.area}
    known: dict[tuple[frozenset[str], str], bool] = {}

    def fits(pawns: frozenset[str], square: str) -> bool:
        return all(abs(column[p] - column[square]) < span and abs(row[p] - row[square]) < span for p in pawns)

    def wins(pawns: frozenset[str], last: str) -> bool:
        """Whether the player to place wins."""
        if (pawns, last) not in known:
            squares = [square for square in board.reach(last, pawns) if square not in pawns and fits(pawns, square)]
            known[pawns, last] = not all(wins(pawns | {square}, square) for square in squares)
        return known[pawns, last]

    return sorted(square for square in board.area if not wins(frozenset([square]), square))


def in_any_line(first: str, second: str, third: str) -> bool:
    """Whether three squares are collinear: the triangle between them has no area."""
    (x1, y1), (x2, y2), (x3, y3) = [(FILES.index(square[0]), int(square[1])) for square in (first, second, third)]
    return x1 * (y2 - y3) + x2 * (y3 - y1) + x3 * (y1 - y2) == 0


def in_straight_line(first: str, second: str, third: str) -> bool:
    """Whether three squares lie on one rank, file or diagonal."""
    x, y = zip(*[(FILES.index(square[0]), int(square[1])) for square in (first, second, third)], strict=True)
    sums, differences = {a + b for a, b in zip(x, y, strict=True)}, {a - b for a, b in zip(x, y, strict=True)}
    return 1 in (len(set(x)), len(set(y)), len(sums), len(differences))


class TroikaSolver:
    """Troika on one board, searched to the end."""

    def __init__(self, board: Board, in_line: Line = in_any_line) -> None:
        self._board = board
        self._bit = {square: 1 << index for index, square in enumerate(SQUARES_FROM_TOP)}
        self._lines = {  # for two squares, the bits of all squares in line with both
            (first, second): sum(
                bit
                for third, bit in self._bit.items()
                if third not in (first, second) and in_line(first, second, third)
            )
            for first in SQUARES_FROM_TOP
            for second in SQUARES_FROM_TOP
            if first != second
        }
        self._known: dict[tuple[int, int, str], int | None] = {}

    def first_squares(self) -> dict[str, int | None]:
        """What each first square is worth to White: 1 win, 0 draw, -1 loss, None a forbidden placement."""
        values: dict[str, int | None] = {}
        for square in SQUARES_FROM_TOP:
            answer = self.value((), (square,), square)
            values[square] = None if answer is None else -answer
        return values

    def value(self, own: tuple[str, ...], enemy: tuple[str, ...], last: str) -> int | None:
        """What a position without a line is worth to the player to place, None if no placement is legal."""
        own_bits, enemy_bits = sum([self._bit[square] for square in own]), sum([self._bit[square] for square in enemy])
        key = own_bits, enemy_bits, last
        if key not in self._known:
            self._known[key] = self._search(own, enemy, own_bits, last)
        return self._known[key]

    def _search(self, own: tuple[str, ...], enemy: tuple[str, ...], own_bits: int, last: str) -> int | None:
        pawns = {*own, *enemy}
        squares = [square for square in self._board.reach(last, pawns) if square not in pawns]
        if any(self._lines[square, other] & own_bits for square in squares for other in own):
            return 1
        if len(pawns) == 15:
            return 0 if squares else None
        best: int | None = None
        for square in squares:
            answer = self.value(enemy, (*own, square), square)
            if answer == -1:
                return 1
            # A placement that leaves no legal answer is not legal itself, which settles the ban at every depth.
            if answer is not None:
                best = -answer if best is None else max(best, -answer)
        return best
