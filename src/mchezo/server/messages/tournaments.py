"""Tournaments: how one is planned, what players and the organiser do, and how one looks."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mchezo.server.messages.parts import Avatar, GameName, Level, Options, Request
from mchezo.server.messages.tables import ClockRules, Days

TournamentName = Annotated[str, Meta(min_length=1, max_length=60)]
TournamentFormat = Literal["swiss", "round-robin", "knock-out", "arena"]
TournamentStatus = Literal["open", "running", "over"]
PlayerNumber = Annotated[int, Meta(ge=0, le=10_000)]


class TournamentPlan(Request, frozen=True):
    """A new tournament. Every game has the same seats, options and times."""

    name: TournamentName
    format: TournamentFormat
    game: GameName
    options: Options = {}  # the game's start options, see GET /api/games
    seats: Annotated[int, Meta(ge=2, le=4)] = 2  # at every table
    clock: ClockRules | None = None  # of every player
    days: Days | None = None  # or correspondence: days for every turn
    weekends: bool = False  # of which Saturdays and Sundays, by UTC, do not count
    rated: bool = False
    rounds: Annotated[int, Meta(ge=1, le=20)] = 5  # of a Swiss tournament
    minutes: Annotated[int, Meta(ge=5, le=24 * 60)] = 60  # of an arena
    starts: Annotated[int, Meta(ge=0, le=2**53)] | None = None  # None: the organiser starts it
    most: Annotated[int, Meta(ge=2, le=128)] = 64  # players who may enter
    late: bool = True  # whether players may enter after the start (Swiss; always in an arena)
    computers: bool = False  # whether the organiser may enter computers
    bots: bool = False  # whether bots may enter
    no_show: Annotated[int, Meta(ge=30_000, le=24 * 3_600_000)] = 180_000  # time for the first move of a game


class TournamentCommand(Request, frozen=True, tag_field="type"):
    """What players and the organiser do; a command that has nothing to change changes nothing."""


class EnterTournament(TournamentCommand, frozen=True, tag="enter"):
    """Enter, or come back after a withdrawal."""


class WithdrawFromTournament(TournamentCommand, frozen=True, tag="withdraw"):
    """Withdraw: before the start altogether, later from the next round on. In an arena this is a pause."""


class AddComputer(TournamentCommand, frozen=True, tag="add-computer"):
    """Enter a computer (the organiser only)."""

    level: Level


class RemovePlayer(TournamentCommand, frozen=True, tag="remove"):
    """Remove a player, as if they had withdrawn (the organiser only). They cannot come back."""

    player: PlayerNumber


class StartTournament(TournamentCommand, frozen=True, tag="start"):
    """Start now (the organiser only)."""


class CancelTournament(TournamentCommand, frozen=True, tag="cancel"):
    """End the tournament now: the standings stay as they are (the organiser only)."""


TournamentCommands = (
    EnterTournament | WithdrawFromTournament | AddComputer | RemovePlayer | StartTournament | CancelTournament
)


class TournamentPlayer(Struct, frozen=True):
    """A player, in the order of entry, with the number in this tournament."""

    number: int
    kind: Literal["person", "bot", "computer"]
    name: str
    level: int | None = None
    rating: int | None = None  # at the entry
    avatar: Avatar | None = None
    account: bool = False  # there is a profile under this name
    active: bool = True  # False: withdrawn
    seed: int = 0  # the place in the initial ranking, from 1


class Standing(Struct, frozen=True):
    """A line of the standings, best first. Equal places are shared."""

    player: int
    place: int  # from 1
    points: float
    played: int  # games that are over
    tie_breaks: list[float]  # in the order of `Tournament.tie_breaks`
    streak: bool = False  # arena: the next win counts double


class TournamentGame(Struct, frozen=True):
    """A game: its table, the players in the order of the seats, their places (0 is best; equal ones are shared).

    If nobody came, all are last: nobody is first.
    """

    table: str
    players: list[int]
    places: list[int] | None = None  # None: it is being played


class TournamentRound(Struct, frozen=True):
    """A round. In a knock-out players with a bye go through."""

    number: int
    games: list[TournamentGame]
    byes: list[int]


class BracketMatch(Struct, frozen=True):
    """A match of a knock-out: who plays, and who advances, once that is known."""

    players: list[int | None]
    winner: int | None


TieBreak = Literal["buchholz-cut", "buchholz", "sonneborn-berger", "encounter", "wins", "firsts", "seconds"]


class Tournament(Struct, frozen=True):
    """A tournament as you see it."""

    id: str
    version: int  # changes with everything that can be seen
    plan: TournamentPlan
    organiser: str
    created: int
    status: TournamentStatus
    started: int | None
    ends: int | None  # arena: when no more games are started
    ended: Literal["played", "too-few", "cancelled"] | None
    rounds_planned: int | None  # None: it depends on the players
    players: list[TournamentPlayer]
    standings: list[Standing]
    tie_breaks: list[TieBreak]
    rounds: list[TournamentRound]
    bracket: list[list[BracketMatch]]  # knock-out: the matches of every round, first round first
    you: int | None  # your number
    table: str | None  # where you are to play now
    organises: bool  # whether you are the organiser
    may: list[Literal["enter", "withdraw", "add-computer", "remove", "start", "cancel"]]


class ListedTournament(Struct, frozen=True):
    """A tournament in the list."""

    id: str
    name: str
    format: TournamentFormat
    game: str
    seats: int
    clock: ClockRules | None
    days: int | None
    rated: bool
    organiser: str
    status: TournamentStatus
    created: int
    starts: int | None
    started: int | None
    minutes: int | None  # of an arena
    round: int  # the last that was paired
    players: int  # active ones
    most: int
    winners: list[TournamentPlayer]  # once it is over
    entered: bool = False  # you are in it


class TournamentList(Struct, frozen=True):
    """Tournaments that are open, running and recently over; `yours` are those you entered or organise."""

    yours: list[ListedTournament]
    open: list[ListedTournament]
    running: list[ListedTournament]
    over: list[ListedTournament]


class MyTournament(Struct, frozen=True):
    """A tournament in which you took part or which you organised, as it is exported."""

    id: str
    name: str
    created: int
    organised: bool
    player: int | None  # your number
    place: int | None
    points: float | None
