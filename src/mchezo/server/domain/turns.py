"""The turns of a game, and how long its moves took."""

from __future__ import annotations

from mchezo.core import verbs
from mchezo.core.position import Position
from mchezo.core.structs import CHANCE
from mchezo.server.domain import log
from mchezo.server.domain.table import Table


def turn_starts(position: Position) -> list[int]:
    """Return how many moves had been made when each turn began; a retreat in the middle of a turn belongs to it."""
    starts, turn = [], CHANCE
    for number, step in enumerate(position.steps):
        mover = CHANCE if step.by == CHANCE else verbs.turn_of(step.before[0])
        if mover not in (CHANCE, turn) or position.each_move_is_a_turn:
            starts.append(number)
            turn = mover
    return starts


def move_times(table: Table) -> list[int | None]:
    """Return how long each move took, where the log says so; the first move of a submission has the time of all."""
    times: list[int | None] = [None] * len(table.creation.moves)
    since = 0
    for fact in table.log:
        match fact:
            case log.GameStarted():
                since = fact.at
            case log.MovePlayed():
                times.append(max(0, fact.at - since - fact.delay) if fact.first else None)
                since = fact.at
            case log.ChanceResolved():
                times.append(None)
            case log.MovesTakenBack():
                del times[fact.moves_made :]
                since = fact.at
            case log.ClockPaused():
                since += fact.milliseconds
    return times
