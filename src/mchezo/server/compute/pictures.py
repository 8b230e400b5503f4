"""Pictures of games as PNG and GIF: drawn by a child process, and cached."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import re
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from typing import Any

from mchezo.core.animation import thin_out
from mchezo.core.position import Position
from mchezo.server.compute import drawing
from mchezo.server.compute.fairness import RETRY_SECONDS, FairExecutor, QueueLimits
from mchezo.server.domain.payers import Payer
from mchezo.server.domain.table import Table, first_position
from mchezo.server.domain.turns import turn_starts
from mchezo.server.errors import TableError
from mchezo.server.projection import replay

MAX_DRAWING = QueueLimits(guest=3, network=12, total=48)  # pictures, each of which may be an animation
UNBOUNDED = QueueLimits(10_000, 10_000, 10_000)  # a picture has at most one frame in the queue
USUAL_WIDTH = 1_000  # pixels
MAX_CACHED = 48_000_000  # bytes
MAX_FRAMES = 100
CARD_WIDTH, CARD_HEIGHT, MARGIN = 1200, 630, 20  # the size that other sites expect of link previews
SIZE = re.compile(r'width="\d+" height="\d+"')


Draw = Callable[..., bytes]  # a function of drawing.py, and its arguments


@dataclass
class Drawing:
    """A picture that is being drawn, at whose expense, and how many wait for it."""

    payer: Payer
    task: asyncio.Task[bytes]
    waiting: int = 0


def lower_priority() -> None:
    """Give the other processes precedence."""
    os.nice(5)


class Pictures:
    """The process that draws, a fair queue in front of it, and a cache of what it has drawn.

    An animation is queued frame by frame, so that other pictures are drawn in between.
    """

    def __init__(self, draw: Draw | None = None) -> None:
        self.executor = FairExecutor("pictures", 1, UNBOUNDED)
        self.draw = draw or self.draw_in_process
        self.pool: ProcessPoolExecutor | None = None
        self.cache: OrderedDict[Hashable, bytes] = OrderedDict()
        self.drawing: dict[Hashable, Drawing] = {}

    async def png(self, payer: Payer, key: Hashable, svg: Callable[[], str], width: int) -> bytes:
        """Return a picture as a PNG."""

        async def draw() -> bytes:
            return await self.executor.run(payer, cost(width), lambda: self.draw(drawing.png, svg(), width))

        return await self.get(payer, (key, width), draw)

    async def gif(self, payer: Payer, key: Hashable, svgs: Sequence[Callable[[], str]], width: int) -> bytes:
        """Return a game as an animation."""

        async def draw() -> bytes:
            pngs = [await self.executor.run(payer, cost(width), partial(self.draw_frame, svg, width)) for svg in svgs]
            whole = cost(width) * len(pngs)
            return await self.executor.run(payer, whole, lambda: self.draw(drawing.animation, pngs))

        return await self.get(payer, (key, "gif"), draw)

    def draw_frame(self, svg: Callable[[], str], width: int) -> bytes:
        """Return a frame as a PNG."""
        return self.draw(drawing.png, svg(), width)

    async def get(self, payer: Payer, key: Hashable, draw: Callable[[], Coroutine[Any, Any, bytes]]) -> bytes:
        """Return a picture from the cache, or draw it once for all who request it at the same time.

        Drawing is cancelled when nobody waits for it any more.
        """
        if key in self.cache:
            self.cache.move_to_end(key)
            return self.cache[key]
        found = self.drawing.get(key)
        if found is None:
            self.require_room(payer)
            found = self.drawing[key] = Drawing(payer, asyncio.create_task(draw()))
            found.task.add_done_callback(lambda task: self.finish(key, task))
        found.waiting += 1
        try:
            return await asyncio.shield(found.task)
        finally:
            found.waiting -= 1
            if not found.waiting:
                found.task.cancel()

    def require_room(self, payer: Payer) -> None:
        """Refuse another picture if too many of the payer's, or of everybody's, are being drawn."""
        payers = [one.payer for one in self.drawing.values()]
        of_network = sum(one.network == payer.network for one in payers)
        if payers.count(payer) >= MAX_DRAWING.guest or of_network >= MAX_DRAWING.network:
            raise TableError("overloaded", "too-much-waiting", seconds=RETRY_SECONDS)
        if len(payers) >= MAX_DRAWING.total:
            raise TableError("overloaded", "pictures-busy", seconds=RETRY_SECONDS)

    def finish(self, key: Hashable, task: asyncio.Task[bytes]) -> None:
        """Add a picture to the cache."""
        del self.drawing[key]
        if task.cancelled() or task.exception() is not None:
            return
        self.cache[key] = task.result()
        while sum(map(len, self.cache.values())) > MAX_CACHED and len(self.cache) > 1:
            self.cache.popitem(last=False)

    def draw_in_process(self, function: Callable[..., bytes], *arguments: object) -> bytes:
        """Draw in the child process; called by the executor's one thread."""
        if self.pool is None:
            context = multiprocessing.get_context("spawn")
            self.pool = ProcessPoolExecutor(1, mp_context=context, initializer=lower_priority)
        try:
            return self.pool.submit(function, *arguments).result()
        except BrokenProcessPool as error:
            self.pool = None  # the next picture gets a new one
            raise TableError("overloaded", "pictures-busy", seconds=RETRY_SECONDS) from error

    def stop(self) -> None:
        """Stop the process."""
        self.executor.stop()
        if self.pool is not None:
            for process in (self.pool._processes or {}).values():
                process.terminate()
            self.pool.shutdown(wait=False, cancel_futures=True)


def cost(width: int) -> float:
    """Return what drawing a picture costs, in pictures of the usual size."""
    return (width / USUAL_WIDTH) ** 2


def frames(position: Position, viewer: replay.Viewer) -> list[Callable[[], str]]:
    """Return functions that draw the start and the end of every turn; a long game is thinned out, but keeps its end."""
    ends = [*turn_starts(position), len(position.steps)]
    return [partial(frame, position, viewer, moves_made) for moves_made in thin_out(ends, MAX_FRAMES)]


def frame(position: Position, viewer: replay.Viewer, moves_made: int) -> str:
    """Return a game after this many moves as an SVG."""
    return position.game.pictures.svg(replay.view_for(replay.position_after(position, moves_made), viewer))


def card(table: Table) -> str:
    """Return the preview of a link to a table: the board as a spectator sees it, in the size that sites expect."""
    position = table.position or first_position(table.creation)
    board = table.game.pictures.svg(position.view(None))
    # A nested SVG keeps its own aspect ratio.
    place = f'x="{MARGIN}" y="{MARGIN}" width="{CARD_WIDTH - 2 * MARGIN}" height="{CARD_HEIGHT - 2 * MARGIN}"'
    inner = SIZE.sub(place, board, count=1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {CARD_WIDTH} {CARD_HEIGHT}">'
        f'<rect width="{CARD_WIDTH}" height="{CARD_HEIGHT}" fill="{table.game.pictures.background}"/>{inner}</svg>'
    )
