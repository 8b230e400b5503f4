"""The calls about the games: what there is, set-ups and packs to be checked, rules pages, first games."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, cast

from litestar import MediaType, Response, get, post
from litestar.params import FromPath, JSONBody, PathParameter, QueryParameter
from litestar.status_codes import HTTP_200_OK

from mchezo.core import registry
from mchezo.core.words import LANGUAGES, WORDS, Words
from mchezo.server import guides, messages, packs, strangers
from mchezo.server.callers import AnyRequest, Game, Known, Lang
from mchezo.server.refusals import WORDS as SERVER_WORDS
from mchezo.server.refusals import TableRefusal, refused
from mchezo.server.service import Service, language_of


def handlers(service: Service, refusals: Any) -> list[Any]:
    """The calls."""

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
        service.need_ready(game)
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
        service.need_ready(game)
        return guides.attempt(game, name, list(data.moves), spoken(request, lang))

    @get("/api/lessons/{game:str}", responses=refusals)
    async def lesson(game: Game, caller: Known, request: AnyRequest, lang: Lang = None) -> messages.Lesson:
        """The first game of a game, and its coach."""
        return guides.lesson(game, spoken(request, lang))

    return [games, words, setup, sketch, pack_template, pack_check, pack_map, rules, attempt, lesson]


def spoken(request: AnyRequest, asked: str | None) -> str:
    """The language asked for, else the browser's."""
    return asked or language_of(dict(request.headers))


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
