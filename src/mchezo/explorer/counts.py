"""Moves by position, with the number of games and what they scored for the seat that moved.

A position is known by a hash of its options and state, so that games which reach it by other moves count as well. Only
what every seat saw is counted: from the first hidden outcome on, a game is left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from mchezo.core import registry
from mchezo.core.position import Position
from mchezo.core.structs import CHANCE

DECISIONS = 30  # at the beginning of a game: after that, positions hardly ever recur
KEY_BYTES = 8
STARTS = ("position",)  # options that say where a game begins, not how it is played


class Played(NamedTuple):
    """A decision of a game: the position's key, the move, and the score of the seat, a shared win being divided."""

    key: str
    move: str
    score: float


class Explored(NamedTuple):
    """A move that was played: in how many games, and its mean score."""

    move: str
    games: int
    score: float


def key_of(position: Position) -> str:
    """Return the key of a position."""
    options = sorted((name, str(value)) for name, value in position.options.items() if name not in STARTS)
    game = (position.game.name, position.game.version, position.key, position.to_move)
    return hashlib.blake2b(repr((game, options)).encode(), digest_size=KEY_BYTES).hexdigest()


def decisions(position: Position, winners: Sequence[int]) -> Iterator[Played]:
    """Yield the first decisions of a finished game, up to the first outcome that not everybody saw."""
    seats = len(position.seats)
    found = 0
    for number, step in enumerate(position.steps):
        if step.only is not None or found == DECISIONS:
            return
        if step.by == CHANCE:
            continue
        score = 1 / seats if not winners else (step.by in winners) / len(winners)
        found += 1
        yield Played(key_of(position.earlier(number)), step.text, score)


@dataclass
class Counts:
    """Games and scores of the moves of many positions."""

    moves: dict[str, dict[str, tuple[int, float]]] = field(default_factory=dict)

    def add(self, game: Iterable[Played], sign: int = 1) -> None:
        """Count the decisions of a game; with the sign -1, no longer."""
        for key, move, score in game:
            of_position = self.moves.setdefault(key, {})
            games, scores = of_position.get(move, (0, 0.0))
            if games + sign:
                of_position[move] = games + sign, scores + sign * score
                continue
            of_position.pop(move, None)
            if not of_position:
                del self.moves[key]

    def of(self, position: Position) -> list[Explored]:
        """Return the moves that were played in a position, the most frequent first."""
        if position.to_move in (None, CHANCE):
            return []
        found = [
            Explored(move, games, scores / games)
            for move, (games, scores) in self.moves.get(key_of(position), {}).items()
        ]
        return sorted(found, key=lambda one: (-one.games, -one.score, one.move))

    def write(self, least: int) -> str:
        """Return the positions that occurred in at least `least` games: key, then move, games and score in turn."""
        lines = []
        for key, moves in sorted(self.moves.items()):
            if sum(games for games, _ in moves.values()) < least:
                continue
            ordered = sorted(moves.items(), key=lambda item: (-item[1][0], item[0]))
            lines.append("\t".join([key, *(f"{move} {games} {scores:g}" for move, (games, scores) in ordered)]))
        return "".join(line + "\n" for line in lines)


def read(text: str) -> Counts:
    """Return the counts in a file."""
    found = Counts()
    for line in text.splitlines():
        key, *moves = line.split("\t")
        found.moves[key] = {}
        for entry in moves:
            move, games, scores = entry.split(" ")
            found.moves[key][move] = int(games), float(scores)
    return found


@cache
def shipped(game: str) -> Counts:
    """Return the games of strong self-play that come with mchezo; none for a game without any."""
    file = registry.find(game).explored
    return Counts() if file is None else read(file.read_text(encoding="utf-8"))
