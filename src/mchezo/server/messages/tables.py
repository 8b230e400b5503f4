"""Tables: how one is asked for, how one looks from a seat, and the list of them."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from mchezo.server.messages.parts import MOST_VARIED, GameName, Level, MoveText, Name, RecordText, Request, Told, View


class ClockRules(Request, frozen=True):
    """A player's clock."""

    milliseconds: Annotated[int, Meta(ge=1_000, le=7 * 24 * 3_600_000)]  # for the whole game
    increment: Annotated[int, Meta(ge=0, le=3_600_000)] = 0  # added after every turn


class SeatPlan(Request, frozen=True):
    """Who is to sit in a seat: `you` (several times: one screen), anybody who joins, or a computer."""

    kind: Literal["you", "open", "computer"]
    name: Name | None = None  # of the player, where you play several seats on one screen
    level: Level | None = None  # of the computer
    clock: ClockRules | None = None  # instead of the table's: players may have different times


class CreateTable(Request, frozen=True):
    """A new table. Its number of seats is that of `seats`; it starts by itself when no seat is open."""

    game: GameName
    seats: Annotated[list[SeatPlan], Meta(min_length=2, max_length=4)]
    options: dict[str, Any] = {}  # the game's start options, see GET /api/games
    clock: ClockRules | None = None  # None: no clock
    public: bool = False  # listed for everybody, else by link only
    lot: bool = True  # seats are drawn by lot when the game starts; False: as planned
    touch_move: bool = False  # a touched pawn must move (Katarenga)
    series: bool = False  # games in pairs, until one player leads after a pair (two players)
    swap: bool | None = None  # whether players change seats in a series and for revenge; None: as the game has it
    takeback: bool = True  # whether players may ask for moves back
    hints: bool = True  # whether hints are given, where all other players are computers
    abandoned: Literal["claim", "computer"] = "claim"  # what the others may do about a player who went away
    grace: Annotated[int, Meta(ge=10_000, le=7 * 24 * 3_600_000)] = 120_000  # how long one may be away
    stand_in: Level = 4  # the computer that plays on for who went away or gave up, of more than two
    name: Name | None = None  # yours; else the name of your cookie
    record: RecordText | None = None  # play on from the end of this record
    at: Annotated[int, Meta(ge=0, le=10_000)] | None = None  # or from after so many of its moves
    then: Annotated[list[MoveText], Meta(max_length=MOST_VARIED)] = []  # and after these


class Settings(Struct, frozen=True):
    """How a table was set up, as `CreateTable` says."""

    public: bool = False
    lot: bool = True
    touch_move: bool = False
    series: bool = False
    swap: bool = False
    takeback: bool = True
    hints: bool = True
    abandoned: Literal["claim", "computer"] = "claim"
    grace: int = 120_000
    stand_in: int = 4


class Player(Struct, frozen=True):
    """Who sits in a seat."""

    kind: Literal["person", "computer", "bot"]
    name: str
    level: int | None = None
    rating: int | None = None


class Seat(Struct, frozen=True):
    """A seat of the table."""

    side: str  # the game's name for it: white, yellow, first; its word is `seat-SIDE`
    player: Player | None  # None: open
    yours: bool
    here: bool  # connected now
    out: Literal["resignation", "time-out", "abandoned"] | None  # a computer plays on for it
    claim: Literal["win", "computer"] | None  # its player has been away so long that others may claim this


class Clock(Struct, frozen=True):
    """The clocks at the moment `at`; the running one goes on from there."""

    at: int
    left: list[int | None]  # of every seat; None: no clock
    increment: list[int]
    running: int | None  # the seat whose time runs


class Asked(Struct, frozen=True):
    """An open question among the players."""

    what: Literal["draw", "takeback", "rematch", "revenge"]
    seat: int  # who asks
    agreed: list[int]  # who has said yes so far, who asked included


class SeriesScore(Struct, frozen=True):
    """The match of which this game is one; players are numbered by their seats in its first game."""

    game: int  # from 1
    score: list[float]  # this game included once it is over
    players: list[int]  # seat -> player
    winner: int | None


class ScoreLine(Struct, frozen=True):
    """Where points came from: the word `score-KEY` of the game."""

    seat: int
    told: Told
    points: float


class Result(Struct, frozen=True):
    """How the game ended; `scores` are those of the board."""

    winners: list[int]
    scores: list[float]
    reason: str
    lines: list[ScoreLine] = []


class Table(Struct, frozen=True):
    """A table as one seat, or a spectator, sees it now."""

    id: str
    game: str
    status: Literal["open", "running", "over"]
    number: int  # of the last event
    options: dict[str, Any]
    seats: list[Seat]
    you: list[int]  # your seats
    seat: int | None  # whose view this is; None: a spectator's
    decision: int | None  # the name of the decision that is open
    to_move: int | None  # the seat that decides
    made: int  # moves made so far, chance among them
    view: View | None  # None before the start
    legal: list[str]  # if you are to move, everything you may play
    touched: str | None  # the pawn that must move
    say: Told  # what happens next, in words
    may: list[str]  # the other commands open to you: resign, ask-draw, answer-draw, claim-2, hint, ...
    clock: Clock | None
    asked: list[Asked]
    result: Result | None
    settings: Settings
    seed_hash: str | None  # published when the game starts
    seed: str | None  # told when it is over: `mchezo verify`
    series: SeriesScore | None
    previous: str | None  # the table of the game before, and of the one after
    next: str | None
    keys: dict[str, str]  # the keys of open seats, for the player who made the table: /join/ID/KEY


class CreatedTable(Struct, frozen=True):
    """A table was made."""

    id: str
    table: Table


class Moment(Struct, frozen=True):
    """The view after so many moves, and the last of them."""

    made: int
    move: str | None
    view: View


class ListedSeat(Struct, frozen=True):
    """A seat in the list of tables."""

    side: str
    player: Player | None
    yours: bool


class ListedTable(Struct, frozen=True):
    """A table in the list."""

    id: str
    game: str
    status: Literal["open", "running", "over"]
    options: dict[str, Any]
    seats: list[ListedSeat]
    clock: ClockRules | None
    made: int
    created: int
    changed: int
    your_move: bool
    winners: list[int] | None
    reason: str | None


class TableList(Struct, frozen=True):
    """Your tables, the public ones that wait for players or can be watched, and the last finished public games."""

    yours: list[ListedTable]
    open: list[ListedTable]
    running: list[ListedTable]
    finished: list[ListedTable]
