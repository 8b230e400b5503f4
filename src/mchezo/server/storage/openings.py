"""The openings that a player plays: their own first moves in their last games, counted from the logs of the tables."""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
import sqlalchemy as sa

from mchezo.core import registry
from mchezo.server.domain import log
from mchezo.server.domain.summary import Summary
from mchezo.server.storage.database import Database
from mchezo.server.storage.schema import FACTS

GAMES = 200  # of a player, newest first
FIRST_FACTS = 40  # of a table, which contain everybody's first moves
MOVES = 2  # of the player
MOST = 5  # openings of a kind of game and a side
MAX_CACHED = 500

Finished = Sequence[tuple[str, Summary, int]]  # tables, as they are listed


class Opening(NamedTuple):
    """First moves of a player, how often they were played, and what they scored: a win is 1, a draw a half."""

    game: str
    kind: str
    side: str
    moves: tuple[str, ...]
    games: int
    score: float


class StoredOpenings:
    """Counts openings, and keeps what was counted until the player has finished another game."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.lock = threading.Lock()
        self.cached: OrderedDict[tuple[str, str, bool], tuple[int, list[Opening]]] = OrderedDict()

    def of(self, guest: str, game: str | None, public: bool, finished: Finished) -> list[Opening]:
        """Return a player's openings in these finished games, the most frequent first."""
        key, newest = (guest, game or "", public), max((changed for *_, changed in finished), default=0)
        with self.lock:
            known = self.cached.get(key)
        if known is not None and known[0] == newest:
            return known[1]
        found = count_openings(guest, finished, self.first_moves([id for id, *_ in finished]))
        with self.lock:
            self.cached[key] = newest, found
            self.cached.move_to_end(key)
            while len(self.cached) > MAX_CACHED:
                self.cached.popitem(last=False)
        return found

    def first_moves(self, tables: Sequence[str]) -> dict[str, dict[int, tuple[str, ...]]]:
        """Return the first moves of every seat of these tables; nothing of a game that began in the middle."""
        query = sa.select(FACTS.c.table_id, FACTS.c.fact).where(FACTS.c.table_id.in_(list(tables)))
        query = query.where(FACTS.c.number < FIRST_FACTS).order_by(FACTS.c.table_id, FACTS.c.number)
        found: dict[str, dict[int, tuple[str, ...]]] = {}
        continued = set()
        with self.database.engine.connect() as connection:
            for table, encoded in connection.execute(query):
                try:
                    fact = log.decode(encoded)
                except msgspec.MsgspecError:
                    continued.add(table)  # damaged
                    continue
                if isinstance(fact, log.TableCreated) and (fact.moves or fact.asked_options.get("position")):
                    continued.add(table)
                elif isinstance(fact, log.MovesTakenBack):
                    found[table] = {}
                    continued.add(table)
                elif isinstance(fact, log.MovePlayed):
                    seats = found.setdefault(table, {})
                    seats[fact.seat] = (*seats.get(fact.seat, ()), fact.move)[:MOVES]
        return {table: seats for table, seats in found.items() if table not in continued}


def count_openings(guest: str, finished: Finished, moves: Mapping[str, Mapping[int, tuple[str, ...]]]) -> list[Opening]:
    """Return the openings of a player in these games, by kind of game and side."""
    counts: dict[tuple[str, str, str, tuple[str, ...]], list[float]] = defaultdict(list)
    for table, summary, _ in finished:
        if table not in moves or summary.winners is None:
            continue
        game = registry.find(summary.game)
        kind = summary.game if game.rated is None else game.rated.kind(summary.options)
        for seat, occupant in enumerate(summary.seats):
            played = moves[table].get(seat, ())
            if occupant.holder == guest and len(played) == MOVES:
                score = 0.5 if not summary.winners else float(seat in summary.winners)
                counts[summary.game, kind, side_of(summary, seat), played].append(score)
    openings = [Opening(*key, len(scores), sum(scores)) for key, scores in counts.items()]
    openings.sort(key=lambda one: (-one.games, -one.score, one.moves))
    shown: dict[tuple[str, str], int] = defaultdict(int)
    listed = []
    for one in openings:
        shown[one.kind, one.side] += 1
        if shown[one.kind, one.side] <= MOST:
            listed.append(one)
    return listed


def side_of(summary: Summary, seat: int) -> str:
    """Return the side of a seat."""
    return registry.find(summary.game).setup.seats(summary.options)[seat]
