"""Honest players in a process of their own: what they wait for is the server, not the attacker's work beside them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator
from typing import Any

from .ordinary import COMPILING, PATIENCE, Ordinary, Waits


class Probe:
    """Honest players, measured all the time."""

    def __init__(self, url: str, niceness: int = 0) -> None:
        self.url = url
        self.niceness = niceness
        self.table = ""  # of two people, as of the last question
        self.ended: list[str] = []  # what went wrong
        self.process: asyncio.subprocess.Process | None = None

    @contextlib.asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Play until the block ends; then let pending actions finish, whose waits `answer` returns."""
        arguments = ("-m", "soak.attacks.probing", self.url)
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            *arguments,
            stdin=pipe,
            stdout=pipe,
            limit=1 << 24,
            preexec_fn=lambda: os.nice(self.niceness),
        )
        try:
            await asyncio.wait_for(self.answer(), 2 * COMPILING)  # they play
            yield
        except BaseException:
            self.process.kill()
            raise
        assert self.process.stdin is not None
        self.process.stdin.close()

    async def end(self) -> None:
        """Wait until the players' process has ended."""
        assert self.process is not None
        await self.process.communicate()

    async def forget(self) -> dict[str, Waits]:
        """Return the waits so far and begin new ones."""
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.write(b"forget\n")
        return await self.answer()

    async def answer(self) -> dict[str, Waits]:
        """Return the waits that the players report next."""
        assert self.process is not None
        assert self.process.stdout is not None
        found = json.loads(await asyncio.wait_for(self.process.stdout.readline(), 2 * COMPILING + PATIENCE))
        self.table, self.ended = found["table"], found["ended"]
        return {kind: Waits(**waits) for kind, waits in found["waits"].items()}


def report(ordinary: Ordinary) -> None:
    """Print the waits so far and begin new ones."""
    waits: dict[str, Any] = {kind: vars(wait) for kind, wait in ordinary.forget().items()}
    print(json.dumps({"table": ordinary.table, "ended": ordinary.ended, "waits": waits}), flush=True)


async def main(url: str) -> None:
    """Play, and report when asked to, until there is nobody who asks."""
    ordinary = Ordinary(url)
    async with ordinary.playing():
        report(ordinary)
        while await asyncio.to_thread(sys.stdin.readline):
            report(ordinary)
    report(ordinary)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
