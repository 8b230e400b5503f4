"""Puzzles of alpha-beta games: whether there is only one good move, and for how many moves that stays so.

A move is the only good one if its chance of winning is at least GOOD, that of the second best at most BAD, and the
difference at least MARGIN. It is proved if it wins by force and everything else loses by force.
"""

from __future__ import annotations

from dataclasses import dataclass

from mchezo.core.position import Position
from mchezo.core.structs import CHANCE
from mchezo.search.players import Engine
from mchezo.search.thought import Thought

GOOD, BAD, MARGIN = 0.5, 0.5, 0.25
SECOND_SOLUTION = 0.15  # an alternative within this of the best is a second solution, for the audit
FEWEST_CHOICES = 4
MOST_DECISIONS = 6  # of the solver


@dataclass(frozen=True)
class Verdict:
    """The two best moves of a position, compared for the seat to move."""

    move: str
    chance: float
    second: float
    proved: bool

    @property
    def only(self) -> bool:
        """Whether the best move is the only good one."""
        return self.proved or (self.chance >= GOOD and self.second <= BAD and self.chance - self.second >= MARGIN)


@dataclass(frozen=True)
class Line:
    """A solution: the solver's decisions and the replies, and whether all of it is proved."""

    moves: tuple[str, ...]
    proved: bool


def judge(engine: Engine, at: Position, nodes: int) -> Verdict:
    """Compare the two best moves."""
    seat = at.to_move
    assert seat is not None
    best, second = engine.best(at, 2, nodes=nodes)
    proved = is_certain(best, seat, 1.0) and is_certain(second, seat, 0.0)
    return Verdict(best.moves[0], best.chances[seat], second.chances[seat], proved)


def is_certain(thought: Thought, seat: int, chance: float) -> bool:
    """Return whether a move leads to this result by force."""
    return thought.solved and thought.chances[seat] == chance


def follow(engine: Engine, start: Position, nodes: int, must_be_proved: bool) -> Line | None:
    """Return the solution of a position as long as every decision has one answer; None if the first has not.

    The opponent's replies are the best ones. Decisions with one legal move belong to the line but do not end it.
    """
    seat, at = start.to_move, start.copy()
    moves: list[str] = []
    end, decisions, proved = 0, 0, True
    while at.to_move not in (None, CHANCE) and decisions < MOST_DECISIONS:
        legal = at.legal_moves
        if len(legal) == 1:
            move = legal[0]
        elif at.to_move != seat:
            move = engine.best(at, 1, nodes=nodes)[0].moves[0]
        else:
            found = judge(engine, at, nodes)
            if not found.only or (must_be_proved and not found.proved):
                break
            move, proved, decisions = found.move, proved and found.proved, decisions + 1
            end = len(moves) + 1
        moves.append(move)
        at.play(move)
    return Line(tuple(moves[:end]), proved) if end else None


def second_solutions(
    engine: Engine, start: Position, moves: tuple[str, ...], nodes: int, margin: float = SECOND_SOLUTION
) -> list[int]:
    """Return the indices of the solver's decisions that have another answer, or whose answer is not the best."""
    seat, at = start.to_move, start.copy()
    found = []
    for index, move in enumerate(moves):
        if at.to_move == seat and len(at.legal_moves) > 1:
            verdict = judge(engine, at, nodes)
            if verdict.move != move or not (verdict.proved or verdict.chance - verdict.second >= margin):
                found.append(index)
        at.play(move)
    return found
