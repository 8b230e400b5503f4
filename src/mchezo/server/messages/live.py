"""What goes over a table's WebSocket."""

from msgspec import Struct

from mchezo.server.messages.commands import Commands, Done, Hint, Hinted, Tried, Try
from mchezo.server.messages.events import Events
from mchezo.server.messages.health import Compiling
from mchezo.server.messages.parts import Request, View
from mchezo.server.messages.refusals import Refused
from mchezo.server.messages.tables import Table


class News(Struct, frozen=True, tag_field="type", tag="news"):
    """What happened since, in order, and the table as it is now. `fresh`: not all since then is told, begin anew.

    `views` has, beside each event, the view after it if it changed the board, so that each step can be shown; it is
    empty where one step or none was made, and where `fresh`: then `table.view` is all.
    """

    events: list[Events]
    table: Table
    fresh: bool = False
    views: list[View | None] = []


class Presence(Struct, frozen=True, tag_field="type", tag="presence"):
    """Who is connected, and how many watch."""

    here: list[bool]
    watching: int


class Ping(Struct, frozen=True, tag_field="type", tag="ping"):
    """Answer at once with `pong` and the same time."""

    at: int


class Pong(Request, frozen=True, tag_field="type", tag="pong"):
    """The answer to a `ping`, with its time: how the server knows how long messages take."""

    at: int


FromClient = Commands | Try | Hint | Pong
FromServer = News | Done | Refused | Tried | Hinted | Presence | Ping | Compiling
