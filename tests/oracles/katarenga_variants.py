"""Slow, plain rule books for more games with the Katarenga kit: what they have in common.

The games that only place pawns are in `katarenga_placing.py`, the games in which pawns travel in
`katarenga_racing.py`. A comment in quotation marks is a sentence of the rules; the code below it does what it says.

Every game answers the same questions: `to_move`, `outcome`, `legal_moves()`, `play(move)`, `position()`, `copy()`.
Whatever a game remembers is replaced by a move, never changed in place, so a copy may share it.
"""

from __future__ import annotations

import copy
import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import Self, TypeVar

from tests.oracles.katarenga import (
    DIAGONAL,
    KNIGHT_JUMPS,
    LETTERS,
    RANKS_FROM_TOP,
    SQUARES_FROM_TOP,
    STRAIGHT,
    Outcome,
    shifted,
)

# The printed boards: of the start array, on which all examples stand, and of the figures that explain the moves.
START_ARRAY = "RGBYGRYB/YYBRBGRG/GRGBYYBR/BYRGRGBY/RGYBGRYB/YRYGBBRG/BGBRYYGR/GBRYRGBY"
FIGURES = "RYBGBYRG/GYGRGRBB/BBRYRGYY/YRGBYBGR/YRGBYRBG/BBRYRBGB/GYGRGYRY/RYBGBYGR"

OTHER = {"w": "b", "b": "w"}
PAWNS_EACH = 8

# What stands on each square that is not empty: "w", "b", or on a shared square "wb", "wwb" and so on, White first.
Pawns = Mapping[str, str]


class Board:
    """The colours of the squares, and how pawns move on them."""

    def __init__(self, letters: str, area: Collection[str] = tuple(SQUARES_FROM_TOP)) -> None:
        colours = letters.replace("/", "")  # rank 8 first
        if len(colours) != 64 or set(colours) - set("RYGB"):
            raise ValueError("a board has 64 letters, each R, Y, G or B")
        self.colour = dict(zip(SQUARES_FROM_TOP, colours, strict=True))
        self.area = frozenset(area)  # the squares in play: the whole board, or a quarter of it

    def reach(self, start: str, pawns: Collection[str]) -> list[str]:
        """Return the squares a pawn on `start` comes to, empty or not, while pawns stand on the squares `pawns`."""
        # "by the colour of the square left"
        colour = self.colour[start]
        # "blue one step"
        if colour == "B":
            return [end for step in STRAIGHT + DIAGONAL if (end := self._step(start, step))]
        # "green jumps"
        if colour == "G":
            return [end for jump in KNIGHT_JUMPS if (end := self._step(start, jump))]
        # "red and yellow up to and including the next square of their own colour, never past a pawn"
        ends: list[str] = []
        for direction in STRAIGHT if colour == "R" else DIAGONAL:
            end = self._step(start, direction)
            while end:
                ends.append(end)
                if end in pawns or self.colour[end] == colour:
                    break
                end = self._step(end, direction)
        return ends

    def _step(self, square: str, step: tuple[int, int]) -> str | None:
        """The square one step on, or None beyond the edge of the area in play."""
        end = shifted(square, *step)
        return end if end in self.area else None


def read_ranks(text: str) -> dict[str, str]:
    """Return the pawns of a position: ranks from 8 to 1, digits for empty squares, brackets round a shared square."""
    pawns: dict[str, str] = {}
    ranks = text.split("/")
    if len(ranks) != 8:
        raise ValueError("a position has eight ranks")
    for name, rank in zip(RANKS_FROM_TOP, ranks, strict=True):
        squares: list[str] = []  # what stands on each square of this rank, from file a to file h
        for token in re.findall(r"\[[wb]+\]|.", rank):
            squares += [""] * int(token) if token.isdigit() else [token.strip("[]")]
        for file, standing in zip("abcdefgh", squares, strict=True):
            if set(standing) - set(LETTERS):
                raise ValueError(f"no such pawn: {standing}")
            if standing:
                pawns[file + name] = white_first(standing)
    return pawns


def write_ranks(pawns: Pawns) -> str:
    """Return the pawns as `read_ranks` reads them."""
    ranks: list[str] = []
    for rank in RANKS_FROM_TOP:
        text = ""
        for file in "abcdefgh":
            standing = pawns.get(file + rank, "")
            text += standing if len(standing) == 1 else f"[{standing}]" if standing else "."
        ranks.append(re.sub(r"\.+", lambda run: str(len(run[0])), text))
    return "/".join(ranks)


