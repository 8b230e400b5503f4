"""Ratings of puzzles: which levels solve them, on the scale of the levels' own ratings."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

from mchezo.core.position import Position
from mchezo.core.puzzles import BestTurn
from mchezo.search.players import LEVELS, Player, levels, player

TRIES = 3  # of a level that varies its play
BUDGETS = {5: 500, 6: 2_000, 7: 8_000, 8: 32_000}  # nodes of the levels that always play their best
TURN_BUDGETS = {1: 100, 2: 200, 3: 400, 4: 800, 5: 1_600, 6: 4_000, 7: 10_000, 8: 25_000}  # for a whole turn
PRIOR, SPREAD = 1500.0, 500.0  # most puzzles are about here before anybody has tried
SCALE = 400 / math.log(10)  # Elo points to one of log-odds


@cache
def solver(game: str, level: int) -> Player:
    """Return a level as a solver of puzzles."""
    return player(game, level, seed=0)


def solves(game: str, level: int, start: Position, line: tuple[str, ...], seed: int) -> bool:
    """Return whether a level finds every decision of a solution."""
    found, at, seat = solver(game, level), start.copy(), start.to_move
    for number, move in enumerate(line):
        if at.to_move == seat and len(at.legal_moves) > 1:
            nodes = BUDGETS.get(level, found.nodes)
            if found.think(at, nodes=nodes, seed=seed + number).moves[0] != move:
                return False
        at.play(move)
    return True


def rate(game: str, start: Position, line: tuple[str, ...], seed: int) -> int:
    """Return the rating of a puzzle with a line."""
    return rate_by(game, lambda level, attempt: solves(game, level, start, line, seed + attempt * 1000))


def rate_turn(game: str, kind: BestTurn, start: Position, points: int, seed: int) -> int:
    """Return the rating of a puzzle that is solved by a turn with these points."""
    seat = start.to_move
    assert seat is not None

    def attempt(level: int, number: int) -> bool:
        found, at = solver(game, level), start.copy()
        nodes = TURN_BUDGETS[level]
        while at.to_move is not None and at.to_move >= 0 and kind.is_within(at.states, seat):
            thought = found.think(at, nodes=nodes, seed=seed + number * 1000 + len(at.steps))
            for move in thought.moves[: max(1, thought.turn)]:
                at.play(move)
                if not kind.is_within(at.states, seat):
                    break
        return kind.points(at.states, at.setup_fields, seat) >= points

    return rate_by(game, attempt)


def rate_by(game: str, solves: Callable[[int, int], bool]) -> int:
    """Return the rating of a puzzle from the attempts of all levels."""
    results: list[tuple[float, bool]] = []
    known = [level.rating or 1500 for level in levels(game)]
    for level in range(1, LEVELS + 1):
        tries = 1 if level in BUDGETS else TRIES
        solved = [solves(level, attempt) for attempt in range(tries)]
        results += [(known[level - 1], one) for one in solved]
        if level in BUDGETS and all(solved):
            # The same search with more nodes: those above solve it too.
            results += [(rating, True) for rating in known[level:]]
            break
    return most_likely(results)


def most_likely(results: list[tuple[float, bool]]) -> int:
    """Return the most likely rating of a puzzle that players of these ratings solved, or did not."""
    low, high = 0.0, 3500.0
    for _ in range(30):
        middle = (low + high) / 2
        slope = (PRIOR - middle) / SPREAD**2
        for rating, solved in results:
            chance = 1 / (1 + math.exp((middle - rating) / SCALE))
            slope += ((0 if solved else 1) - (1 - chance)) / SCALE
        low, high = (middle, high) if slope > 0 else (low, middle)
    return round((low + high) / 2)
