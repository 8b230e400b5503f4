"""Games at two servers on one PostgreSQL that loses connections: short in the tests, long in `make soak`.

The deterministic simulation runs the statements of SQLite. Here are those of PostgreSQL, above all the one that stores
a batch as a transaction of its own, without BEGIN and COMMIT. Players repeat a command with the same id until they are
answered, at either server.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import psycopg

from mchezo.core.errors import UserError
from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.context import Identity
from mchezo.server.domain.log import AnyFact
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError, code_of
from mchezo.server.runtime.mailbox import Mailbox
from mchezo.server.runtime.sessions import Sessions
from mchezo.server.runtime.table_session import TableSession
from mchezo.server.storage.failures import unavailable
from mchezo.server.storage.store import Store
from tests.server.contexts import ADA, BEN, make
from tests.server.cutting import Proxy
from tests.server.postgres import Postgres
from tests.server.serving import PATIENCE, new_id
from tests.server.trials import Findings, Sent, find, plan

T = TypeVar("T")

PLAYERS = (ADA, BEN)
MAX_TRIES = 500  # to read a table while the database is there; a game that needs more is stuck


class Stuck(Exception):
    """A game does not go on."""


class Server:
    """What a server process has of tables, behind a proxy; it can crash."""

    def __init__(self, url: str, seed: int, loop: asyncio.AbstractEventLoop) -> None:
        self.proxy = Proxy(url, seed)
        self.mailbox = Mailbox()
        self.mailbox.loop = loop
        self.store = Store(self.proxy.url)
        self.sessions = Sessions(self.store, lambda game: True, lambda: None, self.mailbox)
        self.crashed = asyncio.Event()

    def crash(self) -> None:
        """Answer nobody any more; PostgreSQL sees its connections end, whatever they were doing."""
        self.mailbox.loop = None
        self.proxy.close()
        self.crashed.set()

    def close(self) -> None:
        self.proxy.close()
        self.store.close()


class Trial:
    """Games at two servers on one database, and what their players know."""

    def __init__(self, cluster: Postgres, tables: int, commands: int, probability: float, seed: int) -> None:
        self.cluster = cluster
        self.url = cluster.database()
        self.games: dict[str, dict[str, Sent]] = {}
        self.tables, self.commands, self.probability = tables, commands, probability
        self.rng = random.Random(seed)
        self.servers: list[Server] = []
        self.gone: list[Server] = []
        self.faults: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()

    async def run(self, crashes: int = 0, cuts: int = 0) -> Findings:
        """Play while servers crash and the database is cut off. Return what is wrong afterwards."""
        try:
            for _ in range(2):
                self.servers.append(await asyncio.to_thread(self.started, asyncio.get_running_loop()))
            for number in range(self.tables):
                table = make("kiwara")
                id = f"T{number:011}"
                await self.servers[0].sessions.create(id, table.log)
                await self.servers[0].sessions.command(id, messages.Join(new_id()), BEN)
                self.games[id] = {}
            for server in self.servers:
                server.proxy.probability = self.probability
            playing = [asyncio.create_task(self.play(id)) for id in self.games]
            disturbing = asyncio.create_task(self.disturb(crashes, cuts))
            ended = await asyncio.wait_for(asyncio.gather(*playing, return_exceptions=True), PATIENCE)
            disturbing.cancel()
            await asyncio.wait({disturbing})
        finally:
            for server in (*self.servers, *self.gone):
                self.faults += server.proxy.faults
                await asyncio.to_thread(server.close)
        for error in ended:
            if error is not None and not isinstance(error, Stuck):
                raise error  # a bug of this trial
        found = self.check()
        found.unfinished += sum(error is not None for error in ended)
        return found

    def started(self, loop: asyncio.AbstractEventLoop) -> Server:
        return Server(self.url, self.rng.getrandbits(32), loop)

    def done(self) -> int:
        return sum(len(sent) for sent in self.games.values())

    async def disturb(self, crashes: int, cuts: int) -> None:
        """Crash servers, or the database, after equal numbers of commands."""
        events = ["server crashed"] * crashes + ["database crashed"] * cuts
        self.rng.shuffle(events)
        for place, event in enumerate(events, start=1):
            while self.done() < self.tables * self.commands * place // (len(events) + 1):
                await asyncio.sleep(0.001)
            self.faults[event] += 1
            if event == "database crashed":
                await asyncio.to_thread(self.cluster.cut)
                await asyncio.to_thread(self.cluster.resume)
                continue
            victim = self.rng.randrange(2)
            self.servers[victim].crash()
            self.gone.append(self.servers[victim])
            self.servers[victim] = await asyncio.to_thread(self.restarted, asyncio.get_running_loop())

    def restarted(self, loop: asyncio.AbstractEventLoop) -> Server:
        while True:
            with contextlib.suppress(TableError):  # the database is away
                server = self.started(loop)
                server.proxy.probability = self.probability
                return server

    async def play(self, id: str) -> None:
        """Play at a table: one command after the other, now and then two at a time; finally somebody resigns."""
        sent = self.games[id]
        while len(sent) < self.commands:
            table = await self.look(id)
            if table.to_move is None or table.decision is None:
                break
            seen = {"legal": table.legal, "decision": table.decision}
            who = PLAYERS[table.to_move]
            both = [plan(seen, self.rng), [self.rng.choice(table.legal)]]
            self.rng.shuffle(both)
            racing = [self.send(id, table, who, moves) for moves in both[: 1 + (self.rng.random() < 0.2)]]
            await asyncio.gather(*racing)
        await self.repeat(id, messages.Resign(new_id()), ADA)

    async def look(self, id: str) -> Table:
        """Return a table as one of the servers knows it now."""
        tries = 0
        while tries < MAX_TRIES:
            found = await self.ask(lambda sessions: sessions.latest(id))
            if isinstance(found, TableSession):
                return found.table
            away = isinstance(found, BaseException) and unavailable(found) is not None
            tries += not away  # a busy machine takes long to start the database again
            await asyncio.sleep(0.001)
        raise Stuck

    async def ask(self, work: Callable[[Sessions], Awaitable[T]]) -> T | BaseException | None:
        """Have one of the servers do something; return its answer or error, None if it crashes before."""
        server = self.rng.choice([one for one in self.servers if not one.crashed.is_set()])
        answer = asyncio.ensure_future(work(server.sessions))
        crashed = asyncio.ensure_future(server.crashed.wait())
        await asyncio.wait({answer, crashed}, return_when=asyncio.FIRST_COMPLETED)
        crashed.cancel()
        if not answer.done():
            answer.cancel()
            return None
        return answer.exception() or answer.result()

    async def send(self, id: str, table: Table, who: Identity, moves: list[str]) -> None:
        """Submit moves until they are stored or refused."""
        assert table.to_move is not None
        assert table.decision is not None
        command = messages.Move(f"{id}-{new_id()}", table.decision, moves)
        note = self.games[id][command.id] = Sent(table.to_move, moves)
        answer = await self.repeat(id, command, who)
        note.answer = answer.number if isinstance(answer, messages.Done) else "refused"

    async def repeat(self, id: str, command: messages.Commands, who: Identity) -> messages.Done | UserError:
        """Send a command, at any server, until it is answered with more than that the database is away."""
        while True:
            answer = await self.ask(lambda sessions: sessions.command(id, command, who))
            if isinstance(answer, messages.Done):
                self.answers["done"] += 1
                return answer
            if isinstance(answer, UserError):
                self.answers[code_of(answer)] += 1
                return answer
            if answer is not None and unavailable(answer) is None:
                raise Stuck from answer  # a bug of the server
            self.answers["none" if answer is None else "failed"] += 1
            await asyncio.sleep(0.001)

    def check(self) -> Findings:
        """Compare what players know with what is stored; and the rows of tables with their logs."""
        found = Findings()
        with psycopg.connect(self.url) as connection:
            for id, sent in self.games.items():
                query = "SELECT number, fact FROM facts WHERE table_id = %s ORDER BY number"
                facts: dict[int, AnyFact] = {
                    number: log.decode(fact) for number, fact in connection.execute(query, (id,))
                }
                found += find(sent, facts, list(facts), "")
                found.unverified -= 1  # a game that was resigned in the middle has no complete record
                row = connection.execute("SELECT number, status FROM tables WHERE id = %s", (id,)).fetchone()
                found.unverified += row != (max(facts, default=-1), "over") or not replays(id, list(facts.values()))
                results = connection.execute("SELECT count(*) FROM results WHERE table_id = %s", (id,)).fetchone()
                found.unfinished += results != (1,)
        return found


def replays(id: str, facts: Sequence[AnyFact]) -> bool:
    """Return whether a table follows from its log."""
    try:
        return Table(id, facts).status == "over"
    except Exception:
        return False
