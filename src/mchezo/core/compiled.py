"""Compiled functions: in a library made ahead of time, by Numba while the program runs, or interpreted.

`compiled` marks a function that kernels call; Python calls it interpreted. `kernel` marks a function that Python calls
compiled: for a state of a game it is found in the game's library (`core/library.py`). Where there is none, or where
`MCHEZO_JIT=1` asks for it, Numba compiles it (`core/jit.py`). `NUMBA_DISABLE_JIT=1` interprets everything. All three
play the same games.
"""

import hashlib
import logging
import os
from collections.abc import Callable
from enum import Enum
from functools import cache, wraps
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar, cast

from mchezo.core import arrays

F = TypeVar("F", bound=Callable[..., Any])
Implementation = Callable[..., Callable[..., Any] | None]

LOG = logging.getLogger("mchezo")
PACKAGE = Path(__file__).parent.parent
SOURCES = ("core", "games", "search", "arena", "studies", "envs", "build")

# What compiled code may call, and which function implements it for arguments of these types.
IMPLEMENTATIONS: list[tuple[Callable[..., Any], Implementation]] = []
KERNELS: list[Callable[..., Any]] = []
GAMES: dict[arrays.dtype[Any], str] = {}  # by the layout of their states


class Way(Enum):
    """How kernels run."""

    LIBRARY = "compiled ahead of time"
    JIT = "compiled by Numba"
    INTERPRETED = "interpreted"


def compiled(function: F) -> F:
    """Let kernels call a function."""
    IMPLEMENTATIONS.append((function, lambda *args: function))
    return function


def instruction(function: F) -> F:
    """Let kernels call a function that Numba compiles to a machine instruction; what is marked is interpreted."""

    def find(*args: Any) -> Callable[..., Any]:
        from mchezo.core import instructions

        return cast(Callable[..., Any], getattr(instructions, function.__name__))

    IMPLEMENTATIONS.append((function, find))
    return function


def kernel(function: F) -> F:
    """Let Python call a function compiled, without the interpreter lock; its static type stays the same."""
    found: dict[Any, Callable[..., Any]] = {}

    @wraps(function)
    def call(*args: Any) -> Any:
        try:
            run = found[args[0].dtype]
        except (AttributeError, KeyError):
            run = find(args)
        return run(*args)

    def find(args: tuple[Any, ...]) -> Callable[..., Any]:
        layout = state_layout(function, args)
        if layout not in found:
            found[layout] = implement(function, layout)
            if layout is None:  # any game
                found[args[0].dtype] = found[layout]
        return found[layout]

    KERNELS.append(function)
    IMPLEMENTATIONS.append((call, lambda *args: function))
    return cast(F, call)


def state_layout(function: Callable[..., Any], args: tuple[Any, ...]) -> arrays.dtype[Any] | None:
    """Return the layout of the state among the arguments of a kernel; None if it has none."""
    from mchezo.core.signature import flat, signature

    place = signature(function).place_of_state()
    return None if place is None else next(value for at, value in enumerate(flat(args)) if at == place).dtype


def implement(function: Callable[..., Any], layout: arrays.dtype[Any] | None) -> Callable[..., Any]:
    """Return what runs a kernel for states of a layout."""
    way = way_of(layout)
    if way is Way.LIBRARY:
        from mchezo.core import library

        return library.load(COMMON if layout is None else GAMES[layout]).function(function)
    if way is Way.JIT:
        from mchezo.core import jit

        return jit.dispatcher(function)
    return function


COMMON = "common"  # the library of the kernels that know no game


def way_of(layout: arrays.dtype[Any] | None) -> Way:
    """Return how kernels run for states of a layout; None: kernels that need no state."""
    return way_of_game(COMMON if layout is None else GAMES.get(layout, ""))


@cache
def way_of_game(name: str) -> Way:
    """Return how kernels run for a game."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return Way.INTERPRETED
    can_compile = find_spec("numba") is not None
    asked = any(os.environ.get(name, "0") not in ("", "0") for name in ("MCHEZO_JIT", "NUMBA_BOUNDSCHECK"))
    if asked and can_compile:
        return Way.JIT
    from mchezo.core import library

    if library.exists(name):
        if library.load(name).is_current:
            return Way.LIBRARY
        warn_of_edits(can_compile)
    return Way.JIT if can_compile else Way.INTERPRETED


@cache
def warn_of_edits(can_compile: bool) -> None:
    """Say once that libraries are not used because their sources were edited."""
    LOG.warning(
        "Sources were edited after the libraries were built: rules are %s. `python -m mchezo.build` builds them again.",
        (Way.JIT if can_compile else Way.INTERPRETED).value,
    )


def describe() -> str:
    """Say how kernels run on this machine."""
    from mchezo.core import library

    way = way_of_game(COMMON)
    if way is Way.LIBRARY:
        return f"{way.value} for {library.TARGET}"
    if way is Way.JIT:
        return f"{way.value} {version('numba')}"
    return str(way.value)


@cache
def source_hash() -> str:
    """Return a hash of all sources that kernels are made of."""
    digest = hashlib.sha256()
    for folder in SOURCES:
        files = (path for path in (PACKAGE / folder).rglob("*") if path.suffix in (".py", ".ll"))
        hash_sources(digest, PACKAGE, sorted(files))
    return digest.hexdigest()[:20]


def hash_sources(digest: "hashlib._Hash", folder: Path, files: list[Path]) -> None:
    """Hash files with their names."""
    for path in files:
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
