"""Compilation with Numba, and the cache of machine code, kept in a folder named by a hash of the sources.

Numba's own cache does not notice a change in a function called from another file, so every state of the sources has a
folder of its own. `NUMBA_CACHE_DIR`, if set, wins; where nothing can be written, nothing is cached.
"""

import hashlib
import os
import platform
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
import platformdirs

F = TypeVar("F", bound=Callable[..., Any])

SOURCES = ("core", "games", "search", "arena", "envs")
KEEP_UNUSED_SECONDS = 30 * 24 * 3600


def source_hash() -> str:
    """A hash of everything that decides which machine code comes out."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    # NUMBA_BOUNDSCHECK changes the code but is not in Numba's own key.
    parts = (numba.__version__, np.__version__, platform.python_version(), os.environ.get("NUMBA_BOUNDSCHECK", ""))
    digest.update("\0".join(parts).encode())
    for folder in SOURCES:
        for path in sorted((package / folder).rglob("*.py")):
            digest.update(str(path.relative_to(package)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:20]


def cache_folder() -> Path | None:
    """The folder for this state of the sources, made and marked as used; None where nothing can be written."""
    shelf = Path(platformdirs.user_cache_dir("mchezo", appauthor=False)) / "compiled"
    folder = shelf / source_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            os.utime(folder)
    except OSError:
        return None
    drop_unused(shelf, now=time.time())
    return folder


def drop_unused(shelf: Path, now: float) -> None:
    """Remove the folders that nobody has used for thirty days."""
    for folder in shelf.iterdir():
        try:
            if now - folder.stat().st_mtime > KEEP_UNUSED_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)
        except FileNotFoundError:  # another process was quicker
            continue


if os.environ.get("NUMBA_CACHE_DIR"):
    CACHE: Path | None = Path(os.environ["NUMBA_CACHE_DIR"])
else:
    CACHE = cache_folder()
    if CACHE is not None:
        numba.config.CACHE_DIR = str(CACHE)  # type: ignore[attr-defined]  # Numba makes it at import


def compiled(function: F) -> F:
    """The function as machine code that runs without the interpreter lock; its type stays as it was."""
    return cast(F, numba.njit(cache=CACHE is not None, nogil=True)(function))
