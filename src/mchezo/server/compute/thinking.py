"""What a computer thinks on request: hints for players, estimates of variations."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from mchezo.core.structs import CHANCE
from mchezo.search.thought import Stop, Thought
from mchezo.server import messages
from mchezo.server.compute.compiling import Readiness
from mchezo.server.compute.fairness import FairExecutor, QueueLimits
from mchezo.server.compute.opponents import Opponents
from mchezo.server.domain.payers import Payer
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.projection import replay
from mchezo.server.projection.hints import hinted, play_unsent, require_hint

MAX_SECONDS = 5.0
WAITING = QueueLimits(guest=3, network=12, total=100)  # a person reads one hint at a time
T = TypeVar("T")


class Thinking:
    """The computer players, and the threads that ask them on behalf of clients."""

    def __init__(self, opponents: Opponents, readiness: Readiness, threads: int) -> None:
        self.opponents = opponents
        self.readiness = readiness
        self.executor = FairExecutor("thinking", max(1, threads), WAITING)

    async def think(self, payer: Payer, nodes: int, think: Callable[[Stop], T]) -> T:
        """Think for a limited time; a caller that is cancelled stops it."""
        cancelled = threading.Event()

        def limited() -> T:
            end = time.monotonic() + MAX_SECONDS
            return think(lambda: cancelled.is_set() or time.monotonic() > end)

        try:
            return await self.executor.run(payer, nodes, limited)
        finally:
            cancelled.set()


async def hint(thinking: Thinking, table: Table, payer: Payer, asked: messages.HintRequest) -> messages.Hinted:
    """Return what a computer would play for the guest's seat, and why not the next best move."""
    require_hint(table, payer.guest, asked)
    require_players(thinking.readiness, table)
    assert table.position is not None
    game, position = table.creation.game, table.position.copy()
    player, nodes = thinking.opponents.player(game, asked.level), thinking.opponents.nodes(game, asked.level)
    analyst = thinking.opponents.analyst(game)

    def think(stop: Stop) -> messages.Hinted:
        from mchezo.search.alternatives import alternative  # which imports the searches

        play_unsent(position, asked.moves)
        thought = player.think(position, stop=stop)
        return hinted(thought, asked.id, alternative(position, thought, analyst, nodes=nodes, stop=stop))

    return await thinking.think(payer, 2 * nodes, think)


async def estimate(thinking: Thinking, table: Table, payer: Payer, asked: messages.Vary) -> messages.Hinted:
    """Evaluate the position that a variation of a finished game leads to, as thoroughly as the game's analysis does."""
    require_players(thinking.readiness, table)
    nodes = table.game.computers.analysis_nodes
    analyst = thinking.opponents.analyst(table.creation.game)

    def think(stop: Stop) -> Thought:
        position = replay.variation_position(table, asked)
        if position.to_move is None or position.to_move == CHANCE:
            raise TableError("not-possible", "nothing-to-judge")
        return analyst.best(position, 1, nodes=nodes, stop=stop)[0]

    return hinted(await thinking.think(payer, nodes, think), "judge")


def require_players(readiness: Readiness, table: Table) -> None:
    """Refuse while the computer players are still being compiled."""
    if not readiness.players.ready:
        raise TableError("not-ready", "compiling", game=table.creation.game)
