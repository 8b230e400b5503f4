"""The HTTP and WebSocket API: its calls together, what guards them, how refusals are told. See docs/api.md."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, cast

from litestar import Litestar, MediaType, Response, get
from litestar.datastructures import ResponseHeader
from litestar.di import Provide
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from mchezo import __version__
from mchezo.core.errors import Refusal
from mchezo.server import games_api, guests_api, links, messages, replay_api, tables_api
from mchezo.server.callers import AnyRequest, Caller
from mchezo.server.messages import CODES
from mchezo.server.refusals import TableRefusal, code_of, refused
from mchezo.server.service import Service, language_of

LOG = logging.getLogger("mchezo.server")
SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
        "connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Referrer-Policy": "no-referrer",  # links of tables are secrets
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
BY_STATUS = {404: "unknown-page", 405: "method", 413: "too-large", 415: "media-type"}


def build(service: Service) -> Litestar:
    """The application of a server process."""
    refusals = {
        status: ResponseSpec(messages.Refused, description=" · ".join(code for code in CODES if CODES[code] == status))
        for status in sorted(set(CODES.values()) - {500})
    }

    async def caller(request: AnyRequest) -> Caller:
        return Caller(service, request)

    @get("/healthz", responses=refusals)
    async def health() -> messages.Health:
        """Whether all is well."""
        try:
            await asyncio.to_thread(service.store.ping)
        except Exception as error:
            raise TableRefusal("not-ready", "database-away") from error
        status: Any = "ok" if service.readiness.all_ready else "starting"
        database = service.store.url.get_backend_name()
        return messages.Health(status, __version__, database, len(service.rooms.rooms), sum(service.sockets.values()))

    @get("/metrics", include_in_schema=False)
    async def metrics() -> Response[bytes]:
        """Figures for Prometheus."""
        return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)

    calls = (guests_api, games_api, tables_api, replay_api)
    handlers = [handler for api in calls for handler in api.handlers(service, refusals)]
    handlers += [health, metrics, *links.handlers(service)]
    return Litestar(
        route_handlers=handlers,
        dependencies={"caller": Provide(caller)},
        lifespan=[lambda app: service.run()],
        exception_handlers=cast(Any, {Refusal: tell_refusal, HTTPException: tell_http, Exception: tell_failure}),
        middleware=[lambda app: guarded(app, service)],
        request_max_body_size=service.config.limits.body,
        response_headers=[ResponseHeader(name=name, value=value) for name, value in SECURITY_HEADERS.items()],
        openapi_config=OpenAPIConfig(title="mchezo", version=__version__, use_handler_docstrings=True, path="/schema"),
        logging_config=None,
    )


def guarded(app: ASGIApp, service: Service) -> ASGIApp:
    """Refuse foreign host names before anything else is looked at."""

    async def run(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
            try:
                service.check_host(headers)
            except TableRefusal as refusal:
                body = messages.encode(refused(refusal, language_of(headers)))
                start: Any = {
                    "type": "http.response.start",
                    "status": 403,
                    "headers": [(b"content-type", b"application/json")],
                }
                await send(cast(Message, start))
                await send(cast(Message, {"type": "http.response.body", "body": body, "more_body": False}))
                return
        await app(scope, receive, send)

    return run


def answer(request: AnyRequest, refusal: Refusal) -> Response[bytes]:
    """A refusal by HTTP."""
    status = CODES[code_of(refusal)]
    body = messages.encode(refused(refusal, language_of(dict(request.headers))))
    headers = dict(SECURITY_HEADERS)
    if status == 429 and "seconds" in refusal.values:
        headers["Retry-After"] = str(refusal.values["seconds"])
    return Response(body, status_code=status, media_type=MediaType.JSON, headers=headers)


def tell_refusal(request: AnyRequest, refusal: Refusal) -> Response[bytes]:
    """What a game or the server refused."""
    return answer(request, refusal)


def tell_http(request: AnyRequest, error: HTTPException) -> Response[bytes]:
    """What the framework refused: it could not be read, or is not there."""
    code = BY_STATUS.get(error.status_code, "bad-request")
    if error.status_code >= 500:
        return tell_failure(request, error)
    if code != "bad-request":
        return answer(request, TableRefusal(code, code))
    extra = error.extra if isinstance(error, ValidationException) else None
    reason = "; ".join(str(part.get("message", part)) for part in extra) if isinstance(extra, list) else error.detail
    return answer(request, TableRefusal("bad-request", "bad-request", reason=reason[:500]))


def tell_failure(request: AnyRequest, error: Exception) -> Response[bytes]:
    """Our own mistake."""
    LOG.error("a request failed", exc_info=error, extra={"path": request.url.path})
    return answer(request, TableRefusal("internal", "internal"))
