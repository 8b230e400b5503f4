"""Slow, plain rule books for games with the Katarenga kit in which pawns travel.

Central Park, Colorado, North West Passage, and Greengage with its other colours, called Chameleon.
"""

from __future__ import annotations

from tests.oracles.katarenga import LETTERS, SQUARES_FROM_TOP, TURNS, Outcome
from tests.oracles.katarenga_variants import OTHER, PAWNS_EACH, Board, Game, Pawns, draw, white_first, win

CORNERS = ["a1", "a8", "h1", "h8"]
CENTRE = ["d4", "d5", "e4", "e5"]
FAR_BASELINE = {"w": "8", "b": "1"}
# "White on a8-h1, Black on a1-h8"; each side wants the other's.
TARGET_DIAGONALS = {
    "w": frozenset(["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"]),
    "b": frozenset(["a8", "b7", "c6", "d5", "e4", "f3", "g2", "h1"]),
}
COLOURS = {"red": "R", "yellow": "Y", "green": "G", "blue": "B"}


def moved(pawns: Pawns, start: str, end: str, side: str) -> dict[str, str]:
    """Return the pawns after one has gone from one square to another, where those that stood there stay."""
    after = dict(pawns)
    after[start] = after[start].replace(side, "", 1)
    after[end] = white_first(after.get(end, "") + side)
    return {square: standing for square, standing in after.items() if standing}


class CentralPark(Game):
    """Four own pawns on one square of the centre win."""

    START = "[wb]6[wb]/8/8/8/8/8/8/[wb]6[wb] w 4 4 - -"
    ROOM = 4  # "A square can hold four pawns."
    TO_PARK = 4

    # "several pawns on a square in brackets, pawns in hand, homing squares, then, if any, the square to leave."
    def _read_fields(self, fields: list[str]) -> None:
        white_hand, black_hand, white_home, black_home, *leave = fields
        self._in_hand = {"w": int(white_hand), "b": int(black_hand)}
        self._homing = {"w": None if white_home == "-" else white_home, "b": None if black_home == "-" else black_home}
        self._quiet_moves = 0  # turns of both sides since the last capture or the last pawn that settled
        if not {home for home in self._homing.values() if home} <= set(CENTRE):
            raise ValueError("a homing square is in the centre")
        for side in LETTERS:
            if self._homing[side] is None and any(square in CENTRE for square in self._squares_of(side)):
                raise ValueError("a side with a pawn in the centre has a homing square")
        if leave != self._to_leave():
            raise ValueError("the square to leave is where the side to move stands in the centre, not on its home")

    def _fields(self) -> list[str]:
        hands = [str(self._in_hand[side]) for side in LETTERS]
        return [*hands, *[self._homing[side] or "-" for side in LETTERS], *self._to_leave()]

    def _to_leave(self) -> list[str]:
        """The squares that the side to move must leave, as a rule one at most."""
        # "A pawn put on another, vacant centre square must leave it on the next turn." The first square a side comes
        # to is its homing square, so a pawn on any other square of the centre always has this duty. Two pawns have
        # it when the first could not move: "if it has no move, the duty waits and another pawn moves."
        own = self._squares_of(self._side)
        return [square for square in CENTRE if square in own and square != self._homing[self._side]]

    def _possible_moves(self) -> list[str]:
        moves = self._pawn_moves(self._side)
        # "A pawn obliged to leave may go to any square it reaches, captures included"
        duties = [move for move in moves if move[:2] in self._to_leave()]
        # "No move: pass"
        return duties or moves or ["pass"]

    def _pawn_moves(self, side: str) -> list[str]:
        """The moves of one side, duties disregarded."""
        moves: list[str] = []
        for start in self._squares_of(side):
            # "pawns on it stay there"
            if start == self._homing[side]:
                continue
            for end in self._board.reach(start, self._pawns):
                standing = self._pawns.get(end, "")
                # "The enemy's homing square is closed: no landing, no passing (knights jump)."
                if end == self._homing[OTHER[side]]:
                    continue
                # "Sharing: own pawns share the homing square; pawns of both colours share corners, also by moving
                # there, up to four on a corner. Nowhere else."
                if standing == "" or end == self._homing[side] or (end in CORNERS and len(standing) < self.ROOM):
                    moves.append(f"{start}-{end}")
                # "A pawn on a corner neither captures nor can be captured; nor can a pawn settled on its homing
                # square. All others capture as usual."
                elif standing == OTHER[side] and start not in CORNERS and end not in CORNERS:
                    moves += [f"{start}x{end}{entry}" for entry in self._entries(OTHER[side])]
        return moves

    def _entries(self, loser: str) -> list[str]:
        """How a capture names the corner on which the loser of a pawn enters another."""
        # "b3xf3 when nothing is in hand"
        if self._in_hand[loser] == 0:
            return [""]
        # "Who loses a pawn enters one of those still in hand at once, on a corner that the capturer chooses."
        return [f"@{corner}" for corner in CORNERS if len(self._pawns.get(corner, "")) < self.ROOM]

    def _make(self, move: str) -> None:
        self._quiet_moves += 1
        if move == "pass":
            return
        start, end, entry = move[:2], move[3:5], move[6:]
        side, enemy = self._side, OTHER[self._side]
        pawns = dict(self._pawns)
        if move[2] == "x":
            del pawns[end]  # "Captured pawns are out."
            self._quiet_moves = 0
        pawns = moved(pawns, start, end, side)
        if entry:
            pawns[entry] = white_first(pawns.get(entry, "") + enemy)
            self._in_hand = {**self._in_hand, enemy: self._in_hand[enemy] - 1}
        self._pawns = pawns
        # "The first centre square a player's pawn comes to becomes his homing square for good"
        # "Capturing on a centre square settles there if one has no homing square yet"
        if end in CENTRE and self._homing[side] is None:
            self._homing = {**self._homing, side: end}
        if end == self._homing[side]:
            self._quiet_moves = 0

    def _ending(self) -> Outcome | None:
        # "Win: four own pawns on the homing square."
        for side in (OTHER[self._side], self._side):
            home = self._homing[side]
            if home and self._pawns.get(home, "").count(side) == self.TO_PARK:
                return win(side, "parked")
        # "three pawns cannot win, the capturer wins"
        too_few = [side for side in LETTERS if self._count(side) + self._in_hand[side] < self.TO_PARK]
        if len(too_few) == 2:
            raise ValueError("neither side has four pawns")
        if too_few:
            return win(OTHER[too_few[0]], "too-few-pawns")
        # "Both without a move: draw."
        if not self._pawn_moves("w") and not self._pawn_moves("b"):
            return draw("no-move")
        # "Third repetition, or 50 moves by each without a capture or a pawn settling: draw."
        if self._is_third_occurrence():
            return draw("repetition")
        return draw("fifty-moves") if self._quiet_moves >= 2 * 50 else None


