"""The messages on a table's WebSocket."""

from msgspec import Struct

from mchezo.server.messages.commands import Commands, Done, Hinted, HintRequest, Tried, Try
from mchezo.server.messages.errors import Refused
from mchezo.server.messages.events import Events
from mchezo.server.messages.health import Compiling
from mchezo.server.messages.parts import Number, Phrase, Request, SeatNumber, View
from mchezo.server.messages.tables import ClockView, TableView


class News(Struct, frozen=True, tag_field="type", tag="news"):
    """The events since the number you know, in order, and the table now. `fresh`: some events are left out, start over.

    `views` has the view after each event that changed the board, so that every step can be shown. It is empty if at
    most one event did, and if `fresh`: then use `table.view`.
    """

    events: list[Events]
    table: TableView
    fresh: bool = False
    views: list[View | None] = []


class Facts(Struct, frozen=True, tag_field="type", tag="facts", omit_defaults=True):
    """The events since the number you know, in order and without `told`, for clients that asked for `want=facts`.

    Everything else follows from them by the rules; the table as it is now is in `news`, which comes first.
    """

    events: list[Events]
    decision: int | None = None  # as in `TableView`
    to_move: int | None = None
    clock: ClockView | None = None


class Presence(Struct, frozen=True, tag_field="type", tag="presence"):
    """Which players are connected, and how many spectators there are."""

    here: list[bool]
    watching: int


class Ping(Struct, frozen=True, tag_field="type", tag="ping"):
    """Answer at once with a `pong` of the same number: the server measures the latency by it."""

    at: int


class Pong(Request, frozen=True, tag_field="type", tag="pong"):
    """The answer to the last `ping`, with its number."""

    at: Number


class Say(Request, frozen=True, tag_field="type", tag="say"):
    """Say one of the set phrases to everybody at the table. It is not stored."""

    phrase: Phrase
    seat: SeatNumber | None = None  # None: your first seat


class Said(Struct, frozen=True, tag_field="type", tag="said"):
    """A player said something."""

    seat: int
    phrase: Phrase


class Chatted(Struct, frozen=True, tag_field="type", tag="chatted"):
    """Somebody wrote a line with this number, in a room that may not be yours: `GET /api/tables/{id}/chat`."""

    number: int


class Look(Request, frozen=True, tag_field="type", tag="look"):
    """Whether somebody looks at the table; at first, yes. Nobody who does is notified of the turn elsewhere."""

    looking: bool


FromClient = Commands | Try | HintRequest | Pong | Say | Look
FromServer = News | Facts | Done | Refused | Tried | Hinted | Presence | Ping | Compiling | Said | Chatted
