"""A Ray cluster that does units of work. Install it with `pip install 'mchezo[cluster]'` on every machine.

Every unit is a task of its own. The tasks of a machine that is lost are done again by another; the rest is not touched.
A machine with other code than the one that asks refuses its units, so that results of two versions never meet.
"""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from mchezo.core.compiled import PACKAGE
from mchezo.core.errors import UserError
from mchezo.core.words import Words

Item = TypeVar("Item")
T = TypeVar("T")

WORDS = Words("mchezo.workers")

AUTO = "auto"
ATTEMPTS = 10  # at a unit whose machine or process is lost
AHEAD = 4  # units handed out for each processor: enough to keep all busy, few enough to hold in memory
SOURCES = (".py", ".ll", ".toml", ".json", ".bin", ".tsv")
FOLDERS = ("core", "games", "search", "arena", "studies", "envs", "puzzles", "protocol", "workers", "cli")


@dataclass(frozen=True)
class Cluster:
    """The cluster at an address (`host:port`), or with `auto` the one of this machine, which is started if need be."""

    address: str

    def connect(self) -> None:
        """Join the cluster; raise UserError if that fails."""
        if find_spec("ray") is None:
            raise UserError("ray-missing", WORDS)
        import ray

        if ray.is_initialized():
            return
        options: dict[str, Any] = {"log_to_driver": False, "logging_level": "error", "include_dashboard": False}
        try:
            if self.address == AUTO and not os.environ.get("RAY_ADDRESS"):
                ray.init(**options)
            else:
                del options["include_dashboard"]
                ray.init(address=self.address, **options)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise UserError("no-cluster", WORDS, address=self.address, reason=error) from error

    def in_order(self, run: Callable[[Item], T], items: Sequence[Item]) -> Iterator[T]:
        """Do units of work and yield their results in order."""
        self.connect()
        import ray

        task: Any = ray.remote(num_cpus=1, max_retries=ATTEMPTS)(checked)
        resources: Callable[[], dict[str, float]] = ray.cluster_resources
        shared = ray.put(run)
        asked: deque[Any] = deque()
        left = iter(items)
        try:
            while True:
                most = AHEAD * max(1, int(resources().get("CPU", 1)))  # machines come and go
                while len(asked) < most and (item := next(left, END)) is not END:
                    asked.append(task.remote(code_version(), shared, item))
                if not asked:
                    return
                try:
                    found = ray.get(asked[0])
                except ray.exceptions.RayTaskError as error:
                    asked.popleft()  # it has ended: only the others are cancelled
                    raise error.cause from None
                asked.popleft()
                yield found
        finally:
            for unit in asked:
                ray.cancel(unit, force=True)


END: Any = object()


def checked(asked: str, run: Callable[[Item], T], item: Item) -> T:
    """Do a unit of work, if this machine has the code of the one that asks."""
    if code_version() != asked:
        raise UserError("other-code", WORDS, machine=os.uname().nodename, own=code_version(), asked=asked)
    return run(item)


@cache
def code_version() -> str:
    """Return a hash of everything that decides what a unit results in."""
    digest = hashlib.sha256(version("numpy").encode())
    for path in sorted(code_files(PACKAGE)):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def code_files(package: Path) -> Iterator[Path]:
    """Yield the files that are hashed."""
    for folder in FOLDERS:
        yield from (path for path in (package / folder).rglob("*") if path.suffix in SOURCES)
