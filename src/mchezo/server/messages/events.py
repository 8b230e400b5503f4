"""Events: the log of a table, for animations and, as the texts `event-KEY`, for reading."""

from typing import Literal

from msgspec import Struct

from mchezo.server.messages.parts import Message
from mchezo.server.messages.tables import SeatedPlayer


class Event(Struct, frozen=True, tag_field="key", kw_only=True):
    """Something that happened at the table; numbers have no gaps."""

    number: int = -1
    at: int = 0


class Created(Event, frozen=True, tag="created"):
    """The table was created."""

    game: str


class Joined(Event, frozen=True, tag="joined"):
    """A player took a seat."""

    seat: int
    player: SeatedPlayer


class Left(Event, frozen=True, tag="left"):
    """A player gave a seat back before the start."""

    seat: int


class Started(Event, frozen=True, tag="started"):
    """The game started; seat i belongs to the player planned for seat order[i]."""

    order: list[int]
    players: list[SeatedPlayer]
    seed_hash: str
    made: int = 0  # moves made before, where a record is continued


class Moved(Event, frozen=True, tag="moved"):
    """A seat played a move, or the rules did for a rival; `told` is what it did, for the log and the animation."""

    seat: int
    move: str
    told: list[Message]


class Drawn(Event, frozen=True, tag="drawn"):
    """Chance decided; `move` is `=?` if you may not see it."""

    move: str
    told: list[Message]


class Touched(Event, frozen=True, tag="touched"):
    """A pawn was touched and must move."""

    seat: int
    place: str


class AskedFor(Event, frozen=True, tag="asked"):
    """A player asked for something."""

    seat: int
    what: Literal["draw", "takeback", "rematch", "revenge"]


class Answered(Event, frozen=True, tag="answered"):
    """A player answered a question."""

    seat: int
    what: Literal["draw", "takeback", "rematch", "revenge"]
    yes: bool


class TakenBack(Event, frozen=True, tag="taken-back"):
    """Moves were taken back; `made` are left."""

    seat: int
    made: int


class Out(Event, frozen=True, tag="out"):
    """A player resigned, ran out of time or left; of more than two, a computer takes over the seat."""

    seat: int
    reason: Literal["resignation", "time-out", "abandoned"]
    player: SeatedPlayer | None = None  # the computer


class Outage(Event, frozen=True, tag="outage"):
    """No server was running for this long, or it took this long to store a move; the clocks exclude it."""

    milliseconds: int


class OnVacation(Event, frozen=True, tag="vacation"):
    """A player's clock does not count a span of time; `until` is not later than `since` if that ends."""

    seat: int
    since: int
    until: int


class Ended(Event, frozen=True, tag="ended"):
    """The game is over."""

    winners: list[int]
    scores: list[float]
    reason: str
    seed: str


class NextGame(Event, frozen=True, tag="next-game"):
    """The players continue at another table."""

    table: str


Events = (
    Created
    | Joined
    | Left
    | Started
    | Moved
    | Drawn
    | Touched
    | AskedFor
    | Answered
    | TakenBack
    | Out
    | Outage
    | OnVacation
    | Ended
    | NextGame
)
