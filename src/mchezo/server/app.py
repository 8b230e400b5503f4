"""The HTTP and WebSocket API. See docs/api.md."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Mapping
from dataclasses import replace as with_
from typing import Annotated, Any, cast

from litestar import Litestar, MediaType, Response, WebSocket, get, post, websocket
from litestar.datastructures import ResponseHeader
from litestar.di import Provide
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody, PathParameter, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from mchezo import __version__
from mchezo.core import registry
from mchezo.core.errors import Refusal
from mchezo.core.record import Record
from mchezo.core.words import LANGUAGES, WORDS, Words
from mchezo.server import commands, guides, links, messages, packs, replay_api, sight, strangers
from mchezo.server.callers import AnyRequest, Caller, Game, GameFilter, Id, Known, Lang, SeatText, wanted_seat
from mchezo.server.commands import Scene, Who, clean
from mchezo.server.guests import COOKIE, COOKIE_SECONDS
from mchezo.server.live import Live
from mchezo.server.messages import CODES
from mchezo.server.refusals import WORDS as SERVER_WORDS
from mchezo.server.refusals import TableRefusal, code_of, refused
from mchezo.server.rooms import Watcher
from mchezo.server.service import Service, language_of
from mchezo.server.thinking import hint as think

LOG = logging.getLogger("mchezo.server")
MOST_WAIT = 25.0  # seconds of a long poll
RECORDS_AT_ONCE = 100
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

    @get("/api/games", responses=refusals)
    async def games(caller: Known) -> list[messages.GameInfo]:
        """The games, and what a table of each can be."""
        return [game_info(service, name) for name in registry.names()]

    @get("/api/words/{language:str}", responses=refusals)
    async def words(language: Annotated[str, PathParameter(max_length=5)], caller: Known) -> dict[str, dict[str, str]]:
        """Every sentence in one language."""
        if language not in LANGUAGES:
            raise TableRefusal("unknown-page", "unknown-page")
        packages = {"core": WORDS, "server": SERVER_WORDS, "search": Words("mchezo.search")}
        packages |= {name: registry.find(name).words for name in registry.names()}
        return {
            name: {key: texts[language] for key, texts in found.sentences.items()} for name, found in packages.items()
        }

    @post("/api/games/{game:str}/setup", status_code=HTTP_200_OK, responses=refusals)
    async def setup(game: Game, data: JSONBody[messages.CheckSetup], caller: Known) -> messages.CheckedSetup:
        """Check start options, and see the start."""
        service.limit(service.making, caller.who, caller.address)
        need_ready(service, game)
        return await asyncio.to_thread(check_setup, game, data)

    @post("/api/games/{game:str}/sketch", status_code=HTTP_200_OK, responses=refusals)
    async def sketch(game: Game, data: JSONBody[messages.Sketch], caller: Known) -> messages.Sketched:
        """Judge an unfinished board."""
        found = registry.find(game)
        if found.sketch is None:
            raise TableRefusal("not-possible", "no-sketch", game=found.title)
        drawn = found.sketch({"rivers": data.rivers, "board": data.board})
        refusal = drawn.pop("refusal", None)
        told = refused(refusal, "en").told if refusal else None
        regions = [messages.Region(**region) for region in drawn.pop("regions", ())]
        rated = drawn.pop("rating", None)
        rating = rated and messages.BoardRating(list(map(list, rated.turns)), rated.chosen, rated.balanced)
        return messages.Sketched(**drawn, regions=regions, told=told, rating=rating)

    @get("/api/packs/template", media_type=MediaType.TEXT, responses=refusals)
    async def pack_template() -> Response[str]:
        """An empty pack of Kitara, with everything explained."""
        from mchezo.games.kitara.pack import template

        headers = {"Content-Disposition": 'attachment; filename="kitara.toml"'}
        return Response(template(), headers=headers, media_type=MediaType.TEXT)

    @post("/api/packs/check", status_code=HTTP_200_OK, responses=refusals)
    async def pack_check(
        request: AnyRequest, data: JSONBody[messages.CheckPack], caller: Known
    ) -> messages.CheckedPack:
        """Check a pack of Kitara: what is wrong is named by its entry."""
        service.limit(service.making, caller.who, caller.address)
        return await asyncio.to_thread(packs.check, data.text, language_of(dict(request.headers)))

    @get("/api/packs/{pack:str}/maps/{players:int}", responses=refusals)
    async def pack_map(
        pack: Annotated[str, PathParameter(max_length=200)],
        players: FromPath[int],
        table: Annotated[str | None, QueryParameter(pattern="^[0-9A-Za-z]{12}$")] = None,
    ) -> messages.KitaraMap:
        """A map of Kitara; of a table's own pack, if the table is named."""
        if table is not None:
            await service.rooms.latest(table)  # now its pack is in use
        return packs.draw_map(strangers.pack(pack), players)

    @get("/api/rules/{game:str}", responses=refusals)
    async def rules(game: Game, caller: Known, request: AnyRequest, lang: Lang = None) -> messages.RulesPage:
        """The rules of a game."""
        return guides.page(game, spoken(request, lang))

    @post("/api/rules/{game:str}/examples/{name:str}", status_code=HTTP_200_OK, responses=refusals)
    async def attempt(
        game: Game,
        name: Annotated[str, PathParameter(max_length=40)],
        data: JSONBody[messages.Attempt],
        caller: Known,
        request: AnyRequest,
        lang: Lang = None,
    ) -> messages.Attempted:
        """Play on the board of an example."""
        need_ready(service, game)
        return guides.attempt(game, name, list(data.moves), spoken(request, lang))

    @get("/api/lessons/{game:str}", responses=refusals)
    async def lesson(game: Game, caller: Known, request: AnyRequest, lang: Lang = None) -> messages.Lesson:
        """The first game of a game, and its coach."""
        return guides.lesson(game, spoken(request, lang))

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
        need_ready(service, data.game)
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

    handlers: list[Any] = [
        me,
        name_me,
        token,
        games,
        words,
        setup,
        sketch,
        figures,
        pack_template,
        pack_check,
        pack_map,
        rules,
        attempt,
        lesson,
        tables,
        create,
        table,
        news,
        command,
        try_it,
    ]
    handlers += [hint, at_move, record, records, health, metrics, live, *replay_api.handlers(service, refusals)]
    handlers += links.handlers(service)
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


