"""What computer players think about, and what is asked about finished games, in a worker that is ended to stop it."""

from __future__ import annotations

import time
from functools import cache, lru_cache
from typing import NamedTuple

import msgspec

from mchezo.core.errors import UserError
from mchezo.core.position import Position
from mchezo.core.structs import CHANCE
from mchezo.puzzles.puzzle import Puzzle
from mchezo.search.alternatives import alternative
from mchezo.search.analysis import analyst, decisions, evaluate
from mchezo.search.players import Engine, Player, player
from mchezo.search.thought import Stop
from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.creation import replay
from mchezo.server.domain.table import Table
from mchezo.server.projection.analysis import analysed, analysed_move
from mchezo.server.projection.hints import hinted, play_unsent
from mchezo.server.projection.replay import position_after
from mchezo.server.transport.untrusted import read_record

HINT_SECONDS = 5.0


class Task(msgspec.Struct, frozen=True, tag_field="think"):
    """Something to think about: a table as its facts."""

    table: str
    facts: list[str]
    level: int


class Turn(Task, frozen=True, tag="turn"):
    """A computer's turn; its moves are the answer to a decision."""

    decision: int
    seat: int
    seconds: float | None = None  # at most, where a clock runs


class HintTask(Task, frozen=True, tag="hint"):
    """A hint for the person; the answer is a message."""

    id: str  # of the request
    moves: list[str] = []  # unsent decisions before it


class Study(msgspec.Struct, frozen=True, tag_field="think"):
    """Something to find out about a finished game, given as its record."""

    record: str


class AnalysisTask(Study, frozen=True, tag="analysis"):
    """The analysis of one more decision; the result is the whole analysis so far."""

    found: list[messages.AnalysedMove]


class LinesTask(Study, frozen=True, tag="lines"):
    """The best moves at a point of the game, or where other moves from there lead; the results are best first."""

    at: int  # after this many moves of the game
    moves: list[str]  # other moves, chance outcomes included
    count: int
    effort: int  # a multiple of the effort of an analysis, in sixteenths


class MistakeTask(msgspec.Struct, frozen=True, tag_field="think", tag="mistake"):
    """Why the last of these moves on the board of a puzzle is a mistake."""

    game: str
    puzzle: Puzzle
    moves: list[str]


Tasks = Turn | HintTask | AnalysisTask | LinesTask | MistakeTask
TASKS: msgspec.json.Decoder[Tasks] = msgspec.json.Decoder(Tasks)
# What a task results in, or a refusal.
RESULTS = {
    Turn: list[str],
    HintTask: messages.Hinted,
    AnalysisTask: messages.Analysed,
    LinesTask: list[messages.Hinted],
    MistakeTask: messages.AnalysedMove,
}


def think(task: str) -> str:
    """Think about a task; return the result."""
    asked = TASKS.decode(task)
    match asked:
        case AnalysisTask():
            result: object = analyse_next(asked)
        case LinesTask():
            result = best_lines(asked)
        case MistakeTask():
            result = mistake(asked)
        case _:
            result = play(asked)
    return messages.encode(result).decode()


def play(asked: Turn | HintTask) -> object:
    """Return the moves of a computer's turn, or a hint."""
    table = Table(asked.table, [log.decode(fact.encode()) for fact in asked.facts])
    assert table.position is not None
    found, position = player_of(table.creation.game, asked.level), table.position.copy()
    match asked:
        case Turn():
            return found.turn(position, stop=None if asked.seconds is None else after(asked.seconds))
        case HintTask():
            play_unsent(position, asked.moves)
            thought = found.think(position, stop=after(HINT_SECONDS))
            other = alternative(
                position, thought, analyst_of(position.game.name), nodes=found.nodes, stop=after(HINT_SECONDS)
            )
            return hinted(thought, asked.id, other)


def analyse_next(asked: AnalysisTask) -> messages.Analysed:
    """Return an analysis with one more decision."""
    game = studied(asked.record)
    found, total = list(asked.found), len(game.decisions)
    if len(found) < total:
        number, at, move = game.decisions[len(found)]
        moment = evaluate(analyst_of(at.game.name), at, number, move, at.game.computers.analysis_nodes)
        found.append(analysed_move(at, moment))
    return analysed("done" if len(found) >= total else "waiting", total, found, len(game.position.seats))


def best_lines(asked: LinesTask) -> list[messages.Hinted]:
    """Return the best moves of a position, with their lines; none if nobody has to move."""
    position = position_after(studied(asked.record).position, asked.at)
    position.manual = True
    for move in asked.moves:
        position.play(move)
    if position.to_move is None or position.to_move == CHANCE:
        return []
    nodes = max(1, position.game.computers.analysis_nodes * asked.effort // 16)
    thoughts = analyst_of(position.game.name).best(position, asked.count, nodes=nodes)
    return [hinted(thought, "lines") for thought in thoughts]


def mistake(asked: MistakeTask) -> messages.AnalysedMove:
    """Return the analysis of the last move."""
    position = asked.puzzle.start(asked.game)
    for move in asked.moves:
        position.play(move)
    number, at, move = decisions(position)[-1]
    moment = evaluate(analyst_of(at.game.name), at, number, move, at.game.computers.analysis_nodes)
    return analysed_move(at, moment)


class Studied(NamedTuple):
    """A finished game, and its decisions."""

    position: Position
    decisions: list[tuple[int, Position, str]]


@lru_cache(maxsize=1)
def studied(text: str) -> Studied:
    """Return the game of a record."""
    record, pack = read_record(text)
    position = replay(record, pack)
    try:
        return Studied(position, decisions(position))
    except UserError:
        return Studied(position, [])  # nobody had a choice


def after(seconds: float) -> Stop:
    """Return a condition that holds after this time."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


@cache
def player_of(game: str, level: int) -> Player:
    """Return a player, which keeps what it learned from turn to turn."""
    return player(game, level)


@cache
def analyst_of(game: str) -> Engine:
    """Return the engine that analyses a game."""
    return analyst(game)
