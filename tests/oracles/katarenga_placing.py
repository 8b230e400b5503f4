"""Slow, plain rule books for games with the Katarenga kit that place pawns.

Troika, Battle Stations, Cornered, Quartermaster and Isolation alone. All begin on an empty board.
"""

from __future__ import annotations

from itertools import combinations

from tests.oracles.katarenga import FILES, LETTERS, SQUARES_FROM_TOP, Outcome
from tests.oracles.katarenga_variants import OTHER, PAWNS_EACH, Board, Game, Pawns, draw, win

EMPTY = "8/8/8/8/8/8/8/8"
ALL_PAWNS = 2 * PAWNS_EACH
QUARTERS = {
    "a1": [square for square in SQUARES_FROM_TOP if square[0] in "abcd" and square[1] in "1234"],
    "h1": [square for square in SQUARES_FROM_TOP if square[0] in "efgh" and square[1] in "1234"],
    "a8": [square for square in SQUARES_FROM_TOP if square[0] in "abcd" and square[1] in "5678"],
    "h8": [square for square in SQUARES_FROM_TOP if square[0] in "efgh" and square[1] in "5678"],
}


class Chain(Game):
    """What Troika, Cornered and Quartermaster share: every pawn is placed en prise to the pawn placed before it."""

    START = f"{EMPTY} w -"

    # "Position: ranks, side, and the square of the last pawn."
    def _read_fields(self, fields: list[str]) -> None:
        (last,) = fields
        self._last = None if last == "-" else last
        # White begins and the sides take turns: Black to move means one white pawn more, unless all are placed.
        ahead = 1 if self._side == "b" and len(self._pawns) < ALL_PAWNS else 0
        if self._count("w") - self._count("b") != ahead or self._count("w") > PAWNS_EACH:
            raise ValueError("White and Black place in turn, eight pawns each")
        if (self._pawns.get(self._last) if self._last else None) != (OTHER[self._side] if self._pawns else None):
            raise ValueError("the last pawn is the opponent's")

    def _fields(self) -> list[str]:
        return [self._last or "-"]

    def _candidates(self, pawns: Pawns, last: str | None) -> list[str]:
        """The squares that the next pawn may be placed on, as far as the pawn placed last decides."""
        # "White places the first pawn anywhere." "The first pawn anywhere"
        if last is None:
            return [square for square in SQUARES_FROM_TOP if square in self._board.area and square not in pawns]
        # "After that each pawn goes on an empty square reached by the pawn placed just before"
        return [square for square in self._board.reach(last, pawns) if square not in pawns]

    def _place(self, square: str) -> None:
        self._pawns = {**self._pawns, square: self._side}
        self._last = square


