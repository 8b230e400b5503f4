"""Computer analysis of a game, decision by decision: chances of winning, better moves, blunders."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Literal

from mchezo.core import registry
from mchezo.core.effects import Effect
from mchezo.core.errors import UserError
from mchezo.core.position import Position
from mchezo.core.record import Record
from mchezo.core.structs import CHANCE
from mchezo.search import accuracy
from mchezo.search.players import LEVELS, WORDS, Engine, engine, levels
from mchezo.search.reasons import why
from mchezo.search.thought import Stop, Thought

Mark = Literal["", "inaccuracy", "mistake", "blunder", "missed win"]

# Loss in the chance of winning, and the annotation it gets. Where points count, a loss of points gets the annotation of
# the chances that it would cost in an even game, however decided the game is. Where only victory counts, who is lost
# gets the annotation of half the chances.
MARKS: tuple[tuple[float, Mark], ...] = ((0.2, "blunder"), (0.1, "mistake"), (0.05, "inaccuracy"))
WON, NOT_WON = 0.9, 0.6  # a move that drops the chance from above the first to below the second misses a win
LOST = 0.1  # below this chance a game without points is lost
NODES = 100_000  # per decision, by default


@dataclass(frozen=True)
class Moment:
    """One decision of a game and its evaluation."""

    number: int  # moves made before it, including chance outcomes
    seat: int
    move: str  # the move played
    best: tuple[str, ...]  # principal variation of the best move
    chances: tuple[float, ...]  # of winning, by seat, after the best move
    after: tuple[float, ...]  # after the move played
    points: tuple[float, ...]  # expected after the best move; () where the game has none
    points_after: tuple[float, ...]
    loss: float  # in the seat's chance of winning
    mark: Mark
    solved: bool  # exact: does not depend on the evaluation function
    why: Effect | None = None  # the reason, if the move is marked
    line: tuple[str, ...] = ()  # principal variation of the move played


@dataclass(frozen=True)
class Analysis:
    """The analysis of a whole game."""

    game: str
    seats: tuple[str, ...]
    moments: tuple[Moment, ...]

    @property
    def marked(self) -> tuple[Moment, ...]:
        """The moments with an annotation."""
        return tuple(moment for moment in self.moments if moment.mark)

    def accuracy(self, seat: int) -> float | None:
        """Return how well a seat played, from 0 to 1; None if it made no decision."""
        return accuracy.accuracy(self.moments, seat)

    def points_lost(self, seat: int) -> float:
        """Return how many points a seat's turns gave away; 0 in a game without points."""
        return accuracy.points_lost(self.moments, seat)


def analyse(
    played: Position | Record | str,
    *,
    nodes: int = NODES,
    numbers: Collection[int] | None = None,
    stop: Stop | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Analysis:
    """Evaluate the decisions of a game: all of them, or those at the given move `numbers`.

    Each decision is evaluated with the information its seat had. `played` is a position, a record or a record's text;
    `progress` is called with the decisions done and their total.
    """
    record = Record.parse(played) if isinstance(played, str) else played
    position = record.replay() if isinstance(record, Record) else record
    thinker = analyst(position.game.name)
    asked = [one for one in decisions(position) if numbers is None or one[0] in numbers]
    moments: list[Moment] = []
    for done, (number, at, move) in enumerate(asked):
        if stop is not None and stop():
            break
        moments.append(evaluate(thinker, at, number, move, nodes, stop))
        if progress is not None:
            progress(done + 1, len(asked))
    return Analysis(position.game.name, position.seats, tuple(moments))


def analyst(game: str) -> Engine:
    """Return the engine of the strongest level."""
    return engine(levels(game)[LEVELS - 1], threads=1)


def evaluate(thinker: Engine, at: Position, number: int, move: str, nodes: int, stop: Stop | None = None) -> Moment:
    """Evaluate one decision, with a reason if it is a mistake."""
    best, *_ = thinker.best(at, 1, nodes=nodes, stop=stop)
    made = best
    if best.moves[0] != move:
        made, *_ = thinker.best(at, 1, nodes=nodes, stop=stop, only=[move])
    moment = compare(at, number, move, best, made)
    return replace(moment, why=why(at, best, made, thinker)) if moment.mark else moment


def warm_up(game: str) -> None:
    """Compile what an analysis needs beyond its engine, or load it from the cache."""
    at = registry.find(game).start(seed=1)
    thinker = analyst(game)
    thought, *_ = thinker.best(at, 1, nodes=100)
    why(at, thought, thought, thinker)


def decisions(position: Position) -> list[tuple[int, Position, str]]:
    """Return every decision with at least two legal moves: its number, the position before it, and the move played."""
    found = []
    for number, step in enumerate(position.steps):
        if step.by == CHANCE:
            continue
        at = position.earlier(number)
        at.manual = True
        if len(at.legal_moves) > 1:
            found.append((number, at, step.text))
    if not found:
        raise UserError("nothing-to-analyse", WORDS)
    return found


def compare(at: Position, number: int, move: str, best: Thought, made: Thought) -> Moment:
    """Compare the move played with the best one; if its own search values it higher, it becomes the best one."""
    seat = at.to_move
    assert seat is not None
    if made.chances[seat] >= best.chances[seat]:
        best = made
    loss = max(0.0, best.chances[seat] - made.chances[seat])
    return Moment(
        number,
        seat,
        move,
        best.moves,
        best.chances,
        made.chances,
        best.points,
        made.points,
        loss,
        mark_of(best.chances[seat], made.chances[seat], other_loss(best, made, seat)),
        best.solved and made.solved,
        line=made.moves,
    )


def points_given_away(best: Thought, made: Thought, seat: int) -> float:
    """Return by how many points the move played leaves the seat with a smaller lead; 0 in a game without points."""
    return accuracy.change_of_lead(best.points, made.points, seat) if best.points else 0.0


def other_loss(best: Thought, made: Thought, seat: int) -> float:
    """Return what a move gives away besides the chances: points, or what is left in a lost game; in such chances."""
    if best.points:
        return accuracy.as_chances(points_given_away(best, made, seat))
    if best.chances[seat] >= LOST or made.solved:
        return 0.0
    return accuracy.as_in_even_game(best.chances[seat], made.chances[seat]) / 2


def mark_of(chance: float, after: float, other: float = 0.0) -> Mark:
    """Return the annotation of a move that changes the chance of winning; `other` is what it loses besides."""
    if chance >= WON and after < NOT_WON:
        return "missed win"
    loss = max(chance - after, other)
    return next((mark for least, mark in MARKS if loss >= least), "")
