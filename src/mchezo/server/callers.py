"""Who calls by HTTP, and what every call may be given."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from litestar import Request
from litestar.di import NamedDependency
from litestar.params import PathParameter, QueryParameter

from mchezo.server import sight
from mchezo.server.commands import Who
from mchezo.server.refusals import TableRefusal
from mchezo.server.service import Service

Id = Annotated[str, PathParameter(pattern="^[0-9A-Za-z]{12}$", description="The table.")]
SeatText = Annotated[
    str | None, QueryParameter(pattern="^([0-3]|none)$", description="Whose view: a seat of yours, or none.")
]
Game = Annotated[str, PathParameter(max_length=20, description="A game's name.")]
Lang = Annotated[Literal["en", "de", "fr", "nl"] | None, QueryParameter(description="The language.")]
GameFilter = Annotated[str | None, QueryParameter(pattern="^[a-z]{1,20}$", description="One game only.")]
AnyRequest = Request[Any, Any, Any]


def wanted_seat(text: str | None) -> int | None:
    """`seat=`: a number, none, or left out."""
    return sight.AUTO if text is None else None if text == "none" else int(text)


class Caller:
    """Who calls, in which language, and that they may."""

    def __init__(self, service: Service, request: AnyRequest) -> None:
        self.service = service
        self.headers = dict(request.headers)
        self.address = request.client.host if request.client else "-"
        self.who = self._read(request)
        service.limit(service.asking, self.who, self.address)

    def _read(self, request: AnyRequest) -> Who | None:
        safe = request.method in ("GET", "HEAD")
        try:
            who = self.service.who(self.headers, request.cookies)
        except TableRefusal:
            # A cookie of another server is no cookie; a token is meant.
            if safe and "authorization" not in self.headers:
                return None
            raise
        if not safe and who is not None:
            self.service.check_origin(self.headers)
        return who

    @property
    def guest(self) -> str | None:
        """The guest, if it is one."""
        return self.who.guest if self.who else None

    def need(self) -> Who:
        """Somebody we know."""
        if self.who is None:
            raise TableRefusal("not-signed-in", "not-signed-in")
        return self.who


Known: TypeAlias = NamedDependency[Caller]
