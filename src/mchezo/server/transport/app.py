"""The HTTP and WebSocket API: its routes, what guards them, how errors are answered. See docs/api.md."""

from __future__ import annotations

import hmac
import logging
from typing import Any, cast

from litestar import Litestar, MediaType, Response, get
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.serialization import encode_json
from litestar.types import ASGIApp
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from mchezo import __version__
from mchezo.core.errors import UserError
from mchezo.server import messages
from mchezo.server.errors import TableError, code_of, error_message
from mchezo.server.messages import CODES
from mchezo.server.runtime.addresses import TrustedProxies
from mchezo.server.runtime.service import Service
from mchezo.server.storage.failures import unavailable
from mchezo.server.transport import (
    accounts_api,
    chat_api,
    correspondence_api,
    feeds_api,
    games_api,
    guests_api,
    notices_api,
    pages,
    pairing_api,
    players_api,
    replay_api,
    tables_api,
    tournaments_api,
)
from mchezo.server.transport.addresses import behind_proxies
from mchezo.server.transport.callers import AnyRequest, Caller, preferred_language
from mchezo.server.transport.decoding import JsonRequest
from mchezo.server.transport.documents import Document
from mchezo.server.transport.guarding import guard

LOG = logging.getLogger("mchezo.server")
# Responses with secrets beside what others wrote are not compressed: their size would give the secrets away (BREACH).
COMPRESSION = CompressionConfig(
    "gzip",
    gzip_compress_level=6,
    exclude=[r"^/api/(?!games$|rules/|lessons/|records$|statistics$)", "^/assets/", "^/local/", "^/schema/"],
)
RETRY_SECONDS = 5  # after which to ask again, unless an error says otherwise
DISCONNECTED = "client disconnected prematurely"  # the detail of Litestar's exception: no failure of ours
CODE_BY_STATUS = {404: "unknown-page", 405: "method", 413: "too-large", 415: "media-type"}


def guarded(service: Service) -> ASGIApp:
    """Return the application of a server process as the outside reaches it."""
    proxies = TrustedProxies(service.config.proxies)
    return behind_proxies(guard(cast(ASGIApp, build(service)), service), proxies)


def build(service: Service) -> Litestar:
    """Return the application of a server process, without its guards."""
    errors = {
        status: ResponseSpec(messages.Refused, description=" · ".join(code for code in CODES if CODES[code] == status))
        for status in sorted(set(CODES.values()) - {500})
    }

    async def caller(request: AnyRequest) -> Caller:
        return Caller(service, request)

    @get("/healthz", responses=errors)
    async def health() -> messages.Health:
        """Return the health of the server."""
        set_aside = await service.responding.ask()
        if set_aside is None:
            raise TableError("not-ready", "database-away")
        return health_message(set_aside)

    @get("/readyz", responses=errors)
    async def ready() -> messages.Health:
        """Return the health of the server if it is ready to play: the games are compiled, and moves can be stored."""
        set_aside = await service.writing.ask()
        if set_aside is None:
            raise TableError("not-ready", "not-writable")
        if not service.readiness.all_ready:
            raise TableError("not-ready", "starting")
        return health_message(set_aside)

    def health_message(set_aside: int) -> messages.Health:
        return messages.Health(
            "ok" if service.readiness.all_ready else "starting",
            __version__,
            service.store.database.url.get_backend_name(),
            len(service.sessions.sessions),
            service.access.sockets.total(),
            set_aside,
        )

    @get("/metrics", include_in_schema=False)
    async def metrics(request: AnyRequest) -> Response[bytes]:
        """Return the metrics for Prometheus, to those who know the token."""
        expected, given = f"Bearer {service.config.metrics_token}", request.headers.get("authorization", "")
        if not service.config.metrics_token or not hmac.compare_digest(expected.encode(), given.encode()):
            raise TableError("unknown-page", "unknown-page")
        return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)

    apis = (
        guests_api,
        accounts_api,
        players_api,
        games_api,
        tables_api,
        tournaments_api,
        chat_api,
        correspondence_api,
        pairing_api,
        feeds_api,
        notices_api,
        replay_api,
    )
    described = [*(handler for api in apis for handler in api.handlers(service, errors)), health, ready]
    dependencies = {"caller": Provide(caller)}
    schema = Document(lambda: describe(described, dependencies), "application/vnd.oai.openapi+json")

    @get("/schema/openapi.json", include_in_schema=False)
    async def openapi(request: AnyRequest) -> Response[bytes]:
        """Return the OpenAPI description of all requests."""
        return await schema.answer(request.headers)

    return Litestar(
        route_handlers=[*described, metrics, openapi, *pages.handlers(service)],
        dependencies=dependencies,
        lifespan=[lambda app: service.run()],
        exception_handlers=cast(
            Any, {UserError: answer_error, HTTPException: answer_http_error, Exception: answer_failure}
        ),
        compression_config=COMPRESSION,
        request_class=JsonRequest,
        request_max_body_size=service.config.limits.body,
        openapi_config=None,  # its routes make the description on the event loop, and as YAML for every request
        logging_config=None,
    )


def describe(handlers: list[Any], dependencies: dict[str, Provide]) -> bytes:
    """Return the OpenAPI description of route handlers, as JSON."""
    config = OpenAPIConfig(title="mchezo", version=__version__, use_handler_docstrings=True)
    app = Litestar(handlers, dependencies=dependencies, openapi_config=config, logging_config=None)
    return encode_json(app.openapi_schema.to_schema())


def answer_error(request: AnyRequest, error: UserError) -> Response[bytes]:
    """Answer with an error of a game or the server."""
    status = CODES[code_of(error)]
    body = messages.encode(error_message(error, preferred_language(dict(request.headers))))
    headers = {}
    if status in (429, 503):
        headers["Retry-After"] = str(error.values.get("seconds", RETRY_SECONDS))
    return Response(body, status_code=status, media_type=MediaType.JSON, headers=headers)


def answer_http_error(request: AnyRequest, error: HTTPException) -> Response[bytes]:
    """Answer with an error of the framework: a request that cannot be decoded, or an unknown address."""
    code = CODE_BY_STATUS.get(error.status_code, "bad-request")
    if error.status_code >= 500 and error.detail != DISCONNECTED:
        return answer_failure(request, error)
    if code != "bad-request":
        return answer_error(request, TableError(code, code))
    extra = error.extra if isinstance(error, ValidationException) else None
    reason = "; ".join(str(part.get("message", part)) for part in extra) if isinstance(extra, list) else error.detail
    return answer_error(request, TableError("bad-request", "bad-request", reason=reason[:500]))


def answer_failure(request: AnyRequest, error: Exception) -> Response[bytes]:
    """Answer with a bug of ours, or say that the database cannot be used now."""
    if (away := unavailable(error)) is not None:
        LOG.warning("the database cannot be used", extra={"path": request.url.path, "error": str(error)[:500]})
        return answer_error(request, away)
    LOG.error("a request failed", exc_info=error, extra={"path": request.url.path})
    return answer_error(request, TableError("internal", "internal"))
