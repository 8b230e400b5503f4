"""Requests about the games: options, set-ups, packs, rules pages, tutorial games."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, cast

from litestar import MediaType, Response, get, post
from litestar.params import FromPath, JSONBody, PathParameter, QueryParameter
from litestar.status_codes import HTTP_200_OK

from mchezo.core import registry
from mchezo.core.words import LANGUAGES, WORDS, Words
from mchezo.puzzles.collection import shipped
from mchezo.server import messages
from mchezo.server.domain import pairing
from mchezo.server.errors import WORDS as SERVER_WORDS
from mchezo.server.errors import TableError
from mchezo.server.projection.puzzles import try_puzzle
from mchezo.server.runtime.service import Service
from mchezo.server.transport import guides, packs, setups, untrusted
from mchezo.server.transport.callers import Game, Known, Lang
from mchezo.server.transport.documents import Document


def handlers(service: Service, errors: Any) -> list[Any]:
    """Return the route handlers."""
    texts = {language: Document(partial(all_texts, language), MediaType.JSON) for language in LANGUAGES}

    @get("/api/games", responses=errors)
    async def games(caller: Known) -> list[messages.GameInfo]:
        """List the games, and what a table of each can be."""
        return [
            setups.game_info(
                name, service.opponents.levels(name), service.readiness.games[name], kinds_of(service, name)
            )
            for name in registry.names()
        ]

    @get("/api/words/{language:str}", responses=errors)
    async def words(language: Annotated[str, PathParameter(max_length=5)], caller: Known) -> dict[str, dict[str, str]]:
        """Return every text in one language."""
        if language not in LANGUAGES:
            raise TableError("unknown-page", "unknown-page")
        return cast("dict[str, dict[str, str]]", await texts[language].answer(caller.headers))

    @post("/api/games/{game:str}/setup", status_code=HTTP_200_OK, responses=errors)
    async def setup(game: Game, data: JSONBody[messages.CheckSetup], caller: Known) -> messages.CheckedSetup:
        """Check start options, and show the start."""
        caller.limit("creations")
        service.require_ready(game)
        return await service.trials.run(caller.payer, 1, lambda: setups.check_setup(game, data))

    @post("/api/games/{game:str}/sketch", status_code=HTTP_200_OK, responses=errors)
    async def sketch(game: Game, data: JSONBody[messages.Sketch], caller: Known) -> messages.Sketched:
        """Check an unfinished board."""
        caller.limit("creations", 0.1)  # sent at every change of a board
        return setups.sketch(game, data)

    @get("/api/packs/template", media_type=MediaType.TEXT, responses=errors)
    async def pack_template(caller: Known) -> Response[str]:
        """Return an empty pack, with everything explained."""
        headers = {"Content-Disposition": f'attachment; filename="{registry.packed().name}.toml"'}
        return Response(registry.packs().template(), headers=headers, media_type=MediaType.TEXT)

    @post("/api/packs/check", status_code=HTTP_200_OK, responses=errors)
    async def pack_check(data: JSONBody[messages.CheckPack], caller: Known) -> messages.CheckedPack:
        """Check a pack; errors name the entry."""
        caller.limit("creations")
        return await service.trials.run(caller.payer, 1, lambda: packs.check(data.text, caller.language()))

    @post("/api/packs/open", status_code=HTTP_200_OK, responses=errors)
    async def pack_open(data: JSONBody[messages.OpenPack], caller: Known) -> messages.OpenedPack:
        """Return what a pack contains, to be edited; without a text the shipped one."""
        caller.limit("creations", 0.1)
        return await service.trials.run(caller.payer, 1, lambda: packs.open_pack(data.text))

    @post("/api/packs/sketch", status_code=HTTP_200_OK, responses=errors)
    async def pack_sketch(data: JSONBody[messages.SketchPack], caller: Known) -> messages.SketchedPack:
        """Write an edited pack as a file, say what is wrong with it, and draw its maps."""
        caller.limit("creations", 0.1)  # sent at every change
        return await service.trials.run(caller.payer, 1, lambda: packs.sketch(data.contents, caller.language()))

    @get("/api/packs/{pack:str}/maps/{players:int}", responses=errors)
    async def pack_map(
        pack: Annotated[str, PathParameter(max_length=200)],
        players: FromPath[int],
        caller: Known,
        table: Annotated[str | None, QueryParameter(pattern="^[0-9A-Za-z]{12}$")] = None,
    ) -> messages.PackMap:
        """Return a map of a pack; name the table if it has a pack of its own."""
        if table is not None:
            await service.sessions.latest(table)  # loading it registers its pack
        return packs.draw_map(untrusted.find_pack(pack), players)

    @get("/api/rules/{game:str}", responses=errors)
    async def rules(game: Game, caller: Known, lang: Lang = None) -> messages.RulesPage:
        """Return the rules of a game."""
        return guides.page(game, caller.language(lang))

    @post("/api/rules/{game:str}/examples/{name:str}", status_code=HTTP_200_OK, responses=errors)
    async def attempt(
        game: Game,
        name: Annotated[str, PathParameter(max_length=40)],
        data: JSONBody[messages.Attempt],
        caller: Known,
        lang: Lang = None,
    ) -> messages.Attempted:
        """Play on the board of an example."""
        service.require_ready(game)
        language = caller.language(lang)
        return await service.trials.run(caller.payer, 1, lambda: guides.attempt(game, name, list(data.moves), language))

    @get("/api/lessons/{game:str}", responses=errors)
    async def lesson(game: Game, caller: Known, lang: Lang = None) -> messages.Lesson:
        """Return the tutorial game of a game."""
        return guides.lesson(game, caller.language(lang))

    @post("/api/puzzles/{game:str}/try", status_code=HTTP_200_OK, responses=errors)
    async def puzzle(game: Game, data: JSONBody[messages.TryPuzzle], caller: Known) -> messages.TriedPuzzle:
        """Play on the board of a puzzle."""
        caller.limit("previews")
        service.require_ready(game)
        return await service.trials.run(caller.payer, 1, lambda: try_shipped(game, data))

    return [
        games,
        words,
        setup,
        sketch,
        pack_template,
        pack_check,
        pack_open,
        pack_sketch,
        pack_map,
        rules,
        attempt,
        lesson,
        puzzle,
    ]


def all_texts(language: str) -> bytes:
    """Return every text in one language, as JSON."""
    packages = {"core": WORDS, "server": SERVER_WORDS, "search": Words("mchezo.search")}
    packages |= {name: registry.find(name).words for name in registry.names()}
    return messages.encode(
        {name: {key: texts[language] for key, texts in found.sentences.items()} for name, found in packages.items()}
    )


def try_shipped(game: str, asked: messages.TryPuzzle) -> messages.TriedPuzzle:
    """Play on the board of a puzzle that comes with mchezo; the first time all of them are read from a file."""
    known = shipped(game).get(asked.puzzle.id)
    if known is None:
        raise TableError("unknown-page", "unknown-page")
    return try_puzzle(game, known, list(asked.moves))


def kinds_of(service: Service, game: str) -> list[messages.KindInfo]:
    """Return the kinds of a game for which players are paired, once all games are ready."""
    kinds = pairing.kinds() if service.readiness.all_ready else {}
    return [messages.KindInfo(kind, found.players) for kind, found in kinds.items() if found.game == game]
