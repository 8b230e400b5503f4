"""The file with the puzzles of a game."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable
from datetime import date
from functools import cache

import msgspec

from mchezo.core import registry
from mchezo.core.errors import UserError
from mchezo.core.puzzles import Puzzles
from mchezo.core.words import Words
from mchezo.puzzles.puzzle import Puzzle

WORDS = Words("mchezo.puzzles")
ID_LENGTH = 6
MULTIPLIER = 0x9E3779B1  # spreads the days over the puzzles, as web/src/puzzles/collection.ts does


def identified(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle with its id, which depends on the position alone."""
    digest = hashlib.sha256(msgspec.json.encode((sorted(puzzle.options.items()), puzzle.moves))).hexdigest()
    return msgspec.structs.replace(puzzle, id=digest[:ID_LENGTH])


def write(puzzles: Iterable[Puzzle]) -> bytes:
    """Return the puzzles as a compressed file of JSON; equal puzzles give equal bytes."""
    return gzip.compress(msgspec.json.encode(list(puzzles)), mtime=0)


def read(data: bytes) -> list[Puzzle]:
    """Return the puzzles of a file."""
    return msgspec.json.decode(gzip.decompress(data), type=list[Puzzle])


def puzzles_of(name: str) -> Puzzles:
    """Return what a game says about its puzzles; raise UserError if it has none."""
    game = registry.find(name)
    if game.puzzles is None:
        raise UserError("terminal-no-puzzles", WORDS, game=game.title)
    return game.puzzles


def shipped_file(game: str) -> bytes:
    """Return the file with the puzzles that come with mchezo."""
    return puzzles_of(game).file.read_bytes()


@cache
def shipped(game: str) -> dict[str, Puzzle]:
    """Return the puzzles that come with mchezo, by id; none for a game without puzzles."""
    return {puzzle.id: puzzle for puzzle in read(shipped_file(game))} if registry.find(game).puzzles else {}


def of_day(day: date) -> tuple[str, Puzzle]:
    """Return the puzzle of a day, the same as in the browser: the games that have puzzles take turns."""
    number = day.toordinal() - date(1970, 1, 1).toordinal()
    names = registry.names()
    turn = number % len(names)
    game = next(name for name in (*names[turn:], *names) if registry.find(name).puzzles)
    puzzles = list(shipped(game).values())
    return game, puzzles[(number * MULTIPLIER & 0xFFFFFFFF) % len(puzzles)]
