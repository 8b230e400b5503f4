"""The event log of a tournament, as it is stored. Tags and field names are the stored format."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from mchezo.server.messages import Avatar, TournamentPlan

FinishReason = Literal["played", "too-few", "cancelled"]


class Entrant(Struct, frozen=True, omit_defaults=True):
    """Who takes part."""

    kind: Literal["person", "bot", "computer"]
    holder: str | None = None  # the guest
    name: str = ""
    level: int | None = None
    rating: int | None = None
    avatar: Avatar | None = None
    account: bool = False


class Game(Struct, frozen=True):
    """A table, and the players in the order of its seats."""

    table: str
    players: list[int]


class Fact(Struct, frozen=True, tag_field="fact", kw_only=True, omit_defaults=True):
    """Something that happened at a point in time."""

    at: int
    by: str | None = None  # the guest who did it


class TournamentCreated(Fact, frozen=True, tag="made"):
    """The plan, and who organises it."""

    plan: TournamentPlan
    organiser: str  # the name at that time
    pool: str | None = None  # of the ratings by which players are seeded
    pack: str | None = None  # Kitara: the text of a pack that is not shipped


class PlayerEntered(Fact, frozen=True, tag="entered"):
    """Somebody entered; players are numbered in this order, from 0."""

    player: int
    entrant: Entrant


class PlayerReturned(Fact, frozen=True, tag="returned"):
    """A player who had withdrawn came back."""

    player: int


class PlayerWithdrew(Fact, frozen=True, tag="withdrew"):
    """A player withdrew, or was removed by the organiser."""

    player: int
    removed: bool = False


class TournamentStarted(Fact, frozen=True, tag="began"):
    """The tournament started; `seeds` is the initial ranking of those who had entered."""

    seeds: list[int]


class RoundPaired(Fact, frozen=True, tag="paired"):
    """Games were paired. Their tables are created in the same transaction."""

    round: int
    games: list[Game] = []
    byes: list[int] = []


class GameDecided(Fact, frozen=True, tag="decided"):
    """A game is over: places by seat, 0 is best. Players who never moved are `absent`."""

    table: str
    places: list[int]
    absent: list[int] = []


class TournamentFinished(Fact, frozen=True, tag="finished"):
    """The tournament is over."""

    reason: FinishReason


AnyFact = (
    TournamentCreated
    | PlayerEntered
    | PlayerReturned
    | PlayerWithdrew
    | TournamentStarted
    | RoundPaired
    | GameDecided
    | TournamentFinished
)

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(AnyFact).decode
