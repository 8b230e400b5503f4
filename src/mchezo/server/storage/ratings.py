"""Ratings: the log of rated results, and what follows from it, in the transaction that ends the game.

The results are numbered in the order of their commits, under a lock that the processes on one database share. A result
and the ratings that it changes are one transaction, and a table has one result: nothing is lost or counted twice,
whenever a process is killed. `rebuild` computes everything again from the log.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, groupby
from typing import Any, NamedTuple

import sqlalchemy as sa

from mchezo.ratings.games import COUNTED_A_DAY, Anchor, Entrant, rate_game
from mchezo.ratings.glicko import DAY, POINT, Rating
from mchezo.server.domain.rated import RatedResult, RatedSeat
from mchezo.server.storage.database import Database, set_counter
from mchezo.server.storage.schema import RATED_GAMES, RATED_SEATS, RATINGS

COUNTER = "ratings"  # the setting that holds the last number
LEVEL_DEVIATION = 25.0  # points: the standard error of a level's rating


class RatedPlayer(NamedTuple):
    """A seat of a rated game, with the ratings before and after it, in hundredths of a point."""

    guest: str | None
    level: int | None
    place: int
    before: int
    after: int | None


class CurvePoint(NamedTuple):
    """A rating after a game."""

    at: int
    rating: int
    deviation: int


class OwnGame(NamedTuple):
    """A rated game of a player, with their rating before and after it."""

    table: str
    pool: str
    at: int
    before: int
    after: int | None


class Rebuilt(NamedTuple):
    """What a rebuild found."""

    games: int
    ratings: int
    changed: int  # rows that were different


def record(database: Database, connection: sa.Connection, result: RatedResult) -> None:
    """Write a result down, and change the ratings of those who played, unless it was written down before."""
    number = lock(database, connection) + 1
    known = sa.select(RATED_GAMES.c.number).where(RATED_GAMES.c.table_id == result.table)
    if connection.scalar(known) is not None or met_too_often(connection, result):
        return
    set_counter(connection, COUNTER, number)
    row = {"number": number, "table_id": result.table, "pool": result.pool, "at": result.at}
    connection.execute(sa.insert(RATED_GAMES), row)
    people = [seat.guest for seat in result.seats if seat.guest is not None]
    ratings = read_ratings(connection, result.pool, people)
    rows = apply(ratings, number, result.at, result.seats)
    connection.execute(sa.insert(RATED_SEATS), rows)
    stored = {row["guest"] for row in rows if row["after"] is not None}
    changed = sa.delete(RATINGS).where(RATINGS.c.pool == result.pool, RATINGS.c.guest.in_(stored))
    connection.execute(changed)
    if stored:
        connection.execute(sa.insert(RATINGS), [rating_row(one, result.pool, ratings[one]) for one in sorted(stored)])


def lock(database: Database, connection: sa.Connection) -> int:
    """Lock the log of results until the end of the transaction; return its last number."""
    return database.lock_counter(connection, COUNTER)


def met_too_often(connection: sa.Connection, result: RatedResult) -> bool:
    """Return whether two of the players have met as often as counts within a day."""
    one, other = RATED_SEATS.alias(), RATED_SEATS.alias()
    met = sa.select(sa.func.count()).select_from(one).join(other, other.c.number == one.c.number)
    met = met.join(RATED_GAMES, RATED_GAMES.c.number == one.c.number)
    met = met.where(RATED_GAMES.c.pool == result.pool, RATED_GAMES.c.at > result.at - DAY)
    for first, second in combinations(sorted(result.seats, key=lambda seat: seat.guest is None), 2):
        if first.guest is None:
            continue
        who = other.c.level == second.level if second.guest is None else other.c.guest == second.guest
        if (connection.scalar(met.where(one.c.guest == first.guest, who)) or 0) >= COUNTED_A_DAY:
            return True
    return False


def apply(ratings: dict[str, Rating], number: int, at: int, seats: Sequence[RatedSeat]) -> list[dict[str, Any]]:
    """Change the ratings by a game; return its rows."""
    entrants = [
        Entrant(
            Anchor(float(seat.anchor or 0), LEVEL_DEVIATION) if seat.guest is None else ratings[seat.guest], seat.place
        )
        for seat in seats
    ]
    after = rate_game(entrants, at)
    rows = []
    for index, (seat, rating) in enumerate(zip(seats, after, strict=True)):
        before = (seat.anchor or 0) * POINT if seat.guest is None else ratings[seat.guest].rating
        rows.append(
            {
                "number": number,
                "seat": index,
                "guest": seat.guest,
                "level": seat.level,
                "place": seat.place,
                "before": before,
                "after": None if rating is None else rating.rating,
                "deviation": None if rating is None else rating.deviation,
            }
        )
    for seat, rating in zip(seats, after, strict=True):
        if seat.guest is not None and rating is not None:
            ratings[seat.guest] = rating
    return rows


def read_ratings(connection: sa.Connection, pool: str, guests: Sequence[str]) -> dict[str, Rating]:
    """Return the ratings of these guests in a pool; a new player has the first one."""
    query = sa.select(RATINGS).where(RATINGS.c.pool == pool, RATINGS.c.guest.in_(guests))
    found = {row.guest: rating_of(row) for row in connection.execute(query)}
    return {guest: found.get(guest, Rating()) for guest in guests}


def rating_of(row: Any) -> Rating:
    """Return a stored rating."""
    return Rating(row.rating, row.deviation, row.volatility, row.games, row.at)


def rating_row(guest: str, pool: str, rating: Rating) -> dict[str, Any]:
    """Return a rating as it is stored."""
    return {"guest": guest, "pool": pool, **rating._asdict()}


def forget(database: Database, connection: sa.Connection, guest: str, unknown: str) -> None:
    """Replace a guest who leaves with an unknown one, so that the others' ratings can still be computed."""
    lock(database, connection)
    for table in (RATED_SEATS, RATINGS):
        connection.execute(sa.update(table).where(table.c.guest == guest).values(guest=unknown))


