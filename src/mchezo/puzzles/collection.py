"""The file with the puzzles of a game."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable
from datetime import date
from functools import cache
from importlib.resources import files

import msgspec

from mchezo.core import registry
from mchezo.puzzles.puzzle import Puzzle

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


def shipped_file(game: str) -> bytes:
    """Return the file with the puzzles that come with mchezo."""
    return (files(__package__) / "data" / f"{registry.find(game).name}.json.gz").read_bytes()


@cache
def shipped(game: str) -> dict[str, Puzzle]:
    """Return the puzzles that come with mchezo, by id."""
    return {puzzle.id: puzzle for puzzle in read(shipped_file(game))}


def of_day(day: date) -> tuple[str, Puzzle]:
    """Return the puzzle of a day, the same as in the browser: the games take turns."""
    number = day.toordinal() - date(1970, 1, 1).toordinal()
    game = registry.names()[number % len(registry.names())]
    puzzles = list(shipped(game).values())
    return game, puzzles[(number * MULTIPLIER & 0xFFFFFFFF) % len(puzzles)]
