"""The browser app as a folder that any static host serves, at any address: games without a server."""

from __future__ import annotations

import shutil
from pathlib import Path

from mchezo.core.errors import UserError
from mchezo.core.words import Words
from mchezo.server.transport import pages, precache

WORDS = Words("mchezo.local")
POLICY = "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; object-src 'none'"
# The app reads from the first that it has no server.
HEAD = f"""<meta name="mchezo-static" />
    <meta http-equiv="Content-Security-Policy" content="{POLICY}; base-uri 'none'; form-action 'none'" />
    <title>"""


def write(target: Path, app: Path = pages.FOLDER, python: Path = pages.PYTHON) -> int:
    """Write the site into a folder that is new, empty, or holds an older site; return its size in bytes."""
    if not (app / precache.SCRIPT).is_file() or not (python / "index.json").is_file():
        raise UserError("not-built", WORDS)
    if target.exists() and (not target.is_dir() or (any(target.iterdir()) and not is_site(target))):
        raise UserError("not-empty", WORDS, folder=str(target))
    for path in target.iterdir() if target.exists() else ():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for path in filter(precache.kept, sorted(app.rglob("*"))):
        copied = target / path.relative_to(app)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copied)
    shutil.copytree(python, target / "local", ignore=shutil.ignore_patterns("*.gz"))
    page = target / "index.html"
    page.write_text(static_page(page.read_text(encoding="utf-8")), encoding="utf-8")
    shutil.copyfile(app / precache.SCRIPT, target / precache.SCRIPT)
    (target / precache.SCRIPT).write_bytes(precache.service_worker(target, target / "local"))
    return sum(path.stat().st_size for path in target.rglob("*") if path.is_file())


def is_site(folder: Path) -> bool:
    """Return whether a folder holds a site that was written before."""
    page = folder / "index.html"
    return page.is_file() and 'name="mchezo-static"' in page.read_text(encoding="utf-8")


def static_page(page: str) -> str:
    """Return the app's page for a host without a server: all addresses are relative."""
    return page.replace('="/', '="./').replace("<title>", HEAD, 1)
