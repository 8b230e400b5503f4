"""The calls about tables: lists, views, news, commands, records, statistics, and the socket."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any, cast

from litestar import MediaType, Response, WebSocket, get, post, websocket
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED

from mchezo.core.record import Record
from mchezo.server import commands, messages, replay_api, sight, strangers
from mchezo.server.callers import GameFilter, Id, Known, SeatText, wanted_seat
from mchezo.server.commands import Scene, Who
from mchezo.server.live import Live
from mchezo.server.rooms import Watcher
from mchezo.server.service import Service
from mchezo.server.thinking import hint as think

MOST_WAIT = 25.0  # seconds of a long poll
RECORDS_AT_ONCE = 100


def handlers(service: Service, refusals: Any) -> list[Any]:
    """The calls."""

    @get("/api/tables", responses=refusals)
    async def tables(caller: Known, game: GameFilter = None) -> messages.TableList:
        """Your tables, and the public ones."""
        found = await asyncio.to_thread(service.store.listed, caller.guest, game)
        lists = {
            name: [sight.listed(id, summary, changed, caller.guest) for id, summary, changed in rows]
            for name, rows in found.items()
        }
        return messages.TableList(lists.get("yours", []), lists["open"], lists["running"], lists["over"])

    @post("/api/tables", status_code=HTTP_201_CREATED, responses=refusals)
    async def create(data: JSONBody[messages.CreateTable], caller: Known) -> messages.CreatedTable:
        """Make a table."""
        who = caller.need()
        service.limit(service.making, who, caller.address)
        service.need_ready(data.game)
        if data.record is not None:
            await replay_api.refuse_running(service, Record.parse(data.record), who)
        id = commands.random_id()
        facts = await asyncio.to_thread(plan_table, service, data, who, id)
        room = await service.rooms.make(id, facts)
        return messages.CreatedTable(id, service.rooms.look(room, who.guest, sight.AUTO))

    @get("/api/tables/{id:str}", responses=refusals)
    async def table(id: Id, caller: Known, seat: SeatText = None) -> messages.Table:
        """A table as you see it."""
        room = await service.rooms.latest(id)
        room.note(caller.guest, service.store.now())
        return service.rooms.look(room, caller.guest, wanted_seat(seat))

    @get("/api/tables/{id:str}/news", responses=refusals)
    async def news(
        id: Id,
        caller: Known,
        seat: SeatText = None,
        after: Annotated[int, QueryParameter(ge=-1, le=2**31)] = -1,
        wait: Annotated[float, QueryParameter(ge=0, le=MOST_WAIT)] = 0.0,
    ) -> messages.News:
        """What happened at a table after that number; waits for it if asked to."""
        room = await service.rooms.latest(id)
        watcher = Watcher(caller.guest, wanted_seat(seat), after)
        sight.viewing_seat(room.table, watcher.guest, watcher.wanted)
        room.note(caller.guest, service.store.now())
        if wait and after >= room.table.number and not service.stopping.is_set():
            service.rooms.enter(room, watcher)
            try:
                async with asyncio.timeout(wait):
                    while after >= room.table.number and not service.stopping.is_set():
                        watcher.news.clear()
                        await watcher.news.wait()
            except TimeoutError:
                pass
            finally:
                service.rooms.go(room, watcher)
        raw = service.rooms.news_for(room, watcher)
        return cast(messages.News, Response(raw, media_type=MediaType.JSON))

    @post("/api/tables/{id:str}/commands", status_code=HTTP_200_OK, responses=refusals)
    async def command(id: Id, data: JSONBody[messages.Commands], caller: Known) -> messages.Done:
        """Join, leave, move, touch, resign, ask, answer or claim."""
        return await service.rooms.command(id, data, caller.need())

    @post("/api/tables/{id:str}/try", status_code=HTTP_200_OK, responses=refusals)
    async def try_it(id: Id, data: JSONBody[messages.Try], caller: Known) -> messages.Tried:
        """Play unsent decisions on a copy: what if."""
        room = await service.rooms.latest(id)
        return sight.try_moves(room.table, caller.need().guest, data)

    @post("/api/tables/{id:str}/hint", status_code=HTTP_200_OK, responses=refusals)
    async def hint(id: Id, data: JSONBody[messages.Hint], caller: Known) -> messages.Hinted:
        """What a computer would do."""
        who = caller.need()
        service.limit(service.thinking, who, caller.address)
        return await think(service, await service.rooms.latest(id), who.guest, data)

    @get("/api/tables/{id:str}/moves/{made:int}", responses=refusals)
    async def at_move(id: Id, made: FromPath[int], caller: Known, seat: SeatText = None) -> messages.Moment:
        """The view after so many moves."""
        room = await service.rooms.latest(id)
        return messages.Moment(**sight.at_move(room.table, caller.guest, wanted_seat(seat), made))

    @get("/api/tables/{id:str}/record", media_type=MediaType.TEXT, responses=refusals)
    async def record(id: Id, caller: Known) -> str:
        """The record of a game."""
        return str(sight.record((await service.rooms.latest(id)).table))

    @get("/api/records", media_type=MediaType.TEXT, responses=refusals)
    async def records(
        caller: Known, game: GameFilter = None, before: Annotated[int, QueryParameter(ge=0, le=2**53)] = 2**53
    ) -> Response[str]:
        """Records of finished public games, newest first."""
        service.limit(service.making, caller.who, caller.address)
        found = await asyncio.to_thread(service.store.finished, game, before, RECORDS_AT_ONCE)
        texts = [str(sight.record((await service.rooms.get(id)).table)) for id, _ in found]
        headers = {"X-Before": str(found[-1][1])} if len(found) >= RECORDS_AT_ONCE else {}
        return Response("\n".join(texts), headers=headers, media_type=MediaType.TEXT)

    @get("/api/statistics", responses=refusals)
    async def figures(caller: Known) -> messages.Statistics:
        """What was played on this server."""
        service.limit(service.making, caller.who, caller.address)
        return await asyncio.to_thread(service.store.statistics)

    @websocket("/api/tables/{id:str}/live")
    async def live(
        socket: WebSocket[Any, Any, Any],
        id: FromPath[str],
        after: FromQuery[int] = -1,
        seat: SeatText = None,
        lang: FromQuery[str | None] = None,
    ) -> None:
        """A table, live."""
        await Live(socket, service, id, lang).run(after, wanted_seat(seat))

    return [tables, create, table, news, command, try_it, hint, at_move, record, records, figures, live]


def plan_table(service: Service, data: messages.CreateTable, who: Who, id: str) -> list[Any]:
    """The facts of a new table."""
    options: Mapping[str, Any]
    options, pack = strangers.checked(data.game, data.options)
    if data.record is not None:
        strangers.check_record(data.record)
    return list(commands.make(data, options, pack, service.rating_of, Scene(who, service.store.now()), id))
