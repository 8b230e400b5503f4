"""What a server does for correspondence: it plays conditional moves, and enters vacations in the logs of tables.

Both follow from what is stored, so they happen once, whichever process does them and whenever it was killed.
"""

from __future__ import annotations

import asyncio
from functools import partial

from mchezo.server.domain.context import Change
from mchezo.server.domain.plans import Plan, next_moves, reply
from mchezo.server.domain.table import Table
from mchezo.server.domain.vacations import apply_vacation
from mchezo.server.runtime.failures import logged_failure
from mchezo.server.runtime.sessions import SERVER, Sessions
from mchezo.server.storage.appending import command_context
from mchezo.server.storage.correspondence import Absence
from mchezo.server.storage.store import Store


class Correspondence:
    """Conditional moves and vacations at the tables of this server."""

    def __init__(self, store: Store, sessions: Sessions) -> None:
        self.store = store
        self.sessions = sessions
        sessions.on_correspondence = self.answer
        self.answering: dict[str, asyncio.Task[None]] = {}

    def answer(self, table: str) -> None:
        """Play the conditional moves that apply after a move at a table."""
        if table not in self.answering:
            task = asyncio.create_task(self._answer(table))
            self.answering[table] = task
            task.add_done_callback(lambda _: self.answering.pop(table, None))

    async def _answer(self, table: str) -> None:
        with logged_failure("conditional moves are deferred", table):
            await self.consider(table)

    async def sweep(self) -> None:
        """Play conditional moves and enter vacations that were not, such as after a crash."""
        for table in await asyncio.to_thread(self.store.correspondence.unseen):
            with logged_failure("conditional moves are deferred", table):
                await self.consider(table)
        await self.enter_vacations()

    async def enter_vacations(self) -> None:
        """Enter vacations in the logs of all tables where they count."""
        for absence in await asyncio.to_thread(self.store.correspondence.absences, self.store.now()):
            with logged_failure("a vacation is deferred", absence.table):
                await self.sessions.change(absence.table, partial(self._absent, absence))
                await asyncio.wrap_future(self.store.correspondence.noticed(absence))

    def _absent(self, absence: Absence, table: Table) -> Change | None:
        return apply_vacation(table, absence.guest, absence.vacation, max(self.store.now(), table.last_at))

    async def consider(self, id: str) -> None:
        """Compare a table with the conditional moves for it: play them, keep them or drop them."""
        stored = self.store.correspondence
        for plan in await asyncio.to_thread(stored.plans, id):
            table = await self.sessions.change(id, partial(self._reply, plan))
            left = next_moves(table, plan)
            if left is None:
                await asyncio.wrap_future(stored.drop_plan(id, plan))
            else:
                await asyncio.wrap_future(stored.keep_plan(id, plan, table.number))

    def _reply(self, plan: Plan, table: Table) -> Change | None:
        return reply(table, plan, command_context(SERVER, self.store.now(), table))
