"""Requests about finished games: replay, variations, uploaded records, analyses, pictures."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED

from mchezo.core.record import Record
from mchezo.server import messages
from mchezo.server.compute import analyses, pictures, thinking
from mchezo.server.domain.context import Identity
from mchezo.server.domain.creation import create_from_record, refuse_if_running
from mchezo.server.errors import TableError
from mchezo.server.identifiers import new_table_id
from mchezo.server.projection import replay
from mchezo.server.projection.table_view import hints_allowed
from mchezo.server.runtime.service import Service
from mchezo.server.storage.appending import command_context
from mchezo.server.transport import untrusted
from mchezo.server.transport.callers import Caller, Id, Known

ViewerText = Annotated[
    str, QueryParameter(pattern="^([0-3]|none|all)$", description="Whose view: a seat, none (a spectator) or all.")
]
PictureViewer = Annotated[
    str | None,
    QueryParameter(pattern="^([0-3]|none|all)$", description="Whose view; of a running game only your own or none."),
]
MovesMade = Annotated[
    int | None, QueryParameter(ge=0, le=10_000, description="After this many moves; without it the current position.")
]
Width = Annotated[int, QueryParameter(ge=100, le=2_000, description="In pixels.")]
First = Annotated[int, QueryParameter(ge=0, le=10_000)]
Count = Annotated[int, QueryParameter(ge=1, le=replay.MAX_VIEWS)]
CACHED = {"Cache-Control": "private, max-age=3600"}  # a finished game does not change
SHARED = {"Cache-Control": "public, max-age=60", "Cross-Origin-Resource-Policy": "cross-origin"}


def handlers(service: Service, errors: Any) -> list[Any]:
    """Return the route handlers."""

    @get("/api/tables/{id:str}/replay", responses=errors)
    async def whole(id: Id, caller: Known, whose: ViewerText = "all") -> messages.Replay:
        """Return a finished game, move by move."""
        session = await service.sessions.latest(id)
        replay.finished_position(session.table)
        shown = service.sessions.view(session, caller.guest, None)
        viewer = replay.parse_viewer(whose)
        return await service.replays.run(caller.payer, 5, lambda: replay.replay_game(session.table, shown, viewer))

    @get("/api/tables/{id:str}/replay/views", responses=errors)
    async def views(
        id: Id, caller: Known, whose: ViewerText = "all", first: First = 0, count: Count = replay.MAX_VIEWS
    ) -> messages.ReplayViews:
        """Return views of a finished game, from after this many moves on."""
        table = (await service.sessions.latest(id)).table
        viewer = replay.parse_viewer(whose)
        return await service.replays.run(caller.payer, 2, lambda: replay.replay_views(table, viewer, first, count))

    @post("/api/tables/{id:str}/replay/try", status_code=HTTP_200_OK, responses=errors)
    async def vary(id: Id, data: JSONBody[messages.Vary], caller: Known) -> messages.Varied:
        """Play other moves from any point of a finished game."""
        table = (await service.sessions.latest(id)).table
        return await service.trials.run(caller.payer, 1, lambda: replay.explore_variation(table, data))

    @post("/api/tables/{id:str}/replay/judge", status_code=HTTP_200_OK, responses=errors)
    async def estimate(id: Id, data: JSONBody[messages.Vary], caller: Known) -> messages.Hinted:
        """Let the computer evaluate the position that other moves lead to."""
        caller.require_identity()
        caller.limit("thinking")
        table = (await service.sessions.latest(id)).table
        return await caller.while_connected(thinking.estimate(service.thinking, table, caller.payer, data))

    @post("/api/tables/{id:str}/replay/explore", status_code=HTTP_200_OK, responses=errors)
    async def explore(id: Id, data: JSONBody[messages.Vary], caller: Known) -> messages.Explored:
        """Return what was played in the position that other moves lead to, and how it scored."""
        table = (await service.sessions.latest(id)).table
        here = service.store.explorer.of
        return await service.replays.run(caller.payer, 2, lambda: replay.explore(table, data, here))

    @post("/api/records", status_code=HTTP_201_CREATED, responses=errors)
    async def upload(data: JSONBody[messages.UploadRecord], caller: Known) -> messages.Uploaded:
        """Upload a record, to be shown as a replay."""
        who = caller.require_identity()
        caller.limit("creations")
        record, pack = await read_record(service, caller, data.record)
        service.require_ready(record.game)
        await refuse_running_game(service, record, who)
        context = command_context(who, service.store.now())
        facts = await service.replays.run(caller.payer, 5, lambda: create_from_record(record, context, pack))
        if pack is not None:
            caller.limit("packs")
        id = new_table_id()
        await service.sessions.create(id, facts, caller.payer.network)
        return messages.Uploaded(id)

    @post("/api/tables/{id:str}/analysis", status_code=HTTP_200_OK, responses=errors)
    async def analyse(id: Id, caller: Known) -> messages.Analysed:
        """Request the analysis of a finished game; return its progress."""
        caller.require_identity()
        table = (await service.sessions.latest(id)).table
        replay.finished_position(table)
        known = await asyncio.to_thread(analyses.analysis_progress, service.store, id, len(table.seats), 0)
        if known.status in ("none", "failed"):
            caller.limit("thinking")
            await asyncio.to_thread(analyses.request_analysis, service.store, id, caller.payer)
            service.computers.wake()
            known = await asyncio.to_thread(analyses.analysis_progress, service.store, id, len(table.seats), 0)
        return known

    @get("/api/tables/{id:str}/analysis", responses=errors)
    async def analysed(id: Id, caller: Known, after: First = 0) -> messages.Analysed:
        """Return the progress of an analysis, and its moves after the first `after`."""
        table = (await service.sessions.latest(id)).table
        replay.finished_position(table)
        return await asyncio.to_thread(analyses.analysis_progress, service.store, id, len(table.seats), after)

    @get("/api/tables/{id:str}/picture.svg", media_type="image/svg+xml", responses=errors)
    async def picture(id: Id, caller: Known, seat: PictureViewer = None, at: MovesMade = None) -> str:
        """Return a table, or any point of its game, as an SVG."""
        table = (await service.sessions.latest(id)).table
        return await service.trials.run(caller.payer, 1, lambda: replay.picture(table, caller.guest, seat, at))

    @get("/api/tables/{id:str}/picture.png", media_type="image/png", responses=errors)
    async def bitmap(
        id: Id, caller: Known, seat: PictureViewer = None, at: MovesMade = None, width: Width = 1000
    ) -> Response[bytes]:
        """Return the same as a PNG."""
        caller.limit("pictures")
        table = (await service.sessions.latest(id)).table
        svg = await service.trials.run(caller.payer, 1, lambda: replay.picture(table, caller.guest, seat, at))
        drawn = await caller.while_connected(service.pictures.png(caller.payer, digest(svg), lambda: svg, width))
        return Response(drawn, media_type="image/png")

    @get("/api/tables/{id:str}/game.gif", media_type="image/gif", responses=errors)
    async def animation(id: Id, caller: Known, whose: ViewerText = "all") -> Response[bytes]:
        """Return a finished game as an animation."""
        caller.limit("pictures", 10)
        table = (await service.sessions.latest(id)).table
        position = replay.finished_position(table)
        width = table.game.pictures.gif_width
        frames = pictures.frames(position, replay.parse_viewer(whose))
        drawn = await caller.while_connected(service.pictures.gif(caller.payer, (id, whose), frames, width))
        return Response(drawn, media_type="image/gif", headers=CACHED)

    @get("/api/tables/{id:str}/preview.png", media_type="image/png", responses=errors)
    async def preview(id: Id, caller: Known) -> Response[bytes]:
        """Return the picture that other sites show beside a link to the table."""
        caller.limit("pictures")
        table = (await service.sessions.latest(id)).table
        key, card = ("preview", id, table.moves_made), lambda: pictures.card(table)
        drawn = await caller.while_connected(service.pictures.png(caller.payer, key, card, pictures.CARD_WIDTH))
        return Response(drawn, media_type="image/png", headers=SHARED)

    return [whole, views, vary, explore, estimate, upload, analyse, analysed, picture, bitmap, animation, preview]


def digest(svg: str) -> bytes:
    """Return a key for a picture that is shorter than the picture."""
    return hashlib.sha256(svg.encode()).digest()


async def read_record(service: Service, caller: Caller, text: str) -> tuple[Record, str | None]:
    """Parse a client's record outside the event loop; return it with the text of its pack."""
    return await service.trials.run(caller.payer, 1, lambda: untrusted.read_record(text))


async def refuse_running_game(service: Service, record: Record, who: Identity) -> None:
    """Refuse the record of a running game, at the table that it names or at one of the player's own.

    Tables that give hints to this player are no secret: their games may have gone on without a connection.
    """
    found = await asyncio.to_thread(service.store.tables.running_of, who.guest)
    for id in dict.fromkeys([record.tags.get("Site", ""), *found]):
        try:
            table = (await service.sessions.latest(id)).table
        except TableError:
            continue  # a record of another server
        if not hints_allowed(table, table.seats_of(who.guest)):
            refuse_if_running(table, record)
