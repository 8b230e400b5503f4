"""Requests about correspondence: conditional moves, notes, vacations, the games that wait."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import delete, get, post
from litestar.params import JSONBody, PathParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED

from mchezo.server import messages
from mchezo.server.domain.checks import acting_seat
from mchezo.server.domain.context import Identity
from mchezo.server.domain.plans import Plan, check_plan
from mchezo.server.domain.table import Table
from mchezo.server.domain.vacations import DAYS_A_YEAR, time_left
from mchezo.server.errors import TableError
from mchezo.server.projection.listing import list_table
from mchezo.server.projection.plan import explore_plan, plan_message
from mchezo.server.runtime.service import Service
from mchezo.server.transport.callers import Caller, Id, Known, SeatText

VacationId = Annotated[str, PathParameter(pattern="^[0-9a-f]{16}$", description="As listed.")]


def handlers(service: Service, errors: Any) -> list[Any]:
    """Return the route handlers."""
    stored = service.store.correspondence

    async def seated(id: str, caller: Caller, seat: int | None) -> tuple[Identity, Table, int]:
        """Return who calls, the table, and which of their seats they mean."""
        who, session = caller.require_identity(), await service.sessions.latest(id)
        return who, session.table, acting_seat(session.table, who, seat)

    async def account_holder(caller: Caller) -> Identity:
        who = caller.require_identity()
        if who.bot or await asyncio.to_thread(service.store.accounts.load, who.guest) is None:
            raise TableError("not-possible", "no-account")
        return who

    async def my_vacations(who: Identity) -> messages.Vacations:
        now, taken = service.store.now(), await asyncio.to_thread(stored.vacations, who.guest)
        listed = [messages.VacationInfo(*one) for one in taken if one.until > one.since]
        return messages.Vacations(listed, time_left(taken, now, now), DAYS_A_YEAR)

    @get("/api/tables/{id:str}/plan", responses=errors)
    async def plan(id: Id, caller: Known, seat: SeatText = None) -> messages.Plan:
        """Return your conditional moves at a table."""
        who, table, own = await seated(id, caller, int(seat) if seat and seat.isdigit() else None)
        return plan_message(await asyncio.to_thread(stored.plan, id, who.guest, own), table, own)

    @post("/api/tables/{id:str}/plan", status_code=HTTP_200_OK, responses=errors)
    async def set_plan(id: Id, data: JSONBody[messages.PlanMoves], caller: Known) -> messages.Plan:
        """Replace your conditional moves: they are played as soon as the others move as you expect."""
        caller.limit("correspondence")
        who, table, own = await seated(id, caller, data.seat)
        found = Plan(own, table.number, table.moves_made, [])
        if data.lines:
            found = await service.trials.run(caller.payer, 1, lambda: check_plan(table, own, data.lines))
        await asyncio.wrap_future(stored.set_plan(id, who.guest, found))
        service.correspondence.answer(id)  # somebody may have moved in the meantime
        return plan_message(found, table, own)

    @post("/api/tables/{id:str}/plan/try", status_code=HTTP_200_OK, responses=errors)
    async def try_plan(id: Id, data: JSONBody[messages.TryPlan], caller: Known) -> messages.PlanStep:
        """Play moves of all seats on a copy, to plan what to answer."""
        _, table, own = await seated(id, caller, data.seat)
        return await service.trials.run(caller.payer, 1, lambda: explore_plan(table, own, data.moves))

    @get("/api/tables/{id:str}/note", responses=errors)
    async def note(id: Id, caller: Known) -> messages.Note:
        """Return your note about a table."""
        who, _, _ = await seated(id, caller, None)
        return messages.Note(await asyncio.to_thread(stored.note, id, who.guest))

    @post("/api/tables/{id:str}/note", status_code=HTTP_200_OK, responses=errors)
    async def keep_note(id: Id, data: JSONBody[messages.KeepNote], caller: Known) -> messages.Note:
        """Keep a note to yourself about a table; nobody else sees it."""
        caller.limit("correspondence")
        who, _, _ = await seated(id, caller, None)
        await asyncio.wrap_future(stored.set_note(id, who.guest, data.text))
        return messages.Note(data.text)

    @get("/api/waiting", responses=errors)
    async def waiting(caller: Known) -> messages.WaitingTables:
        """Return the running tables where you are to move, the most urgent first."""
        who = caller.require_identity()
        rows = await asyncio.to_thread(service.store.tables.running_with, who.guest)
        tables = [list_table(id, summary, changed, who.guest) for id, summary, changed in rows]
        due = [table for table in tables if table.your_move]
        due.sort(key=lambda table: (table.deadline is None, table.deadline or table.changed, table.id))
        return messages.WaitingTables(due)

    @get("/api/vacations", responses=errors)
    async def vacations(caller: Known) -> messages.Vacations:
        """Return your vacations."""
        return await my_vacations(await account_holder(caller))

    @post("/api/vacations", status_code=HTTP_201_CREATED, responses=errors)
    async def take_vacation(data: JSONBody[messages.TakeVacation], caller: Known) -> messages.Vacations:
        """Take a vacation: the clocks of your correspondence games stand still."""
        caller.limit("correspondence")
        who, now = await account_holder(caller), service.store.now()
        since = now if data.since is None else data.since
        await asyncio.wrap_future(stored.take_vacation(who.guest, since, data.until, now))
        await service.correspondence.enter_vacations()
        return await my_vacations(who)

    @delete("/api/vacations/{id:str}", status_code=HTTP_200_OK, responses=errors)
    async def end_vacation(id: VacationId, caller: Known) -> messages.Vacations:
        """End a vacation now, or cancel it before it begins."""
        caller.limit("correspondence")
        who = await account_holder(caller)
        await asyncio.wrap_future(stored.end_vacation(who.guest, id, service.store.now()))
        await service.correspondence.enter_vacations()
        return await my_vacations(who)

    return [plan, set_plan, try_plan, note, keep_note, waiting, vacations, take_vacation, end_vacation]
