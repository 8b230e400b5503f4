"""The computer players: eight levels per game, each with a budget of nodes and a style."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import cache
from typing import Protocol, Unpack

from mchezo.core import registry
from mchezo.core.data import read_toml
from mchezo.core.errors import IllegalMove, UserError
from mchezo.core.game import Game
from mchezo.core.position import Position
from mchezo.core.words import Words
from mchezo.search.thought import RootOptions, SearchOptions, Stop, Thought

WORDS = Words("mchezo.search")
LEVELS = 8
SUREST = 8.0  # log-odds beyond which people cannot tell moves apart


class Engine(Protocol):
    """The search behind a level."""

    def best(self, position: Position, count: int, **options: Unpack[RootOptions]) -> list[Thought]:
        """Return thoughts on the `count` best moves, best first."""


@dataclass(frozen=True)
class Level:
    """How strong a player is and how it chooses its moves; see levels.toml."""

    number: int
    engine: str
    nodes: int
    candidates: int
    softness: float
    depth: int | None = None
    network: bool = False
    selective: bool = False
    tactical: bool = False
    rating: int | None = None
    book: bool = False

    def name(self, language: str = "en") -> str:
        """Return the name of this level."""
        return WORDS.say(f"level-{self.number}", language)


@cache
def levels(game: str) -> tuple[Level, ...]:
    """Return the levels of a game, weakest first."""
    found = read_toml("mchezo.search", "levels.toml") | dict(registry.find(game).computers.levels)
    ratings = found.get("ratings", [None] * LEVELS)
    return tuple(
        Level(number=number, engine=found["engine"], rating=rating, **facts)
        for number, (facts, rating) in enumerate(zip(found["levels"], ratings, strict=True), 1)
    )


def player(
    game: str | Game,
    level: int = LEVELS,
    *,
    seed: int | None = None,
    threads: int = 1,
    share: float = 1.0,
    memory: int | None = None,
) -> Player:
    """Return the computer player of a level from 1 to 8.

    `share` scales its budget of nodes; `memory` limits the bytes of its transposition table or of each tree.

    >>> import mchezo
    >>> position = mchezo.game("katarenga").start(seed=7)
    >>> mchezo.player("katarenga", level=2, seed=1).choose(position) in position.legal_moves
    True
    """
    found = game if isinstance(game, Game) else registry.find(game)
    if type(level) is not int or not 1 <= level <= LEVELS:
        raise UserError("level", WORDS, given=level, last=LEVELS)
    return Player(found, levels(found.name)[level - 1], seed=seed, threads=threads, share=share, memory=memory)


def warm_up(game: str) -> None:
    """Compile the players of a game, or load them from the cache."""
    player(game, LEVELS).think(registry.find(game).start(seed=1), nodes=1)


class Player:
    """A computer player of one level of one game."""

    def __init__(
        self,
        game: Game,
        level: Level,
        *,
        seed: int | None = None,
        threads: int = 1,
        share: float = 1.0,
        memory: int | None = None,
    ) -> None:
        self.game = game
        self.level = level.number
        self.name = level.name()
        self.rating = level.rating
        self.facts = level
        self.nodes = max(1, round(level.nodes * share))
        self.engine = engine(level, threads, memory)
        self.chance = random.Random(seed)

    def __repr__(self) -> str:
        return f"<{self.game.title}: level {self.level}, {self.name}>"

    def choose(self, position: Position, seconds: float | None = None, stop: Stop | None = None) -> str:
        """Return the move it plays here."""
        return self.turn(position, seconds, stop)[0]

    def turn(self, position: Position, seconds: float | None = None, stop: Stop | None = None) -> list[str]:
        """Return the moves it plays before chance or another seat decides: at least one, not always the whole turn."""
        legal = position.legal_moves
        if len(legal) == 1 and position.to_move is not None and position.to_move >= 0:
            return legal
        if self.facts.book and (turns := self.game.computers.book(position)):
            return list(self.chance.choice(turns))
        thought = self.think(position, seconds=seconds, seed=self.chance.getrandbits(31), stop=stop)
        return list(thought.moves[: thought.turn])

    def think(self, position: Position, **options: Unpack[SearchOptions]) -> Thought:
        """Search the position; without nodes or seconds it uses its default budget."""
        if position.game.name != self.game.name:
            raise UserError("other-game", WORDS, own=self.game.title, given=position.game.title)
        if position.to_move is None:
            raise IllegalMove("game-over", move="?")
        if options.get("nodes") is None and options.get("seconds") is None:
            options["nodes"] = self.nodes
        level = self.facts
        thoughts = self.engine.best(position, level.candidates, **options)
        return choose_softly(thoughts, position.to_move, level.softness, random.Random(options.get("seed", 0)))


def choose_softly(thoughts: list[Thought], seat: int, softness: float, chance: random.Random) -> Thought:
    """Return one of the thoughts, drawn by a softmax over log-odds; without softness the best."""
    if softness == 0.0 or len(thoughts) == 1:
        return thoughts[0]
    odds = [log_odds(thought.chances[seat]) for thought in thoughts]
    weights = [math.exp((value - max(odds)) / softness) for value in odds]
    return chance.choices(thoughts, weights)[0]


def log_odds(chance: float) -> float:
    """Return the log-odds of a chance of winning, clipped to what people can tell apart."""
    if not 0.0 < chance < 1.0:
        return SUREST if chance > 0.5 else -SUREST
    return max(-SUREST, min(SUREST, math.log(chance / (1.0 - chance))))


def engine(level: Level, threads: int, memory: int | None = None) -> Engine:
    """Return the search of a level."""
    if level.engine == "alpha-beta":
        from mchezo.search.deepening import AlphaBeta

        return AlphaBeta(
            depth=level.depth,
            threads=threads,
            memory=memory,
            network=level.network,
            selective=level.selective,
            tactical=level.tactical,
        )
    if level.engine == "monte-carlo":
        from mchezo.search.montecarlo import MonteCarlo

        return MonteCarlo(threads=threads, memory=memory)
    raise ValueError(f"no engine is called {level.engine}")
