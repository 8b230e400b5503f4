"""Probes: checks that anybody may ask for, and that cost the same however often they are asked for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Probe(Generic[T]):
    """A check that runs once at a time, within a time limit; its result is kept for a moment."""

    def __init__(
        self,
        check: Callable[[], Awaitable[T]],
        keep: float,
        patience: float,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.check = check
        self.keep = keep  # seconds
        self.patience = patience  # seconds
        self.now = now
        self.running: asyncio.Task[T | None] | None = None
        self.result: tuple[float, T | None] | None = None  # when it ended, and how

    async def ask(self) -> T | None:
        """Return what the check returns; None if it fails."""
        if self.result is not None and self.now() - self.result[0] < self.keep:
            return self.result[1]
        if self.running is None:
            self.running = asyncio.create_task(self.run())
        # A client that disconnects must not cancel the check that others wait for.
        return await asyncio.shield(self.running)

    async def run(self) -> T | None:
        """Run the check."""
        found: T | None = None
        try:
            async with asyncio.timeout(self.patience):
                found = await self.check()
        except Exception:
            found = None
        finally:
            self.running = None
        self.result = self.now(), found
        return found
