"""Which files this process opens, lists, or asks for, all threads included."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

EVENTS = ("open", "os.listdir", "os.scandir")
RECORDERS: list[list[str]] = []


def record(event: str, arguments: tuple[Any, ...]) -> None:
    """Note a path; the hook of an interpreter cannot be removed again."""
    if RECORDERS and event in EVENTS and isinstance(arguments[0], str | bytes | os.PathLike):
        for paths in RECORDERS:
            paths.append(os.fsdecode(arguments[0]))


sys.addaudithook(record)


@contextmanager
def opened_files() -> Iterator[list[str]]:
    """Collect the paths that are opened, listed, or whose status is asked for."""
    paths: list[str] = []
    stat = os.stat

    def watched(path: Any, *given: Any, **named: Any) -> os.stat_result:
        if isinstance(path, str | bytes | os.PathLike):
            paths.append(os.fsdecode(path))
        return stat(path, *given, **named)

    RECORDERS.append(paths)
    os.stat = watched
    try:
        yield paths
    finally:
        os.stat = stat
        RECORDERS.remove(paths)
