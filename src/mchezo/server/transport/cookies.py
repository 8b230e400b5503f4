"""The cookie by which a browser is known."""

from __future__ import annotations

from litestar import Response
from litestar.status_codes import HTTP_200_OK, HTTP_204_NO_CONTENT

from mchezo.server import messages
from mchezo.server.domain.context import Identity
from mchezo.server.identifiers import public_id
from mchezo.server.runtime.service import Service
from mchezo.server.runtime.signing import COOKIE, COOKIE_SECONDS


def described(who: Identity) -> messages.Me:
    """Return who somebody is, as they see it."""
    account = who.device is not None and not who.bot
    return messages.Me(who.name, public_id(who.guest), who.bot, who.avatar, account)


def signed_in(service: Service, who: Identity, status: int = HTTP_200_OK) -> Response[messages.Me]:
    """Return who a browser is from now on, with its cookie."""
    response = Response(described(who), status_code=status)
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


def signed_out() -> Response[None]:
    """Return an answer after which a browser is nobody."""
    response = Response(None, status_code=HTTP_204_NO_CONTENT)
    response.delete_cookie(COOKIE, path="/")
    return response
