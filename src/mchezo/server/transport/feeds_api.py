"""Requests about feeds: their secret address, and the feeds themselves."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import Response, delete, get, post
from litestar.params import PathParameter
from litestar.status_codes import HTTP_200_OK

from mchezo.server import messages
from mchezo.server.errors import TableError
from mchezo.server.projection.listing import list_table
from mchezo.server.runtime.service import Service
from mchezo.server.transport import feeds
from mchezo.server.transport.callers import Caller, Known, Lang

FeedFile = Annotated[str, PathParameter(pattern=r"^[0-9a-f]{32}\.(ics|rss)$", description="SECRET.ics or SECRET.rss.")]


def feed_address(secret: str) -> str:
    """Return the secret address of feeds."""
    return f"/api/feeds/{secret}"


def handlers(service: Service, errors: Any) -> list[Any]:
    """Return the route handlers."""
    stored = service.store.feeds

    def described(secret: str | None) -> messages.Feed:
        return messages.Feed(None) if secret is None else messages.Feed(feed_address(secret))

    def site(caller: Caller) -> str:
        return caller.access.own_origin(caller.headers, caller.request.scope["scheme"])

    @get("/api/feed", responses=errors)
    async def feed(caller: Known) -> messages.Feed:
        """Return the secret address of your feeds, if there is one."""
        return described(await asyncio.to_thread(stored.secret_of, caller.require_identity().guest))

    @post("/api/feed", status_code=HTTP_200_OK, responses=errors)
    async def new_feed(caller: Known) -> messages.Feed:
        """Give your feeds a new secret address; an earlier one ends."""
        caller.limit("correspondence")
        secret: str = await asyncio.wrap_future(stored.renew(caller.require_identity().guest))
        return described(secret)

    @delete("/api/feed", status_code=HTTP_200_OK, responses=errors)
    async def end_feed(caller: Known) -> messages.Feed:
        """End your feeds."""
        caller.limit("correspondence")
        await asyncio.wrap_future(stored.end(caller.require_identity().guest))
        return described(None)

    @get("/api/feeds/{file:str}", responses=errors)
    async def read_feed(file: FeedFile, caller: Known, lang: Lang = None) -> Response[str]:
        """Return the correspondence games that wait for you as iCalendar or RSS, to anybody who knows the address."""
        caller.limit("creations", 0.1)
        secret, _, kind = file.partition(".")
        guest = await asyncio.to_thread(stored.guest_of, secret)
        if guest is None:
            raise TableError("unknown-page", "unknown-page")
        rows = await asyncio.to_thread(service.store.tables.running_with, guest)
        listed = [list_table(id, summary, changed, guest) for id, summary, changed in rows]
        waiting = [table for table in listed if table.your_move and table.days is not None]
        language = caller.language(lang)
        if kind == "ics":
            text = feeds.calendar(waiting, site(caller), language)
            return Response(text, media_type="text/calendar; charset=utf-8")
        return Response(feeds.rss(waiting, site(caller), language), media_type="application/rss+xml; charset=utf-8")

    return [feed, new_feed, end_feed, read_feed]
