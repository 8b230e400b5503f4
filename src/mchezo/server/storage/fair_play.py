"""How the moves of people in rated games compare with the engine's: what waits to be compared, and what was found.

The log of rated games is worked through in its order, a few games at a time. Figures follow from analyses that anybody
can repeat; nothing is done to a player because of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any, NamedTuple

import sqlalchemy as sa

from mchezo.ratings.fair_play import Compared
from mchezo.server.identifiers import public_id
from mchezo.server.storage.database import set_counter
from mchezo.server.storage.schema import (
    ACCOUNTS,
    ANALYSES,
    FAIR_PLAY,
    FAIR_PLAY_QUEUE,
    FAIR_PLAY_REVIEWS,
    RATED_GAMES,
    RATED_SEATS,
    SETTINGS,
)
from mchezo.server.storage.stored import Stored

CURSOR = "fair-play"  # the setting that holds the last game that was queued
AT_ONCE = 2  # games that wait for their analysis
SCANNED = 200  # games that are looked at in one step
SHOWN_TABLES = 5


class QueuedGame(NamedTuple):
    """A game that waits to be compared, and how far its analysis is: None if it was not requested yet."""

    number: int
    table: str
    analysis: str | None


class PlayerFigures(NamedTuple):
    """How an account's moves in a kind of game compare with the engine's, since an operator last looked."""

    guest: str  # public id
    name: str | None
    kind: str
    compared: Compared
    tables: list[str]  # the last ones


class StoredFairPlay(Stored):
    """Reads and changes them."""

    def is_behind(self) -> bool:
        """Return whether there are rated games that were not looked at."""
        cursor = sa.select(SETTINGS.c.value).where(SETTINGS.c.name == CURSOR)
        with self.database.engine.connect() as connection:
            last = connection.scalar(sa.select(sa.func.max(RATED_GAMES.c.number))) or 0
            return int(connection.scalar(cursor) or 0) < last

    def fill_queue(self) -> Future[None]:
        """Queue the next rated games between people, unless enough wait."""

        def job(connection: sa.Connection) -> None:
            last = self.database.lock_counter(connection, CURSOR)
            free = AT_ONCE - (connection.scalar(sa.select(sa.func.count()).select_from(FAIR_PLAY_QUEUE)) or 0)
            people = sa.func.count(RATED_SEATS.c.guest)
            query = sa.select(RATED_GAMES.c.number, RATED_GAMES.c.table_id, people)
            query = query.join(RATED_SEATS, RATED_SEATS.c.number == RATED_GAMES.c.number)
            query = query.where(RATED_GAMES.c.number > last, RATED_GAMES.c.number <= last + SCANNED)
            query = query.group_by(RATED_GAMES.c.number, RATED_GAMES.c.table_id).order_by(RATED_GAMES.c.number)
            for number, table, count in connection.execute(query).all() if free > 0 else ():
                if free == 0:
                    break
                last = number
                if count > 1:
                    free -= 1
                    row = {"number": number, "table_id": table}
                    connection.execute(self.database.insert_if_new(FAIR_PLAY_QUEUE), row)
            set_counter(connection, CURSOR, last)

        return self.writer.run(job)

    def queued(self) -> list[QueuedGame]:
        """Return the games that wait to be compared."""
        query = sa.select(FAIR_PLAY_QUEUE, ANALYSES.c.status)
        query = query.outerjoin(ANALYSES, ANALYSES.c.table_id == FAIR_PLAY_QUEUE.c.table_id)
        with self.database.engine.connect() as connection:
            return [QueuedGame(*row) for row in connection.execute(query.order_by(FAIR_PLAY_QUEUE.c.number))]

    def settle(self, number: int, found: Mapping[int, Compared]) -> Future[None]:
        """Store what was found in a game, by seat, and take the game off the queue."""

        def job(connection: sa.Connection) -> None:
            gone = sa.delete(FAIR_PLAY_QUEUE).where(FAIR_PLAY_QUEUE.c.number == number)
            if connection.execute(gone).rowcount != 1:
                return  # another process has
            players = sa.select(RATED_SEATS.c.seat, RATED_SEATS.c.guest).where(RATED_SEATS.c.number == number)
            rows = [
                {"number": number, "seat": seat, "guest": guest, **without_games(found[seat])}
                for seat, guest in connection.execute(players)
                if guest is not None and seat in found and found[seat].decisions
            ]
            if rows:
                connection.execute(self.database.insert_if_new(FAIR_PLAY), rows)

        return self.writer.run(job)

    def figures(self, guest: str | None = None) -> list[PlayerFigures]:
        """Return the figures of all accounts since an operator looked, or everything about one, by kind of game.

        Those most like the engine come first.
        """
        query = sa.select(
            FAIR_PLAY.c.guest,
            ACCOUNTS.c.name,
            RATED_GAMES.c.pool,
            sa.func.count().label("games"),
            *(sa.func.sum(FAIR_PLAY.c[name]).label(name) for name in ("decisions", "agreed", "lost")),
        )
        query = query.join(RATED_GAMES, RATED_GAMES.c.number == FAIR_PLAY.c.number)
        query = query.join(ACCOUNTS, ACCOUNTS.c.guest == FAIR_PLAY.c.guest)
        query = since_review(query) if guest is None else query.where(FAIR_PLAY.c.guest == guest)
        query = query.group_by(FAIR_PLAY.c.guest, ACCOUNTS.c.name, RATED_GAMES.c.pool)
        sums: dict[tuple[str, str, str], Compared] = {}
        with self.database.engine.connect() as connection:
            for row in connection.execute(query):
                key = row.guest, row.name, row.pool.partition(" ")[0]
                found = Compared(row.games, int(row.decisions), int(row.agreed), int(row.lost))
                sums[key] = sums.get(key, Compared()) + found
            listed = [
                PlayerFigures(public_id(who), name, kind, found, self.tables(connection, who, kind))
                for (who, name, kind), found in sums.items()
            ]
        return sorted(listed, key=lambda one: (not one.compared.flagged, -one.compared.agreement, one.name or ""))

    def tables(self, connection: sa.Connection, guest: str, kind: str) -> list[str]:
        """Return the last games of an account that were compared."""
        query = sa.select(RATED_GAMES.c.table_id).join(FAIR_PLAY, FAIR_PLAY.c.number == RATED_GAMES.c.number)
        query = since_review(query.where(FAIR_PLAY.c.guest == guest, RATED_GAMES.c.pool.like(f"{kind} %")))
        return list(connection.scalars(query.order_by(RATED_GAMES.c.number.desc()).limit(SHOWN_TABLES)))

    def review(self, guest: str) -> bool:
        """Note that an operator has looked at an account, given by public id: later games count again."""
        now = self.database.now()

        def job(connection: sa.Connection) -> bool:
            accounts = connection.scalars(sa.select(ACCOUNTS.c.guest))
            found = next((one for one in accounts if public_id(one) == guest), None)
            if found is None:
                return False
            last = connection.scalar(sa.select(sa.func.max(RATED_GAMES.c.number))) or 0
            connection.execute(sa.delete(FAIR_PLAY_REVIEWS).where(FAIR_PLAY_REVIEWS.c.guest == found))
            connection.execute(sa.insert(FAIR_PLAY_REVIEWS), {"guest": found, "number": last, "at": now})
            return True

        return self.writer.run(job).result()


def since_review(query: sa.Select[Any]) -> sa.Select[Any]:
    """Return a query for games after an operator last looked at their player."""
    query = query.outerjoin(FAIR_PLAY_REVIEWS, FAIR_PLAY_REVIEWS.c.guest == FAIR_PLAY.c.guest)
    return query.where(FAIR_PLAY.c.number > sa.func.coalesce(FAIR_PLAY_REVIEWS.c.number, 0))


def without_games(found: Compared) -> dict[str, int]:
    """Return the figures of one game as they are stored."""
    row = found._asdict()
    del row["games"]
    return row


def forget(connection: sa.Connection, guest: str) -> None:
    """Delete the figures of a player who leaves."""
    for table in (FAIR_PLAY, FAIR_PLAY_REVIEWS):
        connection.execute(sa.delete(table).where(table.c.guest == guest))
