"""What a strong player thinks of a game, decision by decision: chances, better moves, blunders."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Literal

from mchezo.core import registry
from mchezo.core.deeds import Deed
from mchezo.core.errors import Refusal
from mchezo.core.position import Position
from mchezo.core.record import Record
from mchezo.core.structs import CHANCE
from mchezo.search.players import LEVELS, WORDS, Engine, engine, levels
from mchezo.search.reasons import why
from mchezo.search.thought import Stop, Thought

Mark = Literal["", "inaccuracy", "mistake", "blunder", "missed win"]

# What a move gave away, as a share of the chance of winning, and what that is called.
MARKS: tuple[tuple[float, Mark], ...] = ((0.2, "blunder"), (0.1, "mistake"), (0.05, "inaccuracy"))
WON, NOT_WON = 0.9, 0.6  # a win is missed when a move leads from above the one to below the other
NODES = 100_000  # for each decision, unless told otherwise


@dataclass(frozen=True)
class Moment:
    """One decision of a game, and what is thought of it."""

    number: int  # how many moves had been made, chance outcomes among them
    seat: int
    move: str  # what was played
    best: tuple[str, ...]  # what would have been best, and how it would go on
    chances: tuple[float, ...]  # of winning, for every seat, with the best move
    after: tuple[float, ...]  # with the move that was played
    points: tuple[float, ...]  # expected with the best move; () where the game has none
    points_after: tuple[float, ...]
    loss: float  # what the move gave away of the seat's chance of winning
    mark: Mark
    solved: bool  # nothing was left to judgement
    why: Deed | None = None  # what the move gave away, where it is marked


@dataclass(frozen=True)
class Analysis:
    """What is thought of a whole game."""

    game: str
    seats: tuple[str, ...]
    moments: tuple[Moment, ...]

    @property
    def marked(self) -> tuple[Moment, ...]:
        """The moments at which something was given away."""
        return tuple(moment for moment in self.moments if moment.mark)

    def accuracy(self, seat: int) -> float | None:
        """The mean share of its chances that a seat kept, from 0 to 1; None if it decided nothing."""
        losses = [moment.loss for moment in self.moments if moment.seat == seat]
        return 1.0 - sum(losses) / len(losses) if losses else None


def analyse(
    played: Position | Record | str,
    *,
    nodes: int = NODES,
    numbers: Collection[int] | None = None,
    stop: Stop | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Analysis:
    """Judge the decisions of a game, all or those after so many moves (`numbers`); `progress` hears how many are done.

    A player is judged by what its seat could see. A position, a record or a record's text may be given.
    """
    position = played if isinstance(played, Position) else replayed(played)
    thinker = analyst(position.game.name)
    before = [one for one in beginnings(position) if numbers is None or one[0] in numbers]
    moments: list[Moment] = []
    for done, (number, at, move) in enumerate(before):
        if stop is not None and stop():
            break
        moments.append(look(thinker, at, number, move, nodes, stop))
        if progress is not None:
            progress(done + 1, len(before))
    return Analysis(position.game.name, position.seats, tuple(moments))


def analyst(game: str) -> Engine:
    """Who judges: the engine of the strongest player."""
    return engine(levels(game)[LEVELS - 1], threads=1)


def look(thinker: Engine, at: Position, number: int, move: str, nodes: int, stop: Stop | None = None) -> Moment:
    """Judge one decision, and say why if it gave something away."""
    best, *_ = thinker.best(at, 1, nodes=nodes, stop=stop)
    made = best
    if best.moves[0] != move:
        made, *_ = thinker.best(at, 1, nodes=nodes, stop=stop, only=[move])
    moment = judge(at, number, move, best, made)
    return replace(moment, why=why(at, best, made, thinker)) if moment.mark else moment


def warm_up(game: str) -> None:
    """Compile what an analysis needs beside what its player does, or load it from the cache."""
    at = registry.find(game).start(seed=1)
    thinker = analyst(game)
    thought, *_ = thinker.best(at, 1, nodes=100)
    why(at, thought, thought, thinker)


def replayed(record: Record | str) -> Position:
    """The game of a record, played to where it ends."""
    read = Record.parse(record) if isinstance(record, str) else record
    return read.replay()


def beginnings(position: Position) -> list[tuple[int, Position, str]]:
    """Every decision of a game with a real choice: its number, the position before it, and what was played."""
    found = []
    for number, step in enumerate(position.steps):
        if step.by == CHANCE:
            continue
        at = position.copy()
        at.steps = position.steps[:number]
        at.states = step.before
        at.manual = True
        if len(at.legal_moves) > 1:
            found.append((number, at, step.text))
    if not found:
        raise Refusal("nothing-to-analyse", WORDS)
    return found


def judge(at: Position, number: int, move: str, best: Thought, made: Thought) -> Moment:
    """What a move gave away. Where the search likes what was played better after all, that is the best move."""
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
        mark_of(best.chances[seat], made.chances[seat]),
        best.solved and made.solved,
    )


def mark_of(chance: float, after: float) -> Mark:
    """What a move is called that leads from one chance of winning to another."""
    if chance >= WON and after < NOT_WON:
        return "missed win"
    return next((mark for least, mark in MARKS if chance - after >= least), "")
