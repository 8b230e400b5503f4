"""Stored seeks and challenges.

A table for those who were found, and what says that they were found, is one transaction: the row of every seeker is
changed on the condition that it still waits. So processes that share a database may decide at the same time; one of
them stores its table, and the others find that somebody was faster. Whenever a process is killed, either everybody
still waits, or everybody has the table.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from mchezo.core import registry
from mchezo.ratings.glicko import Rating
from mchezo.server.domain import log
from mchezo.server.domain.pairing import RECENT, Seeker
from mchezo.server.domain.summary import decode_summary
from mchezo.server.errors import TableError
from mchezo.server.identifiers import public_id
from mchezo.server.storage.correspondence_seeks import CorrespondenceSeek, read_correspondence_seeks, row_of
from mchezo.server.storage.quarantine import not_set_aside
from mchezo.server.storage.ratings import read_ratings
from mchezo.server.storage.schema import CHALLENGES, HOLDERS, RELATIONS, SEEKS, TABLES, WAITING_BOTS
from mchezo.server.storage.stored import Stored
from mchezo.server.storage.writer import Append, TooLateError, in_time

GONE = 12_000  # milliseconds without a connection, after which a seek is not matched any more
SHOWN = 60_000  # for which an answer is shown, and a seek waits for its guest to come back
FOUND = 10 * 60_000  # for which the game that was found is kept, unless its guest has seen it before
MAX_SEEKS = 5_000  # in all
MAX_CHALLENGES = 5  # of one challenger that wait
MAX_CHALLENGED = 20  # that wait for one player
MAX_BOTS = 200  # that are listed
decode_player = msgspec.json.Decoder(log.Occupant).decode


class StoredSeek(NamedTuple):
    """A seek as it is stored."""

    id: str
    kind: str
    speed: str
    rated: bool
    player: log.Occupant
    seeker: Seeker
    table: str | None


class StoredChallenge(NamedTuple):
    """A challenge as it is stored."""

    id: str
    by: str
    to: str
    to_name: str
    kind: str
    speed: str
    rated: bool
    player: log.Occupant
    until: int
    status: str
    table: str | None


class WaitingBot(NamedTuple):
    """A bot that waits for challenges."""

    guest: str
    name: str
    games: list[str]

    @property
    def id(self) -> str:
        """How it is named in the lobby."""
        return public_id(self.guest)


class Waiting(NamedTuple):
    """Everything that the lobby shows."""

    seeks: list[StoredSeek]
    challenges: list[StoredChallenge]
    bots: list[WaitingBot]
    correspondence: list[CorrespondenceSeek]


class StoredPairing(Stored):
    """Reads and changes seeks, challenges and waiting bots."""

    def waiting(self, now: int) -> Waiting:
        """Return the seeks of those who are connected, the challenges, and the bots that can be challenged."""
        live = (SEEKS.c.seen > now - GONE) | (SEEKS.c.table_id.is_not(None) & (SEEKS.c.seen > now - FOUND))
        seeks = sa.select(SEEKS).where(live).order_by(SEEKS.c.since, SEEKS.c.id)
        challenges = sa.select(CHALLENGES).where(CHALLENGES.c.until > now).order_by(CHALLENGES.c.until, CHALLENGES.c.id)
        bots = sa.select(WAITING_BOTS).where(WAITING_BOTS.c.seen > now - GONE)
        bots = bots.order_by(WAITING_BOTS.c.name, WAITING_BOTS.c.guest).limit(MAX_BOTS)
        with self.database.engine.connect() as connection:
            return Waiting(
                [as_seek(row) for row in connection.execute(seeks)],
                [as_challenge(row) for row in connection.execute(challenges)],
                [WaitingBot(row.guest, row.name, row.games.split()) for row in connection.execute(bots)],
                read_correspondence_seeks(connection, now),
            )

    def rating(self, guest: str, pool: str, now: int) -> Rating:
        """Return a player's rating in a pool as it is now; a new one's if there is none."""
        with self.database.engine.connect() as connection:
            return read_ratings(connection, pool, [guest])[guest].at_time(now)

    def blocks(self, guests: Collection[str]) -> set[frozenset[str]]:
        """Return the pairs among these guests of whom one has blocked the other."""
        among = list(guests)
        query = sa.select(RELATIONS.c.guest, RELATIONS.c.other).where(RELATIONS.c.kind == "block")
        query = query.where(RELATIONS.c.guest.in_(among), RELATIONS.c.other.in_(among))
        with self.database.engine.connect() as connection:
            return {frozenset(row) for row in connection.execute(query)}

    def seats_had(self, guests: Sequence[str], game: str, kind: str) -> list[list[int]]:
        """Return the seats of each guest in their last games of a kind, newest first."""
        rated = registry.find(game).rated
        assert rated is not None  # it has kinds
        found = []
        with self.database.engine.connect() as connection:
            for guest in guests:
                held = sa.select(HOLDERS.c.table_id).where(HOLDERS.c.guest == guest)
                query = sa.select(TABLES.c.summary).where(TABLES.c.id.in_(held), TABLES.c.game == game)
                query = query.where(TABLES.c.status != "open", not_set_aside(TABLES.c.id))
                newest = connection.scalars(query.order_by(TABLES.c.created.desc()).limit(3 * RECENT))
                seats = []
                for summary in map(decode_summary, newest):
                    of = [seat for seat, one in enumerate(summary.seats) if one.holder == guest]
                    if len(of) == 1 and rated.kind(summary.options) == kind:
                        seats += of
                found.append(seats[:RECENT])
        return found

    # Seeks

    def seek(self, seek: StoredSeek, now: int) -> Future[None]:
        """Store a seek in place of the guest's last one; a game that was just found stays."""
        row = row_of(seek.id, seek.kind, seek.rated, seek.player, seek.seeker)
        row |= {"speed": seek.speed, "seen": now}

        def job(connection: sa.Connection) -> None:
            waits = SEEKS.c.table_id.is_(None)
            replaced = (SEEKS.c.guest == seek.seeker.guest) & (waits | (SEEKS.c.seen <= now - SHOWN))
            connection.execute(sa.delete(SEEKS).where(replaced))
            if (connection.scalar(sa.select(sa.func.count()).select_from(SEEKS).where(waits)) or 0) >= MAX_SEEKS:
                raise TableError("overloaded", "overloaded")
            connection.execute(self.database.insert_if_new(SEEKS), row)

        return self.writer.run(job)

    def withdraw(self, guest: str, before: int | None = None) -> Future[None]:
        """Remove a guest's seek, unless a game was found; one that was seen since `before` stays."""
        gone = sa.delete(SEEKS).where(SEEKS.c.guest == guest, SEEKS.c.table_id.is_(None))
        if before is not None:
            gone = gone.where(SEEKS.c.seen <= before)
        return self.writer.run(lambda connection: connection.execute(gone).close())

    def arrive(self, guest: str, table: str) -> Future[None]:
        """Remove a guest's seek: they know of the game that was found."""
        known = sa.delete(SEEKS).where(SEEKS.c.guest == guest, SEEKS.c.table_id == table)
        return self.writer.run(lambda connection: connection.execute(known).close())

    def seen(self, guests: Collection[str], bots: Mapping[str, tuple[str, Sequence[str]]], now: int) -> Future[None]:
        """Record that these guests and bots are connected; remove what is over."""

        def job(connection: sa.Connection) -> None:
            for guest in sorted(guests):
                here = (SEEKS.c.guest == guest) & SEEKS.c.table_id.is_(None)
                connection.execute(sa.update(SEEKS).where(here).values(seen=now))
            connection.execute(sa.delete(SEEKS).where(SEEKS.c.seen < now - SHOWN, SEEKS.c.table_id.is_(None)))
            connection.execute(sa.delete(SEEKS).where(SEEKS.c.seen < now - FOUND))
            for guest, (name, games) in sorted(bots.items()):
                row = {"guest": guest, "name": name, "games": " ".join(games), "seen": now}
                connection.execute(self.database.insert_if_new(WAITING_BOTS), row)
                connection.execute(sa.update(WAITING_BOTS).where(WAITING_BOTS.c.guest == guest).values(**row))
            connection.execute(sa.delete(WAITING_BOTS).where(WAITING_BOTS.c.seen < now - SHOWN))
            late = (CHALLENGES.c.until <= now) & (CHALLENGES.c.status == "waiting")
            withdrawn = sa.update(CHALLENGES).where(late)
            connection.execute(withdrawn.values(status="withdrawn", until=now + SHOWN))
            connection.execute(sa.delete(CHALLENGES).where(CHALLENGES.c.until <= now))

        return self.writer.run(job)

    def leave_bot(self, guest: str) -> Future[None]:
        """Do not list a bot any more."""
        gone = sa.delete(WAITING_BOTS).where(WAITING_BOTS.c.guest == guest)
        return self.writer.run(lambda connection: connection.execute(gone).close())

    def start(self, seeks: Sequence[StoredSeek], append: Append, now: int) -> Future[bool]:
        """Store the table of seeks that were matched; False if one of them does not wait any more."""

        def job(connection: sa.Connection) -> None:
            for seek in sorted(seeks, key=lambda one: one.seeker.guest):  # in one order, so that nobody deadlocks
                waits = (SEEKS.c.guest == seek.seeker.guest) & (SEEKS.c.id == seek.id) & SEEKS.c.table_id.is_(None)
                found = sa.update(SEEKS).where(waits).values(table_id=append.change.id, seen=now)
                if connection.execute(found).rowcount != 1:
                    raise TooLateError
            self.writer.write(connection, [append])

        return in_time(self.writer.run(job))

    # Challenges

    def challenge(self, challenge: StoredChallenge) -> Future[None]:
        """Store a challenge, or refuse it if too many wait."""
        row = {
            **challenge._asdict(),
            "player": msgspec.json.encode(challenge.player),
            "table_id": None,
        }
        del row["table"]

        def job(connection: sa.Connection) -> None:
            waiting = sa.select(sa.func.count()).where(CHALLENGES.c.status == "waiting")
            mine = CHALLENGES.c.by == challenge.by
            same = waiting.where(mine, CHALLENGES.c.to == challenge.to)
            if connection.scalar(same):
                raise TableError("not-possible", "already-challenged")
            for limit, condition in ((MAX_CHALLENGES, mine), (MAX_CHALLENGED, CHALLENGES.c.to == challenge.to)):
                if (connection.scalar(waiting.where(condition)) or 0) >= limit:
                    raise TableError("too-often", "too-many-challenges")
            connection.execute(sa.insert(CHALLENGES), row)

        return self.writer.run(job)

    def find_challenge(self, id: str) -> StoredChallenge | None:
        """Return a challenge."""
        with self.database.engine.connect() as connection:
            row = connection.execute(sa.select(CHALLENGES).where(CHALLENGES.c.id == id)).one_or_none()
        return None if row is None else as_challenge(row)

    def answer(self, id: str, status: str, now: int, append: Append | None = None) -> Future[bool]:
        """Accept a challenge with its table, decline or withdraw it; False if it does not wait any more."""

        def job(connection: sa.Connection) -> None:
            waits = (CHALLENGES.c.id == id) & (CHALLENGES.c.status == "waiting") & (CHALLENGES.c.until > now)
            table = None if append is None else append.change.id
            answered = sa.update(CHALLENGES).where(waits).values(status=status, until=now + SHOWN, table_id=table)
            if connection.execute(answered).rowcount != 1:
                raise TooLateError
            if append is not None:
                self.writer.write(connection, [append])

        return in_time(self.writer.run(job))


def new_id() -> str:
    """Return the id of a seek or a challenge."""
    return secrets.token_hex(8)


def as_seek(row: Any) -> StoredSeek:
    """Return a stored seek."""
    seeker = Seeker(row.guest, row.since, Rating(row.rating, row.deviation), row.spread)
    return StoredSeek(row.id, row.kind, row.speed, row.rated, decode_player(row.player), seeker, row.table_id)


def as_challenge(row: Any) -> StoredChallenge:
    """Return a stored challenge."""
    return StoredChallenge(
        row.id,
        row.by,
        row.to,
        row.to_name,
        row.kind,
        row.speed,
        row.rated,
        decode_player(row.player),
        row.until,
        row.status,
        row.table_id,
    )


def forget(connection: sa.Connection, guest: str) -> None:
    """Delete the seek and the challenges of a player who leaves."""
    connection.execute(sa.delete(SEEKS).where(SEEKS.c.guest == guest))
    connection.execute(sa.delete(WAITING_BOTS).where(WAITING_BOTS.c.guest == guest))
    connection.execute(sa.delete(CHALLENGES).where((CHALLENGES.c.by == guest) | (CHALLENGES.c.to == guest)))
