"""The event log of a table, as it is stored: every row is a fact. Players see facts as events, via the projection only.

Tags and field names are the stored format: a class or an attribute may be renamed, its tag or encoded name may not.
"""

from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from mchezo.server.messages import Avatar, ClockRules, Settings

QuestionKind = Literal["draw", "takeback", "rematch", "revenge"]
OutReason = Literal["resignation", "time-out", "abandoned"]


class Occupant(Struct, frozen=True, omit_defaults=True):
    """Who sits in a seat, or that it is open; a rival's moves are in the rules of the game."""

    kind: Literal["open", "person", "bot", "computer", "rival"]
    holder: str | None = None  # the guest to whom the seat belongs
    name: str = ""
    level: int | None = None
    rating: int | None = None
    key: str | None = None  # of the invitation link to an open seat
    clock: ClockRules | None = None
    avatar: Avatar | None = None
    account: bool = False  # the holder has one


class SeriesSoFar(Struct, frozen=True, omit_defaults=True):
    """The games of a series before this one."""

    games: int = 0
    score: tuple[float, float] = (0.0, 0.0)  # of the players, numbered by their seats in the first game
    swapped: bool = False  # player 0 sits in seat 1


class Fact(Struct, frozen=True, tag_field="fact", kw_only=True, omit_defaults=True):
    """Something that happened at a point in time; `id` (the idempotency key) and `by` name the command behind it."""

    at: int
    id: str | None = None
    by: str | None = None
    digest: str | None = None  # of the command, to detect a different command under the same id


class TableCreated(Fact, frozen=True, tag="made"):
    """The table. `options` are complete; `drawn` names those that the seed decided."""

    game: str
    rules: int  # the version of the game's rules by which it is played
    options: dict[str, Any]
    drawn: list[str]
    asked_options: dict[str, Any]  # as requested: a rematch draws the others again
    seed: str
    seats: list[Occupant]
    settings: Settings
    pack: str | None = None  # Kitara: the text of a pack that is not shipped
    moves: list[str] = []  # played before, where a record is continued
    series: SeriesSoFar | None = None
    previous: str | None = None
    tournament: str | None = None


class SeatTaken(Fact, frozen=True, tag="sat"):
    """A player took an open seat."""

    seat: int
    occupant: Occupant = field(name="sitter")


class SeatLeft(Fact, frozen=True, tag="stood"):
    """A player gave a seat back; its invitation link has a new key."""

    seat: int
    key: str


class GameStarted(Fact, frozen=True, tag="began"):
    """The game started; seat i is now held by the player planned for seat order[i]."""

    order: list[int]


class MovePlayed(Fact, frozen=True, tag="decided"):
    """A seat made a decision; `delay` is the latency credited, `first` marks the start of a submission."""

    seat: int
    move: str
    delay: int = 0
    first: bool = False


class ChanceResolved(Fact, frozen=True, tag="chanced"):
    """Chance decided."""

    move: str


class PawnTouched(Fact, frozen=True, tag="touched"):
    """A pawn was touched."""

    seat: int
    place: str


class QuestionAsked(Fact, frozen=True, tag="wanted"):
    """A player asked the others for something."""

    seat: int
    what: QuestionKind


class QuestionAnswered(Fact, frozen=True, tag="replied"):
    """A player agreed, declined, or withdrew their own question."""

    seat: int
    what: QuestionKind
    yes: bool


class MovesTakenBack(Fact, frozen=True, tag="went-back"):
    """Moves were taken back until `moves_made` were left."""

    seat: int
    moves_made: int = field(name="made")


class PlayerDroppedOut(Fact, frozen=True, tag="fell-out"):
    """A player resigned, ran out of time or left; with a level, a computer takes over the seat."""

    seat: int
    reason: OutReason
    level: int | None = None


class ClockPaused(Fact, frozen=True, tag="paused"):
    """No server was running for this long, or a move took this long to be stored: the running clock excludes it."""

    milliseconds: int


class VacationSet(Fact, frozen=True, tag="vacation"):
    """A player's clock does not count a span of time; the same vacation again replaces it, an empty span ends it."""

    seat: int
    vacation: str
    since: int
    until: int


class GameEnded(Fact, frozen=True, tag="finished"):
    """The game is over."""

    winners: list[int]
    scores: list[float]
    reason: str


class NextTableCreated(Fact, frozen=True, tag="continued"):
    """The players continue at another table."""

    table: str


AnyFact = (
    TableCreated
    | SeatTaken
    | SeatLeft
    | GameStarted
    | MovePlayed
    | ChanceResolved
    | PawnTouched
    | QuestionAsked
    | QuestionAnswered
    | MovesTakenBack
    | PlayerDroppedOut
    | ClockPaused
    | VacationSet
    | GameEnded
    | NextTableCreated
)

encode = msgspec.json.Encoder().encode
DECODER: msgspec.json.Decoder[AnyFact] = msgspec.json.Decoder(AnyFact)


def decode(stored: bytes) -> AnyFact:
    """Return a fact as it was stored; a table without a version of the rules has version 1."""
    try:
        return DECODER.decode(stored)
    except msgspec.ValidationError:
        plain = msgspec.json.decode(stored)
        if isinstance(plain, dict) and plain.get("fact") == "made" and "rules" not in plain:
            return msgspec.convert({**plain, "rules": 1}, TableCreated)
        raise
