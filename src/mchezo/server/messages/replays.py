"""Games that are over: replay, variations, analysis."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mchezo.server.messages.commands import Preview
from mchezo.server.messages.parts import MOST_VARIED, MoveText, RecordText, Request, Told, View
from mchezo.server.messages.tables import Table


class ReplayStep(Struct, frozen=True):
    """A move of a finished game; `move` is `=?` for what the chosen seat could not see."""

    seat: int | None  # None: chance
    move: str
    told: list[Told]
    turn: bool  # a turn begins with it
    took: int | None = None  # milliseconds, where that is known


class Replay(Struct, frozen=True):
    """A finished game: the table, and every move that stands."""

    table: Table
    steps: list[ReplayStep]


class ReplayViews(Struct, frozen=True):
    """Views of a finished game, the first after `first` moves."""

    first: int
    views: list[View]


class Vary(Request, frozen=True):
    """Other moves from any point of a finished game. Chance that follows is drawn anew and told among the moves."""

    at: Annotated[int, Meta(ge=0, le=10_000)]  # after so many moves of the game
    moves: Annotated[list[MoveText], Meta(max_length=MOST_VARIED)] = []
    whose: Annotated[str, Meta(pattern="^([0-3]|none|all)$")] = "all"


class Varied(Struct, frozen=True):
    """Where other moves lead; `moves` has what chance added."""

    at: int
    moves: list[str]
    steps: list[ReplayStep]
    view: View
    legal: list[str]
    previews: dict[str, Preview]


class UploadRecord(Request, frozen=True):
    """A record that is to have a replay of its own."""

    record: RecordText


class Uploaded(Struct, frozen=True):
    """The record has a page of its own: /replay/ID."""

    id: str


class AnalysedMove(Struct, frozen=True):
    """What is thought of one decision; chances and points of every seat, with the best move and with the one played."""

    number: int  # moves made before it
    seat: int
    move: str
    best: list[str]  # what would have been best, and how it would go on
    did: list[Told]  # what the first of them would have done
    chances: list[float]
    after: list[float]
    points: list[float]
    points_after: list[float]
    mark: Literal["", "inaccuracy", "mistake", "blunder", "missed win"]
    solved: bool  # nothing was left to judgement
    why: Told | None  # what it gave away: the game's word `why-KEY`, else that of the players


AnalysisStatus = Literal["none", "waiting", "done", "failed"]


class Analysed(Struct, frozen=True):
    """How far the analysis of a game is, and what was found: all of it, or after what was asked for."""

    status: AnalysisStatus
    done: int  # decisions judged
    total: int  # of so many; 0 before it has begun
    moves: list[AnalysedMove]
    accuracy: list[float | None]  # the mean share of its chances that each seat kept
