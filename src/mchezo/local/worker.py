"""What a worker of the browser does: the tables of the browser, or the thinking of its computer players."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

from mchezo.local.desk import Desk
from mchezo.local.thinking import think


def start(what: Literal["tables", "thinking"], language: str, name: str | None) -> Callable[[str], str]:
    """Return what answers the texts that are sent to the worker."""
    if what == "thinking":
        return think
    return Desk(lambda: time.time_ns() // 1_000_000, language, name).call
