"""What a computer thinks when it is asked: hints for those who play computers, judgements of variations."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

from mchezo.core.structs import CHANCE
from mchezo.search.thought import Stop, Thought
from mchezo.server import analyses, commands, messages, replay, sight
from mchezo.server.refusals import TableRefusal
from mchezo.server.rooms import Room
from mchezo.server.service import Service
from mchezo.server.table import Table

MOST_SECONDS = 5.0
T = TypeVar("T")


async def hint(service: Service, room: Room, guest: str, asked: messages.Hint) -> messages.Hinted:
    """Think for the guest's seat; who goes away stops it."""
    table = room.table
    commands.need_running(table)
    seat = sight.viewing_seat(table, guest, sight.AUTO if asked.seat is None else asked.seat)
    if seat is None or table.to_move != seat:
        raise TableRefusal("not-your-turn", "not-your-turn")
    if asked.decision != table.decision:
        raise TableRefusal("stale", "stale")
    if not sight.may_hint(table, table.held_by(guest)):
        raise TableRefusal("not-possible", "no-hints")
    need_players(service, table)
    assert table.position is not None
    player, position = service.opponents.player(table.made.game, asked.level), table.position.copy()
    return told(await thinking(lambda stop: player.think(position, stop=stop)), asked.id)


async def judge(service: Service, table: Table, asked: messages.Vary) -> messages.Hinted:
    """Judge a position that a variation of a finished game has led to, as exactly as the game's analysis does."""
    position = await asyncio.to_thread(replay.varied, table, asked)
    if position.to_move is None or position.to_move == CHANCE:
        raise TableRefusal("not-possible", "nothing-to-judge")
    need_players(service, table)
    analyst = service.opponents.analyst(table.made.game)
    nodes = analyses.nodes(table.made.game)
    return told((await thinking(lambda stop: analyst.best(position, 1, nodes=nodes, stop=stop)))[0], "judge")


def need_players(service: Service, table: Table) -> None:
    """Refuse while the computer players are still being compiled."""
    if not service.readiness.players.ready:
        raise TableRefusal("not-ready", "compiling", game=table.made.game)


async def thinking(think: Callable[[Stop], T]) -> T:
    """Think in a thread, for so long; who goes away stops it."""
    stop = threading.Event()
    timer = asyncio.get_running_loop().call_later(MOST_SECONDS, stop.set)
    try:
        return await asyncio.to_thread(think, stop.is_set)
    finally:
        stop.set()
        timer.cancel()


def told(thought: Thought, id: str) -> messages.Hinted:
    """A thought as a message."""
    return messages.Hinted(
        id=id,
        moves=list(thought.moves),
        turn=thought.turn,
        chances=list(thought.chances),
        points=list(thought.points),
        depth=thought.depth,
        nodes=thought.nodes,
        solved=thought.solved,
    )
