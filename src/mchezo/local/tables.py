"""Tables in the browser: the server's commands, facts and projection, for the one person at this machine.

Every call returns the facts to be stored before anything is shown, and the messages to be shown then, both as they are
on a server. Time and randomness are passed in. Nothing here waits: computer players think elsewhere (`thinking.py`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from mchezo.core.errors import UserError
from mchezo.local import following, taking_over
from mchezo.local.thinking import HintTask, Turn
from mchezo.search.players import levels
from mchezo.server import messages
from mchezo.server.domain import commands, creation, log, playing
from mchezo.server.domain.clock import CLOCK_FRACTION
from mchezo.server.domain.context import Change, Context, Identity, Randomness
from mchezo.server.domain.replaying import UnreadableTable, replay
from mchezo.server.domain.summary import decode_summary, summarize
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError, error_message
from mchezo.server.projection.hints import require_hint
from mchezo.server.projection.listing import list_table
from mchezo.server.projection.news import news_since
from mchezo.server.projection.records import export_record, moment_after
from mchezo.server.projection.table_view import project_table
from mchezo.server.projection.trial import try_moves
from mchezo.server.projection.viewers import AUTO
from mchezo.server.transport.untrusted import check_options, read_record

GUEST = "local"  # who holds all seats that no computer has
COMPUTER = Identity("computer", "Computer")

FROM_CLIENT: msgspec.json.Decoder[messages.FromClient] = msgspec.json.Decoder(messages.FromClient)
CREATE_TABLE = msgspec.json.Decoder(messages.CreateTable)


@dataclass
class Outcome:
    """What a call results in."""

    facts: dict[str, list[str]] = field(default_factory=dict)  # by table, to be appended to its log
    messages: list[bytes] = field(default_factory=list)  # in order
    hint: HintTask | None = None  # that was asked for, to be thought about

    def add(self, table: str, facts: Sequence[log.AnyFact]) -> None:
        """Have facts stored."""
        self.facts.setdefault(table, []).extend(log.encode(fact).decode() for fact in facts)


class LocalTables:
    """The tables that are open in this browser."""

    def __init__(self, now: Callable[[], int], new: Randomness, language: str = "en", name: str | None = None) -> None:
        self.now = now
        self.new = new
        self.language = language
        self.who = Identity(GUEST, name)
        self.tables: dict[str, Table] = {}

    def create(self, request: bytes) -> tuple[str, Outcome]:
        """Create a table; return its id and what is to be stored."""
        asked = CREATE_TABLE.decode(request)
        id = self.new.table_id()
        context = Context(self.who, self.now(), self.new)
        options, pack = check_options(asked.game, asked.options)
        facts = creation.create_table(asked, options, pack, rating_of, context, id)
        outcome = Outcome()
        self.tables[id] = Table(id, facts)
        outcome.add(id, facts)
        outcome.messages.append(messages.encode(messages.CreatedTable(id, self.view(id))))
        return id, outcome

    def import_record(self, text: str) -> tuple[str, Outcome]:
        """Create a finished table from a record; return its id and what is to be stored."""
        record, pack = read_record(text)
        id, outcome = self.new.table_id(), Outcome()
        facts = creation.create_from_record(record, Context(self.who, self.now(), self.new), pack)
        self.tables[id] = Table(id, facts)
        outcome.add(id, facts)
        return id, outcome

    def view(self, id: str) -> messages.TableView:
        """Return a table as its page shows it."""
        return project_table(self.find(id), GUEST, AUTO, self.now(), self.here(id))

    def open(self, id: str, facts: Sequence[str], alive: int | None = None) -> Outcome:
        """Open a table from its log, unless it is open; the time since its page was last alive does not count."""
        outcome = Outcome()
        if id not in self.tables:
            try:
                table = self.tables[id] = replay(id, [log.decode(fact.encode()) for fact in facts])
            except (UnreadableTable, msgspec.DecodeError) as error:
                raise TableError("set-aside", "set-aside-here") from error
            away = 0 if alive is None else self.now() - max(alive, table.last_at)
            paused = playing.pause_clock(table, away, max(self.now(), table.last_at)) if away > 0 else []
            if paused:
                self.append(table, Change(paused), outcome)
        return outcome

    def follow(self, id: str, record: str | None, news: bytes) -> None:
        """Know a server's table, from its record or on from where it was; forget it if that is not possible."""
        before = self.tables.pop(id, None)
        if record is not None:
            self.tables[id] = following.begin(id, record, news, GUEST)
        elif before is not None:
            self.tables[id] = following.advance(before, news)
        else:
            raise TableError("unknown-table", "unknown-table")

    def hear(self, id: str, facts: bytes, may: list[str]) -> following.Heard:
        """Follow a server's table by facts, and return what its news would say; forget it if that is not possible."""
        before = self.tables.pop(id, None)
        if before is None:
            raise TableError("unknown-table", "unknown-table")
        self.tables[id], heard = following.hear(before, facts, may, GUEST)
        return heard

    def take_over(self, id: str, clock: messages.ClockView | None, moves: Sequence[str]) -> tuple[str, Outcome]:
        """Go on with a server's table at a new one here, with moves that did not reach the server."""
        followed, outcome = self.find(id), Outcome()
        (seat,) = followed.seats_of(GUEST)
        facts = taking_over.continued(followed, seat, clock, self.new.seed, self.now())
        table = Table(self.new.table_id(), facts)
        change = playing.play(table, seat, moves, self.context(table)) if moves else None
        self.tables[table.id] = table
        outcome.add(table.id, facts)
        if change is not None:
            self.append(table, change, outcome)
        return table.id, outcome

    def close(self, id: str) -> None:
        """Forget a table."""
        self.tables.pop(id, None)

    def news(self, id: str, known: int) -> bytes:
        """Return what is new at a table after a number."""
        return messages.encode(news_since(self.find(id), GUEST, AUTO, known, self.now(), self.here(id)))

    def here(self, id: str) -> list[bool]:
        """Return which seats' players are here: all that are not computers."""
        return [occupant.holder == GUEST for occupant in self.find(id).seats]

    def find(self, id: str) -> Table:
        """Return an open table."""
        if id not in self.tables:
            raise TableError("unknown-table", "unknown-table")
        return self.tables[id]

    def listed(self, id: str) -> messages.ListedTable:
        """Return a table as lists show it."""
        table = self.find(id)
        return list_table(id, decode_summary(summarize(table)), table.last_at, GUEST)

    def receive(self, id: str, data: bytes) -> Outcome:
        """Carry out a message of the person: a trial, or a command."""
        outcome = Outcome()
        asked = None
        try:
            table = self.find(id)
            known = table.number
            try:
                message = FROM_CLIENT.decode(data)
            except msgspec.DecodeError as error:
                raise TableError("bad-request", "bad-request", reason=str(error)[:500]) from error
            asked = getattr(message, "id", None)
            match message:
                case messages.Try():
                    outcome.messages.append(messages.encode(try_moves(table, GUEST, message)))
                case messages.HintRequest():
                    require_hint(table, GUEST, message)
                    outcome.hint = HintTask(id, written(table), message.level, message.id, list(message.moves))
                case messages.Pong() | messages.Say() | messages.Look():
                    pass
                case _:
                    self.obey(table, message, outcome)
                    done = self.find(id).handled(GUEST, message.id)
                    assert done is not None
                    if self.find(id).number > known:
                        outcome.messages.append(self.news(id, known))
                    outcome.messages.append(messages.encode(messages.Done(message.id, done.number)))
        except UserError as error:
            outcome.messages.append(self.refusal(error, asked))
        return outcome

    def obey(self, table: Table, command: messages.Commands, outcome: Outcome) -> None:
        """Carry out a command, unless it was carried out before."""
        if table.handled(GUEST, command.id) is not None:
            return
        change = commands.decide(table, command, self.context(table))
        digest = hashlib.sha256(messages.encode(command)).hexdigest()[:16]
        first = msgspec.structs.replace(change.facts[0], id=command.id, by=GUEST, digest=digest)
        self.append(table, change._replace(facts=[first, *change.facts[1:]]), outcome)

    def append(self, table: Table, change: Change, outcome: Outcome) -> None:
        """Add the facts of a change."""
        self.tables[table.id] = table.after(change.facts, change.position)
        outcome.add(table.id, change.facts)
        if change.new_table is not None:
            id, facts = change.new_table
            self.tables[id] = Table(id, facts)
            outcome.add(id, facts)

    def context(self, table: Table, who: Identity | None = None) -> Context:
        """Return the context of a command; time at a table never goes back."""
        return Context(who or self.who, max(self.now(), table.last_at), self.new)

    def refusal(self, error: UserError, id: str | None = None) -> bytes:
        """Return an error as a message."""
        return messages.encode(error_message(error, self.language, id))

    # Computers and clocks

    def turn(self, id: str) -> Turn | None:
        """Return the turn that a computer has to think about; None if nobody waits for one."""
        table = self.find(id)
        seat, decision = table.to_move, table.decision
        level = None if seat is None else table.computer_level(seat)
        if seat is None or decision is None or level is None:
            return None
        left = None if table.clock is None else table.clock.left_at(self.now())[seat]
        seconds = None if left is None else left / 1000 / CLOCK_FRACTION
        return Turn(id, written(table), level, decision, seat, seconds)

    def played(self, id: str, decision: int, seat: int, moves: Sequence[str]) -> Outcome:
        """Add a computer's moves, unless the decision was answered or taken back in the meantime."""
        table, outcome = self.find(id), Outcome()
        known = table.number
        try:
            change = playing.computer_move(table, decision, seat, moves, self.context(table, COMPUTER))
        except UserError:
            return outcome
        self.append(table, change, outcome)
        outcome.messages.append(self.news(id, known))
        return outcome

    def deadline(self, id: str) -> int | None:
        """Return when the time of the seat to move is over; None if no clock runs."""
        table = self.find(id)
        return None if table.clock is None or table.status != "running" else table.clock.deadline

    def tick(self, id: str) -> Outcome:
        """End the game, or have a computer play on, once a player's time is over."""
        table, outcome = self.find(id), Outcome()
        known = table.number
        change = playing.time_out(table, self.context(table))
        if change is not None:
            self.append(table, change, outcome)
            outcome.messages.append(self.news(id, known))
        return outcome

    # Looking back

    def moment(self, id: str, made: int) -> bytes:
        """Return the view after a number of moves."""
        return messages.encode(moment_after(self.find(id), GUEST, AUTO, made))

    def record(self, id: str) -> str:
        """Return the record of the game so far."""
        return str(export_record(self.find(id), GUEST, AUTO))


def written(table: Table) -> list[str]:
    """Return the log of a table as texts."""
    return [log.encode(fact).decode() for fact in table.log]


def rating_of(game: str, level: int) -> tuple[str, int | None]:
    """Return the name and the rating of a level."""
    found: Any = levels(game)[level - 1]
    return found.name(), found.rating
