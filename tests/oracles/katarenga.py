"""Oracle: slow and plain rules of Katarenga, Congress, Quebec and Isolation, to check the fast engine against."""

from __future__ import annotations

import copy

FILES = "abcdefgh"
RANKS_FROM_TOP = "87654321"
SQUARES_FROM_TOP = [file + rank for rank in RANKS_FROM_TOP for file in FILES]  # a8, b8, ... h8, a7, ... h1

# Seat 0 is White, seat 1 is Black. Each pair below is indexed by the seat.
LETTERS = ("w", "b")
NAMES = ("white", "black")
# White aims at Black's baseline, rank 8, and the two camps behind it; Black at rank 1 and the two camps behind it.
ENEMY_BASELINE = ("8", "1")
ENEMY_CAMPS = (("a9", "h9"), ("a0", "h0"))

# Eight pawns of each side on its baseline, around the edge of the board, or in hand. White always moves first.
START = {
    "katarenga": "bbbbbbbb/8/8/8/8/8/8/wwwwwwww w - -",
    "congress": "1b1wb1w1/w6b/8/b6w/w6b/8/b6w/1w1bw1b1 w - -",
    "quebec": "1b1wb1w1/w6b/8/b6w/w6b/8/b6w/1w1bw1b1 w - -",
    "isolation": "8/8/8/8/8/8/8/8 w - -",
}
BEFORE_BASELINE = "8/8/8/8/8/8/8/8 b - -"  # while Black chooses the baseline
TURNS = {"turn0": 0, "turn90": 1, "turn180": 2, "turn270": 3}  # the choices, in quarter turns clockwise
PAWNS_EACH = 8

# Directions as (files to the right, ranks upwards).
STRAIGHT = [(0, 1), (1, 0), (0, -1), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
KNIGHT_JUMPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]

Outcome = tuple[tuple[int, ...], str]


def shifted(square: str, right: int, up: int) -> str | None:
    """Return the square a number of files to the right and ranks up, or None beyond the edge of the board."""
    file, rank = FILES.index(square[0]) + right, int(square[1]) + up
    return FILES[file] + str(rank) if 0 <= file <= 7 and 1 <= rank <= 8 else None