class Troika(Chain):
    """Three own pawns in line win."""

    def __init__(self, board: str, position: str | None = None, *, line: str = "any", after_all: str = "draw") -> None:
        if line not in ("any", "straight") or after_all not in ("draw", "move"):
            raise ValueError("line is any or straight, after_all is draw or move")
        self._line = line
        self._after_all = after_all
        self._lifts_made = 0  # by both sides together
        super().__init__(board, position)

    def _possible_moves(self) -> list[str]:
        if len(self._pawns) < ALL_PAWNS:
            squares = self._candidates(self._pawns, self._last)
            return [f"@{square}" for square in squares if self._may_place(self._pawns, self._side, square)]
        if self._after_all == "move" and self._last is not None:
            lifts = self._lifts(self._pawns, self._side, self._last)
            return [f"{start}@{end}" for start, end in lifts if self._may_lift(start, end)]
        return []

    def _may_place(self, pawns: Pawns, side: str, square: str) -> bool:
        """Whether a placement obeys the ban on leaving the opponent without a legal answer."""
        after = {**pawns, square: side}
        # "a placement is legal if it makes a line,"
        if self._has_line(after, side):
            return True
        # "or is the sixteenth pawn,"; with after_all="move" "the sixteenth pawn too must leave one."
        if len(after) == ALL_PAWNS:
            return self._after_all == "draw" or len(self._lifts(after, OTHER[side], square)) > 0
        # "or the opponent then has at least one placement that is legal in this same sense."
        return any(self._may_place(after, OTHER[side], answer) for answer in self._candidates(after, square))

    def _lifts(self, pawns: Pawns, side: str, last: str) -> list[tuple[str, str]]:
        """All lifts of one side, the ban disregarded."""
        # "lift one own pawn and place it anew on a square reached by the opponent's pawn last placed."
        lifts: list[tuple[str, str]] = []
        for start in [square for square, owner in pawns.items() if owner == side]:
            # "the lifted pawn does not block, may not return to its own square"
            rest = {square: owner for square, owner in pawns.items() if square != start}
            lifts += [(start, end) for end in self._candidates(rest, last) if end != start]
        return lifts

    def _may_lift(self, start: str, end: str) -> bool:
        """Whether a lift obeys the ban."""
        # "legal if it makes a line or leaves the opponent at least one such move"
        # This is read one step ahead: the opponent's move must exist, whether or not it leaves a further move.
        after = {square: owner for square, owner in self._pawns.items() if square != start} | {end: self._side}
        return self._has_line(after, self._side) or len(self._lifts(after, OTHER[self._side], end)) > 0

    def _has_line(self, pawns: Pawns, side: str) -> bool:
        """Whether one side has three pawns in line."""
        # "three own pawns on one straight line, any distance apart"
        own = [square for square, owner in pawns.items() if owner == side]
        return any(self._in_line(*three) for three in combinations(own, 3))

    def _in_line(self, first: str, second: str, third: str) -> bool:
        """Whether three squares are in line."""
        # "centres of three own squares collinear at any slope, whatever stands between"
        right, up = FILES.index(second[0]) - FILES.index(first[0]), int(second[1]) - int(first[1])
        further_right, further_up = FILES.index(third[0]) - FILES.index(first[0]), int(third[1]) - int(first[1])
        # 'Option line="straight": ranks, files, 45 degrees only.'
        if self._line == "straight" and not (right == 0 or up == 0 or abs(right) == abs(up)):
            return False
        return right * further_up == up * further_right

    def _make(self, move: str) -> None:
        lifted, square = move.split("@")
        if lifted:
            self._pawns = {other: owner for other, owner in self._pawns.items() if other != lifted}
            self._lifts_made += 1
        self._place(square)

    def _ending(self) -> Outcome | None:
        # "Win: three own pawns on one straight line"; the side that has just placed comes first.
        for side in (OTHER[self._side], self._side):
            if self._has_line(self._pawns, side):
                return win(side, "line")
        # "All 16 placed without a line: a draw"
        if len(self._pawns) == ALL_PAWNS and self._after_all == "draw":
            return draw("all-placed")
        # "Nobody able: draw." Before all pawns are placed this can only be in a given position.
        if not self._moves:
            return draw("no-place")
        # "Third repetition or 50 moves by each: draw."; the moves are those of pawns already placed.
        if self._is_third_occurrence():
            return draw("repetition")
        return draw("fifty-moves") if self._lifts_made >= 2 * 50 else None


class Cornered(Chain):
    """Whoever places the last pawn wins; on one quarter of the board."""

    def __init__(self, board: str, position: str | None = None, *, quarter: str = "a1") -> None:
        self._quarter = quarter
        super().__init__(board, position)
        if not self._pawns.keys() <= self._board.area:
            raise ValueError("all pawns stand in the quarter")

    def _prepare(self, board: str) -> Board:
        # "one quarter board (4 x 4), empty; its edges are the edges of the game"
        return Board(board, area=QUARTERS[self._quarter])

    def _possible_moves(self) -> list[str]:
        # "16 pawns suffice for 16 squares; nobody runs out."
        return [f"@{square}" for square in self._candidates(self._pawns, self._last)]

    def _make(self, move: str) -> None:
        self._place(move[1:])

    def _ending(self) -> Outcome | None:
        # "Who places the last pawn wins"
        return None if self._moves else win(OTHER[self._side], "no-place")

    @property
    def points(self) -> int | None:
        """What the winner scores."""
        # "one point for every pawn on the board, of either colour"
        return None if self.outcome is None else len(self._pawns)


class Quartermaster(Cornered):
    """Cornered on the whole board, where "all pawns must fit into one 4 x 4 area"."""

    def __init__(self, board: str, position: str | None = None) -> None:
        super().__init__(board, position)

    def _prepare(self, board: str) -> Board:
        return Board(board)

    def _possible_moves(self) -> list[str]:
        squares = self._candidates(self._pawns, self._last)
        return [f"@{square}" for square in squares if self._fits([*self._pawns, square])]

    def _fits(self, squares: list[str]) -> bool:
        """Whether all these squares lie in one 4 x 4 area."""
        # "a placement is legal if, with it, all pawns span at most four files and four ranks."
        files, ranks = [FILES.index(square[0]) for square in squares], [int(square[1]) for square in squares]
        return max(files) - min(files) < 4 and max(ranks) - min(ranks) < 4


