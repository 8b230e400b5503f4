"""What computer players think about, in a worker of their own, which is ended to stop them."""

from __future__ import annotations

import time
from functools import cache

import msgspec

from mchezo.search.players import Player, player
from mchezo.search.thought import Stop
from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.table import Table
from mchezo.server.projection.hints import hinted

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


Tasks = Turn | HintTask
TASKS: msgspec.json.Decoder[Tasks] = msgspec.json.Decoder(Tasks)
RESULTS = {Turn: list[str], HintTask: messages.Hinted}  # by the task


def think(task: str) -> str:
    """Think about a task; return the result."""
    asked = TASKS.decode(task)
    table = Table(asked.table, [log.decode(fact.encode()) for fact in asked.facts])
    assert table.position is not None
    found, position = player_of(table.creation.game, asked.level), table.position.copy()
    match asked:
        case Turn():
            stop = None if asked.seconds is None else after(asked.seconds)
            return messages.encode(found.turn(position, stop=stop)).decode()
        case HintTask():
            return messages.encode(hinted(found.think(position, stop=after(HINT_SECONDS)), asked.id)).decode()


def after(seconds: float) -> Stop:
    """Return a condition that holds after this time."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


@cache
def player_of(game: str, level: int) -> Player:
    """Return a player, which keeps what it learned from turn to turn."""
    return player(game, level)
