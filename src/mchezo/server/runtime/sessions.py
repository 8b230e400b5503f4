"""The tables in this process's memory. Every change is stored first, then sent to watchers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from functools import cache, partial
from typing import Any, NamedTuple, cast

import msgspec

from mchezo.core.errors import UserError
from mchezo.server import messages
from mchezo.server.domain import commands, log, playing
from mchezo.server.domain.context import Change, Identity
from mchezo.server.domain.table import Handled, Table
from mchezo.server.errors import TableError, code_of
from mchezo.server.identifiers import public_id
from mchezo.server.metrics import COMMANDS, MOVES, TABLES
from mchezo.server.projection.events import facts_since, seen_by_all
from mchezo.server.projection.news import MAX_EVENTS, news_since, starts_anew
from mchezo.server.projection.table_view import project_table
from mchezo.server.projection.viewers import viewing_seat
from mchezo.server.runtime.failures import logged_failure
from mchezo.server.runtime.job import Job, digest
from mchezo.server.runtime.mailbox import Mailbox
from mchezo.server.runtime.news_cache import NewsCache
from mchezo.server.runtime.table_session import TableSession, Watcher
from mchezo.server.storage.appending import (
    MAX_ATTEMPTS,
    Decide,
    append_change,
    command_context,
    exclude_delay,
    prepare,
)
from mchezo.server.storage.store import Store
from mchezo.server.storage.writer import Append, Result, append_for, discard

KEEP_SECONDS = 60  # a table without watchers
MIN_OUTAGE = 1_000  # milliseconds that are excluded from a clock
MAX_UNWATCHED = 2_000  # tables without watchers, 130 kB each
MAX_FACTS, LONG = 500_000, 500  # of all of them, 0.4 kB each, counted when a table with a long log is loaded
MAX_WATCHERS = 1_000  # of one table
SERVER = Identity("server")
counter = cache(COMMANDS.labels)  # by kind and answer


class Correction(NamedTuple):
    """What excludes a delay from the clock that was started with a table's number."""

    number: int
    decide: Decide