class Katarenga:
    """One game, from its setup to its end."""

    def __init__(
        self,
        board: str,
        *,
        variant: str = "katarenga",
        position: str | None = None,
        first_capture: str = "printed",
        choose_baseline: bool = False,
        isolation: str = "any",
    ) -> None:
        self._variant = variant
        self._isolation = isolation
        # The option to forbid captures on the first move is for games from the start array only.
        from_start_array = position is None or position == START["katarenga"]
        self._first_capture_forbidden = first_capture == "never" and from_start_array
        self._rows = board.split("/")  # the colours of the squares, rank 8 first
        self._choosing = choose_baseline  # Black has yet to choose the baseline
        self._moves_made = 0  # by both sides together, not counting the choice of the baseline
        self._quiet_moves = 0  # moves of both sides since the last capture or camp entry
        self._last: list[str] | None = None
        if position is None:
            position = BEFORE_BASELINE if choose_baseline else START[variant]
        self._set_up(position)

    def _set_up(self, position: str) -> None:
        """Set up a position; it has now occurred once, and the game may already be over."""
        ranks, side, white_holds, black_holds = position.split(" ")
        for digit in "12345678":
            ranks = ranks.replace(digit, "." * int(digit))
        self._pawns: dict[str, int] = {}  # square -> seat of the pawn on it
        for square, letter in zip(SQUARES_FROM_TOP, ranks.replace("/", ""), strict=True):
            if letter != ".":
                self._pawns[square] = LETTERS.index(letter)
        self._camps: dict[str, int | None] = {}  # camp -> seat of the pawn that occupies it
        for seat, held in ((0, white_holds), (1, black_holds)):
            for camp in ENEMY_CAMPS[seat]:
                self._camps[camp] = seat if camp[0] in held else None
        self._turn = LETTERS.index(side)  # the seat to move, or that would be if the game were not over
        self._history = [self._position()]  # every position so far, the current one last
        self._settle()

    @property
    def to_move(self) -> int | None:
        """The seat to move: 0 White, 1 Black, None when the game is over."""
        return self._turn if self._outcome is None else None

    @property
    def outcome(self) -> Outcome | None:
        """(winners, reason) when the game is over; a draw has no winners."""
        return self._outcome

    def legal_moves(self) -> list[str]:
        """Return everything the player to move may do, sorted; nothing once the game is over."""
        return list(self._moves) if self._outcome is None else []

    def play(self, move: str) -> None:
        """Make one legal move, placement or choice of the baseline."""
        if move not in self.legal_moves():
            raise ValueError(f"illegal move: {move}")
        if self._choosing:
            # Black turns the whole board; then both sides set up their pawns and White begins. In a quarter turn
            # clockwise the left column, read from the bottom up, becomes the top row, and so on.
            for _ in range(TURNS[move]):
                self._rows = ["".join(self._rows[7 - column][row] for column in range(8)) for row in range(8)]
            self._choosing = False
            self._set_up(START["katarenga"])
            return
        if self._variant == "isolation":
            self._pawns[move[1:]] = self._turn
            self._last = [move[1:]]
        else:
            self._move(move[:2], move[3:])
        self._moves_made += 1
        self._turn = 1 - self._turn
        self._history.append(self._position())
        self._settle()

    def _move(self, start: str, end: str) -> None:
        """Move a pawn to a square, capturing an enemy pawn there, or into a camp for good."""
        is_capture = end in self._pawns
        is_camp_entry = end in self._camps
        del self._pawns[start]
        if is_camp_entry:
            self._camps[end] = self._turn
        else:
            self._pawns[end] = self._turn
        self._quiet_moves = 0 if is_capture or is_camp_entry else self._quiet_moves + 1
        self._last = [start, end]

    def view(self) -> dict[str, object]:
        """Return the whole state, all of it public."""
        decision = "baseline" if self._choosing else "place" if self._variant == "isolation" else "move"
        return {
            "decision": decision if self._outcome is None else None,
            "variant": self._variant,
            "board": "/".join(self._rows),
            "position": self._position(),
            "pawns": {NAMES[seat]: sorted(self._pawns_of(seat)) for seat in (0, 1)},
            "camps": {camp: None if holder is None else NAMES[holder] for camp, holder in self._camps.items()},
            "in_hand": {NAMES[seat]: self._in_hand(seat) for seat in (0, 1)},
            "quiet_moves": self._quiet_moves,
            "occurrences": self._occurrences(),
            "last": None if self._last is None else list(self._last),
        }

    def copy(self) -> Katarenga:
        """Return a copy of the game; values that are replaced but never mutated are shared."""
        twin = copy.copy(self)
        twin._pawns = dict(self._pawns)
        twin._camps = dict(self._camps)
        twin._history = list(self._history)
        return twin

    def _colour(self, square: str) -> str:
        """Return the colour of a square: R, Y, G or B."""
        return self._rows[RANKS_FROM_TOP.index(square[1])][FILES.index(square[0])]

    def _pawns_of(self, seat: int) -> list[str]:
        """Return the squares of one side's pawns on the board, without those in camps."""
        return [square for square, owner in self._pawns.items() if owner == seat]

    def _camps_held(self, seat: int) -> list[str]:
        """Return the enemy camps that one side occupies."""
        return [camp for camp in ENEMY_CAMPS[seat] if self._camps[camp] == seat]

    def _in_hand(self, seat: int) -> int:
        """Return the number of pawns not yet on the board."""
        return PAWNS_EACH - len(self._pawns_of(seat)) if self._choosing or self._variant == "isolation" else 0

    def _position(self) -> str:
        """Return the position as text: the pawns, the side to move, and the camps that White and Black hold."""
        letters = [LETTERS[self._pawns[square]] if square in self._pawns else "." for square in SQUARES_FROM_TOP]
        ranks = "/".join("".join(letters[start : start + 8]) for start in range(0, 64, 8))
        for run in range(8, 0, -1):
            ranks = ranks.replace("." * run, str(run))
        white_holds, black_holds = ["".join(camp[0] for camp in self._camps_held(seat)) or "-" for seat in (0, 1)]
        return f"{ranks} {LETTERS[self._turn]} {white_holds} {black_holds}"

    def _occurrences(self) -> int:
        """Return how often this position (the same pawns, camps and player to move) has occurred, including now."""
        return self._history.count(self._position())

    def _reach(self, start: str) -> list[str]:
        """Return the squares that a pawn on this one reaches, including the first occupied one of each line."""
        colour = self._colour(start)  # a pawn moves by the colour of the square it leaves
        # Blue, like a king: one step in any of the eight directions.
        if colour == "B":
            return [end for right, up in STRAIGHT + DIAGONAL if (end := shifted(start, right, up)) is not None]
        # Green, like a knight: two squares straight and one to the side, whatever stands between.
        if colour == "G":
            return [end for right, up in KNIGHT_JUMPS if (end := shifted(start, right, up)) is not None]
        # Red, like a rook, along ranks and files; yellow, like a bishop, along diagonals. The pawn may stop on any
        # square of the line, at the latest on the next square of the colour it started from. It cannot jump: the
        # first pawn it meets ends the line.
        ends: list[str] = []
        for right, up in STRAIGHT if colour == "R" else DIAGONAL:
            end = shifted(start, right, up)
            while end is not None:
                ends.append(end)
                if end in self._pawns or self._colour(end) == colour:
                    break
                end = shifted(end, right, up)
        return ends

    def _pawn_moves(self) -> list[str]:
        """Return the moves of pawns, forwards and backwards. Moving is compulsory, capturing is not."""
        # No captures in Congress; by option, none in the first move of each side.
        may_capture = self._variant != "congress" and not (self._first_capture_forbidden and self._moves_made < 2)
        moves: list[str] = []
        for start in self._pawns_of(self._turn):
            for end in self._reach(start):
                if end not in self._pawns:
                    moves.append(f"{start}-{end}")
                # A friendly pawn blocks its square; an enemy pawn may be captured.
                elif self._pawns[end] != self._turn and may_capture:
                    moves.append(f"{start}x{end}")
            # From any square of the enemy baseline, whatever its colour, a pawn may enter any free enemy camp.
            if self._variant == "katarenga" and start[1] == ENEMY_BASELINE[self._turn]:
                moves += [f"{start}-{camp}" for camp in ENEMY_CAMPS[self._turn] if self._camps[camp] is None]
        return moves

    def _placings(self) -> list[str]:
        """Isolation: return the empty squares where a pawn can be placed so that no pawn could move onto another."""
        moves: list[str] = []
        for square in SQUARES_FROM_TOP:
            if square not in self._pawns and self._in_hand(self._turn) > 0:
                self._pawns[square] = self._turn
                if not self._any_pawn_attacked():
                    moves.append(f"@{square}")
                del self._pawns[square]
        return moves

    def _any_pawn_attacked(self) -> bool:
        """Isolation: return whether a pawn could move onto another; by option, only onto one of the opposite colour."""
        for start, owner in self._pawns.items():
            for end in self._reach(start):
                if end in self._pawns and (self._isolation == "any" or self._pawns[end] != owner):
                    return True
        return False

    def _settle(self) -> None:
        """Determine what the next player may do, and whether the game is over."""
        if self._choosing:
            self._moves = sorted(TURNS)
        else:
            self._moves = sorted(self._placings() if self._variant == "isolation" else self._pawn_moves())
        self._outcome = None if self._choosing else self._ending()

    def _ending(self) -> Outcome | None:
        """Return how the game ended, checked in this order: win; no move or placement; repetition; quiet moves."""
        if self._variant == "katarenga":
            # A player who occupies both enemy camps wins.
            for seat in (0, 1):
                if len(self._camps_held(seat)) == 2:
                    return (seat,), "both-camps"
            # A player with fewer than two pawns, including those in camps, can no longer do so and loses.
            for seat in (0, 1):
                if len(self._pawns_of(seat)) + len(self._camps_held(seat)) < 2:
                    return (1 - seat,), "too-few-pawns"
        if self._variant in ("congress", "quebec"):
            # A player whose pawns are all connected wins; if both are connected, the one who has just moved.
            for seat in (1 - self._turn, self._turn):
                if self._connected(seat):
                    return (seat,), "connected"
        # A player who cannot move loses; in Isolation, one who cannot place or has no pawn left.
        if not self._moves:
            return (1 - self._turn,), "no-place" if self._variant == "isolation" else "no-move"
        # The third occurrence of a position with the same player to move is a draw.
        if self._occurrences() >= 3:
            return (), "repetition"
        # Congress: 100 moves by each side are a draw (nothing in it ever sets the count of quiet moves back).
        if self._variant == "congress":
            return ((), "hundred-moves") if self._quiet_moves >= 2 * 100 else None
        # Otherwise 50 moves by each side without a capture or a camp entry are a draw.
        return ((), "fifty-moves") if self._quiet_moves >= 2 * 50 else None

    def _connected(self, seat: int) -> bool:
        """Return whether one side's pawns form one orthogonal group; a single pawn does, no pawn does not."""
        pawns = self._pawns_of(seat)
        group = set(pawns[:1])
        for _ in pawns:  # often enough for the group to have grown as far as it can
            group |= {pawn for pawn in pawns if any(shifted(pawn, right, up) in group for right, up in STRAIGHT)}
        return len(pawns) > 0 and len(group) == len(pawns)
