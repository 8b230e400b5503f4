"""The pages of the browser app, and what other sites show of a link to a table: Open Graph tags in its head."""

from __future__ import annotations

import asyncio
import re
from html import escape
from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from mchezo.core.errors import Refusal
from mchezo.core.words import Words
from mchezo.server import pages, pictures, replay, sight
from mchezo.server.callers import AnyRequest
from mchezo.server.refusals import WORDS
from mchezo.server.service import Service, language_of
from mchezo.server.table import Table

LEVELS = Words("mchezo.search")
OF_TABLES = re.compile("(?:t|replay|join)/([0-9A-Za-z]{12})(?:/[0-9A-Za-z]*)?")


def handlers(service: Service) -> list[Any]:
    """Every page."""

    @get("/", include_in_schema=False)
    async def home() -> Response[bytes]:
        """The first page."""
        return await asyncio.to_thread(pages.find, "")

    @get("/{path:path}", include_in_schema=False)
    async def other(request: AnyRequest, path: FromPath[str]) -> Response[bytes]:
        """Any other page, or a file."""
        asked = path.lstrip("/")
        found = OF_TABLES.fullmatch(asked)
        if found is None:
            return await asyncio.to_thread(pages.find, asked)
        try:
            table = (await service.rooms.latest(found[1])).table
        except Refusal:
            return await asyncio.to_thread(pages.index)  # the app says what is wrong
        headers = dict(request.headers)
        scheme = "https" if service.config.secure else request.url.scheme
        told = tags(table, f"{scheme}://{headers.get('host', '')}", language_of(headers))
        return await asyncio.to_thread(pages.index, told)

    return [home, other]


def tags(table: Table, site: str, language: str) -> bytes:
    """The tags of a table's page; nothing in them or in the picture is hidden from a spectator."""
    game, end = table.game, table.finished
    seats = list(zip(sight.sides(table), table.seats, strict=True))
    names = [
        LEVELS.say(f"level-{sitter.level}", language)
        if sitter.kind == "computer"
        else sitter.name or game.words.say(f"seat-{side}", language)
        for side, sitter in seats
    ]
    there = [name for name, (_, sitter) in zip(names, seats, strict=True) if sitter.kind != "open"]
    title = f"{game.title}: {' · '.join(there)}"
    key = f"shared-{table.status}"
    if end and end.winners:
        key = "shared-won"
    winners = ", ".join(names[seat] for seat in end.winners) if end else ""
    turns = len(replay.turns(table.position)) if table.position else 0
    about = WORDS.say(key, language, game=game.title, turns=turns, winners=winners)
    page = f"{site}/{'replay' if end else 't'}/{table.id}"
    image = f"{site}/api/tables/{table.id}/preview.png"
    lines = [
        f"<title>{escape(title)} · mchezo</title>",
        f'<meta name="description" content="{escape(about)}" />',
        *(
            f'<meta property="og:{name}" content="{escape(value)}" />'
            for name, value in {
                "site_name": "mchezo",
                "type": "website",
                "title": title,
                "description": about,
                "url": page,
                "image": image,
                "image:width": str(pictures.CARD_WIDTH),
                "image:height": str(pictures.CARD_HEIGHT),
                "image:alt": about,
            }.items()
        ),
        '<meta name="twitter:card" content="summary_large_image" />',
    ]
    return "\n    ".join(lines).encode()
