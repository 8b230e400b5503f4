"""Pairing: seeks, challenges, bots that wait for challenges, and the lobby that shows all of them."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from mchezo.server.messages.parts import Name, Request
from mchezo.server.messages.tables import ClockRules, Days

# What is played: a kind of game that has ratings of its own, such as `katarenga`, `congress` or `kitara-3`.
Kind = Annotated[str, Meta(pattern="^[a-z0-9-]{1,30}$")]
# 5 minutes and 3 seconds a turn, 15 minutes and 10 seconds a turn, no clock.
Speed = Literal["blitz", "rapid", "unlimited"]
# Or three days for every turn.
ChallengeSpeed = Literal["blitz", "rapid", "unlimited", "correspondence"]
PairingId = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]


class NewSeek(Request, frozen=True, kw_only=True):
    """What a player who looks for opponents wants to play."""

    kind: Kind
    rated: bool = False
    spread: Annotated[int, Meta(ge=50, le=2_000)] | None = None  # ratings that differ by more are refused; None: none
    accept: PairingId | None = None  # play this waiting seek, of the same terms
    name: Name | None = None  # yours; None: the name in your cookie. An account has its own


class Seek(NewSeek, frozen=True, kw_only=True):
    """Look for opponents for a game that starts at once. A guest has one seek: a new one replaces it."""

    speed: Speed


class Seeking(Struct, frozen=True):
    """Your own seek."""

    kind: str
    speed: Speed
    rated: bool
    spread: int | None
    since: int
    players: int  # of the game, you included
    table: str | None  # the game that was found
    game: str  # how to play the same against computers: `CreateTable`
    options: dict[str, Any]
    clock: ClockRules | None
    level: int  # of computers that are about as strong as you
    level_rated: bool  # whether a game against them can be rated


class WaitingSeek(Struct, frozen=True):
    """Somebody who waits for opponents, for any speed."""

    id: str
    name: str
    rating: int | None  # None: a guest
    provisional: bool
    kind: str
    rated: bool
    since: int


class SeekInfo(WaitingSeek, frozen=True):
    """Somebody who waits for opponents."""

    speed: Speed


class CorrespondenceSeek(NewSeek, frozen=True, kw_only=True):
    """Look for opponents for a correspondence game, which starts when they are found, for at most two weeks.

    A guest can have several; one of the same terms replaces the last.
    """

    days: Days  # for every turn


class CorrespondenceSeekInfo(WaitingSeek, frozen=True):
    """A seek for a correspondence game; your own include those that found one."""

    days: Days
    until: int  # when it is withdrawn, or not shown any more
    yours: bool
    table: str | None  # the game that was found


class NewChallenge(Request, frozen=True):
    """Challenge a player with an account, by name, or a bot of the lobby, by id."""

    kind: Kind
    speed: ChallengeSpeed
    rated: bool = False
    player: Name | None = None
    bot: PairingId | None = None
    name: Name | None = None  # yours, as for a seek


class AnswerChallenge(Request, frozen=True):
    """Accept or decline a challenge."""

    accept: bool
    name: Name | None = None  # yours, as for a seek


class ChallengeInfo(Struct, frozen=True):
    """A challenge to you or by you. It stays in the lobby for a minute after it was answered."""

    id: str
    by: str
    to: str
    yours: bool  # you are the challenger
    kind: str
    speed: ChallengeSpeed
    rated: bool
    until: int  # when it is withdrawn
    status: Literal["waiting", "accepted", "declined", "withdrawn"]
    table: str | None  # of an accepted one


class BotInfo(Struct, frozen=True):
    """A bot that waits for challenges."""

    id: str
    name: str
    games: list[str]


class Lobby(Struct, frozen=True, tag_field="type", tag="lobby"):
    """Who waits for opponents, and what concerns you. Every message on the lobby's WebSocket is the whole state."""

    seeking: Seeking | None
    seeks: list[SeekInfo]  # of others
    challenges: list[ChallengeInfo]
    bots: list[BotInfo]
    # For correspondence games, yours and those of others.
    correspondence: list[CorrespondenceSeekInfo] = field(default_factory=list, name="letters")
