"""Units of work in parallel: threads of this process, or a Ray cluster; results come in the order of the units.

A unit is determined by its arguments alone (seeds and numbers), so it does not matter who does it, or how often. What
is stored of the results is therefore the same, byte for byte, with any number of threads and on any cluster.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from mchezo.workers.cluster import Cluster

Item = TypeVar("Item")
T = TypeVar("T")

Workers = int | Cluster  # a number of threads; compiled code releases the interpreter lock


class Ended:
    """Whether results are no longer wanted, for units that can stop early; a copy on another machine never says so."""

    def __init__(self) -> None:
        self.event = threading.Event()

    def __call__(self) -> bool:
        """Return whether the results are no longer wanted."""
        return self.event.is_set()

    def __reduce__(self) -> tuple[Any, ...]:
        return Ended, ()


def workers_of(threads: int, cluster: str | None) -> Workers:
    """Return what the command line asks for."""
    return threads if cluster is None else Cluster(cluster)


def in_order(
    run: Callable[[Item], T], items: Sequence[Item], workers: Workers, ended: Ended | None = None
) -> Generator[T, None, None]:
    """Do units of work and yield their results in order.

    `ended` becomes true when the iterator is closed. For a cluster, `run` has to be a function of a module, or a
    `partial` of one.
    """
    if isinstance(workers, Cluster):
        yield from workers.in_order(run, items)
        return
    with ThreadPoolExecutor(workers) as pool:
        try:
            yield from pool.map(run, items)
        finally:
            if ended is not None:
                ended.event.set()
            pool.shutdown(cancel_futures=True)
