"""What a game says about its puzzles: positions with one best continuation. `mchezo.puzzles` mines and judges them."""

import random
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Any

from mchezo.core.effects import Effect
from mchezo.core.position import Position
from mchezo.core.structs import Structs


@dataclass(frozen=True)
class OnlyMoves:
    """Puzzles with one good move at every decision, for alpha-beta players: how a game is played and mined for them."""

    nodes: int  # of the first search
    opening: int  # random decisions at the beginning of self-play, at most
    fewest: int  # decisions before the first puzzle
    most: int  # puzzles of a game
    must_be_proved: bool
    options: Callable[[Position], dict[str, str] | None]  # that set up a position; None: no puzzle here
    levels: tuple[int, ...] = (2, 3, 4, 4, 5)  # that play
    share: float = 0.25  # of their nodes
    branches: Callable[[Position, random.Random], Iterator[Position]] = lambda game, chance: iter((game,))  # to mine


@dataclass(frozen=True)
class BestTurn:
    """Puzzles about the end of a turn: it should bring the most points, as if the game ended after it."""

    players: tuple[int, ...]  # numbers of them in self-play
    levels: tuple[int, ...]  # that play
    lengths: tuple[int, ...]  # of the rest of a turn at the beginning of a puzzle
    most: int  # puzzles of a game
    stop: str  # the move that ends a turn early
    turn: Callable[[Any], Hashable | None]  # state -> the turn, if a puzzle can begin there
    length: Callable[[Any, Any], int]  # state, setup -> decisions left in the turn, about
    is_within: Callable[[Structs, int], bool]  # states, seat -> whether the moves of the seat's turn go on
    points: Callable[[Structs, object, int], int]  # states, setup, seat -> points if the game ended now
    achieved: Callable[[Structs, object, int], frozenset[int]]  # the same -> what all best ends must have in common


@dataclass(frozen=True)
class Solution:
    """The solution of a puzzle, played."""

    start: Position
    moves: tuple[str, ...]  # the solver's
    effects: tuple[Effect, ...]  # of these
    wins: bool  # the game, at once
    proved: bool


@dataclass(frozen=True)
class Puzzles:
    """The puzzles of a game."""

    kind: OnlyMoves | BestTurn
    themes: Callable[[Solution], Iterable[str]]  # what a puzzle is about: keys of the game's themes.toml
    file: Traversable  # those that come with mchezo, as written by `mchezo puzzles`
