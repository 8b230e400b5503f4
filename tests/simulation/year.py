"""A year of correspondence games on the simulated server: slow players, vacations, quiet hours, digests, kills.

`python -m tests.simulation.year --games 1000` plays them all in one world. Time jumps from one event to the next, so
the server's housekeeping runs when there is something to do, instead of several times a second.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
from collections import Counter, defaultdict
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from mchezo.core.errors import UserError
from mchezo.core.structs import CHANCE
from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.context import Identity
from mchezo.server.domain.creation import create_table
from mchezo.server.domain.days_clock import DAY, Vacation
from mchezo.server.domain.plans import check_plan
from mchezo.server.domain.table import Table
from mchezo.server.domain.vacations import DAYS_A_GAME
from mchezo.server.identifiers import new_table_id
from mchezo.server.runtime.notices import SETTLE
from mchezo.server.runtime.table_session import Watcher
from mchezo.server.sending.letter import Letter
from mchezo.server.sending.outbound import SendingFailed
from mchezo.server.storage.appending import command_context
from mchezo.server.storage.notice_channels import Channel
from tests.simulation import environment
from tests.simulation.disk import Disk, milliseconds
from tests.simulation.environment import INJECTED
from tests.simulation.process import Process
from tests.simulation.run import exempt_modules
from tests.simulation.world import SECOND, Violation, World

MINUTE, HOUR = 60 * SECOND, 3_600 * SECOND
YEAR = 365 * 24 * HOUR
END = 2 * YEAR  # after the first year nobody moves any more: clocks end what is left
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe")
SWEEP = 5 * SECOND  # within which the server looks again
LATE = 10_000  # milliseconds that a sweep and its messages may take


class Person:
    """Somebody who plays by correspondence."""

    def __init__(self, world: World, number: int) -> None:
        rng = world.rng
        self.guest = f"person{number:04}"
        self.who = Identity(self.guest, f"Person {number}", bot=True)
        self.zone = world.pick(ZONES)
        quiet = rng.random() < 0.5
        self.quiet = (rng.randrange(20 * 60, 24 * 60), rng.randrange(5 * 60, 9 * 60)) if quiet else None
        self.digest = rng.randrange(24 * 60) if rng.random() < 0.2 else None
        self.channels = [f"{number:04}{n:012}" for n in range(rng.choice((0, 1, 1, 1, 2)))]
        self.pace = rng.choice((0.05, 0.15, 0.4))  # of the days for a turn
        self.absent_minded = rng.random() < 0.05  # leaves games alone in the middle
        self.vacations: list[Vacation] = []

    def on_vacation(self, at: int) -> Vacation | None:
        """Return the vacation that is taken at a time of the server."""
        return next((one for one in self.vacations if one.since <= at < one.until), None)

    def minute(self, at: int) -> int:
        """Return the minute of the day, as this person's clock shows it."""
        local = datetime.fromtimestamp(at / 1000, ZoneInfo(self.zone))
        return local.hour * 60 + local.minute

    def is_quiet(self, at: int) -> bool:
        """Return whether it is one of the quiet hours, which all go past midnight."""
        return self.quiet is not None and not self.quiet[1] <= self.minute(at) < self.quiet[0]

    def first_allowed(self, at: int) -> int:
        """Return when a notice may come first, by trying one minute after the other."""
        digest_from: int | None = None
        while True:
            vacation = self.on_vacation(at)
            if vacation is not None:
                at = vacation.until
            elif self.digest is not None and self.minute(at) != self.digest:
                at = next_minute(at)
                digest_from = at
            elif self.digest is None and self.is_quiet(at):
                at = next_minute(at)
            elif self.digest is not None and digest_from is None and at % 60_000:
                digest_from = at = next_minute(at)  # today's digest has gone
            else:
                return at


async def discard(work: Coroutine[Any, Any, object]) -> None:
    """Wait for something whose result does not matter."""
    await work


def next_minute(at: int) -> int:
    """Return the beginning of the next minute."""
    return at - at % 60_000 + 60_000


