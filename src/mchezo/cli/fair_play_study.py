"""`mchezo ratings fair-play`: what the comparison with the engine would say about our own levels, were they people."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import mchezo
from mchezo.arena.markdown import table
from mchezo.cli.common import OUT
from mchezo.cli.reports import ResultFile, progress_bar
from mchezo.core import registry
from mchezo.ratings.fair_play import Compared, compare
from mchezo.search.analysis import analyse

PAIRS = ((8, 4), (3, 4), (7, 5), (6, 3), (5, 6), (8, 6))
ACCOUNT = 8  # games of a simulated account
ACCOUNTS = 2_000  # simulated for every level
# Boards that differ from game to game: without them, levels that always play the best move play the same game.
BOARDS = ("balanced", "free")


def run(game: str, rounds: int, file: Path | None) -> None:
    """Play games between levels, compare every move with the engine's, and print what would be flagged."""
    results = ResultFile(file)
    lines = results.resume({"part": "fair-play", "game": game})
    plans = [(number, pair) for number in range(rounds) for pair in PAIRS][len(lines) :]
    with progress_bar(len(plans), game) as show:
        for number, pair in plans:
            levels = pair if number % 2 else pair[::-1]
            line = {"levels": levels, "found": play(game, levels, 1000 * number + 10 * pair[0] + pair[1])}
            results.add(line)
            lines.append(line)
            show.advance(show.task_ids[0])
    by_level: dict[int, list[Compared]] = defaultdict(list)
    for line in lines:
        for level, found in zip(line["levels"], line["found"], strict=True):
            by_level[level].append(Compared(*found))
    rows = [row(level, found) for level, found in sorted(by_level.items())]
    OUT.print(table(HEADINGS, rows), markup=False, soft_wrap=True)


HEADINGS = ("level", "games", "decisions", "like the engine", "mean loss", f"flagged after {ACCOUNT} games")


def play(game: str, levels: Sequence[int], seed: int) -> list[Compared]:
    """Return how the moves of both levels compare with the engine's in one game."""
    found = registry.find(game)
    boards = [] if found.rated is None else [one for one in BOARDS if one in found.rated.choices.get("board", ())]
    options: dict[str, Any] = {"board": boards[0]} if boards else {}
    position = mchezo.game(game).start(seed=seed, **options)
    players = [mchezo.player(game, level=level, seed=8 * seed + seat) for seat, level in enumerate(levels)]
    while position.to_move is not None:
        for move in players[position.to_move].turn(position.copy()):
            position.play(move)
    analysis = analyse(position, nodes=found.computers.analysis_nodes)
    return [compare(analysis.moments, seat) for seat in range(len(levels))]


def row(level: int, games: Sequence[Compared]) -> list[str]:
    """Return the figures of a level, and the share of accounts that would be flagged if they played like it."""
    rng = random.Random(level)
    accounts = [sum(rng.choices(games, k=ACCOUNT), Compared()) for _ in range(ACCOUNTS)]
    total = sum(games, Compared())
    flagged = sum(one.flagged for one in accounts) / ACCOUNTS
    return [
        str(level),
        str(total.games),
        f"{total.decisions:,}",
        f"{100 * total.agreement:.0f} %",
        f"{100 * total.mean_loss:.2f} %",
        f"{100 * flagged:.0f} %",
    ]
