"""Fair play: rated games between people are analysed when nothing else is to be computed, and compared with the engine.

What is found is for an operator (`mchezo admin fair-play`). Nothing follows from it by itself.
"""

from __future__ import annotations

import asyncio
from functools import partial

from mchezo.ratings.fair_play import Compared, compare
from mchezo.server.compute.analyses import decode_moves, request_analysis
from mchezo.server.domain.payers import LAST
from mchezo.server.errors import TableError
from mchezo.server.runtime.failures import logged_failure
from mchezo.server.storage.fair_play import QueuedGame
from mchezo.server.storage.store import Store


class FairPlay:
    """Works through the log of rated games."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def sweep(self) -> None:
        """Request the analyses of the next games, and compare those that are done."""
        if await asyncio.to_thread(self.store.fair_play.is_behind):
            await asyncio.wrap_future(self.store.fair_play.fill_queue())
        for game in await asyncio.to_thread(self.store.fair_play.queued):
            with logged_failure("a game is compared later", game.table):
                await asyncio.to_thread(partial(self.continue_with, game))

    def continue_with(self, game: QueuedGame) -> None:
        """Request the analysis of a game, or store what it found; a game that cannot be analysed is left out."""
        if game.analysis is None:
            if self.store.tables.numbers([game.table]):
                try:
                    request_analysis(self.store, game.table, LAST)
                except TableError:
                    return  # too many wait: people go first
            else:
                self.store.fair_play.settle(game.number, {}).result()  # an operator has removed it
        elif game.analysis == "done":
            row = self.store.analyses.get(game.table)
            moves = [] if row is None else decode_moves(row.found)
            found: dict[int, Compared] = {seat: compare(moves, seat) for seat in {move.seat for move in moves}}
            self.store.fair_play.settle(game.number, found).result()
        elif game.analysis == "failed":
            self.store.fair_play.settle(game.number, {}).result()
