"""Requests about chat: the lines that you may see, writing, reporting."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import get, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from litestar.status_codes import HTTP_201_CREATED, HTTP_204_NO_CONTENT

from mchezo.server import messages
from mchezo.server.domain.chat import chat_rooms
from mchezo.server.domain.context import Identity, clean_name
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.runtime.service import Service
from mchezo.server.transport.callers import Id, Known

LINES = 100  # in one answer
LineNumber = Annotated[int, PathParameter(ge=0, le=2**31 - 1, description="Of a line.")]
After = Annotated[int, QueryParameter(ge=0, le=2**31 - 1, description="The last number that you know.")]


def handlers(service: Service, errors: Any) -> list[Any]:
    """Return the route handlers."""
    store = service.store

    async def rooms_of(id: str, who: Identity | None) -> tuple[Table, tuple[messages.Room, ...]]:
        """Return a table, and the rooms that somebody may read; they write to the first."""
        table = (await service.sessions.latest(id)).table
        if who is None or not who.has_account:
            return table, ()
        rooms = chat_rooms(table, who.guest)
        people = [one.holder for one in table.seats if one.kind == "person" and one.holder is not None]
        if rooms and not await asyncio.to_thread(store.chat.have_accounts, people):
            return table, ()
        return table, rooms

    async def chat_of(
        id: str, table: Table, who: Identity, rooms: tuple[messages.Room, ...], after: int
    ) -> messages.Chat:
        if not rooms:
            return messages.Chat(None, [])
        found = await asyncio.to_thread(store.chat.lines, id, who.guest, rooms, after, LINES)
        lines = [
            messages.ChatLine(
                one.number,
                one.at,
                one.name,
                next(iter(table.seats_of(one.guest)), None),
                one.text,
                one.guest == who.guest,
            )
            for one in found
        ]
        return messages.Chat(rooms[0], lines)

    def require_room(rooms: tuple[messages.Room, ...]) -> messages.Room:
        if not rooms:
            raise TableError("not-possible", "no-chat")
        return rooms[0]

    @get("/api/tables/{id:str}/chat", responses=errors)
    async def chat(id: Id, caller: Known, after: After = 0) -> messages.Chat:
        """Return the lines written at a table that you may see."""
        who = caller.require_identity()
        table, rooms = await rooms_of(id, who)
        return await chat_of(id, table, who, rooms, after)

    @post("/api/tables/{id:str}/chat", status_code=HTTP_201_CREATED, responses=errors)
    async def write(id: Id, data: JSONBody[messages.WriteLine], caller: Known) -> messages.Chat:
        """Write to the other players, or as a spectator to the other spectators; to everybody after the end."""
        who = caller.require_identity()
        table, rooms = await rooms_of(id, who)
        room = require_room(rooms)
        caller.limit("chat")
        number = await asyncio.wrap_future(store.chat.write(id, who.guest, room, clean_name(data.text), store.now()))
        await service.say(id, messages.Chatted(number))
        return await chat_of(id, table, who, rooms, number - 1)

    @post("/api/tables/{id:str}/chat/{number:int}/reports", status_code=HTTP_204_NO_CONTENT, responses=errors)
    async def report(id: Id, number: LineNumber, data: JSONBody[messages.ReportLine], caller: Known) -> None:
        """Report what somebody wrote to the operator, who gets to read it."""
        caller.limit("creations")
        who = caller.require_identity()
        _, rooms = await rooms_of(id, who)
        line = await asyncio.to_thread(store.chat.line, id, number)
        if line is None or line.room not in rooms:
            raise TableError("unknown-page", "unknown-line")
        if line.guest == who.guest:
            raise TableError("not-possible", "yourself")
        reason = f" ({clean_name(data.text)})" if data.text.strip() else ""
        quoted = f"/t/{id}: “{line.text}”{reason}"
        await asyncio.wrap_future(store.relations.report(who.guest, line.guest, quoted, store.now()))

    return [chat, write, report]
