"""The tables of a browser, called with texts: what a page and its worker say to each other.

A call is JSON and so is its answer. The page stores the facts of an answer, shows its messages, has another worker
think about `turn` (`thinking.py`), and calls `tick` when `deadline` has passed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import msgspec

from mchezo.core.chance import new_seed
from mchezo.core.errors import UserError
from mchezo.local import api
from mchezo.local.following import Heard
from mchezo.local.tables import LocalTables, Outcome
from mchezo.local.thinking import HintTask, Turn
from mchezo.server import messages
from mchezo.server.domain.context import Randomness
from mchezo.server.identifiers import new_seat_key, new_table_id

# Ids of local tables are one character longer than a server's, so that nobody takes one for the other.
RANDOMNESS = Randomness(lambda: f"L{new_table_id()}", new_seat_key, new_seed)

# What is passed on unread, with its type for the browser.
Request = Annotated[msgspec.Raw, msgspec.Meta(extra_json_schema={"$ref": "CreateTable"})]
FromPage = Annotated[msgspec.Raw, msgspec.Meta(extra_json_schema={"$ref": "FromClient"})]
FromDesk = Annotated[msgspec.Raw, msgspec.Meta(extra_json_schema={"$ref": "FromServer"})]


class Call(msgspec.Struct, frozen=True, tag_field="call"):
    """Something that the page asks for."""


class Create(Call, frozen=True, tag="create"):
    """Create a table, as the server's `POST /api/tables` does."""

    request: Request


class Import(Call, frozen=True, tag="import"):
    """Create a finished table from a record."""

    record: str


class Open(Call, frozen=True, tag="open"):
    """Open a table from its stored facts, or continue with one that is open; return what is new after a number."""

    table: str
    facts: list[str]
    known: int = -1
    alive: int | None = None  # when its page was last seen open: clocks do not count the time since


class Follow(Call, frozen=True, tag="follow"):
    """Know a server's table well enough for trials and earlier positions: from a record, then from news to news."""

    table: str
    news: FromDesk
    record: str | None = None  # as the server gives it to this player


class Hear(Call, frozen=True, tag="hear"):
    """Follow a server's table by its facts; return what news of them would say."""

    table: str
    facts: FromDesk
    may: list[str]  # what the table allowed before


class TakeOver(Call, frozen=True, tag="continue"):
    """Go on with a server's table that is known at a new table here, without the server."""

    table: str
    clock: messages.ClockView | None  # as the server showed it last
    moves: list[str]  # of the person, that may not have reached the server


class Close(Call, frozen=True, tag="close"):
    """Forget a table."""

    table: str


class Send(Call, frozen=True, tag="send"):
    """Carry out a message, as a client sends it to a server."""

    table: str
    message: FromPage


class Played(Call, frozen=True, tag="played"):
    """Add what a computer plays."""

    table: str
    decision: int
    seat: int
    moves: list[str]


class Tick(Call, frozen=True, tag="tick"):
    """Look at the clocks."""

    table: str


class HttpRequest(Call, frozen=True, tag="request"):
    """Answer a request to the server's HTTP API; a table that it is about must be open."""

    method: str
    path: str
    body: msgspec.Raw


class Speak(Call, frozen=True, tag="speak"):
    """Refuse in this language from now on."""

    language: str


Calls = Create | Import | Open | Follow | Hear | TakeOver | Close | Send | Played | Tick | HttpRequest | Speak


class Changed(msgspec.Struct, frozen=True, omit_defaults=True):
    """What has changed at a table."""

    table: str
    facts: dict[str, list[str]] = {}  # by table, to be stored before the messages are shown
    listed: dict[str, messages.ListedTable] = {}  # how these tables look in a list, to be stored with the facts
    messages: list[FromDesk] = []
    turn: Turn | None = None  # of a computer; none: stop thinking
    hint: HintTask | None = None  # to think about; its result is the answer to the request
    deadline: int | None = None  # when the clock of the seat to move runs out


CALLS = msgspec.json.Decoder(Calls)
# What is answered, by the call; anything may be refused instead, which is a message like the server's.
ANSWERS: dict[type[Call], Any] = {
    Create: Changed,
    Import: Changed,
    Open: Changed,
    Follow: None,
    Hear: Heard,
    TakeOver: Changed,
    Close: None,
    Send: Changed,
    Played: Changed,
    Tick: Changed,
    HttpRequest: Any,
    Speak: None,
}


class Desk:
    """All tables of a browser."""

    def __init__(
        self, now: Callable[[], int], language: str = "en", name: str | None = None, new: Randomness = RANDOMNESS
    ) -> None:
        self.tables = LocalTables(now, new, language, name)

    def call(self, asked: str) -> str:
        """Carry out a call; return its answer."""
        call = CALLS.decode(asked)
        try:
            return messages.encode(self.answer(call)).decode()
        except UserError as error:
            return self.tables.refusal(error).decode()

    def answer(self, call: Calls) -> object:
        """Return the answer to a call."""
        tables = self.tables
        match call:
            case Create():
                id, outcome = tables.create(bytes(call.request))
                return self.changed(id, Outcome(facts=outcome.facts))  # its page opens it
            case Import():
                return self.changed(*tables.import_record(call.record))
            case Open():
                outcome = tables.open(call.table, call.facts, call.alive)
                outcome.messages.append(tables.news(call.table, call.known))
                return self.changed(call.table, outcome)
            case Follow():
                tables.follow(call.table, call.record, bytes(call.news))
                return None
            case Hear():
                return tables.hear(call.table, bytes(call.facts), call.may)
            case TakeOver():
                return self.changed(*tables.take_over(call.table, call.clock, call.moves))
            case Close():
                tables.close(call.table)
                return None
            case Send():
                return self.changed(call.table, tables.receive(call.table, bytes(call.message)))
            case Played():
                return self.changed(call.table, tables.played(call.table, call.decision, call.seat, call.moves))
            case Tick():
                return self.changed(call.table, tables.tick(call.table))
            case HttpRequest():
                return api.answer(tables, call.method, call.path, bytes(call.body))
            case Speak():
                tables.language = call.language
                return None

    def changed(self, id: str, outcome: Outcome) -> Changed:
        """Return the answer to a call that may have changed a table."""
        known = id in self.tables.tables
        return Changed(
            table=id,
            facts=outcome.facts,
            listed={table: self.tables.listed(table) for table in outcome.facts},
            messages=[msgspec.Raw(message) for message in outcome.messages],
            turn=self.tables.turn(id) if known else None,
            hint=outcome.hint,
            deadline=self.tables.deadline(id) if known else None,
        )