def white_first(standing: str) -> str:
    """Return the pawns of one square in the order in which positions name them."""
    return "".join(sorted(standing, reverse=True))


class Game(ABC):
    """One game, from a position to its end."""

    START: str  # the position in which a game begins
    ROOM = 1  # the most pawns a square can hold

    def __init__(self, board: str, position: str | None = None) -> None:
        self._board = self._prepare(board)
        self._set_up(self.START if position is None else position)

    def _set_up(self, position: str) -> None:
        """Set up a position."""
        # "counters start at zero in given positions"
        ranks, side, *fields = position.split()
        self._pawns: Pawns = self._read_ranks(ranks)
        if side not in LETTERS or any(len(standing) > self.ROOM for standing in self._pawns.values()):
            raise ValueError(f"invalid position: {position}")
        self._side = side  # the side to move, or, when the game is over, the side that would be
        self._moves_made = 0  # by both sides together
        self._read_fields(fields)
        self._history: tuple[str, ...] = (self.position(),)  # every position that has occurred, the present one last
        self._settle()

    @property
    def to_move(self) -> int | None:
        """The seat to move: 0 White, 1 Black, None when the game is over."""
        return LETTERS.index(self._side) if self._outcome is None else None

    @property
    def outcome(self) -> Outcome | None:
        """(winners, reason) when the game is over; a draw has no winners."""
        return self._outcome

    @property
    def points(self) -> int | None:
        """What the winner scores when the game is over, in games that score points."""
        return None

    def legal_moves(self) -> list[str]:
        """Everything the player to move may do, sorted; nothing when the game is over."""
        return list(self._moves) if self._outcome is None else []

    def play(self, move: str) -> None:
        """Make one legal move."""
        if move not in self.legal_moves():
            raise ValueError(f"illegal move: {move}")
        self._make(move)
        self._side = OTHER[self._side]
        self._moves_made += 1
        self._history = (*self._history, self.position())
        self._settle()

    def position(self) -> str:
        """The position as text: the pawns, the side to move, and what else the game needs."""
        return " ".join([self._write_ranks(), self._side, *self._fields()])

    def copy(self) -> Self:
        """A second game in the same state."""
        return copy.copy(self)

    def _settle(self) -> None:
        """Work out what the next player may do, and whether the game is over."""
        self._moves = sorted(set(self._possible_moves()))
        self._outcome = self._ending()

    def _count(self, side: str) -> int:
        """How many pawns of one side stand on the board."""
        return sum(standing.count(side) for standing in self._pawns.values())

    def _squares_of(self, side: str) -> list[str]:
        """The squares on which one side has a pawn."""
        return [square for square, standing in self._pawns.items() if side in standing]

    def _is_third_occurrence(self) -> bool:
        """Whether the present position has occurred three times."""
        # "third occurrence of a position draws (where pawns move)"
        return self._history.count(self._history[-1]) >= 3

    # What a game may do in its own way:

    def _prepare(self, board: str) -> Board:
        return Board(board)

    def _read_ranks(self, text: str) -> Pawns:
        return read_ranks(text)

    def _write_ranks(self) -> str:
        return write_ranks(self._pawns)

    # What every game does in its own way:

    @abstractmethod
    def _read_fields(self, fields: list[str]) -> None:
        """Read what a position says after the side to move."""

    @abstractmethod
    def _fields(self) -> list[str]:
        """What a position says after the side to move."""

    @abstractmethod
    def _possible_moves(self) -> list[str]:
        """The moves of the side to move, as if the game were not over."""

    @abstractmethod
    def _make(self, move: str) -> None:
        """Change the pawns and what else the game remembers; `play` passes the turn."""

    @abstractmethod
    def _ending(self) -> Outcome | None:
        """(winners, reason) if the game is over in this position, in which `_moves` are possible."""


def win(side: str, reason: str) -> Outcome:
    """The outcome of a game that one side has won."""
    return (LETTERS.index(side),), reason


def draw(reason: str) -> Outcome:
    """The outcome of a drawn game."""
    return (), reason


AnyGame = TypeVar("AnyGame", bound=Game)


def after(game: AnyGame, moves: str) -> AnyGame:
    """Play some moves, separated by spaces, and return the same game."""
    for move in moves.split():
        game.play(move)
    return game
