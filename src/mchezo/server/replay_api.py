"""The calls about finished games: replay, variations, uploaded records, exports."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED

from mchezo.core.record import Record
from mchezo.server import analyses, commands, messages, pictures, replay, strangers, thinking
from mchezo.server.callers import Id, Known
from mchezo.server.commands import Scene, Who
from mchezo.server.refusals import TableRefusal
from mchezo.server.service import Service

WhoseText = Annotated[
    str, QueryParameter(pattern="^([0-3]|none|all)$", description="Whose view: a seat, none (a spectator) or all.")
]
PictureOf = Annotated[
    str | None,
    QueryParameter(
        pattern="^([0-3]|none|all)$", description="Whose view; of a game that goes on only your own or none."
    ),
]
Made = Annotated[int | None, QueryParameter(ge=0, le=10_000, description="After so many moves; else as it is now.")]
Width = Annotated[int, QueryParameter(ge=100, le=2_000, description="In pixels.")]
First = Annotated[int, QueryParameter(ge=0, le=10_000)]
Count = Annotated[int, QueryParameter(ge=1, le=replay.MOST_VIEWS)]
KEPT = {"Cache-Control": "private, max-age=3600"}  # a finished game does not change
SHARED = {"Cache-Control": "public, max-age=60", "Cross-Origin-Resource-Policy": "cross-origin"}


def handlers(service: Service, refusals: Any) -> list[Any]:
    """The calls."""

    @get("/api/tables/{id:str}/replay", responses=refusals)
    async def whole(id: Id, caller: Known, whose: WhoseText = "all") -> messages.Replay:
        """A finished game, move by move."""
        room = await service.rooms.latest(id)
        replay.finished(room.table)
        shown = service.rooms.look(room, caller.guest, None)
        return await asyncio.to_thread(replay.replay, room.table, shown, replay.whose(whose))

    @get("/api/tables/{id:str}/replay/views", responses=refusals)
    async def views(
        id: Id, caller: Known, whose: WhoseText = "all", first: First = 0, count: Count = replay.MOST_VIEWS
    ) -> messages.ReplayViews:
        """The views of a finished game, from after so many moves on."""
        table = (await service.rooms.latest(id)).table
        return await asyncio.to_thread(replay.views, table, replay.whose(whose), first, count)

    @post("/api/tables/{id:str}/replay/try", status_code=HTTP_200_OK, responses=refusals)
    async def vary(id: Id, data: JSONBody[messages.Vary], caller: Known) -> messages.Varied:
        """Other moves, from any point of a finished game."""
        table = (await service.rooms.latest(id)).table
        return await asyncio.to_thread(replay.vary, table, data)

    @post("/api/tables/{id:str}/replay/judge", status_code=HTTP_200_OK, responses=refusals)
    async def judge(id: Id, data: JSONBody[messages.Vary], caller: Known) -> messages.Hinted:
        """What the computer thinks of the position to which other moves lead."""
        service.limit(service.thinking, caller.need(), caller.address)
        return await thinking.judge(service, (await service.rooms.latest(id)).table, data)

    @post("/api/records", status_code=HTTP_201_CREATED, responses=refusals)
    async def upload(data: JSONBody[messages.UploadRecord], caller: Known) -> messages.Uploaded:
        """Give a record a page of its own."""
        who = caller.need()
        service.limit(service.making, who, caller.address)
        record = Record.parse(data.record)
        service.need_ready(record.game)
        strangers.check_record(data.record)
        await refuse_running(service, record, who)
        facts = await asyncio.to_thread(replay.recorded, record, Scene(who, service.store.now()))
        id = commands.random_id()
        await service.rooms.make(id, facts)
        return messages.Uploaded(id)

    @post("/api/tables/{id:str}/analysis", status_code=HTTP_200_OK, responses=refusals)
    async def analyse(id: Id, caller: Known) -> messages.Analysed:
        """Let a finished game be analysed; who asks again is told how far it is."""
        who = caller.need()
        table = (await service.rooms.latest(id)).table
        replay.finished(table)
        known = await asyncio.to_thread(analyses.told, service.store, id, len(table.seats), 0)
        if known.status in ("none", "failed"):
            service.limit(service.thinking, who, caller.address)
            await asyncio.to_thread(analyses.ask, service.store, id)
            service.computers.wake()
            known = await asyncio.to_thread(analyses.told, service.store, id, len(table.seats), 0)
        return known

    @get("/api/tables/{id:str}/analysis", responses=refusals)
    async def analysed(id: Id, caller: Known, after: First = 0) -> messages.Analysed:
        """How far the analysis of a finished game is, and what was found after the first so many decisions."""
        table = (await service.rooms.latest(id)).table
        replay.finished(table)
        return await asyncio.to_thread(analyses.told, service.store, id, len(table.seats), after)

    @get("/api/tables/{id:str}/picture.svg", media_type="image/svg+xml", responses=refusals)
    async def picture(id: Id, caller: Known, seat: PictureOf = None, at: Made = None) -> str:
        """A picture of a table, or of any moment of its game."""
        table = (await service.rooms.latest(id)).table
        return await asyncio.to_thread(replay.picture, table, caller.guest, seat, at)

    @get("/api/tables/{id:str}/picture.png", media_type="image/png", responses=refusals)
    async def bitmap(
        id: Id, caller: Known, seat: PictureOf = None, at: Made = None, width: Width = 1000
    ) -> Response[bytes]:
        """The same as a bitmap."""
        service.limit(service.making, caller.who, caller.address)
        table = (await service.rooms.latest(id)).table
        svg = await asyncio.to_thread(replay.picture, table, caller.guest, seat, at)
        return Response(await service.pictures.png(svg, lambda: svg, width), media_type="image/png")

    @get("/api/tables/{id:str}/game.gif", media_type="image/gif", responses=refusals)
    async def animation(id: Id, caller: Known, whose: WhoseText = "all") -> Response[bytes]:
        """A finished game as an animation."""
        service.limit(service.making, caller.who, caller.address)
        table = (await service.rooms.latest(id)).table
        position = replay.finished(table)
        width = pictures.GIF_WIDTHS[table.made.game]
        drawn = await service.pictures.gif((id, whose), lambda: pictures.frames(position, replay.whose(whose)), width)
        return Response(drawn, media_type="image/gif", headers=KEPT)

    @get("/api/tables/{id:str}/preview.png", media_type="image/png", responses=refusals)
    async def preview(id: Id, caller: Known) -> Response[bytes]:
        """The picture that other sites show beside a link to the table."""
        table = (await service.rooms.latest(id)).table
        key = ("preview", id, table.moves_made)
        drawn = await service.pictures.png(key, lambda: pictures.card(table), pictures.CARD_WIDTH)
        return Response(drawn, media_type="image/png", headers=SHARED)

    return [whole, views, vary, judge, upload, analyse, analysed, picture, bitmap, animation, preview]


async def refuse_running(service: Service, record: Record, who: Who) -> None:
    """No replay of a game that goes on: neither of the table that the record names, nor of the player's own."""
    found = await asyncio.to_thread(service.store.running_of, who.guest)
    for id in dict.fromkeys([record.tags.get("Site", ""), *found]):
        try:
            table = (await service.rooms.latest(id)).table
        except TableRefusal:
            continue  # the record of another server
        replay.need_other(table, record)
