"""The browser app: its files, if it was built, Python for the browser, and the app's page, with link previews."""

from __future__ import annotations

import asyncio
import re
from functools import cache
from importlib.resources import files
from mimetypes import guess_type
from pathlib import Path
from typing import Any

from litestar import HttpMethod, Response, get, route
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import File

from mchezo.core.errors import UserError
from mchezo.server.runtime.service import Service
from mchezo.server.transport import links, precache
from mchezo.server.transport.addresses import client_address
from mchezo.server.transport.callers import AnyRequest, preferred_language

FOLDER = Path(str(files("mchezo"))) / "web"
PYTHON = Path(str(files("mchezo"))) / "pyodide"  # built by mchezo.local.runtime
IMMUTABLE = "public, max-age=31536000, immutable"  # names contain a content hash
OTHERS = ("index.html", precache.SCRIPT)  # have handlers of their own
ASSET = re.compile(r"\w[\w.-]{0,99}", re.ASCII)  # longer names are an error of the operating system
MEDIA_TYPES = {".mjs": "text/javascript", ".bin": "application/octet-stream"}
COMPRESSED = {"br": ".br", "gzip": ".gz"}  # by the build; the best first
REVALIDATE = {"Cache-Control": "no-cache"}
# Workers run Python, which is WebAssembly; pages do not.
WORKER = re.compile(r"worker-[\w-]+\.js")
WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
TABLE_PAGE = re.compile("(?:t|replay|join)/([0-9A-Za-z]{12})(?:/[0-9A-Za-z]*)?")
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


def handlers(service: Service) -> list[Any]:
    """Return the route handlers: hashed assets, other files, and the app's page for every other address."""

    @route("/assets/{name:str}", http_method=[HttpMethod.GET, HttpMethod.HEAD], include_in_schema=False)
    async def assets(request: AnyRequest, name: FromPath[str]) -> File:
        """Return a file of the app, compressed as well as the browser understands it."""
        return await asyncio.to_thread(asset, FOLDER / "assets", name, request.headers.get("accept-encoding", ""))

    @get("/local/index.json", include_in_schema=False)
    async def python() -> File:
        """Return what there is of Python for the browser."""
        if not (PYTHON / "index.json").is_file():
            raise NotFoundException
        return File(PYTHON / "index.json", content_disposition_type="inline", headers=REVALIDATE)

    @route("/local/{version:str}/{name:str}", http_method=[HttpMethod.GET, HttpMethod.HEAD], include_in_schema=False)
    async def python_file(request: AnyRequest, version: FromPath[str], name: FromPath[str]) -> File:
        """Return a file of Python for the browser."""
        if not ASSET.fullmatch(version):
            raise NotFoundException
        return await asyncio.to_thread(asset, PYTHON / version, name, request.headers.get("accept-encoding", ""))

    @get("/", include_in_schema=False)
    async def home() -> Response[bytes]:
        """Return the app's page."""
        return await asyncio.to_thread(app_page)

    @get("/{path:path}", include_in_schema=False)
    async def page(request: AnyRequest, path: FromPath[str]) -> Response[bytes]:
        """Return the app's page for one of its addresses."""
        asked = path.lstrip("/")
        if asked.startswith(("api/", "schema/")) or "." in asked.rpartition("/")[2]:
            raise NotFoundException
        found = TABLE_PAGE.fullmatch(asked)
        if found is None:
            return await asyncio.to_thread(app_page)
        headers = dict(request.headers)
        scheme = "https" if service.config.secure else request.url.scheme
        site, language = f"{scheme}://{headers.get('host', '')}", preferred_language(headers)
        payer = service.access.payer(None, client_address(request))
        try:
            table = (await service.sessions.latest(found[1])).table
            tags = await service.trials.run(payer, 1, lambda: links.preview_tags(table, site, language))
        except UserError:
            return await asyncio.to_thread(app_page)  # the app explains what is wrong
        return await asyncio.to_thread(app_page, tags)

    return [assets, python, python_file, home, page, *file_handlers(), *service_worker_handlers()]


def file_handlers() -> list[Any]:
    """Return a handler for the files beside the app's page, such as icons; each has an address of its own."""
    names = [file.name for file in FOLDER.glob("*.*") if file.is_file() and file.name not in OTHERS]
    if not names:
        return []

    @get([f"/{name}" for name in names], include_in_schema=False)
    async def file(request: AnyRequest) -> File:
        """Return a file."""
        name = request.url.path.lstrip("/")
        return File(FOLDER / name, filename=name, content_disposition_type="inline", headers=REVALIDATE)

    return [file]


def service_worker_handlers() -> list[Any]:
    """Return the handler for the script of the service worker, which lists the files of this version."""
    if not (FOLDER / precache.SCRIPT).is_file():
        return []

    @cache
    def script() -> bytes:
        return precache.service_worker(FOLDER, PYTHON)

    @get(f"/{precache.SCRIPT}", include_in_schema=False)
    async def service_worker() -> Response[bytes]:
        """Return the script."""
        return Response(await asyncio.to_thread(script), media_type="text/javascript", headers=REVALIDATE)

    return [service_worker]


def asset(folder: Path, name: str, accepted: str) -> File:
    """Return a file with a content hash in its address, in the best of the encodings that are accepted."""
    path = folder / name
    if not ASSET.fullmatch(name) or not path.is_file():
        raise NotFoundException
    headers = {"Cache-Control": IMMUTABLE, "Vary": "Accept-Encoding"}
    if WORKER.fullmatch(name):
        headers["Content-Security-Policy"] = WORKER_POLICY
    for encoding, ending in COMPRESSED.items():
        compressed = path.with_name(name + ending)
        if encoding in accepted and compressed.is_file():
            path, headers["Content-Encoding"] = compressed, encoding
            break
    media_type = MEDIA_TYPES.get(Path(name).suffix) or guess_type(name)[0]
    return File(path, filename=name, media_type=media_type, content_disposition_type="inline", headers=headers)


def app_page(tags: bytes = b"") -> Response[bytes]:
    """Return the app's page, with these tags in place of its title and description."""
    file = FOLDER / "index.html"
    body = file.read_bytes() if file.is_file() else NOT_BUILT.encode()
    if tags:
        body = TITLE.sub(lambda _: tags, DESCRIPTION.sub(b"", body, count=1), count=1)
    return Response(body, media_type="text/html; charset=utf-8", headers=REVALIDATE)
