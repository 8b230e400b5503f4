"""Kernels compiled by Numba while the program runs, and the cache of machine code.

Numba's own cache does not notice a change in a function called from another file, so every version of the sources has
a folder of its own. A game outside this package has the hash of its sources in the keys of the cache instead.
`NUMBA_CACHE_DIR`, if set, wins; where nothing can be written, nothing is cached.
"""

import hashlib
import os
import platform
import shutil
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
import platformdirs
from numba.core.caching import FunctionCache
from numba.extending import overload

from mchezo.core import compiled, verbs
from mchezo.core.compiled import IMPLEMENTATIONS, PACKAGE, hash_sources

KEEP_UNUSED_SECONDS = 30 * 24 * 3600
REGISTERED: list[Callable[..., Any]] = []  # with Numba, in the order of IMPLEMENTATIONS


def versioned_hash() -> str:
    """Return a hash of everything that decides which machine code comes out."""
    # NUMBA_BOUNDSCHECK changes the code but is not in Numba's own key.
    versions = (numba.__version__, np.__version__, platform.python_version(), os.environ.get("NUMBA_BOUNDSCHECK", ""))
    return hashlib.sha256("\0".join((*versions, compiled.source_hash())).encode()).hexdigest()[:20]


@cache
def external_hash(state: np.dtype[Any]) -> str:
    """Return the hash of the sources of a game outside this package, given its state; empty for the games inside."""
    file = verbs.MODULES.get(state)
    if file is None or PACKAGE.resolve() in file.parents:
        return ""  # `source_hash` has it
    digest = hashlib.sha256()
    hash_sources(digest, file.parent, sorted(file.parent.rglob("*.py")) if file.name == "__init__.py" else [file])
    return digest.hexdigest()


@cache
def record_type(state: np.dtype[Any]) -> Any:
    """Return Numba's type for a struct."""
    return numba.from_dtype(state)


class Cache(FunctionCache):
    """Numba's cache of a function, with the sources of games outside this package in its keys."""

    def _index_key(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        text = " ".join(map(str, signature))
        external = [external_hash(state) for state in verbs.MODULES if str(record_type(state)) in text]
        return (*super()._index_key(signature, codegen), *filter(None, external))  # type: ignore[no-untyped-call]  # Numba has few types


def cache_folder() -> Path | None:
    """Return the folder for this version of the sources, marked as used; None where nothing can be written."""
    shelf = Path(platformdirs.user_cache_dir("mchezo", appauthor=False)) / "compiled"
    folder = shelf / versioned_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            os.utime(folder)
    except OSError:
        return None
    drop_unused(shelf, now=time.time())
    return folder


def drop_unused(shelf: Path, now: float) -> None:
    """Remove the folders unused for thirty days."""
    for folder in shelf.iterdir():
        try:
            if now - folder.stat().st_mtime > KEEP_UNUSED_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)
        except FileNotFoundError:  # removed by another process
            continue


if os.environ.get("NUMBA_CACHE_DIR"):
    CACHE: Path | None = Path(os.environ["NUMBA_CACHE_DIR"])
else:
    CACHE = cache_folder()
    if CACHE is not None:
        numba.config.CACHE_DIR = str(CACHE)  # type: ignore[attr-defined]  # Numba makes it at import


def register_all() -> None:
    """Tell Numba how the functions marked so far are implemented."""
    for function, implementation in IMPLEMENTATIONS[len(REGISTERED) :]:
        REGISTERED.append(function)
        overload(function, strict=False)(implementation)


def dispatcher(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel that Numba compiles when it is first called with arguments of some types.

    It knows the games loaded by now.
    """
    register_all()
    return make_dispatcher(function)


@cache
def make_dispatcher(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return Numba's dispatcher of a kernel."""
    made: Any = numba.njit(cache=CACHE is not None, nogil=True)(function)
    if CACHE is not None:
        made._cache = Cache(function)  # type: ignore[no-untyped-call]  # Numba has few types
    return made  # type: ignore[no-any-return]  # Numba has few types


def is_cached(function: Callable[..., Any]) -> bool:
    """Return whether the cache has machine code for the folder of a kernel."""
    stats = dispatcher(function).stats  # type: ignore[attr-defined]  # of Numba's dispatcher
    return stats.cache_path is not None and any(Path(stats.cache_path).glob("*.nbi"))
