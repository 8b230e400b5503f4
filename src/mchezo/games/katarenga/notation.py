"""How moves and positions of Katarenga are written. See docs/katarenga.md."""

import re
from dataclasses import dataclass
from typing import Any

from mchezo.core.errors import IllegalMove, InvalidMove, InvalidSetup
from mchezo.core.words import Words
from mchezo.games.katarenga import structs

WORDS = Words(__package__)

SQUARES = tuple(f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh")
PLACES = (*SQUARES, "a9", "h9", "a0", "h0")
TURNS = ("turn0", "turn90", "turn180", "turn270")

MOVE = re.compile("([a-h][1-8])([-x]?)([a-h][0-9])")
PLACING = re.compile("@([a-h][1-8])")
LETTERS = bytes.maketrans(b"\0\1\2", b".wb")


def parse(text: str, state: Any, setup: Any) -> int:
    """The action that a text means."""
    if text in TURNS:
        return structs.TURN + TURNS.index(text)
    if match := PLACING.fullmatch(text):
        return structs.PLACE + SQUARES.index(match[1])
    if match := MOVE.fullmatch(text):
        start, sign, target = match.groups()
        if target in PLACES:
            place = PLACES.index(target)
            if sign == "x" and (place >= structs.SQUARES or state.cells[place] == structs.EMPTY):
                raise IllegalMove("nothing-to-capture", WORDS, move=text, square=target)
            return SQUARES.index(start) * structs.PLACES + place
    raise InvalidMove("unreadable", WORDS, move=text)


def write(action: int, state: Any, setup: Any) -> str:
    """The text of an action that is legal now."""
    if action >= structs.TURN:
        return TURNS[action - structs.TURN]
    if action >= structs.PLACE:
        return f"@{SQUARES[action - structs.PLACE]}"
    start, target = divmod(action, structs.PLACES)
    sign = "-" if state.cells[target] == structs.EMPTY else "x"
    return f"{SQUARES[start]}{sign}{PLACES[target]}"


@dataclass(frozen=True)
class Pawns:
    """Where the pawns of a written position stand, and who is to move."""

    cells: tuple[int, ...]
    seat: int

    @property
    def text(self) -> str:
        """The position as it is written."""
        return write_position(self.cells, self.seat)

    def put(self, state: Any) -> None:
        """Put the pawns into a state; those that are not on the board stay in hand."""
        state.cells[:] = self.cells
        state.seat = self.seat
        for seat in range(2):
            places = [place for place, cell in enumerate(self.cells) if cell == seat + 1]
            state.places[seat, : len(places)] = places
            state.pawns[seat] = len(places)
            state.in_hand[seat] = structs.PAWNS - len(places)


def write_position(cells: Any, seat: int) -> str:
    """`ranks w|b camps-White-holds camps-Black-holds`."""
    letters = bytes(cells[:64]).translate(LETTERS).decode()
    ranks = "/".join([letters[rank * 8 : rank * 8 + 8] for rank in range(7, -1, -1)])
    for gap in range(8, 0, -1):
        ranks = ranks.replace("." * gap, str(gap))
    held = ["".join("ah"[i] for i in range(2) if cells[first + i]) or "-" for first in (64, 66)]
    return f"{ranks} {'wb'[seat]} {held[0]} {held[1]}"


def read_position(text: object) -> Pawns:
    """Read a position, with a precise refusal of whatever is wrong with it."""
    if not isinstance(text, str):
        raise refused("position-not-text", given=text)
    parts = text.split()
    if len(parts) != 4:
        raise refused("position-parts", given=len(parts))
    ranks, side, *camps = parts
    if side not in ("w", "b"):
        raise refused("position-side", given=side)
    cells = read_ranks(ranks)
    for seat, (held, owner) in enumerate(zip(camps, "wb", strict=True)):
        if held not in ("-", "a", "h", "ah"):
            raise refused("position-camps", given=held)
        cells += [seat + 1 if camp in held else structs.EMPTY for camp in "ah"]
        count = cells[:64].count(seat + 1) + len(held.strip("-"))
        if count > structs.PAWNS:
            raise refused("position-too-many", given=count, letter=owner)
    return Pawns(tuple(cells), "wb".index(side))


def read_ranks(text: str) -> list[int]:
    """The 64 cells, a1 first."""
    ranks = text.split("/")
    if len(ranks) != 8:
        raise refused("position-ranks", given=len(ranks))
    cells: list[int] = []
    for number, rank in zip(range(1, 9), reversed(ranks), strict=True):
        row: list[int] = []
        for letter in rank:
            if letter in "wb.":
                row.append(".wb".index(letter))
            elif letter in "12345678":
                row += [structs.EMPTY] * int(letter)
            else:
                raise refused("position-letter", given=letter, rank=number)
        if len(row) != 8:
            raise refused("position-rank-size", given=len(row), rank=number)
        cells += row
    return cells


def refused(key: str, **values: object) -> InvalidSetup:
    """A refusal of a written position."""
    return InvalidSetup(key, WORDS, option="position", **values)
