"""Tables: how one is requested, how one looks from a seat, and lists of them."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from mchezo.server.messages.parts import (
    MAX_VARIATION,
    Avatar,
    GameName,
    Level,
    Message,
    MoveText,
    Name,
    Options,
    RecordText,
    Request,
    View,
)


class ClockRules(Request, frozen=True):
    """A player's clock."""

    milliseconds: Annotated[int, Meta(ge=1_000, le=7 * 24 * 3_600_000)]  # for the whole game
    increment: Annotated[int, Meta(ge=0, le=3_600_000)] = 0  # added after every turn


# How many days a player has for every turn of a correspondence game.
Days = Literal[1, 2, 3, 5, 7, 14]


class SeatPlan(Request, frozen=True):
    """Who will sit in a seat: `you` (several times if you share a screen), anybody who joins, or a computer."""

    kind: Literal["you", "open", "computer"]
    name: Name | None = None  # of the player, if several share a screen
    level: Level | None = None  # of the computer
    clock: ClockRules | None = None  # overrides the table's


class CreateTable(Request, frozen=True):
    """A new table with these seats, a rival's excepted. The game starts by itself once no seat is open."""

    game: GameName
    seats: Annotated[list[SeatPlan], Meta(min_length=1, max_length=4)]
    options: Options = {}  # the game's start options, see GET /api/games
    clock: ClockRules | None = None  # None: no clock
    days: Days | None = None  # correspondence: days for every turn, instead of a clock
    weekends: bool = False  # of which Saturdays and Sundays, by UTC, do not count
    public: bool = False  # listed for everybody; else reachable by link only
    lot: bool = True  # assign seats at random when the game starts; False: as planned
    touch_move: bool = False  # a touched pawn must move (Katarenga)
    series: bool = False  # games in pairs, until one player leads after a pair (two players)
    swap: bool | None = None  # whether players change seats in a series and for revenge; None: the game's default
    takeback: bool = True  # whether players may ask for takebacks
    hints: bool = True  # whether hints are given if all other players are computers
    abandoned: Literal["claim", "computer"] = "claim"  # what the others may do about a player who left
    grace: Annotated[int, Meta(ge=10_000, le=7 * 24 * 3_600_000)] = 120_000  # how long a player may be away
    stand_in: Level = 4  # the level of the computer that replaces a player
    rated: bool = False  # between account holders and computers, without takebacks and hints: docs/ratings.md
    name: Name | None = None  # yours; None: the name in your cookie
    record: RecordText | None = None  # continue from the end of this record
    at: Annotated[int, Meta(ge=0, le=10_000)] | None = None  # or after this many of its moves
    then: Annotated[list[MoveText], Meta(max_length=MAX_VARIATION)] = []  # followed by these


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
    days: int | None = None
    weekends: bool = False
    rated: bool = False
    paired: bool = False  # by the server, which gives everybody the seat they had less often


class SeatedPlayer(Struct, frozen=True):
    """Who sits in a seat."""

    kind: Literal["person", "computer", "bot", "rival"]  # rival: the rules of the game move its pawns
    name: str
    level: int | None = None
    rating: int | None = None
    avatar: Avatar | None = None
    account: bool = False  # there is a profile under this name


class SeatView(Struct, frozen=True):
    """A seat of the table."""

    side: str  # the game's name for it: white, yellow, first; its text is `seat-SIDE`
    player: SeatedPlayer | None  # None: open
    yours: bool
    here: bool  # connected now
    out: Literal["resignation", "time-out", "abandoned"] | None  # why a computer has replaced its player
    claim: Literal["win", "computer"] | None  # what others may claim because its player has been away too long


class Span(Struct, frozen=True):
    """From one point in time to another."""

    since: int
    until: int


class ClockView(Struct, frozen=True):
    """The clocks at the time `at`; the running one continues from there."""

    at: int
    left: list[int | None]  # of every seat; None: no clock
    increment: list[int]
    running: int | None  # the seat whose time runs
    deadline: int | None = None  # in correspondence: when it is over, free days included
    vacations: list[list[Span]] = []  # in correspondence, by seat: what is not counted


class Asked(Struct, frozen=True):
    """An open question among the players."""

    what: Literal["draw", "takeback", "rematch", "revenge"]
    seat: int  # who asks
    agreed: list[int]  # the seats that agree so far, the asker included


class SeriesScore(Struct, frozen=True):
    """The score of a series of games; players are numbered by their seats in the first game."""

    game: int  # from 1
    score: list[float]  # includes this game once it is over
    players: list[int]  # seat -> player
    winner: int | None


class ScoreLine(Struct, frozen=True):
    """Where points come from; its text is `score-KEY` of the game."""

    seat: int
    told: Message
    points: float


class GameResult(Struct, frozen=True):
    """How the game ended; `scores` are those on the board."""

    winners: list[int]
    scores: list[float]
    reason: str
    lines: list[ScoreLine] = []


class TableView(Struct, frozen=True):
    """A table as one seat, or a spectator, sees it now."""

    id: str
    game: str
    status: Literal["open", "running", "over"]
    number: int  # of the last event
    options: dict[str, Any]
    seats: list[SeatView]
    you: list[int]  # your seats
    seat: int | None  # the seat whose view this is; None: a spectator's
    decision: int | None  # identifies the open decision
    to_move: int | None  # the seat that decides
    made: int  # moves made so far, chance included
    view: View | None  # None before the start
    legal: list[str]  # the legal moves, if you are to move
    touched: str | None  # the pawn that must move
    say: Message  # what happens next
    may: list[str]  # the other commands available to you: resign, ask-draw, answer-draw, claim-2, hint, ...
    clock: ClockView | None
    asked: list[Asked]
    result: GameResult | None
    settings: Settings
    seed_hash: str | None  # published when the game starts
    seed: str | None  # published when it is over: `mchezo verify`
    series: SeriesScore | None
    previous: str | None  # the table of the previous game, and of the next
    next: str | None
    keys: dict[str, str]  # the keys of open seats, for the table's creator: /join/ID/KEY
    tournament: str | None = None  # to which the game belongs


class CreatedTable(Struct, frozen=True):
    """A table was created."""

    id: str
    table: TableView


class Moment(Struct, frozen=True):
    """The view after this many moves, and the last of them."""

    made: int
    move: str | None
    view: View


class ListedSeat(Struct, frozen=True):
    """A seat in the list of tables."""

    side: str
    player: SeatedPlayer | None
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
    days: int | None = None  # in correspondence: for every turn
    deadline: int | None = None  # when the time for this one is over
    turn: int | None = None  # the number of the event that began it, and when it was
    turn_since: int | None = None


class SetAsideTable(Struct, frozen=True):
    """A table that cannot be read: it waits for the operator of the server."""

    id: str
    game: str


class TableList(Struct, frozen=True):
    """Your tables, public tables that are open or running, and recent public games.

    `set_aside` are tables of yours that cannot be read; they are in none of the other lists.
    """

    yours: list[ListedTable]
    open: list[ListedTable]
    running: list[ListedTable]
    finished: list[ListedTable]
    set_aside: list[SetAsideTable] = []
