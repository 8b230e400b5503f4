"""The log of a table as it is stored: every row a fact. Players see facts as events, through `sight.py` only."""

from typing import Any, Literal

import msgspec
from msgspec import Struct

from mchezo.server.messages import ClockRules, Settings

What = Literal["draw", "takeback", "rematch", "revenge"]
OutReason = Literal["resignation", "time-out", "abandoned"]


class Sitter(Struct, frozen=True, omit_defaults=True):
    """Who is to sit, or sits, in a seat."""

    kind: Literal["open", "person", "bot", "computer"]
    holder: str | None = None  # the guest to whom the seat belongs
    name: str = ""
    level: int | None = None
    rating: int | None = None
    key: str | None = None  # of the link to an open seat
    clock: ClockRules | None = None


class SeriesSoFar(Struct, frozen=True, omit_defaults=True):
    """The games of a series before this one."""

    games: int = 0
    score: tuple[float, float] = (0.0, 0.0)  # of the players, numbered by their seats in the first game
    swapped: bool = False  # player 0 sits in seat 1


class Fact(Struct, frozen=True, tag_field="fact", kw_only=True, omit_defaults=True):
    """Something that happened at a moment; `id` and `by` name the command that led to it."""

    at: int
    id: str | None = None
    by: str | None = None
    digest: str | None = None  # of the command, so that another one under the same id is found out


class Made(Fact, frozen=True, tag="made"):
    """The table. `options` are written out; `drawn` names those that the seed decided."""

    game: str
    rules: int
    options: dict[str, Any]
    drawn: list[str]
    asked_options: dict[str, Any]  # as they were asked for: a rematch draws anew
    seed: str
    seats: list[Sitter]
    settings: Settings
    pack: str | None = None  # Kitara: the text of a pack that is not shipped
    moves: list[str] = []  # what was played already, where a record is played on
    series: SeriesSoFar | None = None
    previous: str | None = None


class Sat(Fact, frozen=True, tag="sat"):
    """Somebody took an open seat."""

    seat: int
    sitter: Sitter


class Stood(Fact, frozen=True, tag="stood"):
    """Somebody gave a seat back; its link has a new key."""

    seat: int
    key: str


class Began(Fact, frozen=True, tag="began"):
    """The game began; seat i is now who was planned for seat order[i]."""

    order: list[int]


class Decided(Fact, frozen=True, tag="decided"):
    """A seat made a decision; `delay` is what its connection took, `first` marks the begin of a message."""

    seat: int
    move: str
    delay: int = 0
    first: bool = False


class Chanced(Fact, frozen=True, tag="chanced"):
    """Chance decided."""

    move: str


class TouchedPawn(Fact, frozen=True, tag="touched"):
    """A pawn was touched."""

    seat: int
    place: str


class Wanted(Fact, frozen=True, tag="wanted"):
    """A player asked the others for something."""

    seat: int
    what: What


class Replied(Fact, frozen=True, tag="replied"):
    """A player answered."""

    seat: int
    what: What
    yes: bool


class WentBack(Fact, frozen=True, tag="went-back"):
    """Moves were taken back, down to so many."""

    seat: int
    made: int


class FellOut(Fact, frozen=True, tag="fell-out"):
    """A player gave up, ran out of time or went away; with a level, a computer plays on."""

    seat: int
    reason: OutReason
    level: int | None = None


class Paused(Fact, frozen=True, tag="paused"):
    """No server was alive for so long."""

    milliseconds: int


class Finished(Fact, frozen=True, tag="finished"):
    """The game is over."""

    winners: list[int]
    scores: list[float]
    reason: str


class Continued(Fact, frozen=True, tag="continued"):
    """The players go on at another table."""

    table: str


Facts = (
    Made
    | Sat
    | Stood
    | Began
    | Decided
    | Chanced
    | TouchedPawn
    | Wanted
    | Replied
    | WentBack
    | FellOut
    | Paused
    | Finished
    | Continued
)

write = msgspec.json.Encoder().encode
read = msgspec.json.Decoder(Facts).decode