class Colorado(Game):
    """All own pawns that are left on the far baseline win."""

    START = "bbbbbbbb/8/8/8/8/8/8/wwwwwwww w -"
    BEFORE_BASELINE = "8/8/8/8/8/8/8/8 b -"  # while Black chooses the baseline

    def __init__(
        self, board: str, position: str | None = None, *, wipeout: str = "draw", choose_baseline: bool = False
    ) -> None:
        if wipeout not in ("draw", "loss"):
            raise ValueError("wipeout is draw or loss")
        self._wipeout = wipeout
        self._choosing = choose_baseline  # "Black chooses the baseline as in Katarenga."
        super().__init__(board, self.BEFORE_BASELINE if choose_baseline else position)

    # "Position: ranks, side, then the square just landed on or -." The square matters, and is named, only when it is
    # on the baseline that the pawn was bound for.
    def _read_fields(self, fields: list[str]) -> None:
        self._exposed = None if fields in ([], ["-"]) else fields[0]  # the pawn that may be captured at home
        self._quiet_moves = 0  # moves of both sides since the last capture
        mover = OTHER[self._side]
        if self._exposed and (self._pawns.get(self._exposed) != mover or not self._is_home(self._exposed, mover)):
            raise ValueError("the square just landed on holds an enemy pawn on the far baseline")
        # "no capture on one's own first move": in a game from the start array, not from another position.
        self._from_start_array = self.position() == self.START

    def _fields(self) -> list[str]:
        return [self._exposed or "-"]

    def _is_home(self, square: str, side: str) -> bool:
        return square[1] == FAR_BASELINE[side]

    def _all_home(self, side: str) -> bool:
        """Whether all the pawns a side has left stand on the far baseline. "One may be enough.", none is not."""
        own = self._squares_of(side)
        return len(own) > 0 and all(self._is_home(square, side) for square in own)

    def _possible_moves(self) -> list[str]:
        if self._choosing:
            return list(TURNS)
        moves: list[str] = []
        for start in self._squares_of(self._side):
            for end in self._board.reach(start, self._pawns):
                if end not in self._pawns:
                    moves.append(f"{start}-{end}")
                elif self._pawns[end] != self._side and self._may_capture_on(end):
                    moves.append(f"{start}x{end}")
        return moves

    def _may_capture_on(self, square: str) -> bool:
        # "no capture on one's own first move (here part of the rules, not an option)."
        if self._from_start_array and self._moves_made < 2:
            return False
        # "on one's own baseline one may capture only the enemy pawn that arrived there with the last move."
        return not self._is_home(square, OTHER[self._side]) or square == self._exposed

    def play(self, move: str) -> None:
        """Make one legal move, or turn the board clockwise by that many quarter turns to choose the baseline."""
        if not self._choosing:
            super().play(move)
            return
        if move not in self.legal_moves():
            raise ValueError(f"illegal move: {move}")
        rows = ["".join(self._board.colour[square] for square in SQUARES_FROM_TOP[i : i + 8]) for i in range(0, 64, 8)]
        for _ in range(TURNS[move]):  # the left column, read from the bottom up, becomes the top row
            rows = ["".join(row[column] for row in reversed(rows)) for column in range(8)]
        self._board = Board("".join(rows))
        self._choosing = False
        self._set_up(self.START)

    def _make(self, move: str) -> None:
        start, end = move[:2], move[3:]
        captures = move[2] == "x"
        rest = {square: owner for square, owner in self._pawns.items() if square != start}
        self._pawns = {**rest, end: self._side}
        # "each new arrival on the baseline exposes it for one enemy move again."
        self._exposed = end if self._is_home(end, self._side) else None
        self._quiet_moves = 0 if captures else self._quiet_moves + 1

    def _ending(self) -> Outcome | None:
        if self._choosing:
            return None
        # "The win is immediate on arrival" "If both are home after a move, the mover wins."
        # "A capture that leaves the opponent with home pawns only makes the opponent win"
        for side in (OTHER[self._side], self._side):
            if self._all_home(side):
                return win(side, "all-home")
        # "Last enemy pawn captured, own pawns not all home: [...] draw; option wipeout="loss"."
        for side in (self._side, OTHER[self._side]):
            if not self._squares_of(side):
                return draw("no-pawns") if self._wipeout == "draw" else win(side, "no-pawns")
        # "No move: loses."
        if not self._moves:
            return win(OTHER[self._side], "no-move")
        # "Third repetition, or 50 moves by each without a capture: draw."
        if self._is_third_occurrence():
            return draw("repetition")
        return draw("fifty-moves") if self._quiet_moves >= 2 * 50 else None


