"""Everything by which the server could reach the real world, replaced in one place for the time of a run."""

from __future__ import annotations

import gc
import logging
import secrets
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import Any
from unittest.mock import patch

import sqlalchemy as sa

from mchezo.core.position import Position
from mchezo.server.compute import compiling
from mchezo.server.compute.compiling import Readiness
from mchezo.server.domain import log, table
from mchezo.server.messages import Said
from mchezo.server.runtime import service
from mchezo.server.runtime.table_session import Watcher
from mchezo.server.storage import leases, settings, store
from mchezo.server.storage.notifications import Notification
from tests.simulation.disk import Crash, SimulatedPresence
from tests.simulation.world import SECOND, World

LOG = logging.getLogger("mchezo.server")
INJECTED = (sa.exc.SQLAlchemyError, sqlite3.Error, Crash)  # errors that the simulation causes


async def all_ready(readiness: Readiness, load_players: Callable[[], None]) -> None:
    """Have everything compiled."""


class FirstPositions:
    """The first positions of games, each made once for all who replay its log."""

    def __init__(self) -> None:
        self.make = table.first_position
        self.known: dict[str, tuple[log.TableCreated, Position]] = {}  # by seed

    def __call__(self, creation: log.TableCreated) -> Position:
        """Return a first position."""
        known, position = self.known.get(creation.seed, (None, None))
        if position is None or known != creation:
            position = self.make(creation)
            self.known[creation.seed] = creation, position
        return position.copy()


def statements_once(make: Callable[..., sa.Select[Any]]) -> Callable[..., sa.Select[Any]]:
    """Build the query of each kind of lease once instead of at each start of a server."""
    known: dict[str, sa.Select[Any]] = {}

    def query(rows: sa.Table, id: sa.Column[Any], kind: str, *given: Any) -> sa.Select[Any]:
        if kind not in known:
            known[kind] = make(rows, id, kind, *given)
        return known[kind]

    return query


FAIR_CANDIDATES = statements_once(leases.fair_candidates)


class SimulatedListener:
    """The listening end of the database's notifications."""

    def __init__(
        self,
        url: sa.URL,
        on_notify: Callable[[list[Notification]], None],
        on_connect: Callable[[], None],
        on_said: Callable[[str, Said], None],
    ) -> None:
        self.on_notify = on_notify
        self.on_connect = on_connect

    def stop(self) -> None:
        """Stop listening."""


class UnexpectedErrors(logging.Handler):
    """Errors that the server logs, other than those that the simulation causes."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.ERROR)
        self.world = world

    def emit(self, record: logging.LogRecord) -> None:
        """Report an unexpected error."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and not isinstance(error, INJECTED):
            self.world.fail(f"unexpected error: {record.getMessage()}: {error!r}")


@contextmanager
def simulated(world: World) -> Iterator[None]:
    """Give the server this world's time and randomness; report its unexpected errors."""
    rng, serials = world.secrets, count()

    def serial(watcher: Watcher) -> int:
        """Number the watchers, so that sets of them have the same order in every run."""
        number: int = watcher.__dict__.setdefault("serial", next(serials))
        return number

    def choice(values: Sequence[Any]) -> Any:
        return values[rng.randrange(len(values))]

    replaced: list[tuple[Any, str, object]] = [
        (time, "time_ns", lambda: world.wall() * 1_000),
        (time, "time", lambda: world.wall() / SECOND),
        (time, "monotonic", lambda: world.time / SECOND),
        (time, "monotonic_ns", lambda: world.time * 1_000),
        (time, "clock_gettime_ns", lambda clock: world.time * 1_000),
        (settings, "DATABASE_CLOCK", sa.text("SELECT database_clock()")),
        (secrets, "token_hex", lambda size=32: rng.randbytes(size).hex()),
        (secrets, "token_bytes", lambda size=32: rng.randbytes(size)),
        (secrets, "choice", choice),
        (secrets, "randbits", rng.getrandbits),
        (threading.Thread, "start", lambda thread: world.fail(f"the thread {thread.name} was started")),
        (Watcher, "__hash__", serial),
        (compiling, "prepare", all_ready),
        (table, "first_position", FirstPositions()),
        (leases, "fair_candidates", FAIR_CANDIDATES),
        (store, "StoredPresence", SimulatedPresence),
        (service, "Listener", SimulatedListener),
        (sys, "unraisablehook", lambda unraisable: None),  # coroutines of killed processes that never end
    ]
    errors = UnexpectedErrors(world)
    before = LOG.propagate, LOG.level
    gc.disable()  # it would end coroutines of killed processes at any moment
    LOG.addHandler(errors)
    LOG.propagate, LOG.level = False, logging.ERROR
    try:
        with ExitStack() as stack:
            for place, name, value in replaced:
                stack.enter_context(patch.object(place, name, value))
            yield
    finally:
        gc.enable()
        LOG.removeHandler(errors)
        LOG.propagate, LOG.level = before


@contextmanager
def starting(open_database: Callable[[str], Any], make_writer: Callable[[Any], Any]) -> Iterator[None]:
    """Let a service that is being created open the simulated disk."""
    with patch.object(store, "Database", open_database), patch.object(store, "Writer", make_writer):
        yield
