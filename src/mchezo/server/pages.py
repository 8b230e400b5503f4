"""The browser app's files, if they were built; else a page that says how to build them."""

from __future__ import annotations

import asyncio
import mimetypes
from importlib.resources import files
from pathlib import Path

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

FOLDER = Path(str(files("mchezo"))) / "web"
FOREVER = "public, max-age=31536000, immutable"  # names of these files change with their content
NEVER = "no-cache"

NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>mchezo</title>
<h1>mchezo is running</h1>
<p>The browser app is not part of this installation. To build it, run <code>pip install .</code> in the source folder,
then start again.</p>
<p>The API works without it: <a href="/api/games">/api/games</a>,
<a href="/schema/openapi.json">/schema/openapi.json</a>.</p>
</html>
"""


@get("/", include_in_schema=False)
async def home() -> Response[bytes]:
    """The first page."""
    return await asyncio.to_thread(find, "")


@get("/{path:path}", include_in_schema=False)
async def other(path: FromPath[str]) -> Response[bytes]:
    """Any other page, or a file."""
    return await asyncio.to_thread(find, path.lstrip("/"))


PAGES = (home, other)


def find(asked: str) -> Response[bytes]:
    """A file of the app; any other address without an ending is one of the app's own pages."""
    if asked.startswith(("api/", "schema/")) or "\0" in asked:
        raise NotFoundException
    found = (FOLDER / asked).resolve()
    if asked and found.is_relative_to(FOLDER.resolve()) and found.is_file():
        kind = mimetypes.guess_type(found.name)[0] or "application/octet-stream"
        fixed = asked.startswith("assets/")
        return Response(found.read_bytes(), media_type=kind, headers={"Cache-Control": FOREVER if fixed else NEVER})
    if "." in asked.rpartition("/")[2]:
        raise NotFoundException
    index = FOLDER / "index.html"
    body = index.read_bytes() if index.is_file() else NOT_BUILT.encode()
    return Response(body, media_type="text/html; charset=utf-8", headers={"Cache-Control": NEVER})
