"""Pictures of games as PNG and GIF: drawn by a process beside this one, and kept for a while."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import re
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from mchezo.core.position import Position
from mchezo.server import drawing, replay
from mchezo.server.refusals import TableRefusal
from mchezo.server.table import Table, first_position

MOST_WAITING = 8  # pictures to be drawn
MOST_KEPT = 48_000_000  # bytes
MOST_FRAMES = 100
GIF_WIDTHS = {"katarenga": 400, "kiwara": 400, "kitara": 640}  # its cards and figures are small
CARD_WIDTH, CARD_HEIGHT, MARGIN = 1200, 630, 20  # as other sites show links
SIZE = re.compile(r'width="\d+" height="\d+"')
GROUND = {"katarenga": "#2f180b", "kiwara": "#6d7a2c", "kitara": "#8c5a2c"}


def lower_priority() -> None:
    """Games come first."""
    os.nice(5)


class Pictures:
    """The process that draws, and what it has drawn."""

    def __init__(self) -> None:
        self.pool: ProcessPoolExecutor | None = None
        self.waiting = 0
        self.kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self.drawn: dict[Hashable, asyncio.Task[bytes]] = {}

    async def png(self, key: Hashable, svg: Callable[[], str], width: int) -> bytes:
        """A picture; what was drawn before is not drawn again."""
        return await self.find((key, width), lambda: (drawing.png, svg(), width))

    async def gif(self, key: Hashable, svgs: Callable[[], list[str]], width: int) -> bytes:
        """A whole game."""
        return await self.find((key, "gif"), lambda: (drawing.gif, svgs(), width))

    async def find(self, key: Hashable, work: Callable[[], tuple[Callable[..., bytes], object, int]]) -> bytes:
        """What is kept, or what is drawn now, once for all who ask for it."""
        if key in self.kept:
            self.kept.move_to_end(key)
            return self.kept[key]
        task = self.drawn.get(key)
        if task is None:
            if self.waiting >= MOST_WAITING:
                raise TableRefusal("overloaded", "pictures-busy")
            task = self.drawn[key] = asyncio.create_task(self.draw(key, work))
            task.add_done_callback(lambda _: self.drawn.pop(key, None))
        return await asyncio.shield(task)

    async def draw(self, key: Hashable, work: Callable[[], tuple[Callable[..., bytes], object, int]]) -> bytes:
        """Draw, and keep."""
        self.waiting += 1
        try:
            function, what, width = await asyncio.to_thread(work)
            if self.pool is None:
                context = multiprocessing.get_context("spawn")
                self.pool = ProcessPoolExecutor(1, mp_context=context, initializer=lower_priority)
            try:
                picture = await asyncio.get_running_loop().run_in_executor(self.pool, function, what, width)
            except BrokenProcessPool as error:
                self.pool = None  # the next picture gets a new one
                raise TableRefusal("overloaded", "pictures-busy") from error
        finally:
            self.waiting -= 1
        self.kept[key] = picture
        while sum(map(len, self.kept.values())) > MOST_KEPT and len(self.kept) > 1:
            self.kept.popitem(last=False)
        return picture

    def stop(self) -> None:
        """Draw no more."""
        if self.pool is not None:
            for process in (self.pool._processes or {}).values():
                process.terminate()
            self.pool.shutdown(wait=False, cancel_futures=True)


def frames(position: Position, eyes: replay.Whose) -> list[str]:
    """The start and every turn's end as pictures; of a long game as many as there is room for, the end among them."""
    ends = [*replay.turns(position), len(position.steps)]
    every = -(-len(ends) // MOST_FRAMES)
    chosen = sorted({*ends[::every], ends[-1]})
    return [position.game.picture(replay.view(replay.at(position, made), eyes)) for made in chosen]


def card(table: Table) -> str:
    """The picture beside a link to a table: the board as a spectator sees it, in the shape that other sites like."""
    position = table.position or first_position(table.made)
    board = table.game.picture(position.view(None))
    # A picture inside a picture keeps its own proportions.
    place = f'x="{MARGIN}" y="{MARGIN}" width="{CARD_WIDTH - 2 * MARGIN}" height="{CARD_HEIGHT - 2 * MARGIN}"'
    inner = SIZE.sub(place, board, count=1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {CARD_WIDTH} {CARD_HEIGHT}">'
        f'<rect width="{CARD_WIDTH}" height="{CARD_HEIGHT}" fill="{GROUND[table.made.game]}"/>{inner}</svg>'
    )
