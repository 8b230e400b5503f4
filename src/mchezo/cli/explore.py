"""`mchezo explore`: self-play for the explorer."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from mchezo import __version__
from mchezo.cli.common import echo, prepare, read_options, say, write_file
from mchezo.cli.reports import ResultFile, progress_bar
from mchezo.core import registry
from mchezo.explorer.counts import DECISIONS, Counts, Played, decisions
from mchezo.search.players import log_odds, player
from mchezo.workers.units import Workers, in_order

CANDIDATES = 4  # moves that are drawn from at the beginning, so that games differ
FREE = 8  # decisions


def start(
    name: str,
    games: int,
    level: int,
    share: float,
    softness: float,
    options: Sequence[str],
    least: int,
    seed: int,
    workers: Workers,
    resume: Path | None,
    out: Path | None,
) -> None:
    """Play the missing games, and write the counts."""
    game = prepare(name)
    given = read_options(game, list(options))
    stored = ResultFile(resume)
    terms = {"version": __version__, "rules": game.version, "game": game.name, "level": level, "share": share}
    terms |= {"softness": softness, "options": sorted(options), "seed": seed, "decisions": DECISIONS}
    lines: dict[int, list[Any]] = {line["number"]: line["played"] for line in stored.resume(terms)}
    missing = [number for number in range(games) if number not in lines]
    one = partial(play, game.name, given, level, share, softness, seed)
    with progress_bar(games, game.title) as show:
        show.advance(show.task_ids[0], games - len(missing))
        for number, played in zip(missing, in_order(one, missing, workers), strict=True):
            lines[number] = played
            stored.add({"number": number, "played": played})
            show.advance(show.task_ids[0])
    counts = Counts()
    for number in sorted(lines):
        counts.add(Played(*decision) for decision in lines[number])
    echo(say("explored", games=len(lines), positions=len(counts.moves)))
    if out is not None:
        write_file(out, counts.write(least))
        echo(say("saved", file=out))


def play(
    name: str, options: dict[str, Any], level: int, share: float, softness: float, seed: int, number: int
) -> list[Played]:
    """Play a game; the first decisions are drawn by softmax from the best moves."""
    chance = random.Random(f"{seed} {number}")
    position = registry.find(name).start(seed=chance.getrandbits(60), **options)
    computer = player(name, level, share=share)
    decided = 0
    while position.to_move is not None:
        count = CANDIDATES if decided < FREE else 1
        thoughts = computer.engine.best(position, count, nodes=computer.nodes, seed=chance.getrandbits(31))
        odds = [log_odds(thought.chances[position.to_move]) for thought in thoughts]
        weights = [2.718281828459045 ** ((value - max(odds)) / softness) for value in odds]
        thought = chance.choices(thoughts, weights)[0]
        for move in thought.moves[: thought.turn if count == 1 else 1]:
            position.play(move)
            decided += 1
    outcome = position.outcome
    assert outcome is not None
    return list(decisions(position, outcome.winners))
