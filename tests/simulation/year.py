"""A year of correspondence games on the simulated server: slow players, vacations, quiet hours, digests, kills.

`python -m tests.simulation.year --games 1000` plays them all in one world. Time jumps from one event to the next, so
the server's housekeeping runs when there is something to do, instead of several times a second.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any

import msgspec

from mchezo.core.errors import UserError
from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.context import Identity
from mchezo.server.domain.creation import create_table
from mchezo.server.domain.days_clock import DAY, Vacation
from mchezo.server.domain.plans import check_plan
from mchezo.server.domain.table import Table
from mchezo.server.identifiers import new_table_id
from mchezo.server.runtime.table_session import Watcher
from mchezo.server.sending.notification import Notification
from mchezo.server.sending.outbound import SendingFailed
from mchezo.server.storage.appending import command_context
from mchezo.server.storage.notice_channels import Channel
from tests.simulation import environment
from tests.simulation.correspondents import Person
from tests.simulation.disk import Disk, milliseconds
from tests.simulation.environment import INJECTED
from tests.simulation.process import Process
from tests.simulation.run import exempt_modules
from tests.simulation.world import SECOND, Violation, World
from tests.simulation.year_checks import Diary, Report, Sent

MINUTE, HOUR = 60 * SECOND, 3_600 * SECOND
YEAR = 365 * 24 * HOUR
END = 2 * YEAR  # after the first year nobody moves any more: clocks end what is left
SWEEP = 5 * SECOND  # within which the server looks again


class Tab(Watcher):
    """A page that shows a table."""

    def wake(self) -> None:
        """Show what is new."""


class Year:
    """A world in which people play by correspondence."""

    def __init__(self, seed: int, games: int) -> None:
        self.world = World(seed)
        self.games = games
        self.diary = Diary()
        self.disk = Disk(self.world)
        self.disk.on_commit = self.on_commit
        self.rowid = 0
        self.next_tick: int | None = None
        self.ticking = False
        self.killing = False
        self.looking: dict[tuple[str, str], tuple[int, Process, Tab]] = {}
        self.dead: list[Process] = []
        self.patience: dict[str, int] = {}  # turns after which somebody resigns
        self.expected: dict[str, str] = {}  # table -> the answer for which somebody has planned

    def now(self) -> int:
        """Return the time by the server's clock."""
        return milliseconds(self.world.wall())

    # The server

    def start(self) -> None:
        """Start a server that does its housekeeping when it is told to."""
        process = Process(self.world, self.disk, f"a{self.diary.kills}", shared=False)
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
        self.diary.may_repeat |= {(channel, f"{table}-{turn}") for channel, table, turn in rows}
        self.world.fault("process killed")
        self.diary.kills += 1
        self.process.die()
        self.dead.append(self.process)
        for guest, table in list(self.looking):
            self.leave(guest, table)
        self.start()
        self.ticking = False
        self.tick_at(self.world.time + SECOND)

    def run(self, work: Callable[[], Coroutine[Any, Any, object]], failed: Callable[[], None] | None = None) -> None:
        """Run something on the server; it may be refused, and is lost if the server is killed."""

        async def guarded() -> None:
            try:
                await work()
            except UserError:
                if failed is not None:
                    failed()
            except INJECTED as error:
                self.world.fail(f"the database failed: {error!r}")

        self.process.loop.create_task(guarded())

    def receive(self, channel: Channel, notification: Notification) -> None:
        """Accept a message, or refuse it for now."""
        if self.world.chance(0.05):
            self.diary.failed |= {turn.id for turn in notification.turns}
            raise SendingFailed("try again later")
        self.diary.messages += 1
        self.world.note("message", channel.id, notification.title)
        for turn in notification.turns:
            self.diary.sent.append(Sent(self.now(), channel.id, turn.id))

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
        self.run(partial(self.keep_house, self.process))
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
            assert number == len(self.diary.logs[table])
            self.diary.logs[table].append(log.decode(raw))
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
            self.diary.people[person.guest] = person
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

        self.run(take)

    def begin_game(self) -> None:
        """Let two or three people begin a game."""
        rng, service = self.world.rng, self.process.service
        game = rng.choice(("katarenga", "katarenga", "kiwara", "kitara"))
        players = rng.sample(sorted(self.diary.people), 3 if game == "kitara" and rng.random() < 0.3 else 2)
        first, *others = (self.diary.people[guest].who for guest in players)
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

        self.run(begin)
        self.world.after(MINUTE, self.join, id, others)

    def join(self, id: str, others: Sequence[Identity]) -> None:
        """Let people join a table, until it has begun; what they did may be lost when the server is killed."""
        row = self.disk.raw.execute("SELECT status FROM tables WHERE id = ?", (id,)).fetchone()
        if row is None:
            self.begin_game()
        elif row[0] == "open":
            sessions = self.process.service.sessions
            for who in others:
                self.run(partial(sessions.command, id, messages.Join(f"join {who.guest}"), who))
            self.world.after(HOUR, self.join, id, others)

    def expect_visit(self, table: str) -> None:
        """Let whoever is to move visit the table after a while."""
        raw, computer = self.disk.raw.execute("SELECT summary, computer FROM tables WHERE id = ?", (table,)).fetchone()
        summary = msgspec.json.decode(raw)
        seat = summary["to_move"]
        if summary["status"] != "running" or seat is None or computer:
            return
        person, rng = self.diary.people[summary["seats"][seat]["holder"]], self.world.rng
        turn = summary["turn"]
        if isinstance(self.diary.logs[table][-1], log.VacationSet):
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
            self.diary.looks[guest, table].append((since, self.now()))
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
        self.run(partial(self.make_turn, person, table, turn), again)

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
        (left,) = self.disk.raw.execute("SELECT count(*) FROM notices").fetchone()
        if left:
            raise Violation(f"{left} notices are left in the outbox")
        return self.diary.check(self.games, self.world.time // (24 * HOUR))

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
