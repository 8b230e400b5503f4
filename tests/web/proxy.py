"""A TCP proxy between browser and server whose connections can be cut and slowed down."""

import asyncio
import random
import threading
from collections.abc import Coroutine
from typing import Any


class Proxy:
    """Forwards bytes in both directions until it is cut."""

    def __init__(self, server: str) -> None:
        host, _, port = server.removeprefix("http://").partition(":")
        self.server = host, int(port)
        self.writers: set[asyncio.StreamWriter] = set()
        self.connected = True
        self.refused = 0  # connections attempted while it was cut
        self.delay = 0.0  # seconds, in each direction
        self.trouble: asyncio.Task[None] | None = None
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.listening = self._wait(asyncio.start_server(self._forward, "127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listening.sockets[0].getsockname()[1]}"

    def cut(self) -> None:
        """Abort all open connections and refuse new ones."""
        self.loop.call_soon_threadsafe(self._abort)

    def restore(self) -> None:
        """Forward connections again."""
        self.connected = True

    def disturb(self, seed: int) -> None:
        """Cut, restore and slow down the line at random times, until it is calmed."""

        async def begin() -> None:
            self.trouble = asyncio.create_task(self._disturb(random.Random(seed)))

        self._wait(begin())

    def calm(self) -> None:
        """Stop disturbing."""

        async def end() -> None:
            if self.trouble is not None:
                self.trouble.cancel()
            self.trouble, self.delay, self.connected = None, 0.0, True

        self._wait(end())

    def close(self) -> None:
        self._wait(self._end())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()

    async def _end(self) -> None:
        self.listening.close()
        self._abort()
        await asyncio.sleep(0.1)  # until the forwarding tasks have ended

    def _wait(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    async def _disturb(self, rng: random.Random) -> None:
        while True:
            await asyncio.sleep(rng.uniform(0.1, 1.2))
            self.delay = rng.choice([0.0, 0.02, 0.15])
            if rng.random() < 0.4:
                self._abort()
                await asyncio.sleep(rng.uniform(0.0, 0.4))
                self.connected = True

    def _abort(self) -> None:
        self.connected = False
        for writer in self.writers:
            writer.transport.abort()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.connected:
            self.refused += 1
            writer.transport.abort()
            return
        try:
            from_server, to_server = await asyncio.open_connection(*self.server)
        except OSError:
            writer.transport.abort()
            return
        self.writers |= {writer, to_server}
        await asyncio.gather(self._copy(reader, to_server), self._copy(from_server, writer))
        self.writers -= {writer, to_server}

    async def _copy(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65_536):
                if self.delay:
                    await asyncio.sleep(self.delay)
                target.write(data)
                await target.drain()
        except OSError:
            pass
        finally:
            target.close()
