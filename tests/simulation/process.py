"""A simulated server process: the real service on a simulated loop, disk, network and threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec

from mchezo.core import registry
from mchezo.core.errors import UserError
from mchezo.server import messages
from mchezo.server.compute.compiling import PLAYERS
from mchezo.server.domain.context import Identity
from mchezo.server.domain.creation import create_table
from mchezo.server.domain.payers import Payer
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError, error_message
from mchezo.server.identifiers import new_table_id
from mchezo.server.runtime.config import Config
from mchezo.server.runtime.service import Service
from mchezo.server.storage.appending import command_context
from mchezo.server.storage.notifications import parse_payload
from mchezo.server.transport.websocket import Handshake, TableSocket
from tests.server.random_players import RandomOpponents
from tests.simulation import environment
from tests.simulation.disk import Crash, Disk, SimulatedDatabase, SimulatedWriter
from tests.simulation.environment import INJECTED
from tests.simulation.loop import SimulatedLoop
from tests.simulation.network import Link, Socket
from tests.simulation.world import World

T = TypeVar("T")
decode_command = msgspec.json.Decoder(messages.Commands).decode


async def try_out(payer: Payer, cost: float, call: Callable[[], T]) -> T:
    """Try moves out as another thread would."""
    return await asyncio.to_thread(call)


class Process:
    """One life of a server process, from its start to its death."""

    def __init__(self, world: World, disk: Disk, name: str, shared: bool, sweeps: bool = True) -> None:
        self.world = world
        self.disk = disk
        self.name = name
        self.shared = shared
        self.sweeps = sweeps
        self.alive = True
        self.loop = SimulatedLoop(world, self, self.on_error)
        self.links: list[Link] = []
        self.writer: SimulatedWriter
        self.service: Service
        self.stop_asked: asyncio.Event
        self.started = False
        self.listening = True  # False: notifications are lost until the listener has reconnected

    # Life

    def start(self) -> bool:
        """Start; return False if the database did not let it."""
        self.world.note("start", self.name)
        try:
            with environment.starting(self._open_database, self._make_writer):
                self.loop.enter(self._create)
        except (UserError, *INJECTED):  # the database cannot be opened
            self.alive = False
            return False
        self.writer.synchronous = False
        self.loop.as_thread = self._waiting_for_writer
        self.loop.call_soon(lambda: self.loop.create_task(self._run()))
        self.world.after(self.world.between(0.1, 1.0), self._play_for_computers, owner=self)
        return True

    def _create(self) -> None:
        self.service = Service(Config("simulated", threads=0), RandomOpponents())
        if not self.sweeps:
            self.service.housekeeping.more = ()
        self.service.trials.run = try_out  # type: ignore[method-assign]  # without a thread of its own
        read = self.service.computers.read

        def read_as_thread(id: str) -> Table:
            with self._waiting_for_writer():
                return read(id)

        self.service.computers.read = read_as_thread  # type: ignore[method-assign]  # as in a thread of its own
        for name in (*registry.names(), PLAYERS):
            self.service.readiness.report(name, 1, 1, ready=True)

    def _open_database(self, url: str) -> SimulatedDatabase:
        return SimulatedDatabase(self.disk, self.shared)

    def _make_writer(self, database: SimulatedDatabase) -> SimulatedWriter:
        self.writer = SimulatedWriter(database)
        self.writer.synchronous = True  # while the service is created, which waits for its first settings
        self.writer.schedule = lambda writer: self.world.after(self.disk.latency(), self._write, owner=self)
        return self.writer

    @contextmanager
    def _waiting_for_writer(self) -> Iterator[None]:
        """Let the writer work at once, since the thread that runs now may wait for it."""
        self.disk.kill_writer = self.die
        before, self.writer.synchronous = self.writer.synchronous, True
        try:
            yield
        finally:
            self.writer.synchronous = before

    def _write(self) -> None:
        """Run the writer thread until its queue is empty."""
        if self.world.time < self.loop.suspended_until:
            self.world.after(self.loop.suspended_until - self.world.time, self._write, owner=self)
            return
        self.disk.kill_writer = self.die
        try:
            self.writer.work_as_scheduled()
        except Crash:
            self.world.note("killed while writing", self.name)

    async def _run(self) -> None:
        self.stop_asked = asyncio.Event()
        try:
            async with self.service.run():
                self.started = True
                await self.stop_asked.wait()
        except INJECTED:
            self.world.note("could not run", self.name)
        self.die()

    def stop(self) -> None:
        """Ask the process to shut down."""
        if self.started:
            self.loop.call_soon(self.stop_asked.set)
        else:
            self.die()

    def die(self) -> None:
        """End at once: all that is in memory is lost."""
        if self.alive:
            self.world.note("die", self.name)
            self.alive = False
            for link in self.links:
                link.cut()

    def on_error(self, context: dict[str, Any]) -> None:
        """Report an exception that nobody has handled, unless the simulation caused it."""
        error = context.get("exception")
        if self.alive and not isinstance(error, INJECTED):
            self.world.fail(f"unhandled: {context.get('message')} {error!r}")

    @property
    def lives(self) -> bool:
        """Whether the process runs."""
        return self.alive and self.started and self.world.time >= self.loop.suspended_until

    @property
    def suspended(self) -> bool:
        """Whether the process is stopped for a while."""
        return self.world.time < self.loop.suspended_until

    # Requests

    def _serve(self, serve: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Serve a request as a task; an error that gets this far is a bug."""

        async def serve_or_fail() -> None:
            try:
                await serve()
            except Exception as error:
                self.world.fail(f"a request failed: {error!r}")

        self.loop.call_soon(lambda: self.loop.create_task(serve_or_fail()))

    def accept(self, link: Link, table: str, after: int, wanted: int | None, want: str) -> None:
        """Serve a WebSocket."""
        self.links.append(link)
        token = link.client.token
        headers = {"host": "localhost"} | ({"authorization": f"Bearer {token}"} if token is not None else {})
        asked = Handshake(table, headers, {}, "127.0.0.1", "ws", after, wanted, want=want)
        link.listener = TableSocket(Socket(link, self), self.service, asked)
        self.loop.call_soon(link.listener.open)

    def post(self, table: str, raw: bytes, token: str, answer: Callable[[bytes | None], None]) -> None:
        """Answer a command sent by HTTP; None: the server failed."""

        async def serve() -> None:
            id = msgspec.json.decode(raw)["id"]
            try:
                who = self.service.access.identify({"authorization": f"Bearer {token}"}, {})
                if who is None:
                    raise TableError("not-signed-in", "not-signed-in")
                self.service.access.limit("requests", who, "127.0.0.1")
                done = await self.service.sessions.command(table, decode_command(raw), who)
                answer(messages.encode(done))
            except UserError as error:
                answer(messages.encode(error_message(error, "en", id)))
            except INJECTED:
                answer(None)

        self._serve(serve)

    def create_table(self, request: messages.CreateTable, who: Identity, answer: Callable[[str], None]) -> None:
        """Create a table."""

        async def serve() -> None:
            id = new_table_id()
            context = command_context(who, self.service.store.now())
            try:
                facts = create_table(request, request.options, None, self.service.rating_of, context, id)
                await self.service.sessions.create(id, facts)
            except UserError as error:
                self.world.fail(f"no table was created: {error!r}")
            answer(id)

        self._serve(serve)

    # Threads

    def notified(self, payload: str) -> None:
        """Receive a notification of the database."""
        listener: Any = self.service.listener
        if listener is not None:
            listener.on_notify(parse_payload(payload))

    def listen_again(self) -> None:
        """Reconnect the listener."""
        self.listening = True
        listener: Any = self.service.listener
        if listener is not None:
            listener.on_connect()

    def _play_for_computers(self) -> None:
        """Play the turns of computers, as a thread of the computer players would."""
        self.world.after(self.world.between(0.2, 0.6), self._play_for_computers, owner=self)
        if self.suspended or not self.started or self.world.time < self.disk.away_until:
            return
        waiting = self.disk.raw.execute("SELECT id FROM tables WHERE computer ORDER BY id").fetchall()
        for (id,) in waiting:
            self.loop.call_soon(self._start_turn, id)

    def _start_turn(self, id: str) -> None:
        self.loop.create_task(self._play_turn(id))

    async def _play_turn(self, id: str) -> None:
        computers = self.service.computers
        try:
            table = await asyncio.to_thread(computers.read, id)
            seat, decision = table.to_move, table.decision
            if seat is None or decision is None or table.computer_level(seat) is None:
                return
            moves = [self.world.pick(table.legal)]
            await asyncio.sleep(self.world.rng.random() * 0.05)
            await computers.append(id, decision, seat, moves)
        except (UserError, *INJECTED):
            return
