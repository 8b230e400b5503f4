"""Turns: a request to change a table waits for those that came before it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable


class Turns:
    """One at a time, in the order of arrival. `take` calls back at once if nobody is before; `async with` waits."""

    def __init__(self) -> None:
        self.taken = False
        self.waiting: deque[Callable[[], None]] = deque()

    def try_take(self) -> bool:
        """Begin a turn if nobody has one; it lasts until `give`."""
        if self.taken:
            return False
        self.taken = True
        return True

    def take(self, begin: Callable[[], None]) -> None:
        """Call `begin` when it is its turn; it lasts until `give`."""
        if self.try_take():
            begin()
        else:
            self.waiting.append(begin)

    def give(self) -> None:
        """End a turn; the next one begins soon."""
        if self.waiting:
            asyncio.get_running_loop().call_soon(self.waiting.popleft())
        else:
            self.taken = False

    async def __aenter__(self) -> None:
        if self.try_take():
            return
        begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def begin() -> None:
            if begun.cancelled():
                self.give()
            else:
                begun.set_result(None)

        self.waiting.append(begin)
        try:
            await begun
        except asyncio.CancelledError:
            if begun.done() and not begun.cancelled():
                self.give()
            raise

    async def __aexit__(self, *_: object) -> None:
        self.give()