# Helpers of the calls above


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


def need_ready(service: Service, game: str) -> None:
    """The game's rules must be there."""
    registry.find(game)
    if not service.readiness.is_ready(game):
        raise TableRefusal("not-ready", "compiling", game=game)


def spoken(request: AnyRequest, asked: str | None) -> str:
    """The language asked for, else the browser's."""
    return asked or language_of(dict(request.headers))


def public_id(guest: str) -> str:
    """A guest's id that may be shown: what a cookie holds cannot be found from it."""
    return hashlib.sha256(guest.encode()).hexdigest()[:16]


def game_info(service: Service, name: str) -> messages.GameInfo:
    """What there is to know of a game before it is played."""
    game = registry.find(name)
    players = next((option.values for option in game.options if option.name == "players"), None) or (2,)
    defaults = {option.name: option.default for option in game.options}
    return messages.GameInfo(
        name=game.name,
        title=game.title,
        author=game.author,
        rules=game.rules,
        players=list(players),
        sides=list(game.seats({**defaults, "players": max(players)})),
        options=[
            messages.OptionInfo(option.name, option.default, None if option.values is None else list(option.values))
            for option in game.options
        ],
        draws=bool(game.draws),
        revenge=game.revenge is not None,
        touch_move=game.touch is not None,
        levels=service.levels(name),
        ready=service.readiness.games[name],
    )


def check_setup(game: str, data: messages.CheckSetup) -> messages.CheckedSetup:
    """Start options, checked by starting a game with them."""
    options, _ = strangers.checked(game, data.options)
    position = registry.find(game).start(**options)
    found = registry.find(game)
    extras: dict[str, Any] = {}
    if found.sketch is not None and isinstance(position.options.get("board"), str) and game == "katarenga":
        extras["code"] = found.sketch({"board": position.options["board"]}).get("code")
    drawn = None
    if game == "kitara":
        drawn = packs.draw_map(strangers.pack(position.options["pack"]), position.options["players"])
    return messages.CheckedSetup(dict(position.options), cast(Any, position.view()), position.svg(), extras, drawn)


def plan_table(service: Service, data: messages.CreateTable, who: Who, id: str) -> list[Any]:
    """The facts of a new table."""
    options: Mapping[str, Any]
    options, pack = strangers.checked(data.game, data.options)
    if data.record is not None:
        strangers.check_record(data.record)
    return list(commands.make(data, options, pack, service.rating_of, Scene(who, service.store.now()), id))