class Exchange(Game):
    """What North West Passage and Greengage share: no captures, but pawns can be made to leave the other's targets."""

    ROOM = 2  # while the enemy pawn has not left
    _targets: dict[str, frozenset[str]]  # the squares each side wants to fill

    # "m for a shared square (the side to move must leave it)"
    def _read_ranks(self, text: str) -> Pawns:
        pawns = super()._read_ranks(text.replace("m", "[wb]"))
        if [standing for standing in pawns.values() if len(standing) == 2] not in ([], ["wb"]):
            raise ValueError("one square at most is shared, by one pawn of each colour")
        return pawns

    def _write_ranks(self) -> str:
        return super()._write_ranks().replace("[wb]", "m")

    def _read_fields(self, fields: list[str]) -> None:
        if fields:
            raise ValueError("a position ends with the side to move")

    def _fields(self) -> list[str]:
        return []

    def _possible_moves(self) -> list[str]:
        # "the opponent must move that very pawn as his next turn."
        shared = [square for square, standing in self._pawns.items() if len(standing) == 2]
        moves: list[str] = []
        for start in shared or self._squares_of(self._side):
            for end in self._board.reach(start, self._pawns):
                if end not in self._pawns or self._may_land_on_pawn(start, end):
                    moves.append(f"{start}-{end}")
        return moves

    def _may_land_on_pawn(self, start: str, end: str) -> bool:
        # "A player may land on an enemy pawn that stands on a square of his target diagonal"
        if self._pawns[end] != OTHER[self._side] or end not in self._targets[self._side]:
            return False
        # "Landing on an enemy pawn is legal only if that pawn then reaches an empty square." "Until it leaves both
        # stand on the square; the square blocks like any other."
        after = moved(self._pawns, start, end, self._side)
        return any(square not in after for square in self._board.reach(end, after))

    def _make(self, move: str) -> None:
        start, end = move.split("-")
        self._pawns = moved(self._pawns, start, end, self._side)

    def _has_filled(self, side: str) -> bool:
        """Whether a side has a pawn on each of its targets."""
        # A square counts as filled if a pawn of this side stands on it, shared or not.
        return self._targets[side] <= set(self._squares_of(side))

    def _other_ending(self) -> Outcome | None:
        """The endings other than by filling all targets."""
        # "No move: loses (never seen)."
        if not self._moves:
            return win(OTHER[self._side], "no-move")
        # "Third repetition or 100 moves by each side: draw."
        if self._is_third_occurrence():
            return draw("repetition")
        return draw("hundred-moves") if self._moves_made >= 2 * 100 else None


