"""The way from other threads to the event loop."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any


class Mailbox:
    """Calls that other threads ask for. However many are waiting, the event loop is woken once, and runs them all."""

    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None
        self.calls: deque[tuple[Callable[..., object], tuple[Any, ...]]] = deque()
        self.woken = False

    def put(self, function: Callable[..., object], *arguments: Any) -> None:
        """Call a function on the event loop; nothing happens before the server runs and after it has stopped."""
        if self.loop is None or self.loop.is_closed():
            return
        self.calls.append((function, arguments))
        if not self.woken:
            self.woken = True
            self.loop.call_soon_threadsafe(self.deliver)

    def deliver(self) -> None:
        """Run the calls."""
        self.woken = False  # first: a call that arrives from now on wakes the loop again
        while self.calls:
            function, arguments = self.calls.popleft()
            try:
                function(*arguments)
            except Exception as error:  # the others must not suffer from it
                assert self.loop is not None
                self.loop.call_exception_handler({"message": "a call from another thread failed", "exception": error})