class Tab(Watcher):
    """A page that shows a table."""

    def wake(self) -> None:
        """Show what is new."""


@dataclass
class Sent:
    """A turn that a message was about."""

    at: int
    channel: str
    turn: str


@dataclass
class Report:
    """What happened in a year."""

    games: int
    turns: int = 0
    notified: int = 0  # turns of people with channels of which every channel was notified once
    excused: Counter[str] = field(default_factory=Counter)  # turns of which nobody had to be notified, by reason
    messages: int = 0
    repeated: int = 0  # after a kill
    endings: Counter[str] = field(default_factory=Counter)
    vacations: int = 0
    kills: int = 0
    last_day: int = 0


class Year:
    """A world in which people play by correspondence."""

    def __init__(self, seed: int, games: int) -> None:
        self.world = World(seed)
        self.games = games
        self.people: dict[str, Person] = {}
        self.disk = Disk(self.world)
        self.disk.on_commit = self.on_commit
        self.rowid = 0
        self.logs: defaultdict[str, list[log.AnyFact]] = defaultdict(list)
        self.next_tick: int | None = None
        self.ticking = False
        self.killing = False
        self.sent: list[Sent] = []
        self.failed: set[str] = set()  # turns of which a message was refused once
        self.may_repeat: set[tuple[str, str]] = set()  # channel and turn: a kill came after the message
        self.looks: defaultdict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)  # guest, table -> spans
        self.looking: dict[tuple[str, str], tuple[int, Process, Tab]] = {}
        self.messages = 0
        self.kills = 0
        self.dead: list[Process] = []
        self.patience: dict[str, int] = {}  # turns after which somebody resigns
        self.expected: dict[str, str] = {}  # table -> the answer for which somebody has planned

    def now(self) -> int:
        """Return the time by the server's clock."""
        return milliseconds(self.world.wall())

    # The server

    def start(self) -> None:
        """Start a server that does its housekeeping when it is told to."""
        process = Process(self.world, self.disk, f"a{self.kills}", shared=False)
        with environment.starting(process._open_database, process._make_writer):
            process.loop.enter(process._create)
        process.writer.synchronous = False
        process.loop.as_thread = process._waiting_for_writer
        process.service.mailbox.loop = process.loop
        process.service.notices.send = self.receive
        process.started = True
        self.process = process

    def kill(self) -> None:
        """Kill the server and start it again."""
        self.killing = False
        now = self.now()
        rows = self.disk.raw.execute("SELECT channel, table_id, turn FROM notices WHERE lease_until > ?", (now,))
        self.may_repeat |= {(channel, f"{table}-{turn}") for channel, table, turn in rows}
        self.world.fault("process killed")
        self.kills += 1
        self.process.die()
        self.dead.append(self.process)
        for guest, table in list(self.looking):
            self.leave(guest, table)
        self.start()
        self.ticking = False
        self.tick_at(self.world.time + SECOND)

    def run(self, work: Coroutine[Any, Any, None], failed: Callable[[], None] | None = None) -> None:
        """Run something on the server; it may be refused, and is lost if the server is killed."""

        async def guarded() -> None:
            try:
                await work
            except UserError:
                if failed is not None:
                    failed()
            except INJECTED as error:
                self.world.fail(f"the database failed: {error!r}")

        self.process.loop.create_task(guarded())

    def receive(self, channel: Channel, letter: Letter) -> None:
        """Accept a message, or refuse it for now."""
        if self.world.chance(0.05):
            self.failed |= {turn.id for turn in letter.turns}
            raise SendingFailed("try again later")
        self.messages += 1
        self.world.note("message", channel.id, letter.title)
        for turn in letter.turns:
            self.sent.append(Sent(self.now(), channel.id, turn.id))

    # Housekeeping

    def tick_at(self, time: int) -> None:
        """Let the server look what there is to do, no later than at a point in time."""
        time = max(time, self.world.time + 1)
        if self.next_tick is None or time < self.next_tick:
            self.next_tick = time
            self.world.after(time - self.world.time, self.tick, time)

    def tick(self, time: int) -> None:
        """Look what there is to do."""
        if self.next_tick != time:
            return  # there was an earlier one
        self.next_tick = None
        if self.ticking:
            self.tick_at(self.world.time + SECOND)
            return
        self.ticking = True
        self.run(self.keep_house(self.process))
        if not self.killing and self.world.chance(0.004):
            self.killing = True
            self.world.after(self.world.rng.randrange(60_000), self.kill)

    async def keep_house(self, process: Process) -> None:
        """Do what the server's housekeeping does."""
        service = process.service
        for table in await asyncio.to_thread(service.store.tables.timed_out, service.store.now()):
            await service.sessions.time_out(table)
        # A computer plays on for somebody who ran out of time among three.
        computers = self.disk.raw.execute("SELECT id FROM tables WHERE computer ORDER BY id").fetchall()
        for (id,) in computers:
            await process._play_turn(id)
        await service.correspondence.sweep()
        await service.notices.sweep()
        self.ticking = False
        self.tick_at(self.next_event())

    def next_event(self) -> int:
        """Return when something is due."""
        now = self.now()
        one = "SELECT min({0}) FROM {1} WHERE {0} > ?"
        times = [
            self.disk.raw.execute(one.format(column, table), (now,)).fetchone()[0]
            for column, table in (("due", "notices"), ("deadline", "tables"))
        ]
        (late,) = self.disk.raw.execute("SELECT count(*) FROM notices WHERE due <= ?", (now,)).fetchone()
        soon = [(time - now) * 1_000 for time in times if time is not None]
        if late:
            soon.append(SWEEP)
        return self.world.time + min(soon, default=24 * HOUR) + self.world.rng.randrange(SWEEP)

    def on_commit(self) -> None:
        """Read new facts; let the server look soon, and let those who are to move visit."""
        changed = set()
        for rowid, table, number, raw in self.disk.facts_after(self.rowid):
            self.rowid = rowid
            assert number == len(self.logs[table])
            self.logs[table].append(log.decode(raw))
            self.world.note("stored", table, number, raw.decode())
            changed.add(table)
        for table in sorted(changed):
            self.tick_at(self.world.time + self.world.rng.randrange(SWEEP))
            self.expect_visit(table)

    # People

    def settle(self) -> None:
        """Let people arrange how they are notified, and plan the tables."""
        rng, store = self.world.rng, self.process.service.store
        for number in range(max(6, self.games // 5)):
            person = Person(self.world, number)
            self.people[person.guest] = person
            begin, end = person.quiet or (None, None)
            times = {"zone": person.zone, "quiet_from": begin, "quiet_until": end, "digest": person.digest}
            store.channels.set_settings(person.guest, times)
            for id in person.channels:
                store.channels.add(
                    Channel(id, person.guest, "push", f"https://push/{id}", "", "", "en", "https://here", 0, True)
                )
            for _ in range(rng.randrange(4)):
                self.world.after(rng.randrange(YEAR), self.travel, person)
        for _ in range(self.games):
            self.world.after(rng.randrange(60 * 24 * HOUR), self.begin_game)
        self.tick_at(SWEEP)

    def travel(self, person: Person) -> None:
        """Take a vacation, if there are days left."""
        rng, store, now = self.world.rng, self.process.service.store, self.now()
        since = now + rng.randrange(7) * DAY
        until = since + rng.randrange(1, 14) * DAY

        async def take() -> None:
            id = await asyncio.wrap_future(store.correspondence.take_vacation(person.guest, since, until, now))
            person.vacations.append(Vacation(id, since, until))
            await self.process.service.correspondence.enter_vacations()

        self.run(take())

    def begin_game(self) -> None:
        """Let two or three people begin a game."""
        rng, service = self.world.rng, self.process.service
        game = rng.choice(("katarenga", "katarenga", "kiwara", "kitara"))
        players = rng.sample(sorted(self.people), 3 if game == "kitara" and rng.random() < 0.3 else 2)
        first, *others = (self.people[guest].who for guest in players)
        request = messages.CreateTable(
            game,
            [messages.SeatPlan("you"), *(messages.SeatPlan("open") for _ in others)],
            days=rng.choice((1, 2, 3, 5, 7, 14)),
            weekends=rng.random() < 0.3,
            public=True,
        )
        id = new_table_id()
        self.patience[id] = rng.randrange(6, 40)

        async def begin() -> None:
            context = command_context(first, service.store.now())
            facts = create_table(request, request.options, None, service.rating_of, context, id)
            await service.sessions.create(id, facts)

        self.run(begin())
        self.world.after(MINUTE, self.join, id, others)

    def join(self, id: str, others: Sequence[Identity]) -> None:
        """Let people join a table, until it has begun; what they did may be lost when the server is killed."""
        row = self.disk.raw.execute("SELECT status FROM tables WHERE id = ?", (id,)).fetchone()
        if row is None:
            self.begin_game()
        elif row[0] == "open":
            sessions = self.process.service.sessions
            for who in others:
                self.run(discard(sessions.command(id, messages.Join(f"join {who.guest}"), who)))
            self.world.after(HOUR, self.join, id, others)

    def expect_visit(self, table: str) -> None:
        """Let whoever is to move visit the table after a while."""
        raw, computer = self.disk.raw.execute("SELECT summary, computer FROM tables WHERE id = ?", (table,)).fetchone()
        summary = msgspec.json.decode(raw)
        seat = summary["to_move"]
        if summary["status"] != "running" or seat is None or computer:
            return
        person, rng = self.people[summary["seats"][seat]["holder"]], self.world.rng
        turn = summary["turn"]
        if isinstance(self.logs[table][-1], log.VacationSet):
            return  # they come when they would have come
        if rng.random() < 0.15:
            self.look(person.guest, table, in_background=rng.random() < 0.3)
        wait = int(rng.expovariate(1) * person.pace * summary["days"] * 24 * HOUR)
        if person.absent_minded and rng.random() < 0.1:
            return
        self.world.after(wait, self.visit, person, table, turn)

    def look(self, guest: str, table: str, *, in_background: bool) -> None:
        """Open the page of a table; it stays open for a while, unless the server is killed."""
        if (guest, table) in self.looking:
            return
        process = self.process
        session = process.service.sessions.sessions.get(table)
        if session is None:
            return  # the page is still loading
        tab = Tab(guest, None, -1)
        tab.looking = not in_background
        process.loop.enter(lambda: process.service.sessions.watch(session, tab))
        self.looking[guest, table] = self.now(), process, tab
        self.world.after(self.world.rng.randrange(2 * MINUTE, 60 * MINUTE), self.leave, guest, table)

    def leave(self, guest: str, table: str) -> None:
        """Close the page of a table."""
        since, process, tab = self.looking.pop((guest, table), (0, None, None))
        if process is None or tab is None:
            return
        if tab.looking:
            self.looks[guest, table].append((since, self.now()))
        session = process.service.sessions.sessions.get(table)
        if process.alive and session is not None:
            process.loop.enter(lambda: process.service.sessions.disconnect(session, tab))

    def visit(self, person: Person, table: str, turn: int) -> None:
        """Come to a table and make the turn, unless it is over or the person is on vacation."""
        vacation = person.on_vacation(self.now())
        if self.world.time >= YEAR:
            return
        if vacation is not None:
            self.world.after((vacation.until - self.now()) * 1_000 + MINUTE, self.visit, person, table, turn)
            return

        def again() -> None:
            self.world.after(HOUR, self.visit, person, table, turn)

        if self.killing:  # what is under way could be lost
            again()
            return
        self.run(self.make_turn(person, table, turn), again)

    async def make_turn(self, person: Person, id: str, turn: int) -> None:
        """Make all decisions of a turn, one after the other, and sometimes plan the next."""
        rng, sessions = self.world.rng, self.process.service.sessions
        table = (await sessions.latest(id)).table
        if table.status != "running" or table.turn_number != turn:
            return
        seat = table.to_move
        assert seat is not None
        if table.moves_made >= self.patience[id] * (1 if table.creation.game == "katarenga" else 3):
            await sessions.command(id, messages.Resign(f"resign {table.number}", seat), person.who)
            return
        while table.status == "running" and table.to_move == seat and table.turn_number == turn:
            legal = table.legal
            planned = self.expected.pop(id, None)
            move = planned if planned in legal and rng.random() < 0.6 else legal[rng.randrange(len(legal))]
            assert table.decision is not None
            command = messages.Move(f"move {table.number}", table.decision, [move], seat)
            await sessions.command(id, command, person.who)
            table = (await sessions.latest(id)).table
        if table.status == "running" and table.creation.game == "katarenga" and rng.random() < 0.15:
            await self.plan_answer(person, table, seat)

    async def plan_answer(self, person: Person, table: Table, seat: int) -> None:
        """Plan the answer to a move of the opponent."""
        rng, service = self.world.rng, self.process.service
        expected = table.legal[rng.randrange(len(table.legal))]
        assert table.position is not None
        position = table.position.copy()
        position.play(expected)
        if position.to_move != seat:
            return
        line = [expected, position.legal_moves[rng.randrange(len(position.legal_moves))]]
        plan = check_plan(table, seat, [line])
        self.expected[table.id] = expected
        await asyncio.wrap_future(service.store.correspondence.set_plan(table.id, person.guest, plan))

    # The whole

    def go(self) -> Report:
        """Let the year pass, then check everything."""
        self.start()
        self.settle()
        while self.world.time < END and self.world.step():
            if self.world.time > YEAR and self.is_over():
                break
        for guest, table in list(self.looking):
            self.leave(guest, table)
        return self.check()

    def is_over(self) -> bool:
        """Return whether every game has ended."""
        (left,) = self.disk.raw.execute("SELECT count(*) FROM tables WHERE status != 'over'").fetchone()
        return bool(left == 0)

    def close(self) -> None:
        """End all that still waits."""
        self.world.events.clear()
        for process in (self.process, *self.dead):
            process.alive = False
            process.loop.close_tasks()
        self.disk.close()

    # What must be true

    def check(self) -> Report:
        """Check every game, every turn and every message."""
        report = Report(self.games, messages=self.messages, kills=self.kills)
        report.vacations = sum(len(person.vacations) for person in self.people.values())
        report.last_day = self.world.time // (24 * HOUR)
        by_turn: defaultdict[str, list[Sent]] = defaultdict(list)
        for sent in self.sent:
            by_turn[sent.turn].append(sent)
        if len(self.logs) != self.games:
            raise Violation(f"{len(self.logs)} games have begun")
        known: set[str] = set()
        for id, facts in self.logs.items():
            ending = facts[-1]
            if not isinstance(ending, log.GameEnded):  # nobody asks for another game
                raise Violation(f"{id} has no end")
            report.endings[ending.reason] += 1
            self.check_vacations(facts)
            for number, guest, begin, end in turns_of(id, facts):
                report.turns += 1
                known.add(f"{id}-{number}")
                self.check_turn(report, id, number, self.people[guest], begin, end, by_turn[f"{id}-{number}"])
        if unknown := {sent.turn for sent in self.sent} - known:
            raise Violation(f"there are no turns {sorted(unknown)[:3]}")
        (left,) = self.disk.raw.execute("SELECT count(*) FROM notices").fetchone()
        if left:
            raise Violation(f"{left} notices are left in the outbox")
        return report

    def check_vacations(self, facts: list[log.AnyFact]) -> None:
        """Check that nobody ran out of time on vacation, unless they took more than a game allows."""
        created = facts[0]
        assert isinstance(created, log.TableCreated)
        seats = Table("T" * 12, facts).seats
        for fact in facts:
            if isinstance(fact, log.PlayerDroppedOut) and fact.reason == "time-out":
                loser = self.people[seats[fact.seat].holder or ""]
                granted = sum(one.until - one.since for one in loser.vacations)
                if loser.on_vacation(fact.at) is not None and granted <= DAYS_A_GAME * DAY:
                    raise Violation(f"{loser.guest} ran out of time on vacation")

    def check_turn(
        self, report: Report, table: str, number: int, person: Person, begin: int, end: int, sent: list[Sent]
    ) -> None:
        """Check the notices of one turn: one by each channel, or a reason why there is none."""
        name = f"{table}-{number} of {person.guest}"
        for one in sent:
            if one.channel not in person.channels:
                raise Violation(f"somebody else was notified of {name}")
            if not begin + SETTLE <= one.at <= end + LATE:
                raise Violation(
                    f"a notice of {name} came {one.at - begin} ms after it began, and it took {end - begin}"
                )
            if person.digest is None and person.is_quiet(one.at):
                raise Violation(f"a notice of {name} came in quiet hours")
            if (vacation := person.on_vacation(one.at)) is not None and vacation.since < one.at - LATE:
                raise Violation(f"a notice of {name} came on vacation")
            if any(since + 2 * LATE < one.at < until for since, until in self.looks[person.guest, table]):
                raise Violation(f"a notice of {name} came while they looked at the table")
        counts = Counter(one.channel for one in sent)
        for channel, count in counts.items():
            if count > 1:
                if (channel, f"{table}-{number}") not in self.may_repeat:
                    raise Violation(f"{count} notices of {name}")
                report.repeated += count - 1
        if person.channels and len(counts) == len(person.channels):
            report.notified += 1
            return
        report.excused[self.excuse(person, table, number, begin, end, name)] += 1

    def excuse(self, person: Person, table: str, number: int, begin: int, end: int, name: str) -> str:
        """Return why a channel was not notified of a turn."""
        if not person.channels:
            return "no channel"
        if end - begin < SETTLE + LATE:
            return "played at once"
        if f"{table}-{number}" in self.failed:
            return "refused, then played"
        allowed = person.first_allowed(begin + SETTLE)
        if end < allowed + LATE:
            return "played in quiet hours or before the digest"
        if any(since < allowed + LATE and until > begin for since, until in self.looks[person.guest, table]):
            return "looked at the table"
        raise Violation(f"no notice of {name}, which began at {begin}, ended at {end} and was due at {allowed}")


def turns_of(id: str, facts: list[log.AnyFact]) -> list[tuple[int, str, int, int]]:
    """Return the turns of a game: the fact that began each, whose it was, from when to when.

    A turn ends when another seat is to move; it is found by replaying the game, not from what the server stored.
    """
    found: list[tuple[int, str, int, int]] = []
    table = Table(id, facts[:1])
    seat: int | None = None
    begin = 0
    for number, fact in enumerate(facts[1:], start=1):
        table.apply(fact)
        if table.to_move == CHANCE:
            continue  # in the middle of a turn, or at its end
        anew = isinstance(fact, log.GameStarted | log.MovesTakenBack)
        decides = None if table.to_move in table.dropped_out else table.to_move  # None: a computer, or the end
        if decides != seat or anew:
            if seat is not None:
                holder = table.seats[seat].holder
                assert holder is not None
                found.append((begin, holder, facts[begin].at, fact.at))
            # A chance outcome between two turns belongs to the move before it.
            seat, begin = decides, last_move(facts, number)
    return found


def last_move(facts: list[log.AnyFact], number: int) -> int:
    """Return the number of the fact by which a turn began: a move, the start, or a takeback."""
    while not isinstance(facts[number], log.MovePlayed | log.GameStarted | log.MovesTakenBack) and number:
        number -= 1
    return number


def play_year(seed: int, games: int) -> Report:
    """Play a year of games in one world."""
    exempt_modules()
    year = Year(seed, games)
    with environment.simulated(year.world):
        try:
            return year.go()
        finally:
            year.close()
            gc.collect()


def main() -> None:
    """Play a year and print what happened."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--games", type=int, default=1_000)
    given = options.parse_args()
    report = play_year(given.seed, given.games)
    for name, value in vars(report).items():
        print(f"{name}: {dict(value) if isinstance(value, Counter) else value}")


if __name__ == "__main__":
    main()