class NorthWestPassage(Exchange):
    """All eight pawns on the other long diagonal win."""

    START = "w6b/1w4b1/2w2b2/3wb3/3bw3/2b2w2/1b4w1/b6w w"
    _targets = TARGET_DIAGONALS

    def _ending(self) -> Outcome | None:
        white, black = self._has_filled("w"), self._has_filled("b")
        # "if he fills his too it is a draw"
        if white and black:
            return draw("both-filled")
        # "The first to fill the target diagonal ends the game"
        if black:
            return win("b", "filled")
        # "if that is the player who moved first, the other has one more move"
        if white:
            return None if self._side == "b" and self._moves else win("w", "filled")
        return self._other_ending()

    @property
    def points(self) -> int | None:
        """What the winner scores."""
        # "The winner scores one point for each enemy pawn not on its target."
        if self.outcome is None or not self.outcome[0]:
            return None
        loser = OTHER[LETTERS[self.outcome[0][0]]]
        return len(set(self._squares_of(loser)) - self._targets[loser])


class Greengage(Exchange):
    """All eight pawns on the squares of one colour in the far half win; other colours than green: Chameleon."""

    def __init__(
        self, board: str, position: str | None = None, *, from_colour: str = "green", to_colour: str = "green"
    ) -> None:
        # "Red to red is left out"
        if (from_colour, to_colour) == ("red", "red"):
            raise ValueError("not from red to red")
        # "White begins on the eight green squares of ranks 1 to 4, Black on the eight green squares of ranks 5 to 8"
        starts = self._squares_by_half(board, COLOURS[from_colour])
        # "Goal: all own pawns on the green squares of the other half."
        near, far = self._squares_by_half(board, COLOURS[to_colour])
        self._targets = {"w": far, "b": near}
        # "Only boards with eight squares of the chosen colours in each half."
        if any(len(squares) != PAWNS_EACH for squares in (*starts, near, far)):
            raise ValueError("each half of the board has eight squares of either colour")
        white, black = starts
        letters = ["w" if square in white else "b" if square in black else "1" for square in SQUARES_FROM_TOP]
        start = "/".join("".join(letters[rank : rank + 8]) for rank in range(0, 64, 8)) + " w"
        super().__init__(board, start if position is None else position)

    @staticmethod
    def _squares_by_half(board: str, letter: str) -> tuple[frozenset[str], frozenset[str]]:
        """The squares of one colour on ranks 1 to 4 and on ranks 5 to 8."""
        squares = [square for square, colour in Board(board).colour.items() if colour == letter]
        near = frozenset(square for square in squares if square[1] in "1234")
        return near, frozenset(squares) - near

    def _ending(self) -> Outcome | None:
        # "First to have all eight on target wins at once; no extra move."
        for side in (OTHER[self._side], self._side):
            if self._has_filled(side):
                return win(side, "filled")
        return self._other_ending()
