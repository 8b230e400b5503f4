"""`mchezo dataset`: many games of self-play as files of records, each determined by the seed and its number."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from mchezo import __version__
from mchezo.cli.common import WORDS, echo, prepare, read_file, read_options, say, write_file
from mchezo.cli.reports import progress_bar
from mchezo.core import registry
from mchezo.core.errors import UserError
from mchezo.search.players import player
from mchezo.workers.units import Workers, in_order

SHARD = 500  # games in a file
TERMS = "terms.json"


def start(
    name: str,
    folder: Path,
    games: int,
    level: int,
    share: float,
    opening: int,
    options: Sequence[str],
    seed: int,
    workers: Workers,
) -> None:
    """Play the games whose files are missing."""
    game = prepare(name)
    given = read_options(game, list(options))
    terms = {"version": __version__, "game": game.name, "rules": game.version, "level": level, "share": share}
    check_terms(folder, terms | {"opening": opening, "options": sorted(options), "seed": seed, "shard": SHARD})
    shards = [(first, min(SHARD, games - first)) for first in range(0, games, SHARD)]
    missing = [shard for shard in shards if not has(folder, shard)]
    one = partial(play_shard, game.name, given, level, share, opening, seed)
    with progress_bar(games, game.title) as show:
        show.advance(show.task_ids[0], games - sum(count for _, count in missing))
        for shard, records in zip(missing, in_order(one, missing, workers), strict=True):
            unfinished = folder / "unfinished"
            write_file(unfinished, records)
            os.replace(unfinished, file_of(folder, shard[0]))
            show.advance(show.task_ids[0], shard[1])
    echo(say("saved", file=folder))


def check_terms(folder: Path, terms: dict[str, Any]) -> None:
    """Keep the terms of a data set in its folder; refuse one with others."""
    file = folder / TERMS
    if file.exists():
        try:
            stored = json.loads(read_file(file))
        except ValueError as error:
            raise UserError("resume-unreadable", WORDS, file=file) from error
        for term, value in terms.items():
            if not isinstance(stored, dict) or stored.get(term) != value:
                raise UserError("resume-other", WORDS, file=file, term=term)
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError("file-error", WORDS, file=folder, reason=error.strerror) from error
    write_file(file, json.dumps(terms) + "\n")


def file_of(folder: Path, first: int) -> Path:
    """Return the file that begins with this game."""
    return folder / f"games-{first:07}.txt"


def has(folder: Path, shard: tuple[int, int]) -> bool:
    """Return whether the file with these games is there; the last one may have been shorter in an earlier run."""
    file = file_of(folder, shard[0])
    return file.exists() and read_file(file).count('[Site "') >= shard[1]


def play_shard(
    name: str, options: dict[str, Any], level: int, share: float, opening: int, seed: int, shard: tuple[int, int]
) -> str:
    """Return the records of the games of a file."""
    first, count = shard
    return "\n".join(play(name, options, level, share, opening, seed, number) for number in range(first, first + count))


def play(name: str, options: dict[str, Any], level: int, share: float, opening: int, seed: int, number: int) -> str:
    """Return the record of a game between players of one level, after up to `opening` random decisions."""
    chance = random.Random(f"{seed} {number}")
    position = registry.find(name).start(seed=chance.getrandbits(60), **options)
    players = [player(name, level, seed=chance.getrandbits(31), share=share) for _ in position.seats]
    at_random = chance.randint(0, opening)
    while position.to_move is not None:
        if at_random:
            at_random -= 1
            position.play(chance.choice(position.legal_moves))
        else:
            for move in players[position.to_move].turn(position):
                position.play(move)
    return str(replace(position.record(), tags={"Site": f"game {number}", "Level": str(level)}))
