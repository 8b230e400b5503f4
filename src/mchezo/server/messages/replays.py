"""Finished games: replay, variations, analysis."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mchezo.server.messages.commands import Preview
from mchezo.server.messages.parts import MAX_VARIATION, Message, MoveText, RecordText, Request, View
from mchezo.server.messages.tables import TableView


class ReplayStep(Struct, frozen=True):
    """A move of a finished game; `move` is `=?` if the chosen viewer could not see it."""

    seat: int | None  # None: chance
    move: str
    told: list[Message]
    turn: bool  # it begins a turn
    took: int | None = None  # milliseconds, if known


class Replay(Struct, frozen=True):
    """A finished game: the table, and every move that was not taken back."""

    table: TableView
    steps: list[ReplayStep]


class ReplayViews(Struct, frozen=True):
    """Views of a finished game, from after `first` moves on."""

    first: int
    views: list[View]


class Vary(Request, frozen=True):
    """Other moves from any point of a finished game. What chance decides then is redrawn and added to the moves."""

    at: Annotated[int, Meta(ge=0, le=10_000)]  # after this many moves of the game
    moves: Annotated[list[MoveText], Meta(max_length=MAX_VARIATION)] = []
    whose: Annotated[str, Meta(pattern="^([0-3]|none|all)$")] = "all"


class Varied(Struct, frozen=True):
    """Where other moves lead; `moves` includes what chance added."""

    at: int
    moves: list[str]
    steps: list[ReplayStep]
    view: View
    legal: list[str]
    previews: dict[str, Preview]


class ExploredMove(Struct, frozen=True):
    """A move that was played in a position: in how many games, and its mean score for the seat that made it."""

    move: str
    games: int
    score: float  # 1 for a win; a draw or a shared win is divided


class Explored(Struct, frozen=True):
    """What was played in a position: in finished public games of this server, and in self-play of a strong level."""

    here: list[ExploredMove]
    strong: list[ExploredMove]


class UploadRecord(Request, frozen=True):
    """A record to be shown as a replay."""

    record: RecordText


class Uploaded(Struct, frozen=True):
    """The record's page is /replay/ID."""

    id: str


class AnalysedMove(Struct, frozen=True):
    """The analysis of a decision: chances and points of every seat after the best move and after the one played."""

    number: int  # of moves made before it
    seat: int
    move: str
    best: list[str]  # the principal variation
    did: list[Message]  # what its first move would have done
    chances: list[float]
    after: list[float]
    points: list[float]
    points_after: list[float]
    mark: Literal["", "inaccuracy", "mistake", "blunder", "missed win"]
    solved: bool  # the game was solved from here
    why: Message | None  # what it gave away; its text is `why-KEY` of the game or the players
    line: list[str] = []  # the principal variation of the move played; empty in older analyses


AnalysisStatus = Literal["none", "waiting", "done", "failed"]


class Analysed(Struct, frozen=True):
    """The progress of an analysis, and its moves: all of them, or those after a given number."""

    status: AnalysisStatus
    done: int  # decisions analysed
    total: int  # decisions in the game; 0 before the analysis has started
    moves: list[AnalysedMove]
    accuracy: list[float | None]  # how well each seat played, from 0 to 1: search/accuracy.py
    points_lost: list[float] = []  # how many points each seat gave away; empty in a game without points
