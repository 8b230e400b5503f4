"""The server's HTTP requests that a browser answers itself: the same paths, bodies and answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from mchezo.core import registry
from mchezo.local.tables import GUEST, LocalTables
from mchezo.search.players import levels
from mchezo.server import messages
from mchezo.server.errors import TableError
from mchezo.server.projection import replay
from mchezo.server.projection.puzzles import try_puzzle
from mchezo.server.projection.records import export_record, moment_after
from mchezo.server.projection.viewers import AUTO
from mchezo.server.transport import packs, setups, untrusted

READY = messages.GameReady(1, 1, True)


class Asked:
    """A request: the tables of this browser, the parts of the path, the query, and the body."""

    def __init__(self, tables: LocalTables, parts: tuple[str, ...], query: Mapping[str, str], body: bytes) -> None:
        self.tables = tables
        self.parts = parts
        self.query = query
        self.body = body

    def read(self, kind: type[Any]) -> Any:
        """Return the body as a message."""
        try:
            return msgspec.json.decode(self.body, type=kind)
        except msgspec.DecodeError as error:
            raise TableError("bad-request", "bad-request", reason=str(error)[:500]) from error

    def seat(self) -> int | None:
        """Return the seat whose view is asked for."""
        wanted = self.query.get("seat")
        return AUTO if wanted is None else None if wanted == "none" else int(wanted)

    def viewer(self) -> replay.Viewer:
        """Return whose view of a finished game is asked for."""
        return replay.parse_viewer(self.query.get("whose", "all"))


Answering = Callable[[Asked], object]
ROUTES: list[tuple[str, re.Pattern[str], Answering]] = []


def route(method: str, path: str) -> Callable[[Answering], Answering]:
    """Register an answer; `*` stands for a part of the path."""
    pattern = re.compile(path.replace(".", r"\.").replace("*", "([^/]+)"))

    def register(answering: Answering) -> Answering:
        ROUTES.append((method, pattern, answering))
        return answering

    return register


def answer(tables: LocalTables, method: str, address: str, body: bytes) -> object:
    """Return the answer to a request."""
    url = urlsplit(address)
    for allowed, pattern, answering in ROUTES:
        found = pattern.fullmatch(url.path)
        if found and allowed == method:
            parts = tuple(map(unquote, found.groups()))
            return answering(Asked(tables, parts, dict(parse_qsl(url.query)), body))
    raise TableError("unknown-page", "unknown-page")


@route("GET", "/api/games")
def games(asked: Asked) -> list[messages.GameInfo]:
    """List the games, and what a table of each can be."""
    return infos()


def infos() -> list[messages.GameInfo]:
    """Return what there is to know about each game before it is played."""
    return [
        setups.game_info(
            name,
            [messages.LevelInfo(level.number, level.name(), level.rating) for level in levels(name)],
            READY,
        )
        for name in registry.names()
    ]


@route("POST", "/api/games/*/setup")
def check_setup(asked: Asked) -> messages.CheckedSetup:
    """Check start options, and show the start."""
    return setups.check_setup(asked.parts[0], asked.read(messages.CheckSetup))


@route("POST", "/api/games/*/sketch")
def sketch(asked: Asked) -> messages.Sketched:
    """Check an unfinished board."""
    return setups.sketch(asked.parts[0], asked.read(messages.Sketch))


@route("POST", "/api/puzzles/*/try")
def puzzle(asked: Asked) -> messages.TriedPuzzle:
    """Play on the board of a puzzle."""
    given = asked.read(messages.TryPuzzle)
    return try_puzzle(asked.parts[0], given.puzzle, list(given.moves))


@route("POST", "/api/packs/check")
def check_pack(asked: Asked) -> messages.CheckedPack:
    """Check a pack; errors name the entry."""
    return packs.check(asked.read(messages.CheckPack).text, asked.tables.language)


@route("GET", "/api/packs/*/maps/*")
def pack_map(asked: Asked) -> messages.PackMap:
    """Return a map of a pack; a table that is open has registered its own."""
    pack, players = asked.parts
    return packs.draw_map(untrusted.find_pack(pack), int(players))


@route("GET", "/api/tables/*/moves/*")
def at_move(asked: Asked) -> messages.Moment:
    """Return the view after a number of moves."""
    table, made = asked.parts
    return moment_after(asked.tables.find(table), GUEST, asked.seat(), int(made))


@route("GET", "/api/tables/*/record")
def record(asked: Asked) -> str:
    """Return the game so far as a record, as the person at this machine knows it."""
    return str(export_record(asked.tables.find(asked.parts[0]), GUEST, AUTO))


@route("GET", "/api/tables/*/picture.svg")
def picture(asked: Asked) -> str:
    """Return a picture of the position."""
    at = asked.query.get("at")
    return replay.picture(
        asked.tables.find(asked.parts[0]), GUEST, asked.query.get("seat"), None if at is None else int(at)
    )


@route("GET", "/api/tables/*/replay")
def whole(asked: Asked) -> messages.Replay:
    """Return a finished game, move by move."""
    (id,) = asked.parts
    return replay.replay_game(asked.tables.find(id), asked.tables.view(id), asked.viewer())


@route("GET", "/api/tables/*/replay/views")
def views(asked: Asked) -> messages.ReplayViews:
    """Return views of a finished game, from after this many moves on."""
    first, count = int(asked.query.get("first", 0)), int(asked.query.get("count", replay.MAX_VIEWS))
    return replay.replay_views(asked.tables.find(asked.parts[0]), asked.viewer(), first, count)


@route("POST", "/api/tables/*/replay/try")
def vary(asked: Asked) -> messages.Varied:
    """Play other moves from any point of a finished game."""
    return replay.explore_variation(asked.tables.find(asked.parts[0]), asked.read(messages.Vary))


@route("POST", "/api/tables/*/replay/explore")
def explore(asked: Asked) -> messages.Explored:
    """Return what was played in the position that other moves lead to, in the games that come with mchezo."""
    table = asked.tables.find(asked.parts[0])
    return replay.explore(table, asked.read(messages.Vary), lambda position: [])