def logged_games(connection: sa.Connection) -> Iterator[tuple[int, str, int, list[Any]]]:
    """Yield the log: number, pool, time and seats of every rated game."""
    columns = (RATED_GAMES.c.pool, RATED_GAMES.c.at, RATED_SEATS)
    query = sa.select(*columns).join(RATED_SEATS, RATED_SEATS.c.number == RATED_GAMES.c.number)
    rows = connection.execute(query.order_by(RATED_SEATS.c.number, RATED_SEATS.c.seat))
    for number, group in groupby(rows, key=lambda row: row.number):
        seats = list(group)
        yield number, seats[0].pool, seats[0].at, seats


def rebuild(database: Database) -> Rebuilt:
    """Compute all ratings again from the log of results, and store what is different."""
    with database.begin() as connection:
        lock(database, connection)
        ratings: dict[str, dict[str, Rating]] = {}
        games, wrong = 0, []
        for number, pool, at, seats in logged_games(connection):
            games += 1
            of_pool = ratings.setdefault(pool, {})
            for seat in seats:
                if seat.guest is not None:
                    of_pool.setdefault(seat.guest, Rating())
            played = [
                RatedSeat(row.guest, row.level, row.place, row.before // POINT if row.guest is None else None)
                for row in seats
            ]
            for row, found in zip(apply(of_pool, number, at, played), seats, strict=True):
                if any(row[name] != getattr(found, name) for name in ("before", "after", "deviation")):
                    wrong.append(row)
        for row in wrong:
            at_seat = (RATED_SEATS.c.number == row["number"]) & (RATED_SEATS.c.seat == row["seat"])
            values = {name: row[name] for name in ("before", "after", "deviation")}
            connection.execute(sa.update(RATED_SEATS).where(at_seat).values(values))
        due = {
            (guest, pool): rating for pool, those in ratings.items() for guest, rating in those.items() if rating.games
        }
        stored = {(row.guest, row.pool): rating_of(row) for row in connection.execute(sa.select(RATINGS))}
        for guest, pool in stored.keys() - due.keys():
            connection.execute(sa.delete(RATINGS).where(RATINGS.c.guest == guest, RATINGS.c.pool == pool))
        different = [key for key, rating in due.items() if stored.get(key) != rating]
        for guest, pool in different:
            connection.execute(sa.delete(RATINGS).where(RATINGS.c.guest == guest, RATINGS.c.pool == pool))
            connection.execute(sa.insert(RATINGS), rating_row(guest, pool, due[guest, pool]))
        changed = len(wrong) + len(different) + len(stored.keys() - due.keys())
    return Rebuilt(games, len(due), changed)


class StoredRatings:
    """Reads ratings."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def of(self, guest: str) -> dict[str, Rating]:
        """Return a player's ratings by pool."""
        query = sa.select(RATINGS).where(RATINGS.c.guest == guest).order_by(RATINGS.c.pool)
        with self.database.engine.connect() as connection:
            return {row.pool: rating_of(row) for row in connection.execute(query)}

    def games_of(self, guest: str) -> list[OwnGame]:
        """Return a player's rated games, oldest first."""
        columns = (RATED_GAMES.c.table_id, RATED_GAMES.c.pool, RATED_GAMES.c.at, RATED_SEATS.c.before)
        query = sa.select(*columns, RATED_SEATS.c.after)
        query = query.join(RATED_SEATS, RATED_SEATS.c.number == RATED_GAMES.c.number)
        query = query.where(RATED_SEATS.c.guest == guest).order_by(RATED_GAMES.c.number)
        with self.database.engine.connect() as connection:
            return [OwnGame(*row) for row in connection.execute(query)]

    def curve(self, guest: str, pool: str, limit: int = 500) -> list[CurvePoint]:
        """Return a player's rating after each of the last games that changed it, oldest first."""
        query = sa.select(RATED_GAMES.c.at, RATED_SEATS.c.after, RATED_SEATS.c.deviation)
        query = query.join(RATED_SEATS, RATED_SEATS.c.number == RATED_GAMES.c.number)
        query = query.where(RATED_SEATS.c.guest == guest, RATED_GAMES.c.pool == pool, RATED_SEATS.c.after.is_not(None))
        with self.database.engine.connect() as connection:
            newest = connection.execute(query.order_by(RATED_GAMES.c.number.desc()).limit(limit)).all()
        return [CurvePoint(*row) for row in reversed(newest)]

    def game(self, table: str) -> tuple[str | None, list[RatedPlayer]]:
        """Return the pool of a game and what it changed, by seat; nothing if it did not count."""
        query = sa.select(RATED_GAMES.c.pool, RATED_SEATS).join(
            RATED_GAMES, RATED_GAMES.c.number == RATED_SEATS.c.number
        )
        query = query.where(RATED_GAMES.c.table_id == table).order_by(RATED_SEATS.c.seat)
        with self.database.engine.connect() as connection:
            rows = connection.execute(query).all()
        seats = [RatedPlayer(row.guest, row.level, row.place, row.before, row.after) for row in rows]
        return (rows[0].pool if rows else None), seats
