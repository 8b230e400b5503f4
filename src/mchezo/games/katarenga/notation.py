"""Notation of moves and positions of Katarenga. See docs/katarenga.md."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from mchezo.core.errors import IllegalMove, InvalidMove, InvalidSetup
from mchezo.games.katarenga import structs
from mchezo.games.katarenga.words import WORDS

SQUARES = tuple(f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh")
PLACES = (*SQUARES, "a9", "h9", "a0", "h0")
TURNS = ("turn0", "turn90", "turn180", "turn270")

MOVE = re.compile("([a-h][1-8])([-x]?)([a-h][0-9])")
PLACING = re.compile("@([a-h][1-8])")
LIFTING = re.compile("([a-h][1-8])@([a-h][1-8])")
# Actions without squares, and the phases they belong to
PLAIN_WORDS = {
    "pass": (structs.PASS, (structs.BATTLING, structs.PARKING)),
    "swap": (structs.SWAP, (structs.FOLLOWING,)),
}
# By action: the text of a quiet one and of a capture, and the square that makes the difference.
QUIET = (
    *(f"{start}-{target}" for start in SQUARES for target in PLACES),
    *(f"@{square}" for square in SQUARES),
    *TURNS,
)
CAPTURING = (
    *(f"{start}{'x' if target in SQUARES else '-'}{target}" for start in SQUARES for target in PLACES),
    *QUIET[structs.PLACE :],
)
# What texts denote in the games whose actions have these texts only
ACTIONS = {text: action for texts in (CAPTURING, QUIET) for action, text in enumerate(texts)}
TARGETS = (*(target for _ in SQUARES for target in range(structs.PLACES)), *(0 for _ in QUIET[structs.PLACE :]))
CORNERS = (0, 7, 56, 63)
LETTERS = bytes.maketrans(b"\0\1\2", b".wb")


def parse(text: str, state: Any, setup: Any) -> int:
    """Return the action that a text denotes."""
    if setup.variant <= structs.ISOLATION:
        known = ACTIONS.get(text)
        if known is not None and text == write(known, state, setup):
            return known
    if text in TURNS:
        return structs.TURN + TURNS.index(text)
    if text in PLAIN_WORDS and state.phase in PLAIN_WORDS[text][1]:
        return PLAIN_WORDS[text][0]
    if match := PLACING.fullmatch(text):
        return structs.PLACE + SQUARES.index(match[1])
    if (match := LIFTING.fullmatch(text)) and state.phase == structs.LIFTING:
        return structs.MOVE + SQUARES.index(match[1]) * structs.PLACES + SQUARES.index(match[2])
    if match := MOVE.fullmatch(text):
        start, sign, target = match.groups()
        if start == target and state.phase > structs.GAME_OVER:
            raise IllegalMove("no-step", WORDS, move=text)
        if target in PLACES:
            place = PLACES.index(target)
            if sign == "x" and not captures(place, state, setup):
                raise IllegalMove("nothing-to-capture", WORDS, move=text, square=target)
            return structs.MOVE + SQUARES.index(start) * structs.PLACES + place
    raise InvalidMove("unreadable", WORDS, move=text)


def write(action: int, state: Any, setup: Any) -> str:
    """Return the text of an action."""
    if setup["variant"] <= structs.ISOLATION:
        return CAPTURING[action] if state["cells"][TARGETS[action]] else QUIET[action]
    if plain := plain_word(action, state):
        return plain
    if action >= structs.TURN:
        return TURNS[action - structs.TURN]
    if action >= structs.PLACE:
        return f"@{SQUARES[action - structs.PLACE]}"
    start, target = divmod(action - structs.MOVE, structs.PLACES)
    if state.phase == structs.LIFTING:
        return f"{SQUARES[start]}@{PLACES[target]}"
    sign = "x" if captures(target, state, setup) else "-"
    return f"{SQUARES[start]}{sign}{PLACES[target]}"


def write_several(actions: list[int], state: Any, setup: Any) -> list[str]:
    """Return the texts of actions in the same state."""
    if setup.variant > structs.ISOLATION:
        return [write(action, state, setup) for action in actions]
    cells = state.cells
    return [CAPTURING[action] if cells[TARGETS[action]] else QUIET[action] for action in actions]


def plain_word(action: int, state: Any) -> str | None:
    """Return the word for an action without squares; None for all others."""
    for word, (number, phases) in PLAIN_WORDS.items():
        if action == number and state.phase in phases:
            return word
    return None


def captures(target: int, state: Any, setup: Any) -> bool:
    """Return whether a move to this place would be written as a capture."""
    if target >= structs.SQUARES or setup.variant >= structs.PASSAGE:
        return False
    if setup.variant == structs.CENTRAL_PARK:  # pawns share corners and homing squares
        return bool(state.cells[target] == 2 - state.seat and target not in CORNERS)
    return bool(state.cells[target] != structs.EMPTY)


@dataclass(frozen=True)
class WrittenPosition:
    """The pawns of a written position and the seat to move."""

    cells: tuple[int, ...]
    seat: int

    def __str__(self) -> str:
        return write_position(self.cells, self.seat)

    def put(self, state: Any) -> None:
        """Put the pawns on the board of a state; all others are in hand."""
        state.cells[:] = self.cells
        state.seat = self.seat
        for seat in range(2):
            places = [place for place, cell in enumerate(self.cells) if cell == seat + 1]
            state.places[seat, : len(places)] = places
            state.pawns[seat] = len(places)
            state.in_hand[seat] = structs.PAWNS - len(places)


def write_position(cells: Any, seat: int) -> str:
    """Return a position in notation: `ranks w|b camps-White-holds camps-Black-holds`."""
    squares = bytes(cells[:64])
    ranks = "/".join([write_rank(squares[start : start + 8]) for start in range(56, -1, -8)])
    held = ["".join("ah"[i] for i in range(2) if cells[first + i]) or "-" for first in (64, 66)]
    return f"{ranks} {'wb'[seat]} {held[0]} {held[1]}"


@lru_cache(maxsize=4096)
def write_rank(cells: bytes) -> str:
    """Return a rank in notation: its pawns, and the lengths of the gaps between them."""
    rank = cells.translate(LETTERS).decode()
    for gap in range(8, 0, -1):
        rank = rank.replace("." * gap, str(gap))
    return rank


def read_position(text: object) -> WrittenPosition:
    """Parse a position; the error names what is wrong with it."""
    if not isinstance(text, str):
        raise invalid("position-not-text", given=text)
    parts = text.split()
    if len(parts) != 4:
        raise invalid("position-parts", given=len(parts))
    ranks, side, *camps = parts
    if side not in ("w", "b"):
        raise invalid("position-side", given=side)
    cells = read_ranks(ranks)
    for seat, (held, owner) in enumerate(zip(camps, "wb", strict=True)):
        if held not in ("-", "a", "h", "ah"):
            raise invalid("position-camps", given=held)
        cells += [seat + 1 if camp in held else structs.EMPTY for camp in "ah"]
        count = cells[:64].count(seat + 1) + len(held.strip("-"))
        if count > structs.PAWNS:
            raise invalid("position-too-many", given=count, letter=owner)
    return WrittenPosition(tuple(cells), "wb".index(side))


def read_ranks(text: str) -> list[int]:
    """Parse the 64 cells, a1 first."""
    ranks = text.split("/")
    if len(ranks) != 8:
        raise invalid("position-ranks", given=len(ranks))
    cells: list[int] = []
    for number, rank in zip(range(1, 9), reversed(ranks), strict=True):
        row: list[int] = []
        for letter in rank:
            if letter in "wb.":
                row.append(".wb".index(letter))
            elif letter in "12345678":
                row += [structs.EMPTY] * int(letter)
            else:
                raise invalid("position-letter", given=letter, rank=number)
        if len(row) != 8:
            raise invalid("position-rank-size", given=len(row), rank=number)
        cells += row
    return cells


def invalid(key: str, **values: object) -> InvalidSetup:
    """Return the error for a written position."""
    return InvalidSetup(key, WORDS, option="position", **values)
