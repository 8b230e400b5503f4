"""Budgets of nodes and seconds: compiled searches run in slices, and Python checks the limits between them."""

from __future__ import annotations

import time
from collections.abc import Callable

from mchezo.search.thought import Stop

SLICE_SECONDS = 0.004  # how long compiled code runs between two checks
FIRST_SLICE = 500  # nodes


class Budget:
    """What a search may spend: nodes, seconds, both or neither; `stop` ends it early."""

    def __init__(self, nodes: int | None, seconds: float | None, stop: Stop | None) -> None:
        self.nodes = nodes
        self.end = None if seconds is None else time.perf_counter() + seconds
        self.stop = stop
        self.slice = FIRST_SLICE

    def run(self, resume: Callable[[int], bool], visited: Callable[[], int]) -> bool:
        """Resume a search in slices until it is finished (True) or the budget is exhausted (False)."""
        while True:
            before, began = visited(), time.perf_counter()
            # The first slice is whole, however short the time is.
            whole = self.end is None or not before
            left = self.slice if whole else max(1, int(self.slice * self.time_share(began)))
            limit = before + left if self.nodes is None else min(before + left, self.nodes)
            if resume(limit):
                return True
            if self.exhausted(visited()):
                return False
            taken = max(time.perf_counter() - began, 1e-6)
            fitting = int((visited() - before) * SLICE_SECONDS / taken)
            self.slice = max(100, min(fitting, 2 * self.slice))

    def time_share(self, now: float) -> float:
        """Return the share of a slice that there is still time for."""
        assert self.end is not None
        return min(1.0, max(0.0, self.end - now) / SLICE_SECONDS)

    def exhausted(self, visited: int) -> bool:
        """Return whether nodes or time are used up, or a stop was requested."""
        if self.nodes is not None and visited >= self.nodes:
            return True
        if self.end is not None and time.perf_counter() >= self.end:
            return True
        return self.stop is not None and self.stop()
