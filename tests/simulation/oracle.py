"""The invariants: what the clients were sent is compared with the log on the disk, independently of the server."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from mchezo.core.errors import UserError
from mchezo.core.structs import CHANCE
from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.table import Table
from mchezo.server.projection.events import facts_since, project_event, step_views
from mchezo.server.projection.table_view import project_table
from mchezo.server.projection.viewers import viewing_seat
from tests.server.worlds import HASH, has_secrets, other_world
from tests.simulation.disk import Disk, tables_on
from tests.simulation.world import SECOND, World

if TYPE_CHECKING:
    from tests.simulation.clients import Client

OPENS_DECISION = (log.GameStarted, log.MovePlayed, log.ChanceResolved, log.MovesTakenBack)
AFTER_THE_END = (log.QuestionAsked, log.QuestionAnswered, log.NextTableCreated)
UNDECIDED = {
    "too-often",
    "overloaded",
    "internal",
    "not-ready",
    "unavailable",
}  # refusals that say nothing about the command
OUTAGE = 4_500_000  # microseconds that an outage may cost: it is noticed after 3 s without a heartbeat a second
SLACK = 2 * SECOND
WORLDS = 2  # compared per seat

encode = messages.encode
# A message is decoded once for its sender and its recipient, who do not change it.
decode = lru_cache(64)(msgspec.json.decode)


@dataclass
class Received:
    """News that a client has received."""

    client: Client
    raw: bytes
    message: dict[str, Any]


@dataclass
class Log:
    """The stored facts of a table, and when they were committed."""

    facts: list[log.AnyFact] = field(default_factory=list)
    committed: list[int] = field(default_factory=list)
    keys: dict[tuple[str, str], int] = field(default_factory=dict)  # guest and idempotency key -> number


class Oracle:
    """What must be true, whatever happens."""

    def __init__(self, world: World, disk: Disk) -> None:
        self.world = world
        self.disk = disk
        self.rowid = 0
        self.logs: defaultdict[str, Log] = defaultdict(Log)
        self.sent: dict[tuple[str, str, str], Any] = {}  # table, guest, idempotency key -> command
        self.copies: defaultdict[tuple[str, str, str], int] = defaultdict(int)  # that reached a server
        self.stored_on_arrival: set[tuple[str, str, str]] = set()
        self.refused: set[tuple[str, str, str]] = set()
        self.acknowledged: dict[tuple[str, str, str], int] = {}
        self.last_told: defaultdict[str, int] = defaultdict(lambda: -1)
        self.told: defaultdict[str, list[Received]] = defaultdict(list)
        self.worlds = 0  # with other secrets, that were compared
        self.outages: list[tuple[int, int | None]] = [(0, None)]  # when no server lived

    # The disk

    def on_commit(self) -> None:
        """Read what was committed: numbers are dense, and no command is stored twice."""
        rows = self.disk.facts_after(self.rowid)
        for rowid, table, number, raw in rows:
            self.rowid = rowid
            stored = self.logs[table]
            fact = log.decode(raw)
            self.world.note("stored", table, number, raw.decode())
            if number != len(stored.facts):
                self.world.fail(f"fact {number} of {table} follows {len(stored.facts) - 1}")
            if fact.by is not None and fact.id is not None:
                if (fact.by, fact.id) in stored.keys:
                    self.world.fail(f"command {fact.id} of {fact.by} is stored twice")
                stored.keys[fact.by, fact.id] = number
            stored.facts.append(fact)
            stored.committed.append(self.world.time)

    def on_power_loss(self) -> None:
        """Compare what is left on the disk with what anybody was sent."""
        before, self.logs, self.rowid = self.logs, defaultdict(Log), 0
        self.on_commit()
        for table, old in before.items():
            new = self.logs[table]
            new.committed = old.committed[: len(new.facts)]
            if len(new.facts) <= self.last_told[table]:
                self.world.fail(f"fact {self.last_told[table]} of {table} was sent, and lost")
        for (table, guest, id), number in self.acknowledged.items():
            if self.logs[table].keys.get((guest, id)) != number:
                self.world.fail(f"command {id} of {guest} was acknowledged, and lost")

    # The network

    def on_arrival(self, client: Client, raw: bytes) -> None:
        """Note that a command reached a server."""
        key = client.key_of(raw)
        if key is not None:
            self.copies[key] += 1
            if key[1:] in self.logs[key[0]].keys:
                self.stored_on_arrival.add(key)

    def on_send(self, client: Client, raw: bytes) -> None:
        """Check a message that a server sends: everything in it is stored."""
        message = decode(raw)
        kind, table = message["type"], client.table
        if kind in ("news", "facts"):
            number = last_number(message)
            if number >= len(self.logs[table].facts):
                self.world.fail(f"fact {number} of {table} is sent before it is stored")
            self.last_told[table] = max(number, self.last_told[table])
        elif kind == "done":
            self.on_done(client, message["id"], message["number"])
        elif kind == "refused" and message.get("id") is not None:
            self.on_refused(client, message["id"], message["code"])

    def on_done(self, client: Client, id: str, number: int) -> None:
        """Check an acknowledgement: the command is stored at its number."""
        key = client.table, client.guest, id
        if self.logs[client.table].keys.get((client.guest, id)) != number:
            self.world.fail(f"command {id} of {client.guest} is acknowledged as {number}, but not stored there")
        self.acknowledged[key] = number

    def on_refused(self, client: Client, id: str, code: str) -> None:
        """Check a refusal: the command was not stored when it arrived, nor is it later."""
        key = client.table, client.guest, id
        if code in UNDECIDED:
            return
        if key in self.stored_on_arrival:
            self.world.fail(f"command {id} of {client.guest} is refused as {code}, but was stored before")
        self.refused.add(key)

    def on_news(self, client: Client, raw: bytes, message: dict[str, Any]) -> None:
        """Check the numbers of news that a client has received, and keep the news."""
        numbers = [event["number"] for event in message["events"]]
        last = last_number(message)
        if last < client.number:
            self.world.fail(f"{client.guest} knows fact {client.number}, and is sent the table at {last}")
        if numbers and numbers != list(range(numbers[0], last + 1)):
            self.world.fail(f"{client.guest} is sent the events {numbers} up to {last}")
        if not message.get("fresh") and (numbers[0] if numbers else last + 1) != client.number + 1:
            self.world.fail(f"{client.guest} knows {client.number}, and is sent {numbers} up to {last}")
        self.told[client.table].append(Received(client, raw, message))

    # Life

    def lives(self, alive: bool) -> None:
        """Note whether any server lives."""
        since, until = self.outages[-1]
        if alive and until is None:
            self.outages[-1] = since, self.world.time
        elif not alive and until is not None:
            self.outages.append((self.world.time, None))

    def lived(self, begin: int, end: int) -> tuple[int, int]:
        """Return for how long a server lived in a span of time, and how many outages there were."""
        length, outages = end - begin, 0
        for since, until in self.outages:
            out = min(end, self.world.time if until is None else until) - max(begin, since)
            if out > 0:
                length -= out
                outages += 1
        return length, outages

    # The end

    def check_all(self) -> None:
        """Compare everything that was sent with the log."""
        for (table,) in self.disk.raw.execute("SELECT table_id FROM quarantine ORDER BY table_id").fetchall():
            self.world.fail(f"table {table} was set aside as unreadable")
        for table, number, status in tables_on(self.disk):
            if number != len(self.logs[table].facts) - 1:
                self.world.fail(f"table {table} has {len(self.logs[table].facts)} facts, and says {number}")
            self._check_log(table, status)
        for key, number in self.acknowledged.items():
            if self.logs[key[0]].keys.get(key[1:]) != number:
                self.world.fail(f"command {key} was acknowledged, and is not stored")
        for key in self.refused - self.acknowledged.keys():
            if self.copies[key] == 1 and key[1:] in self.logs[key[0]].keys:
                self.world.fail(f"command {key} was refused, and is stored")

    def _check_log(self, id: str, status: str) -> None:
        """Replay a log: it is legal, chance follows the seed, clocks are fair, and all news follow from it."""
        stored = self.logs[id]
        news: defaultdict[int, list[Received]] = defaultdict(list)
        for told in self.told[id]:
            news[last_number(told.message)].append(told)
        table = Table(id)
        decision: int | None = None
        clock_since: int | None = None
        for number, fact in enumerate(stored.facts):
            self._check_fact(id, number, fact, decision, table)
            before, running = (table.clock, table.clock.running) if table.log and table.clock else (None, None)
            try:
                table.apply(fact)
            except UserError as error:
                self.world.fail(f"the log of {id} does not replay: {number} {error!r}")
                return
            if isinstance(fact, OPENS_DECISION):
                decision = number
            if before is not None and running is not None and table.clock is not None:
                assert clock_since is not None
                self._check_clock(id, number, running, before, table, clock_since)
            started = table.clock is not None and (before is None or table.clock.since != before.since)
            if started and not isinstance(fact, log.ClockPaused):
                clock_since = stored.committed[number]
            for told in news[number]:
                self._check_news(told, table)
        if table.status != status:
            self.world.fail(f"table {id} is {table.status}, and says {status}")
        self._check_hidden(id, news)

    def _check_fact(self, id: str, number: int, fact: log.AnyFact, decision: int | None, table: Table) -> None:
        if table.log and fact.at < table.last_at:
            self.world.fail(f"fact {number} of {id} happened before the one before it")
        if table.log and table.ending is not None and not isinstance(fact, AFTER_THE_END):
            self.world.fail(f"fact {number} of {id} happened after the end of the game")
        if isinstance(fact, log.PlayerDroppedOut) and fact.seat in table.dropped_out:
            self.world.fail(f"seat {fact.seat} of {id} dropped out twice")
        if isinstance(fact, log.MovePlayed) and fact.id is not None and fact.by is not None:
            command = self.sent.get((id, fact.by, fact.id))
            if command is None:
                self.world.fail(f"fact {number} of {id} was never sent")
            elif command.decision != decision:
                self.world.fail(f"fact {number} of {id} answers {command.decision}, but {decision} was open")
            if fact.by != table.seats[fact.seat].holder:
                self.world.fail(f"fact {number} of {id} was played by {fact.by} for seat {fact.seat}")
        if isinstance(fact, log.ChanceResolved) and table.position is not None:
            if table.position.to_move != CHANCE:
                self.world.fail(f"fact {number} of {id} resolves chance where there is none")
            elif fact.move != drawn_from_seed(table):
                self.world.fail(f"fact {number} of {id} does not follow from the seed")

    def _check_clock(self, id: str, number: int, seat: int, before: Any, table: Table, since: int) -> None:
        """Check that a stopped clock lost no more time than a server was alive."""
        clock, fact = table.clock, self.logs[id].facts[number]
        assert clock is not None
        out = isinstance(fact, log.PlayerDroppedOut) and fact.reason == "time-out" and fact.seat == seat
        if (clock.since == before.since and not out) or isinstance(fact, log.ClockPaused):
            return
        left, then = before.left[seat], clock.left[seat]
        if left is None or (then is None and not out):
            return
        charged = left if out else left - then
        until = self.logs[id].committed[number]
        lived, outages = self.lived(since, until)
        if charged * 1_000 > lived + OUTAGE * outages + SLACK:
            spent = f"{charged} ms of {lived // 1_000} in which a server lived"
            self.world.fail(f"seat {seat} of {id} lost {spent}, until fact {number}")

    def _check_news(self, told: Received, table: Table) -> None:
        expected = encode(expected_message(told, table))
        if expected != told.raw:
            where = next((i for i, (a, b) in enumerate(zip(expected, told.raw, strict=False)) if a != b), -1)
            begin = max(0, where - 60)
            self.world.fail(
                f"{told.client.guest} was sent something else at {table.number} of {table.id}: "
                f"{told.raw[begin : where + 60]!r} instead of {expected[begin : where + 60]!r}"
            )

    def _check_hidden(self, id: str, news: dict[int, list[Received]]) -> None:
        """Compare what seats were sent with what they would be sent in a world with other secrets."""
        facts = self.logs[id].facts
        rng = random.Random(f"{self.world.seed} hidden")
        compared: defaultdict[str, int] = defaultdict(int)
        end = next((number for number, fact in enumerate(facts) if isinstance(fact, log.GameEnded)), len(facts))
        table = Table(id, facts[:end])
        hidden = {number for number, one in enumerate(table.transitions) if one and one.visible_to is not None}
        if not hidden:
            return
        sent = [told for number in sorted(news) if min(hidden) <= number < end for told in news[number]]
        # First those news in which a hidden draw is an event; then those in which it only shows in the view.
        sent.sort(key=lambda told: not any(event["number"] in hidden for event in told.message["events"]))
        for told in sent:
            if compared[told.client.guest] >= WORLDS:
                continue
            compared[told.client.guest] += 1
            table = Table(id, facts[: last_number(told.message) + 1])
            seat = viewing_seat(table, told.client.guest, told.client.wanted)
            other = other_world(table, seat, rng) if has_secrets(table, seat) else None
            if other is not None:
                self.worlds += 1
                if without_hash(expected_message(told, table)) != without_hash(expected_message(told, other)):
                    self.world.fail(f"{told.client.guest} was sent something hidden at {table.number} of {id}")


def drawn_from_seed(table: Table) -> str:
    """Return what chance draws next."""
    assert table.position is not None
    position = table.position.copy()
    position.draw_from_seed()
    return position.steps[len(table.position.steps)].text


def last_number(message: dict[str, Any]) -> int:
    """Return the number of the last fact that a message tells of."""
    number: int = message["table"]["number"] if message["type"] == "news" else message["events"][-1]["number"]
    return number


def expected_message(told: Received, table: Table) -> messages.News | messages.Facts:
    """Return what a client should have been sent at this table; times and presence are taken as sent."""
    events, client = told.message["events"], told.client
    guest = client.guest if client.token is not None else None
    seat = viewing_seat(table, guest, client.wanted)
    first = events[0]["number"] if events else table.number + 1
    if told.message["type"] == "facts":
        clock = told.message.get("clock")
        return facts_since(table, first, seat, 0 if clock is None else clock["at"])
    shown, fresh = told.message["table"], told.message["fresh"]
    here = [one["here"] for one in shown["seats"]]
    claimable = [number for number, one in enumerate(shown["seats"]) if one["claim"] is not None]
    now = 0 if shown["clock"] is None else shown["clock"]["at"]
    view = project_table(table, guest, client.wanted, now, here, claimable)
    projected = [project_event(table, number, seat) for number in range(first, table.number + 1)]
    return messages.News(projected, view, fresh, [] if fresh else step_views(table, first, seat))


def without_hash(news: messages.News | messages.Facts) -> bytes:
    """Return news as bytes, without the hash of the seed."""
    events: list[messages.Events] = [
        msgspec.structs.replace(event, seed_hash=HASH) if isinstance(event, messages.Started) else event
        for event in news.events
    ]
    if isinstance(news, messages.Facts):
        return encode(msgspec.structs.replace(news, events=events))
    view = msgspec.structs.replace(news.table, seed_hash=HASH)
    return encode(messages.News(events, view, news.fresh, news.views))
