"""The moves of the finished public games of this server, by position; counted from the logs of the tables.

The counts are kept in memory and bounded: the newest games, a few of them read for every request until all are known.
Nothing is stored that the logs do not have.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

from mchezo.core.position import Position
from mchezo.explorer.counts import Counts, Explored, Played, decisions
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.storage.tables import StoredTables

GAMES = 2_000  # of each game, newest first
BATCH = 25  # games that are read for one request
LISTED_FOR = 30.0  # seconds until new games are looked for
EVER = 1 << 62


@dataclass
class GameCounts:
    """What is known of one game: each table's decisions, and their counts."""

    listed: list[str] = field(default_factory=list)
    listed_at: float = float("-inf")
    tables: dict[str, tuple[Played, ...]] = field(default_factory=dict)
    counts: Counts = field(default_factory=Counts)


class StoredExplorer:
    """Counts the moves of finished public games."""

    def __init__(self, tables: StoredTables) -> None:
        self.tables = tables
        self.lock = threading.Lock()
        self.games: dict[str, GameCounts] = {}

    def of(self, position: Position) -> list[Explored]:
        """Return the moves that were played in a position, the most frequent first."""
        with self.lock:
            known = self.games.setdefault(position.game.name, GameCounts())
            self.update(position.game.name, known)
            return known.counts.of(position)

    def update(self, game: str, known: GameCounts) -> None:
        """Look for new games, read some that are not known, and drop those that are no longer among the newest."""
        now = time.monotonic()
        if now - known.listed_at > LISTED_FOR:
            known.listed = [id for id, _ in self.tables.finished(game, EVER, GAMES)][:GAMES]
            known.listed_at = now
            for id in known.tables.keys() - set(known.listed):
                known.counts.add(known.tables.pop(id), -1)
        missing = (id for id in known.listed if id not in known.tables)
        for id, _ in zip(missing, range(BATCH), strict=False):
            known.tables[id] = self.read(id)
            known.counts.add(known.tables[id])

    def read(self, id: str) -> tuple[Played, ...]:
        """Return the decisions of a table; none if it cannot be read, or was made from a record."""
        try:
            table = self.tables.load(id)
        except TableError:
            return ()
        return () if table is None else tuple(played_at(table))


def played_at(table: Table) -> list[Played]:
    """Return the decisions of a finished game."""
    if table.position is None or table.ending is None or table.creation.moves:
        return []
    return list(decisions(table.position, table.ending.winners))
