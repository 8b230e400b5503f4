"""Breakthrough by Dan Troyka, on 6x6: a complete game in one file, the example of docs/adding-a-game.md.

Pawns move one square straight or diagonally forward, and capture diagonally. The first pawn on the last rank wins.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Struct
from rich.text import Text

from mchezo.core.chance import Seed
from mchezo.core.compiled import compiled
from mchezo.core.effects import Effect
from mchezo.core.encoding import Block, Encoding, Floats
from mchezo.core.errors import IllegalMove, InvalidMove
from mchezo.core.features import Feature, hand_set
from mchezo.core.game import Effects, Evaluation, Game, GameSetup, Notation, Rendering, Rules, View
from mchezo.core.options import Start
from mchezo.core.schema import BoardOutcome
from mchezo.core.structs import OVER, Actions, Bytes, Int8, Numbers, Structs, bits, layout, wide
from mchezo.core.words import Words
from mchezo.core.zobrist import zobrist_words

WORDS = Words(__name__)
SIDES = ("white", "black")
SIZE = 6
SQUARES = tuple(file + rank for rank in "123456" for file in "abcdef")
ACTIONS = 3 * len(SQUARES)  # square * 3 + direction: 0 to the left, 1 straight, 2 to the right
REASONS = ("", "breakthrough", "no-pawns")


# State


class State:
    """What changes from move to move."""

    cells: Annotated[Bytes, np.int8, len(SQUARES)]  # 0 is empty, otherwise seat + 1
    pawns: Annotated[Bytes, np.int8, 2]
    seat: Int8
    ending: Int8


class Setup:
    """What does not change during a game."""

    forward: Annotated[Bytes, np.int8, 2]  # the difference of two squares of a file, for each seat


STATE = layout(State)


def prepare(options: Mapping[str, Any], seed: Seed) -> Start:
    """Set up two rows of pawns for each side."""
    setups, states = np.zeros(1, layout(Setup)), np.zeros(1, STATE)
    setups[0].forward = SIZE, -SIZE
    states[0].cells = [1] * 2 * SIZE + [0] * 2 * SIZE + [2] * 2 * SIZE
    states[0].pawns = 2 * SIZE
    return Start(setups, states, {})


# Rules


@compiled
def to_move(state: State) -> int:
    """Return the seat to move."""
    return OVER if state.ending else wide(state.seat)


@compiled
def target(state: State, setup: Setup, action: int) -> int:
    """Return the square that a legal action leads to; -1 if the action is not legal."""
    start, side = action // 3, action % 3 - 1
    if state.cells[start] != state.seat + 1 or not 0 <= start % SIZE + side < SIZE:
        return -1
    square = start + wide(setup.forward[state.seat]) + side
    free = state.cells[square] == 0 if side == 0 else state.cells[square] != state.seat + 1
    return square if free else -1


@compiled
def legal(state: State, setup: Setup, out: Actions) -> int:
    """Write the legal actions; there always is one, for nothing stops the foremost pawn."""
    count = 0
    for action in range(ACTIONS):
        if target(state, setup, action) >= 0:
            out[count] = action
            count += 1
    return count


@compiled
def apply(state: State, setup: Setup, action: int) -> None:
    """Move a pawn."""
    seat, square = wide(state.seat), target(state, setup, action)
    if state.cells[square] != 0:
        state.pawns[1 - seat] -= 1
    state.cells[action // 3] = 0
    state.cells[square] = seat + 1
    if square // SIZE in (0, SIZE - 1):
        state.ending = 1
    elif state.pawns[1 - seat] == 0:
        state.ending = 2
    state.seat = 1 - seat


@compiled
def ending(state: State) -> int:
    """Return why the game ended."""
    return wide(state.ending)


@compiled
def returns(state: State, setup: Setup, out: Numbers) -> None:
    """Write the results: the seat that moved last has won."""
    out[1 - state.seat], out[state.seat] = 1.0, -1.0


KEYS = zobrist_words(3 * len(SQUARES) + 2)


@compiled
def key(state: State) -> int:
    """Return the Zobrist key."""
    found = bits(KEYS[3 * len(SQUARES) + state.seat])
    for square in range(len(SQUARES)):
        found ^= KEYS[3 * square + state.cells[square]]
    return found


# Notation


def parse(text: str, state: Any, setup: Any) -> int:
    """Read a move such as `a2-b3`."""
    if re.fullmatch("[a-f][1-6]-[a-f][1-6]", text) is None:
        raise InvalidMove("unreadable", WORDS, move=text)
    start, end = SQUARES.index(text[:2]), SQUARES.index(text[3:])
    side = end % SIZE - start % SIZE
    if abs(side) > 1 or end - start - side != setup.forward[state.seat]:
        raise IllegalMove("illegal", WORDS, move=text)
    return start * 3 + side + 1


def write(action: int, state: Any, setup: Any) -> str:
    """Write a move."""
    return f"{SQUARES[action // 3]}-{SQUARES[action // 3 + setup.forward[state.seat] + action % 3 - 1]}"


def explain(action: int, state: Any, setup: Any) -> IllegalMove:
    """Return the error for an action that is not legal."""
    return IllegalMove("illegal", WORDS, move=write(action, state, setup))


def effects(action: int, before: Any, after: Any, setup: Any, seen: bool) -> Iterator[Effect]:
    """Yield what a move did."""
    start, end = write(action, before, setup).split("-")
    yield Effect("moved", {"seat": int(before.seat), "from": start, "to": end})
    if sum(after.pawns) < sum(before.pawns):
        yield Effect("captured", {"seat": 1 - int(before.seat), "at": end})


# View and pictures


class BreakthroughView(Struct, frozen=True, tag_field="game", tag="breakthrough", forbid_unknown_fields=True):
    """The board; nothing is hidden."""

    seat: int | None
    to_move: int | None
    decision: Literal["move"] | None
    pawns: dict[str, list[str]]  # side -> squares
    outcome: BoardOutcome | None


def view(state: Any, setup: Any, seat: int | None) -> dict[str, Any]:
    """Return what a seat sees."""
    cells = list(zip(SQUARES, state.cells, strict=True))
    pawns = {side: [square for square, cell in cells if cell == seat + 1] for seat, side in enumerate(SIDES)}
    return {"decision": None if state.ending else "move", "pawns": pawns}


def svg(seen: Mapping[str, Any]) -> str:
    """Draw the board."""
    shapes = []
    for number, square in enumerate(SQUARES):
        x, y = 50 * (number % SIZE), 250 - 50 * (number // SIZE)
        shade = "#f0d9b5" if (x + y) % 100 else "#b58863"
        shapes.append(f'<rect x="{x}" y="{y}" width="50" height="50" fill="{shade}"/>')
        for side in SIDES:
            if square in seen["pawns"][side]:
                shapes.append(f'<circle cx="{x + 25}" cy="{y + 25}" r="18" fill="{side}"/>')
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300" viewBox="0 0 300 300">'
        f"{''.join(shapes)}</svg>"
    )


def terminal(seen: Mapping[str, Any], language: str) -> Text:
    """Draw the board with letters."""
    signs = {square: sign for side, sign in zip(SIDES, "○●", strict=True) for square in seen["pawns"][side]}
    ranks = [f"{rank} " + " ".join(signs.get(file + rank, "·") for file in "abcdef") for rank in "654321"]
    return Text("\n".join([*ranks, "  a b c d e f"]))


# Computer players and learners

FEATURES = (Feature("pawns", "pawns on the board", 400.0), Feature("ranks", "ranks advanced, squared", 30.0))
WEIGHTS = hand_set(FEATURES)


@compiled
def features(state: State, setup: Setup, seat: int, out: Numbers) -> None:
    """Write the features of a seat."""
    out[0] = state.pawns[seat]
    out[1] = 0.0
    for square in range(len(SQUARES)):
        if state.cells[square] == seat + 1:
            rank = square // SIZE if seat == 0 else SIZE - 1 - square // SIZE
            out[1] += rank * rank


@compiled
def observe(state: State, setup: Setup, seat: int, out: Floats) -> None:
    """Write what a seat sees: its own pawns, the enemy's, and whether it is to move."""
    for square in range(len(SQUARES)):
        out[square] = state.cells[square] == seat + 1
        out[len(SQUARES) + square] = state.cells[square] == 2 - seat
    out[2 * len(SQUARES)] = to_move(state) == seat


