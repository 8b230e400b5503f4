"""Computer players in a worker of their own, which is ended to stop them."""

from __future__ import annotations

from functools import cache

import msgspec

from mchezo.local.tables import Turn
from mchezo.search.players import Player, player
from mchezo.server.domain import log
from mchezo.server.domain.table import Table


def think(turn: bytes) -> list[str]:
    """Return the moves of a computer's turn."""
    asked = msgspec.json.decode(turn, type=Turn)
    table = Table(asked.table, [log.decode(fact.encode()) for fact in asked.facts])
    assert table.position is not None
    found = player_of(table.creation.game, asked.level)
    return found.turn(table.position.copy(), seconds=asked.seconds)


@cache
def player_of(game: str, level: int) -> Player:
    """Return a player, which keeps what it learned from turn to turn."""
    return player(game, level)
