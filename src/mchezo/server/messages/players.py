"""Players with accounts: their ratings."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mchezo.server.messages.parts import Request
from mchezo.server.messages.tables import ListedTable


class PlayerRating(Struct, frozen=True):
    """A rating in one pool: a kind of game and a speed, such as `katarenga rapid` or `kitara-3 unlimited`."""

    pool: str
    rating: int
    deviation: int  # the 95 % interval is twice as wide on either side
    provisional: bool  # not sure yet
    games: int
    at: int  # when the last of them ended


class Profile(Struct, frozen=True):
    """A player with an account."""

    name: str
    created: int
    ratings: list[PlayerRating]


class People(Struct, frozen=True):
    """Whom you follow, block and mute, by name."""

    following: list[str]
    blocked: list[str]
    muted: list[str] = []


class FollowedTables(Struct, frozen=True):
    """The running public games of the players whom you follow, without yours; the latest moves first."""

    tables: list[ListedTable]


class Relate(Request, frozen=True):
    """Follow a player, block them, mute what they write, or none of it."""

    relation: Literal["follow", "block", "mute"] | None


class ReportPlayer(Request, frozen=True):
    """What the operator should know about a player."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]


PlayerResult = Literal["won", "drawn", "lost"]


class PlayerGame(Struct, frozen=True):
    """A finished game of a player, and their seats at it."""

    table: ListedTable
    seats: list[int]


class PlayerGames(Struct, frozen=True):
    """Finished games of a player, newest first, 50 at a time: the public ones; your own are all listed."""

    games: list[PlayerGame]
    before: int | None  # the query parameter for the next page, if there is one


class PlayerScore(Struct, frozen=True):
    """How the games of a player ended that have something in common: the game, its side, a level, an opponent."""

    by: Literal["game", "side", "level", "opponent"]
    game: str | None = None
    side: str | None = None
    level: int | None = None
    opponent: str | None = None
    won: int = 0
    drawn: int = 0
    lost: int = 0


class PlayerResults(Struct, frozen=True):
    """The results of a player's last 1,000 finished games with others, the most frequent first."""

    scores: list[PlayerScore]
    games: int  # that were counted


class Opening(Struct, frozen=True):
    """A player's own first two decisions in a kind of game with a side, how often, and the score: a draw is a half."""

    game: str
    kind: str
    side: str
    moves: list[str]
    games: int
    score: float


class PlayerOpenings(Struct, frozen=True):
    """The openings that a player played most in their last 200 finished games."""

    openings: list[Opening]
    games: int  # that were counted


class EngineComparison(Struct, frozen=True):
    """How your moves in rated games of a kind compare with the engine's: docs/ratings.md."""

    kind: str
    games: int
    decisions: int
    agreed: int
    mean_loss: float  # of the chances of winning


class CurvePoint(Struct, frozen=True):
    """A rating after a game."""

    at: int
    rating: int
    deviation: int


class RatingCurve(Struct, frozen=True):
    """A player's ratings in a pool over time, oldest first: the last 500 games that changed it."""

    pool: str
    points: list[CurvePoint]


class RatingChange(Struct, frozen=True):
    """A seat's rating before and after a game; None: the game did not change it, as for a computer."""

    before: int
    after: int | None


class RatedGame(Struct, frozen=True):
    """What a game changed, by seat; empty if it did not count."""

    pool: str | None
    seats: list[RatingChange]
