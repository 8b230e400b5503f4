"""The calls by which people and bots are known."""

from __future__ import annotations

import hashlib
from dataclasses import replace as with_
from typing import Any

from litestar import Response, get, post
from litestar.params import JSONBody
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED

from mchezo.server import messages
from mchezo.server.callers import AnyRequest, Known
from mchezo.server.commands import Who, clean
from mchezo.server.guests import COOKIE, COOKIE_SECONDS
from mchezo.server.refusals import TableRefusal
from mchezo.server.service import Service


def handlers(service: Service, refusals: Any) -> list[Any]:
    """The calls."""

    @get("/api/me", responses=refusals)
    async def me(request: AnyRequest, caller: Known) -> Response[messages.Me]:
        """Who you are; the first call gives you a cookie."""
        if caller.who is not None:
            return Response(messages.Me(caller.who.name, public_id(caller.who.guest), caller.who.bot))
        return signed_in(Who(service.signer.new_guest()))

    @post("/api/me", status_code=HTTP_200_OK, responses=refusals)
    async def name_me(data: JSONBody[messages.NameMe], caller: Known) -> Response[messages.Me]:
        """Choose the name under which you play."""
        who = caller.need()
        if who.bot:
            raise TableRefusal("not-possible", "bot-name")
        return signed_in(with_(who, name=clean(data.name)))

    def signed_in(who: Who) -> Response[messages.Me]:
        response = Response(messages.Me(who.name, public_id(who.guest), False))
        response.set_cookie(
            COOKIE,
            service.signer.cookie(who),
            max_age=COOKIE_SECONDS,
            path="/",
            httponly=True,
            samesite="lax",
            secure=service.config.secure,
        )
        return response

    @post("/api/tokens", status_code=HTTP_201_CREATED, responses=refusals)
    async def token(data: JSONBody[messages.NameMe], caller: Known) -> messages.BotToken:
        """An API token for a bot."""
        service.limit(service.making, caller.who, caller.address)
        who = Who(service.signer.new_guest(), clean(data.name), bot=True)
        return messages.BotToken(service.signer.token(who), who.shown_name)

    return [me, name_me, token]


def public_id(guest: str) -> str:
    """A guest's id that may be shown: what a cookie holds cannot be found from it."""
    return hashlib.sha256(guest.encode()).hexdigest()[:16]
