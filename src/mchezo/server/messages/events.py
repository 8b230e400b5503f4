"""Events: a table's log, the script of animations, and, translated, the text.

The words are `event-KEY`, with the fields.
"""

from typing import Literal

from msgspec import Struct

from mchezo.server.messages.parts import Told
from mchezo.server.messages.tables import Player


class Event(Struct, frozen=True, tag_field="key", kw_only=True):
    """Something that happened at the table; numbers are dense."""

    number: int = -1
    at: int = 0


class Created(Event, frozen=True, tag="created"):
    """The table was made."""

    game: str


class Joined(Event, frozen=True, tag="joined"):
    """A player took a seat."""

    seat: int
    player: Player


class Left(Event, frozen=True, tag="left"):
    """A player gave a seat back before the start."""

    seat: int


class Started(Event, frozen=True, tag="started"):
    """The game began; `order` says which planned seat became which (the lot)."""

    order: list[int]
    players: list[Player]
    seed_hash: str
    made: int = 0  # moves made already: the first cards that chance turned up, or the record that is played on


class Moved(Event, frozen=True, tag="moved"):
    """A seat decided; `told` is what it did, for the log and for the animation."""

    seat: int
    move: str
    told: list[Told]


class Drawn(Event, frozen=True, tag="drawn"):
    """Chance decided; `move` is `=?` for what you may not see."""

    move: str
    told: list[Told]


class Touched(Event, frozen=True, tag="touched"):
    """A pawn was touched and must move."""

    seat: int
    place: str


class AskedFor(Event, frozen=True, tag="asked"):
    """A player asked for something."""

    seat: int
    what: Literal["draw", "takeback", "rematch", "revenge"]


class Answered(Event, frozen=True, tag="answered"):
    """A player answered."""

    seat: int
    what: Literal["draw", "takeback", "rematch", "revenge"]
    yes: bool


class TakenBack(Event, frozen=True, tag="taken-back"):
    """Moves were taken back; `made` are left."""

    seat: int
    made: int


class Out(Event, frozen=True, tag="out"):
    """A player gave up, ran out of time or went away; of more than two, a computer plays the seat on."""

    seat: int
    reason: Literal["resignation", "time-out", "abandoned"]
    player: Player | None = None  # the computer


class Outage(Event, frozen=True, tag="outage"):
    """No server was alive for so long; the clocks do not count it."""

    milliseconds: int


class Ended(Event, frozen=True, tag="ended"):
    """The game is over."""

    winners: list[int]
    scores: list[float]
    reason: str
    seed: str


class NextGame(Event, frozen=True, tag="next-game"):
    """The players go on at another table."""

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
    | Ended
    | NextGame
)
