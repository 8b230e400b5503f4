"""Who calls by HTTP, and the parameters that calls share."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from litestar import Request
from litestar.di import NamedDependency
from litestar.params import PathParameter, QueryParameter

from mchezo.core.words import LANGUAGES
from mchezo.server.domain.context import Identity
from mchezo.server.domain.payers import Payer
from mchezo.server.errors import TableError
from mchezo.server.projection.viewers import AUTO
from mchezo.server.runtime.limits import LimitKind
from mchezo.server.runtime.service import Service
from mchezo.server.transport.addresses import client_address

Id = Annotated[str, PathParameter(pattern="^[0-9A-Za-z]{12}$", description="The table.")]
SeatText = Annotated[
    str | None, QueryParameter(pattern="^([0-3]|none)$", description="Whose view: a seat of yours, or none.")
]
Game = Annotated[str, PathParameter(max_length=20, description="A game's name.")]
Lang = Annotated[Literal["en", "de", "fr", "nl"] | None, QueryParameter(description="The language.")]
GameFilter = Annotated[str | None, QueryParameter(pattern="^[a-z]{1,20}$", description="One game only.")]
AnyRequest = Request[Any, Any, Any]
T = TypeVar("T")


def wanted_seat(text: str | None) -> int | None:
    """Read the parameter `seat`: a number, `none`, or absent."""
    return AUTO if text is None else None if text == "none" else int(text)


def preferred_language(headers: Mapping[str, str]) -> str:
    """Return the first language of the Accept-Language header that there are texts for, else English."""
    for part in headers.get("accept-language", "").split(","):
        code = part.strip()[:2].lower()
        if code in LANGUAGES:
            return code
    return "en"


class Caller:
    """Who sends a request; it counts against their rate limit."""

    def __init__(self, service: Service, request: AnyRequest) -> None:
        self.access = service.access
        self.headers = dict(request.headers)
        self.address = client_address(request)
        self.request = request
        self.who = self._identify(request)
        self.limit("requests")

    def _identify(self, request: AnyRequest) -> Identity | None:
        safe = request.method in ("GET", "HEAD")
        try:
            who = self.access.identify(self.headers, request.cookies)
        except TableError as error:
            # The cookie of another server on the same host is ignored, and so is a revoked one; a token is sent on
            # purpose. A blocked guest does not become another by asking again.
            if safe and "authorization" not in self.headers and error.key != "blocked":
                return None
            raise
        if not safe and who is not None:
            require_writing(who)
            self.access.check_origin(self.headers, request.scope["scheme"])
        return who

    def limit(self, kind: LimitKind, count: float = 1) -> None:
        """Refuse the request if it exceeds a rate limit."""
        self.access.limit(kind, self.who, self.address, count)

    @property
    def payer(self) -> Payer:
        """Who is charged for computing time."""
        return self.access.payer(self.who, self.address)

    async def while_connected(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of slow work; cancel it if the client hangs up."""
        task = asyncio.ensure_future(work)
        gone = asyncio.create_task(self._disconnected())
        try:
            await asyncio.wait([task, gone], return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise TableError("overloaded", "overloaded")  # nobody reads it
            return task.result()
        finally:
            task.cancel()
            gone.cancel()
            await asyncio.gather(task, gone, return_exceptions=True)

    async def _disconnected(self) -> None:
        while (await self.request.receive())["type"] != "http.disconnect":
            pass

    @property
    def guest(self) -> str | None:
        """The caller's guest id, if there is one."""
        return self.who.guest if self.who else None

    def require_identity(self) -> Identity:
        """Return who calls; refuse anonymous callers."""
        if self.who is None:
            raise TableError("not-signed-in", "not-signed-in")
        return self.who

    def language(self, asked: str | None = None) -> str:
        """Return the language asked for, else the browser's."""
        return asked or preferred_language(self.headers)


def require_writing(who: Identity) -> None:
    """Refuse tokens that only look."""
    if who.reads_only:
        raise TableError("not-possible", "token-reads")


Known: TypeAlias = NamedDependency[Caller]
