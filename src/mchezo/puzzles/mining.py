"""Mining: self-play, and games given as records, searched for puzzles with one good move at every decision.

A unit of work is one game, determined by the seed and its number, so that a run can be interrupted and resumed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from mchezo.core import registry
from mchezo.core.position import Position
from mchezo.core.puzzles import OnlyMoves
from mchezo.core.structs import CHANCE
from mchezo.puzzles import lines
from mchezo.puzzles.collection import identified
from mchezo.puzzles.puzzle import Puzzle
from mchezo.puzzles.rating import rate
from mchezo.search.analysis import analyst
from mchezo.search.players import player

CHECK = 10  # times as many for the second
APART = 6  # decisions of a game between two puzzles
EASY = 1000  # a puzzle below this rating with one decision is easy


def played(name: str, kind: OnlyMoves, number: int, seed: int) -> Position:
    """Return a game of self-play."""
    chance = random.Random(f"{seed} {number}")
    position = registry.find(name).start(seed=chance.getrandbits(60))
    levels = [chance.choice(kind.levels) for _ in position.seats]
    players = [player(name, level, seed=chance.getrandbits(31), share=kind.share) for level in levels]
    at_random = chance.randint(0, kind.opening)
    while position.to_move is not None:
        if at_random:
            at_random -= 1
            position.play(chance.choice(position.legal_moves))
        else:
            position.play(players[position.to_move].choose(position))
    return position


def mine(name: str, kind: OnlyMoves, game: Position, number: int, easy: int) -> Iterator[Puzzle]:
    """Yield the puzzles of a game; of the easy ones, one in this many."""
    seen: set[int] = set()
    found = 0
    for branch in kind.branches(game, random.Random(number)):
        last = -APART
        for at_move, step in enumerate(branch.steps):
            if at_move < kind.fewest or at_move - last < APART or step.by == CHANCE or found == kind.most:
                continue
            at = branch.earlier(at_move)
            at.manual = True
            if at.key in seen or len(at.legal_moves) < lines.FEWEST_CHOICES:
                continue
            seen.add(at.key)
            solved = puzzle_at(name, kind, at, number)
            if solved is None:
                continue
            last = at_move
            if solved.rating < EASY and len(solved.line) == 1 and (number + at_move) % easy:
                continue
            found += 1
            yield solved


def puzzle_at(name: str, kind: OnlyMoves, at: Position, number: int) -> Puzzle | None:
    """Return the puzzle of a position, if it is one."""
    options = kind.options(at)
    if options is None or not lines.judge(analyst(name), at, kind.nodes).only:
        return None
    # From here on the position stands alone: what happened before, such as repetitions, is not part of it.
    start = Puzzle(options, []).start(name)
    line = lines.follow(analyst(name), start, CHECK * kind.nodes, kind.must_be_proved)
    if line is None:
        return None
    rating = rate(name, start, line.moves, seed=number)
    return identified(Puzzle(options, list(line.moves), rating=rating, proved=line.proved))


def holds(name: str, kind: OnlyMoves, puzzle: Puzzle, effort: int, margin: float = lines.SECOND_SOLUTION) -> bool:
    """Return whether a search with a multiple of the first search's nodes finds nothing within a margin."""
    nodes = effort * kind.nodes
    return not lines.second_solutions(analyst(name), puzzle.start(name), tuple(puzzle.line), nodes, margin)
