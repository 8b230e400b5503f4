"""The browser app's files, if they were built; else a page that says how to build them."""

from __future__ import annotations

import mimetypes
import re
from importlib.resources import files
from pathlib import Path

from litestar import Response
from litestar.exceptions import NotFoundException

FOLDER = Path(str(files("mchezo"))) / "web"
FOREVER = "public, max-age=31536000, immutable"  # names of these files change with their content
NEVER = "no-cache"
TITLE, DESCRIPTION = re.compile(rb"<title>[^<]*</title>"), re.compile(rb'<meta name="description"[^>]*>\s*')

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
    return index()


def index(tags: bytes = b"") -> Response[bytes]:
    """The app's page, with these tags in its head instead of its usual title and description."""
    file = FOLDER / "index.html"
    body = file.read_bytes() if file.is_file() else NOT_BUILT.encode()
    if tags:
        body = TITLE.sub(lambda _: tags, DESCRIPTION.sub(b"", body, count=1), count=1)
    return Response(body, media_type="text/html; charset=utf-8", headers={"Cache-Control": NEVER})
