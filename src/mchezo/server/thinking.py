"""Hints: what a computer of some level would do, for those who play computers."""

from __future__ import annotations

import asyncio
import threading

from mchezo.server import commands, messages, sight
from mchezo.server.refusals import TableRefusal
from mchezo.server.rooms import Room
from mchezo.server.service import Service

MOST_SECONDS = 5.0


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
    if not service.readiness.players.ready:
        raise TableRefusal("not-ready", "compiling", game=table.made.game)
    assert table.position is not None
    player = service.opponents.player(table.made.game, asked.level)
    stop, position = threading.Event(), table.position.copy()
    timer = asyncio.get_running_loop().call_later(MOST_SECONDS, stop.set)
    try:
        thought = await asyncio.to_thread(player.think, position, stop=stop.is_set)
    finally:
        stop.set()
        timer.cancel()
    return messages.Hinted(
        id=asked.id,
        moves=list(thought.moves),
        turn=thought.turn,
        chances=list(thought.chances),
        points=list(thought.points),
        depth=thought.depth,
        nodes=thought.nodes,
        solved=thought.solved,
    )