def longest(setups: Structs) -> tuple[int, int]:
    """Return the most decisions in a game: every pawn advances to the last rank but one. There is no chance."""
    return 2 * SIZE * (SIZE - 2 + SIZE - 3) + 1, 0


GAME = Game(
    name="breakthrough",
    title="Breakthrough",
    author="Dan Troyka",
    version=1,
    words=WORDS,
    setup=GameSetup(options=(), prepare=prepare, seats=lambda options: SIDES),
    rules=Rules(
        state=STATE,
        most_choices=ACTIONS,
        reasons=REASONS,
        to_move=to_move,
        legal=legal,
        apply=apply,
        ending=ending,
        returns=returns,
        key=key,
    ),
    notation=Notation(parse, write, explain),
    view=View(view, BreakthroughView),
    effects=Effects(effects),
    pictures=Rendering(svg, terminal),
    evaluation=Evaluation(features=features, weights=lambda setup: WEIGHTS),
    encoding=Encoding(
        version=1,
        observation=(
            Block("own", (SIZE, SIZE), "own pawns, from a1"),
            Block("enemy", (SIZE, SIZE), "enemy pawns"),
            Block("to_move", (1,), "whether this seat is to move"),
        ),
        actions=(Block("move", (SIZE, SIZE, 3), "square and direction: left, straight, right"),),
        chance=range(0),
        longest=longest,
        observe=observe,
    ),
)
