"""The tables of a browser, called with texts: what a page and its worker say to each other.

A call is JSON and so is its answer. The page stores the facts of an answer, shows its messages, has another worker
think about `turn` (`thinking.py`), and calls `tick` when `deadline` has passed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from mchezo.core.chance import new_seed
from mchezo.core.errors import UserError
from mchezo.local.tables import LocalTables, Outcome, Turn
from mchezo.server.domain.context import Randomness
from mchezo.server.identifiers import new_seat_key, new_table_id

RANDOMNESS = Randomness(new_table_id, new_seat_key, new_seed)


class Call(msgspec.Struct, frozen=True, tag_field="call"):
    """Something that the page asks for."""


class Create(Call, frozen=True, tag="create"):
    """Create a table, as the server's `POST /api/tables` does."""

    request: msgspec.Raw


class Open(Call, frozen=True, tag="open"):
    """Open a table from its stored facts, or go on with one that is open; be told what is new after a number."""

    table: str
    facts: list[str]
    known: int = -1


class Close(Call, frozen=True, tag="close"):
    """Forget a table."""

    table: str


class Send(Call, frozen=True, tag="send"):
    """Carry out a message, as a client sends it to a server."""

    table: str
    message: msgspec.Raw


class Played(Call, frozen=True, tag="played"):
    """Add what a computer plays."""

    table: str
    decision: int
    seat: int
    moves: list[str]


class Tick(Call, frozen=True, tag="tick"):
    """Look at the clocks."""

    table: str


class Look(Call, frozen=True, tag="look"):
    """Return the position after a number of moves."""

    table: str
    made: int


class Record(Call, frozen=True, tag="record"):
    """Return the game so far as a record."""

    table: str


Calls = Create | Open | Close | Send | Played | Tick | Look | Record


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a call results in."""

    table: str = ""  # that was created
    facts: dict[str, list[str]] = {}  # by table, to be stored before the messages are shown
    messages: list[msgspec.Raw] = []
    turn: Turn | None = None  # of a computer; None: stop thinking
    deadline: int | None = None  # when the clock of the seat to move runs out
    record: str = ""


CALLS = msgspec.json.Decoder(Calls)


class Desk:
    """All tables of a browser."""

    def __init__(
        self, now: Callable[[], int], language: str = "en", name: str | None = None, new: Randomness = RANDOMNESS
    ) -> None:
        self.tables = LocalTables(now, new, language, name)

    def call(self, asked: str) -> str:
        """Carry out a call; return its answer."""
        call: Any = CALLS.decode(asked)
        try:
            answer = self.answer(call)
        except UserError as error:
            answer = Answer(messages=[msgspec.Raw(self.tables.refusal(error))])
        return msgspec.json.encode(answer).decode()

    def answer(self, call: Calls) -> Answer:
        """Return the answer to a call."""
        tables = self.tables
        match call:
            case Create():
                id, outcome = tables.create(bytes(call.request))
                return self.after(id, outcome)
            case Open():
                tables.open(call.table, call.facts)
                return self.after(call.table, Outcome(messages=[tables.news(call.table, call.known)]))
            case Close():
                tables.close(call.table)
                return Answer()
            case Send():
                return self.after(call.table, tables.receive(call.table, bytes(call.message)))
            case Played():
                return self.after(call.table, tables.played(call.table, call.decision, call.seat, call.moves))
            case Tick():
                return self.after(call.table, tables.tick(call.table))
            case Look():
                return Answer(messages=[msgspec.Raw(tables.moment(call.table, call.made))])
            case Record():
                return Answer(record=tables.record(call.table))

    def after(self, id: str, outcome: Outcome) -> Answer:
        """Return the answer to a call that may have changed a table."""
        known = id in self.tables.tables
        return Answer(
            table=id,
            facts=outcome.facts,
            messages=[msgspec.Raw(message) for message in outcome.messages],
            turn=self.tables.turn(id) if known else None,
            deadline=self.tables.deadline(id) if known else None,
        )
