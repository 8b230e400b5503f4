"""The computer players: eight levels a game, each a budget of nodes and a character."""

from __future__ import annotations

import math
import random
import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

from mchezo.core import registry
from mchezo.core.errors import IllegalMove, Refusal
from mchezo.core.game import Game
from mchezo.core.position import Position
from mchezo.core.words import Words
from mchezo.search.thought import Stop, Thought

WORDS = Words("mchezo.search")
LEVELS = 8
SUREST = 8.0  # log-odds beyond which all moves are equally good or bad to a person


class Engine(Protocol):
    """What thinks for a level."""

    def best(
        self,
        position: Position,
        count: int,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        stop: Stop | None = None,
        only: Collection[str] | None = None,
    ) -> list[Thought]:
        """The best moves (of all, or of `only` these), up to so many, with what is thought of each; the best first."""


@dataclass(frozen=True)
class Level:
    """How strong, and in what manner, a player plays; see levels.toml."""

    number: int
    engine: str
    nodes: int
    candidates: int
    softness: float
    depth: int | None = None
    rating: int | None = None

    def name(self, language: str = "en") -> str:
        """What players of this level are called."""
        return WORDS.say(f"level-{self.number}", language)


@cache
def levels(game: str) -> tuple[Level, ...]:
    """The levels of a game, weakest first."""
    found = read("levels.toml")[registry.find(game).name]
    ratings = read("ratings.toml").get(game, {}).get("ratings", [None] * LEVELS)
    return tuple(
        Level(number=number, engine=found["engine"], rating=rating, **facts)
        for number, (facts, rating) in enumerate(zip(found["levels"], ratings, strict=True), 1)
    )


def read(file: str) -> dict[str, Any]:
    """A data file beside this one; empty where there is none."""
    path = files("mchezo.search").joinpath(file)
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def player(
    game: str | Game, level: int = LEVELS, *, seed: int | None = None, threads: int = 1, share: float = 1.0
) -> Player:
    """The computer player of that level, 1 to 8; `share` gives it a part of its usual nodes.

    >>> import mchezo
    >>> position = mchezo.game("katarenga").start(seed=7)
    >>> mchezo.player("katarenga", level=2, seed=1).choose(position) in position.legal_moves
    True
    """
    found = game if isinstance(game, Game) else registry.find(game)
    if type(level) is not int or not 1 <= level <= LEVELS:
        raise Refusal("level", WORDS, given=level, last=LEVELS)
    return Player(found, levels(found.name)[level - 1], seed=seed, threads=threads, share=share)


class Player:
    """A computer player of one level of one game."""

    def __init__(
        self, game: Game, level: Level, *, seed: int | None = None, threads: int = 1, share: float = 1.0
    ) -> None:
        self.game = game
        self.level = level.number
        self.name = level.name()
        self.rating = level.rating
        self.facts = level
        self.nodes = max(1, round(level.nodes * share))
        self.engine = engine(level, threads)
        self.chance = random.Random(seed)

    def __repr__(self) -> str:
        return f"<{self.game.title}: level {self.level}, {self.name}>"

    def choose(self, position: Position, seconds: float | None = None, stop: Stop | None = None) -> str:
        """The move it plays here."""
        return self.turn(position, seconds, stop)[0]

    def turn(self, position: Position, seconds: float | None = None, stop: Stop | None = None) -> list[str]:
        """The moves it plays until chance or another seat decides; always at least one, at times not yet all."""
        legal = position.legal_moves
        if len(legal) == 1 and position.to_move is not None and position.to_move >= 0:
            return legal
        thought = self.think(position, seconds=seconds, seed=self.chance.getrandbits(31), stop=stop)
        return list(thought.moves[: thought.turn])

    def think(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        stop: Stop | None = None,
    ) -> Thought:
        """What it thinks of the position: within its own nodes, unless nodes or seconds are given."""
        if position.game.name != self.game.name:
            raise Refusal("other-game", WORDS, own=self.game.title, given=position.game.title)
        if position.to_move is None:
            raise IllegalMove("game-over", move="?")
        if nodes is None and seconds is None:
            nodes = self.nodes
        level = self.facts
        thoughts = self.engine.best(position, level.candidates, nodes=nodes, seconds=seconds, seed=seed, stop=stop)
        return choose_softly(thoughts, position.to_move, level.softness, random.Random(seed))


def choose_softly(thoughts: list[Thought], seat: int, softness: float, chance: random.Random) -> Thought:
    """One of the good moves: the better, the likelier."""
    if softness == 0.0 or len(thoughts) == 1:
        return thoughts[0]
    odds = [log_odds(thought.chances[seat]) for thought in thoughts]
    weights = [math.exp((value - max(odds)) / softness) for value in odds]
    return chance.choices(thoughts, weights)[0]


def log_odds(chance: float) -> float:
    """The logarithm of the odds of winning, within what a person can tell apart."""
    if not 0.0 < chance < 1.0:
        return SUREST if chance > 0.5 else -SUREST
    return max(-SUREST, min(SUREST, math.log(chance / (1.0 - chance))))


def engine(level: Level, threads: int) -> Engine:
    """What thinks for a level."""
    if level.engine == "alpha-beta":
        from mchezo.search.deepening import AlphaBeta

        return AlphaBeta(depth=level.depth, threads=threads)
    raise ValueError(f"no engine is called {level.engine}")
