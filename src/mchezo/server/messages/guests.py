"""Who you are."""

from msgspec import Struct

from mchezo.server.messages.accounts import Account
from mchezo.server.messages.chat import MyLine
from mchezo.server.messages.correspondence import VacationInfo
from mchezo.server.messages.notices import NoticeChannel, NoticeTimes
from mchezo.server.messages.pairing import CorrespondenceSeekInfo
from mchezo.server.messages.parts import Avatar, Name, Request
from mchezo.server.messages.players import EngineComparison, People, PlayerRating
from mchezo.server.messages.tournaments import MyTournament


class Me(Struct, frozen=True):
    """Who you are, by your cookie or token."""

    name: str | None
    id: str  # public: it does not authenticate you
    bot: bool
    avatar: Avatar | None = None
    account: bool = False


class MyTable(Struct, frozen=True):
    """A table at which you have or had a seat, as it is exported."""

    id: str
    game: str
    status: str
    created: int
    changed: int
    seats: list[int]  # yours
    players: list[str]  # by seat
    record: str | None  # None before the start
    note: str = ""  # to yourself
    plans: list[list[str]] = []  # your conditional moves


class MyRatedGame(Struct, frozen=True):
    """A rated game of yours, and what it changed."""

    table: str
    pool: str
    at: int
    before: int
    after: int | None  # None: nothing


class MyReport(Struct, frozen=True):
    """What you reported to the operator."""

    at: int
    about: str | None  # a player, unless they have left
    text: str


class MyData(Struct, frozen=True):
    """What the server stores about you, 100 tables at a time."""

    id: str
    name: str | None
    bot: bool
    tables: list[MyTable]
    before: int | None  # the query parameter for the next page, if there is one
    account: Account | None = None
    vacations: list[VacationInfo] = []
    ratings: list[PlayerRating] = []
    people: People | None = None  # whom you follow and block
    comparisons: list[EngineComparison] = []
    tournaments: list[MyTournament] = []  # which you entered or organised
    notices: NoticeTimes | None = None  # when and how you are notified of turns
    channels: list[NoticeChannel] = []
    chat: list[MyLine] = []  # what you wrote at tables
    seeks: list[CorrespondenceSeekInfo] = []  # for correspondence games
    rated_games: list[MyRatedGame] = []
    reports: list[MyReport] = []
    feed: str | None = None  # the secret address of your feeds


class NameMe(Request, frozen=True):
    """The name under which you play, and the drawing beside it."""

    name: Name | None = None  # None: as it is
    avatar: Avatar | None = None


class NameBot(Request, frozen=True):
    """The name under which a bot plays."""

    name: Name
    reads_only: bool = False  # it follows games and does not play


class BotToken(Struct, frozen=True):
    """An API token for a bot: `Authorization: Bearer TOKEN`."""

    token: str
    name: str