class Sessions:
    """All tables in memory."""

    def __init__(
        self,
        store: Store,
        ready: Callable[[str], bool],
        wake_computers: Callable[[], None],
        mailbox: Mailbox,
        max_watchers: int = MAX_WATCHERS,
    ) -> None:
        self.store = store
        self.max_watchers = max_watchers
        self.encoded = NewsCache()
        self.ready = ready
        self.wake_computers = wake_computers
        self.mailbox = mailbox
        self.sessions: dict[str, TableSession] = {}
        self.loading: dict[str, asyncio.Task[TableSession]] = {}
        self.started = store.now()
        self.outage: tuple[int, int] | None = None  # the last one: since when no server was running, and until when
        self.checked: dict[str, int] = {}  # tables whose clocks were corrected after it -> their numbers then
        self.outage_since: int | None = None  # when the last server stopped, until all clocks are corrected
        self.pulse_is_late: Callable[[], bool] | None = None  # whether the process stood still
        self.check_pulse: Callable[[], Awaitable[None]] | None = None  # corrects the clocks then
        self.on_correspondence: Callable[[str], None] | None = None  # after a change in a correspondence game
        self.outbox: list[Append] = []  # decided in this iteration of the event loop, not yet given to the writer
        self.tasks: set[asyncio.Task[None]] = set()
        # By table: what was stored late, and is to be excluded from the clock that it started before anything else.
        self.corrections: dict[str, Correction] = {}

    # Loading

    async def get(self, id: str) -> TableSession:
        """Return a table's session, loading the table if necessary."""
        session = self.sessions.get(id)
        if session is None:
            task = self.loading.get(id)
            if task is None:
                task = asyncio.create_task(self._load(id))
                self.loading[id] = task
                task.add_done_callback(lambda _: self.loading.pop(id, None))
            session = await asyncio.shield(task)
        session.used = time.monotonic()
        if session.is_behind:
            await self.catch_up(session)
        return session

    async def _load(self, id: str) -> TableSession:
        facts = await asyncio.to_thread(self.store.tables.facts, id)
        if not facts:
            raise TableError("unknown-table", "unknown-table")
        if isinstance(facts[0], log.TableCreated) and not self.ready(facts[0].game):
            raise TableError("not-ready", "compiling", game=facts[0].game)
        table = await asyncio.to_thread(self.store.tables.replay, id, facts)
        session = TableSession(table, self.started, self.encoded)
        session.seen = (await asyncio.to_thread(self.store.presence.last_seen, [id]))[id]
        if self.outage_since is not None:
            await self._exclude_outage(session, self.outage_since, self.store.now())
        self._keep(session)
        await self.catch_up(session)  # notifications did not find the table here until now
        return session

    async def latest(self, id: str) -> TableSession:
        """Return a table's session, with everything that other processes have stored."""
        session = await self.get(id)
        if self.store.shared:
            await self.catch_up(session)
        return session

    async def catch_up(self, session: TableSession, number: int | None = None) -> None:
        """Read what others have appended, unless everything up to a number is known."""
        async with session.turns:
            if number is None or session.table.number < number:
                await self._catch_up(session)

    async def _catch_up(self, session: TableSession) -> Table:
        session.is_behind = False  # first: a notification that arrives from now on tells of more
        try:
            table = await asyncio.to_thread(self.store.tables.extend, session.table)
        except TableError as error:
            self.set_aside(session, error)
            raise
        except Exception:
            session.is_behind = True
            raise
        if table is not session.table:
            session.table = table
            session.wake(self.store.now)
        return session.table

    def set_aside(self, session: TableSession, error: TableError) -> None:
        """Drop a table that cannot be read any more, and let its watchers know."""
        if self.sessions.get(session.table.id) is session:
            del self.sessions[session.table.id]
            TABLES.set(len(self.sessions))
        session.unreadable = error
        session.wake(self.store.now)

    async def reload(self, id: str) -> None:
        """Read a table that an operator has changed from the beginning; one that was removed is dropped."""
        session = self.sessions.get(id)
        if session is None:
            return
        async with session.turns:
            try:
                table = await asyncio.to_thread(self.store.tables.load, id)
                if table is None:
                    raise TableError("unknown-table", "unknown-table")
            except TableError as error:
                self.set_aside(session, error)
                return
            session.table = table
        for watcher in session.watchers:
            watcher.outdated = True
        session.outdated = True
        session.wake(self.store.now)

    def wake_watchers(self, guests: Collection[str]) -> None:
        """Let the connections of these guests, given by public id, check whether they may stay open."""
        for session in self.sessions.values():
            for watcher in session.watchers:
                if watcher.guest is not None and public_id(watcher.guest) in guests:
                    watcher.wake()

    def notify(self, id: str, number: int) -> None:
        """Read a table's new facts if they are not known yet: now if somebody watches it, else when it is asked for.

        A process that made a table, which is then played at in another one, would else read and replay every move.
        """
        session = self.sessions.get(id)
        if session is None or session.table.number >= number:
            return
        if session.is_unused:
            session.is_behind = True
        else:
            session.turns.take(partial(self._take_turn_to_catch_up, session, number))

    def _take_turn_to_catch_up(self, session: TableSession, number: int) -> None:
        """Read new facts in a turn, unless it was our own move that we were notified of."""
        if session.table.number >= number:
            session.turns.give()
        else:
            self._start(self._catch_up_and_give_turn(session))

    async def _catch_up_and_give_turn(self, session: TableSession) -> None:
        try:
            await self._catch_up(session)
        finally:
            session.turns.give()

    def computer_moved(self, append: Append) -> None:
        """Read what one of our computers has stored, and correct the clock that it started if that took long."""
        self.notify(append.table.id, append.table.number)
        self._correct_later(append.table, append.new[0].at)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def drop_unused(self) -> None:
        """Drop tables that have had no watcher for a while."""
        limit = time.monotonic() - KEEP_SECONDS
        for session in list(self.sessions.values()):
            if session.is_unused and session.used < limit:
                self._drop(session)
        TABLES.set(len(self.sessions))

    def _keep(self, session: TableSession) -> None:
        """Keep a table in memory, unless there are too many that nobody watches."""
        self.sessions[session.table.id] = session
        if len(self.sessions) > MAX_UNWATCHED or session.table.number > LONG:
            self._drop_surplus(session)
        TABLES.set(len(self.sessions))

    def _drop_surplus(self, kept: TableSession) -> None:
        """Of the tables that nobody watches, drop those that were not used for longest."""
        unwatched = [one for one in self.sessions.values() if one is not kept and one.is_unused]
        unwatched.sort(key=lambda one: one.used, reverse=True)
        facts = 0
        for place, one in enumerate(unwatched):
            facts += one.table.number
            if place >= MAX_UNWATCHED * 9 // 10 or facts > MAX_FACTS:
                self._drop(one)

    def _drop(self, session: TableSession) -> None:
        self.encoded.clear(session.table.id)
        del self.sessions[session.table.id]

    # Changing

    async def create(self, id: str, facts: Sequence[log.AnyFact], network: str | None = None) -> TableSession:
        """Store a new table, charged to its creator in a network."""
        table = await asyncio.to_thread(Table, id, facts)
        await asyncio.wrap_future(self.store.append(append_for(table, facts, network)))
        return self._add(table)

    def _add(self, table: Table) -> TableSession:
        """Keep a table in memory that was just stored."""
        session = TableSession(table, self.started, self.encoded)
        self._keep(session)
        if table.waits_for_computer:
            self.wake_computers()
            self._start(self.catch_up(session))  # a fast one may have moved before the table was in memory
        return session

    async def command(self, id: str, command: messages.Commands, who: Identity) -> messages.Done:
        """Carry out a command; an error changes nothing. A caller who stops waiting does not interrupt it."""
        answer: asyncio.Future[messages.Done] = asyncio.get_running_loop().create_future()

        def answered(found: messages.Done | Exception) -> None:
            if answer.done():
                return
            if isinstance(found, Exception):
                answer.set_exception(found)
            else:
                answer.set_result(found)

        self.submit(id, command, who, 0, answered)
        return await answer

    def submit(
        self,
        id: str,
        command: messages.Commands,
        who: Identity,
        delay: int,
        answered: Callable[[messages.Done | Exception], None],
    ) -> None:
        """Carry out a command, and call `answered` on the event loop when it is stored or refused."""
        job = Job(command, digest(command), who, delay, self.store.now(), answered)
        session = self.sessions.get(id)
        waits = isinstance(command, messages.Claim) and self.store.shared
        late = self.pulse_is_late is not None and self.pulse_is_late()
        if session is None or session.is_behind or waits or late or self._is_uncorrected(session):
            self._start(self._submit_later(id, job))
            return
        session.used = time.monotonic()
        if session.turns.try_take():
            self._decide(session, job)
        else:
            session.turns.take(partial(self._take_turn, session, job))

    async def _submit_later(self, id: str, job: Job) -> None:
        """Carry out a command once clocks are corrected, the table is loaded and presence elsewhere is known."""
        try:
            if self.check_pulse is not None:
                await self.check_pulse()
            session = await self.get(id)
            if isinstance(job.command, messages.Claim):
                await self._ask_presence(session)
        except Exception as error:
            self._answer(job, error)
            return
        session.turns.take(partial(self._take_turn, session, job))

    def _take_turn(self, session: TableSession, job: Job) -> None:
        """Decide a command whose turn it is at the table, once the running clock is correct."""
        if self._is_uncorrected(session):
            self._start(self._decide_corrected(session, job))
        else:
            self._decide(session, job)

    async def _decide_corrected(self, session: TableSession, job: Job) -> None:
        try:
            await self._correct(session)
        except Exception as error:
            self._end(session, job, error)
        else:
            self._decide(session, job)

    def _decide(self, session: TableSession, job: Job) -> None:
        """Decide a command and have its facts stored."""
        if job.first_try is None:
            session.heartbeat(job.who.guest, job.received)
            job.first_try = session.table
        try:
            change = self._change(session, job, session.table)
            append = None if change is None else prepare(session.table, change)
        except Exception as error:
            self._not_stored(session, job, error)
            return
        if append is None:
            self._end(session, job, None)
        else:
            append.done = partial(self.mailbox.put, self._attempted, session, job, append)
            self._write_soon(append)

    def _write_soon(self, append: Append) -> None:
        """Have an append stored, together with all that are decided in this iteration of the event loop."""
        if not self.outbox:
            asyncio.get_running_loop().call_soon(self._write)
        self.outbox.append(append)

    def _write(self) -> None:
        appends, self.outbox = self.outbox, []
        self.store.submit(appends)

    def _change(self, session: TableSession, job: Job, table: Table) -> Change | None:
        """Return what follows from a command; None if it was carried out before."""
        command, who = job.command, job.who
        if self._handled(table, job) is not None:
            return None
        away = {}
        if isinstance(command, messages.Claim):
            away = session.away(job.received, session.connected(job.received))
        try:
            change = commands.decide(table, command, command_context(who, job.received, table, job.delay, away))
        except TableError as error:
            if table is not job.first_try and error.code == "stale":
                raise TableError("conflict", "conflict") from error
            raise
        facts = change.facts
        facts[0] = msgspec.structs.replace(facts[0], id=command.id, by=who.guest, digest=job.digest)
        return change

    def _handled(self, table: Table, job: Job) -> Handled | None:
        """Return a command if its idempotency key was used before."""
        found = table.handled(job.who.guest, job.command.id)
        if found is not None and found.digest != job.digest:
            raise TableError("duplicate", "duplicate", id=job.command.id)
        return found

    def _attempted(self, session: TableSession, job: Job, append: Append, result: Result) -> None:
        """Inform everybody of what was stored."""
        append.done = discard  # refers to the append: the garbage collector would have to find both
        if result is True:
            self._stored(session, append)
            self._end(session, job, None)
        else:
            self._not_stored(session, job, result)

    def _not_stored(self, session: TableSession, job: Job, result: Result) -> None:
        """Say why a command was not stored; if it was not because of other processes, look what they did."""
        if result is False or (self.store.shared and isinstance(result, UserError)):
            # The command may be stored already: by another process, or by a commit whose result got lost.
            self._start(self._decide_again(session, job, result))
        else:
            self._end(session, job, cast(Exception, result))

    async def _decide_again(self, session: TableSession, job: Job, result: Result) -> None:
        """Read what other processes have stored, and decide again if there is something."""
        job.attempts += 1
        known = session.table
        try:
            found = await self._catch_up(session)
        except Exception as error:
            self._end(session, job, error)
            return
        if found is known and isinstance(result, Exception):
            self._end(session, job, result)
        elif job.attempts >= MAX_ATTEMPTS:
            self._end(session, job, TableError("overloaded", "overloaded"))
        else:
            done = found.handled(job.who.guest, job.command.id)
            if done is not None and done.number > known.number:  # stored by a commit whose result got lost
                self._correct_later(found, found.log[done.number].at)
            self._decide(session, job)

    def _end(self, session: TableSession, job: Job, error: Exception | None) -> None:
        """Answer a command; the next one gets its turn."""
        session.turns.give()
        try:
            done = None if error is not None else self._handled(session.table, job)
        except TableError as duplicate:
            error = duplicate
        self._answer(job, messages.Done(job.command.id, done.number) if done is not None else cast(Exception, error))

    def _answer(self, job: Job, answer: messages.Done | Exception) -> None:
        """Count a command and answer it."""
        kind = job.command.__struct_config__.tag
        if isinstance(answer, messages.Done):
            counter(kind, "done").inc()
        elif isinstance(answer, UserError):
            counter(kind, code_of(answer)).inc()
        job.answered(answer)

    async def _append(self, session: TableSession, decide: Callable[[Table], Change | None]) -> None:
        """Store what `decide` returns, then inform everybody; called during a turn."""
        stored = await append_change(self.store, session.table, decide, lambda _: self._catch_up(session))
        if stored is not None:
            self._stored(session, stored)

    def _stored(self, session: TableSession, stored: Append) -> None:
        """Replace the table by the one that is stored now, and inform everybody."""
        session.table = table = stored.table
        MOVES.inc([type(fact) for fact in stored.new].count(log.MovePlayed))
        session.wake(self.store.now)
        if stored.change.computer:
            self.wake_computers()
        if stored.new_table is not None:
            self._add(stored.new_table.table)
        if self.on_correspondence is not None and table.creation.settings.days is not None:
            self.on_correspondence(table.id)
        if table.clock is not None:
            self._correct_later(table, stored.new[0].at)

    def _correct_later(self, table: Table, changed: int) -> None:
        """Have the running clock corrected before anything else happens, if it was started by a change stored late."""
        decide = exclude_delay(table, changed, self.store.now())
        if decide is not None:
            self.corrections[table.id] = Correction(table.number, decide)
            self._start(self._correct_clock(table.id))

    async def _correct_clock(self, id: str) -> None:
        with logged_failure("a clock was not corrected", id):
            session = await self.get(id)
            async with session.turns:
                await self._correct(session)

    async def give_up_all(self, who: Identity) -> None:
        """Resign a guest's running games and give back their seats at open tables."""
        done: set[str] = set()
        # Resigning a game of a series starts the next one.
        while new := set(await asyncio.to_thread(self.store.people.unfinished, who.guest)) - done:
            for id in new:
                await self.give_up(id, who)
            done |= new

    async def give_up(self, id: str, who: Identity) -> None:
        """Resign a guest's game, or give back their seats before the start."""
        session = await self.latest(id)
        async with session.turns:
            before = -1
            while before < session.table.number:  # a guest may hold several seats
                before = session.table.number
                await self._append(
                    session, lambda table: playing.give_up(table, command_context(who, self.store.now(), table))
                )

    async def break_off(self, id: str, who: Identity) -> None:
        """End a game against computers without a result."""
        await self.change(id, lambda table: playing.break_off(table, command_context(who, self.store.now(), table)))

    async def time_out(self, id: str) -> None:
        """Append the time-out of a table whose running clock is down, unless another process has."""
        await self.change(id, lambda table: playing.time_out(table, command_context(SERVER, self.store.now(), table)))

    async def change(self, id: str, decide: Callable[[Table], Change | None]) -> Table:
        """Append what the server itself decides at a table; return the table as it is then."""
        session = await self.latest(id)
        async with session.turns:
            await self._correct(session)
            await self._append(session, decide)
            return session.table

    def watch_anew(self, since: int, now: int) -> None:
        """Count absences from now on: nobody could be seen while no server was running."""
        self.started, self.outage, self.checked = now, (since, now), {}
        for session in self.sessions.values():
            session.opened = now

    async def exclude_outage(self, id: str, since: int, until: int) -> None:
        """Exclude the time in which no server was running from a table's clock."""
        session = await self.latest(id)
        async with session.turns:
            await self._exclude_outage(session, since, until)

    def _is_uncorrected(self, session: TableSession) -> bool:
        """Return whether a clock runs that was started late, or before the end of the last outage.

        Another process may have started it after all running clocks were corrected, if its time was behind ours.
        """
        table = session.table
        if table.id in self.corrections:
            return True
        if table.clock is None or table.status != "running" or table.clock.deadline is None:
            return False
        return self._is_unchecked(table)

    def _is_unchecked(self, table: Table) -> bool:
        """Return whether a table's last fact is dated before the end of the last outage, and was not there then."""
        return (
            self.outage is not None and table.last_at < self.outage[1] and table.number > self.checked.get(table.id, -1)
        )

    async def _correct(self, session: TableSession) -> None:
        """Exclude the last outage, or a delay, from a clock that was not corrected; called during a turn."""
        if not self._is_uncorrected(session):
            return
        if self.outage is not None and self._is_unchecked(session.table):
            # By a clock that is behind ours it may have been started after the outage: until now nothing counts.
            await self._exclude_outage(session, self.outage[0], self.store.now())
        correction = self.corrections.pop(session.table.id, None)
        if correction is not None:
            try:
                if session.table.number < correction.number:
                    await self._catch_up(session)
                await self._append(session, correction.decide)
            except Exception:
                self.corrections.setdefault(session.table.id, correction)
                raise

    async def _exclude_outage(self, session: TableSession, since: int, until: int) -> None:
        def decide(table: Table) -> Change | None:
            lost = until - max(since, table.last_at)
            if table.last_at >= self.started or lost < MIN_OUTAGE:
                return None  # another process has
            facts = playing.pause_clock(table, lost, max(self.store.now(), table.last_at))
            return Change(facts) if facts else None

        await self._append(session, decide)
        self.checked[session.table.id] = session.table.number

    # Watching

    def view(self, session: TableSession, guest: str | None, wanted: int | None) -> messages.TableView:
        """Return the table as a guest sees it now."""
        session.update_presence(self.store.now())
        return self._view(session, guest, wanted)

    def _view(self, session: TableSession, guest: str | None, wanted: int | None) -> messages.TableView:
        return project_table(session.table, guest, wanted, self.store.now(), session.presence.here, session.claimable)

    def news_for(self, session: TableSession, watcher: Watcher) -> bytes:
        """Return what a watcher has not seen, as views or as facts; encoded once for all who see the same."""
        table = session.table
        seat = viewing_seat(table, watcher.guest, watcher.wanted)
        if watcher.wants_facts and not watcher.outdated and 0 <= table.number - watcher.number <= MAX_EVENTS:
            return self._facts_for(table, seat, watcher)
        personal = watcher.guest if table.seats_of(watcher.guest) or table.creation.by == watcher.guest else None
        # The same news, whichever number makes a watcher start over.
        key = (None if starts_anew(table, watcher.number) else watcher.number + 1, seat, personal, False)
        encoded = self.encoded.get(table.id, key)
        if encoded is None:
            here, claimable, now = session.presence.here, session.claimable, self.store.now()
            news = news_since(table, watcher.guest, watcher.wanted, watcher.number, now, here, claimable)
            encoded = messages.encode(news)
            self.encoded.add(table.id, key, encoded)
        watcher.number, watcher.outdated = table.number, False
        return encoded

    def _facts_for(self, table: Table, seat: int | None, watcher: Watcher) -> bytes:
        """Return the facts that a watcher has not seen."""
        first = watcher.number + 1
        key = (first, None if seen_by_all(table, first) else seat, None, True)
        encoded = self.encoded.get(table.id, key)
        if encoded is None:
            now = 0 if table.clock is None else self.store.now()
            encoded = messages.encode(facts_since(table, first, seat, now))
            self.encoded.add(table.id, key, encoded)
        watcher.number = table.number
        return encoded

    def watch(self, session: TableSession, watcher: Watcher) -> None:
        """Add a watcher. The arrival of players is sent at once, that of spectators with the next update."""
        if len(session.watchers) >= self.max_watchers and not session.table.seats_of(watcher.guest):
            raise TableError("overloaded", "too-many-watchers", seconds=60)
        session.watchers[watcher] = None
        if session.table.seats_of(watcher.guest) or len(session.watchers) == 1:
            session.update_presence(self.store.now())

    async def away(self, id: str) -> dict[int, int]:
        """Return how long the players of a table have been away from all processes, by seat."""
        session = await self.latest(id)
        await self._ask_presence(session)
        now = self.store.now()
        return session.away(now, session.connected(now))

    async def _ask_presence(self, session: TableSession) -> None:
        """Read when players were last connected to other processes."""
        if self.store.shared:
            id = session.table.id
            session.seen |= (await asyncio.to_thread(self.store.presence.last_seen, [id]))[id]

    def unwatch(self, session: TableSession, watcher: Watcher) -> None:
        """Remove a watcher that may come back soon, as in long polling."""
        session.watchers.pop(watcher, None)
        session.used = time.monotonic()
        if not session.watchers:
            session.forget()
        if session.table.seats_of(watcher.guest):
            now = self.store.now()
            session.heartbeat(watcher.guest, now)
            session.update_presence(now)

    def disconnect(self, session: TableSession, watcher: Watcher) -> None:
        """Remove a watcher whose connection has ended."""
        self.unwatch(session, watcher)
        if held := session.table.seats_of(watcher.guest):
            session.left |= {seat: session.seen[seat] for seat in held}
            session.update_presence(self.store.now())

    def connected_seats(self) -> list[tuple[str, int]]:
        """Return the seats whose players are connected to this process."""
        return [
            (id, seat)
            for id, session in self.sessions.items()
            if session.watchers
            for watcher in session.watchers
            for seat in session.table.seats_of(watcher.guest)
        ]

    async def refresh_presence(self) -> None:
        """Recompute presence everywhere, a few tables at a time, so that no move waits for all of them."""
        for number, session in enumerate(list(self.sessions.values())):
            if session.watchers:
                session.update_presence(self.store.now())
            if number % 20 == 0:
                await asyncio.sleep(0)