class BattleStations(Game):
    """Place all pawns, then capture as long as anybody can."""

    START = f"{EMPTY} w 8 8"

    # "Position: ranks, side, pawns in hand"
    def _read_fields(self, fields: list[str]) -> None:
        white, black = fields
        self._in_hand = {"w": int(white), "b": int(black)}
        # White begins and the sides take turns; with nothing in hand either side may be to move.
        if self._stations() and self._in_hand["b"] - self._in_hand["w"] != (0 if self._side == "w" else 1):
            raise ValueError("White and Black place in turn")
        if any(not 0 <= self._in_hand[side] <= PAWNS_EACH - self._count(side) for side in LETTERS):
            raise ValueError("eight pawns each")

    def _fields(self) -> list[str]:
        return [str(self._in_hand["w"]), str(self._in_hand["b"])]

    def _stations(self) -> bool:
        """Whether pawns are still to be placed."""
        return sum(self._in_hand.values()) > 0

    def _possible_moves(self) -> list[str]:
        # "in turn each places a pawn on any empty square, till all 16 stand."
        if self._stations():
            return [f"@{square}" for square in SQUARES_FROM_TOP if square not in self._pawns]
        # "who can capture must, with free choice among captures; who cannot must pass"
        return self._captures(self._side) or ["pass"]

    def _captures(self, side: str) -> list[str]:
        """The captures of one side."""
        # "a turn is a capture, by Katarenga's moves"
        captures: list[str] = []
        for start in self._squares_of(side):
            for end in self._board.reach(start, self._pawns):
                if self._pawns.get(end) == OTHER[side]:
                    captures.append(f"{start}x{end}")
        return captures

    def _make(self, move: str) -> None:
        if move.startswith("@"):
            self._pawns = {**self._pawns, move[1:]: self._side}
            self._in_hand = {**self._in_hand, self._side: self._in_hand[self._side] - 1}
        elif move != "pass":
            start, end = move.split("x")
            rest = {square: owner for square, owner in self._pawns.items() if square != start}
            self._pawns = {**rest, end: self._side}

    def _ending(self) -> Outcome | None:
        # "The game ends at once when neither side has a capture, also directly after the sixteenth placement"
        if self._stations() or self._captures("w") or self._captures("b"):
            return None
        # "equal numbers: the second player wins." "In a given position the side that began is White."
        if self._count("w") == self._count("b"):
            return win("b", "equal-pawns")
        # "The greater number of pawns on the board wins"
        return win("w" if self._count("w") > self._count("b") else "b", "more-pawns")

    @property
    def points(self) -> int | None:
        """What the winner scores."""
        # "The winner scores one point for each own pawn left."
        return None if self.outcome is None else self._count(LETTERS[self.outcome[0][0]])


class IsolationAlone(Game):
    """One player places as many pawns as possible so that none reaches another."""

    START = f"{EMPTY} w"

    # "Colours do not matter; use alternate ones." The side in a position is the colour of the next pawn.
    def _read_fields(self, fields: list[str]) -> None:
        if fields:
            raise ValueError("a position of Isolation alone ends with the colour of the next pawn")

    def _fields(self) -> list[str]:
        return []

    @property
    def to_move(self) -> int | None:
        """Seat 0, the only player, until nothing can be placed."""
        return 0 if self._outcome is None else None

    def _possible_moves(self) -> list[str]:
        # "One player, empty board, 16 pawns"
        if len(self._pawns) == ALL_PAWNS:
            return []
        # "Every position on the way must be legal, blockers counted"
        squares = [square for square in SQUARES_FROM_TOP if square not in self._pawns]
        return [f"@{square}" for square in squares if self._isolated([*self._pawns, square])]

    def _isolated(self, squares: list[str]) -> bool:
        """Whether no pawn on one of these squares reaches another."""
        # "Rule any (no pawn reaches another)."
        return not any(end in squares for start in squares for end in self._board.reach(start, squares))

    def _make(self, move: str) -> None:
        self._pawns = {**self._pawns, move[1:]: self._side}

    def _ending(self) -> Outcome | None:
        # "Ending no-place or all-placed, with a score instead of a winner."
        if len(self._pawns) == ALL_PAWNS:
            return draw("all-placed")
        return None if self._moves else draw("no-place")

    @property
    def points(self) -> int | None:
        """The score."""
        # "Result: the number placed; 16 is the most."
        return None if self.outcome is None else len(self._pawns)
