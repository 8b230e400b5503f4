"""A line between browser and server that can be cut as lines are: what is open breaks, what is new is refused."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any


class Line:
    """Passes bytes on both ways until it is cut."""

    def __init__(self, server: str) -> None:
        host, _, port = server.removeprefix("http://").partition(":")
        self.server = host, int(port)
        self.writers: set[asyncio.StreamWriter] = set()
        self.whole = True
        self.refused = 0  # connections that were tried while it was cut
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.listening = self._wait(asyncio.start_server(self._pass_on, "127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listening.sockets[0].getsockname()[1]}"

    def cut(self) -> None:
        """Break everything that is open, without a word."""
        self.loop.call_soon_threadsafe(self._break)

    def mend(self) -> None:
        """From now on connections are passed on again."""
        self.whole = True

    def close(self) -> None:
        self._wait(self._end())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)

    async def _end(self) -> None:
        self.listening.close()
        self._break()
        await asyncio.sleep(0.1)  # until all who pass on have noticed

    def _wait(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(10)

    def _break(self) -> None:
        self.whole = False
        for writer in self.writers:
            writer.transport.abort()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.whole:
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
                target.write(data)
                await target.drain()
        except OSError:
            pass
        finally:
            target.close()
