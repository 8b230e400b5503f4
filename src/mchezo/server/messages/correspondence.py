"""Correspondence: conditional moves, notes to oneself, vacations, the games that wait for you."""

from typing import Annotated

from msgspec import Meta, Struct

from mchezo.server.messages.parts import MoveText, Request, SeatNumber, View
from mchezo.server.messages.tables import ListedTable

MAX_LINES = 12  # of a plan
MAX_LINE = 40  # moves, those of all seats
Time = Annotated[int, Meta(ge=0, le=2**53)]
Line = Annotated[list[MoveText], Meta(min_length=1, max_length=MAX_LINE)]


class PlanMoves(Request, frozen=True):
    """Your conditional moves: each line has the moves of all seats from now on, and ends with one of yours."""

    lines: Annotated[list[Line], Meta(max_length=MAX_LINES)]  # none: nothing is planned
    seat: SeatNumber | None = None  # None: your first seat


class Plan(Struct, frozen=True):
    """Your conditional moves, as they are kept; nobody else sees them."""

    seat: int
    made: int  # moves made when they were planned: the lines begin there
    lines: list[list[str]]


class TryPlan(Request, frozen=True):
    """Moves of all seats from now on."""

    moves: Annotated[list[MoveText], Meta(max_length=MAX_LINE)] = []
    seat: SeatNumber | None = None


class PlanStep(Struct, frozen=True):
    """Where moves of all seats lead. `legal` is empty where chance decides, or the game is over."""

    moves: list[str]
    to_move: int | None  # the seat that decides then
    legal: list[str]
    view: View


class KeepNote(Request, frozen=True):
    """A note to yourself about a table; an empty one is deleted."""

    text: Annotated[str, Meta(max_length=4_000)]


class Note(Struct, frozen=True):
    """Your note about a table."""

    text: str


class TakeVacation(Request, frozen=True):
    """A span of time in which the clocks of your correspondence games stand still."""

    until: Time
    since: Time | None = None  # None: now


class VacationInfo(Struct, frozen=True):
    """A vacation of yours."""

    id: str
    since: int
    until: int


class Vacations(Struct, frozen=True):
    """Your vacations of the last year and to come, and how much you can still take within a year from now."""

    vacations: list[VacationInfo]
    left: int  # milliseconds
    most: int  # days a year


class Feed(Struct, frozen=True):
    """The secret address of your feeds: with `.ics` it is a calendar, with `.rss` a news feed."""

    address: str | None  # None: there are none


class WaitingTables(Struct, frozen=True):
    """The running tables where you are to move: the first is the most urgent."""

    tables: list[ListedTable]
