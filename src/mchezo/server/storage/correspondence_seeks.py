"""Stored seeks for correspondence games. They wait for days, whether or not their guest is connected.

As with other seeks, the table of a game and what says that it was found are one transaction, on the condition that
everybody still waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import NamedTuple

import msgspec
import sqlalchemy as sa

from mchezo.ratings.glicko import Rating
from mchezo.server.domain import log
from mchezo.server.domain.pairing import Seeker
from mchezo.server.errors import TableError
from mchezo.server.storage.database import Database
from mchezo.server.storage.schema import CORRESPONDENCE_SEEKS
from mchezo.server.storage.writer import Append, TooLateError, Writer, in_time

DAY = 86_400_000  # milliseconds
LASTS = 14 * DAY  # for which a seek waits
KNOWN = 3 * DAY  # for which the game that was found is shown
MAX_OWN = 5  # of one guest that wait
MAX_FOUND = 10  # games of one guest that are shown as found, the newest
MAX_ALL = 2_000  # that wait; everybody's lobby reads them
decode_player = msgspec.json.Decoder(log.Occupant).decode


class CorrespondenceSeek(NamedTuple):
    """A seek for a correspondence game as it is stored."""

    id: str
    kind: str
    days: int
    rated: bool
    player: log.Occupant
    seeker: Seeker
    until: int  # when it is withdrawn; once a game was found, when the row goes
    table: str | None  # the game that was found

    @property
    def terms(self) -> tuple[str, int, bool]:
        """What seeks have to agree in."""
        return self.kind, self.days, self.rated


def read_correspondence_seeks(connection: sa.Connection, now: int) -> list[CorrespondenceSeek]:
    """Return the seeks that wait, and the games that were found, oldest first."""
    live = sa.select(CORRESPONDENCE_SEEKS).where(CORRESPONDENCE_SEEKS.c.until > now)
    rows = connection.execute(live.order_by(CORRESPONDENCE_SEEKS.c.since, CORRESPONDENCE_SEEKS.c.id))
    return [
        CorrespondenceSeek(
            row.id,
            row.kind,
            row.days,
            row.rated,
            decode_player(row.player),
            Seeker(row.guest, row.since, Rating(row.rating, row.deviation), row.spread),
            row.until,
            row.table_id,
        )
        for row in rows
    ]


def row_of(id: str, kind: str, rated: bool, player: log.Occupant, seeker: Seeker) -> dict[str, object]:
    """Return the columns that all kinds of waiting seeks have."""
    return {
        "id": id,
        "guest": seeker.guest,
        "kind": kind,
        "rated": rated,
        "spread": seeker.spread,
        "player": msgspec.json.encode(player),
        "rating": seeker.rating.rating,
        "deviation": seeker.rating.deviation,
        "since": seeker.since,
        "table_id": None,
    }


class StoredCorrespondenceSeeks:
    """Changes seeks for correspondence games."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self.database = database
        self.writer = writer

    def seek(self, seek: CorrespondenceSeek, now: int) -> Future[None]:
        """Store a seek in place of the guest's last one of the same terms."""
        guest = seek.seeker.guest
        row = row_of(seek.id, seek.kind, seek.rated, seek.player, seek.seeker)
        row |= {"days": seek.days, "until": seek.until}

        def job(connection: sa.Connection) -> None:
            columns = CORRESPONDENCE_SEEKS.c
            waits, own = columns.table_id.is_(None), columns.guest == guest
            same = (columns.kind == seek.kind) & (columns.days == seek.days) & (columns.rated == seek.rated)
            connection.execute(sa.delete(CORRESPONDENCE_SEEKS).where((columns.until <= now) | (own & waits & same)))
            count = sa.select(sa.func.count()).select_from(CORRESPONDENCE_SEEKS).where(waits)
            if (connection.scalar(count.where(own)) or 0) >= MAX_OWN:
                raise TableError("too-often", "too-many-seeks")
            if (connection.scalar(count) or 0) >= MAX_ALL:
                raise TableError("overloaded", "overloaded")
            newest = sa.select(columns.id).where(own, ~waits).order_by(columns.until.desc()).limit(MAX_FOUND)
            connection.execute(sa.delete(CORRESPONDENCE_SEEKS).where(own, ~waits, columns.id.not_in(newest)))
            connection.execute(sa.insert(CORRESPONDENCE_SEEKS), row)

        return self.writer.run(job)

    def withdraw(self, guest: str, id: str) -> Future[None]:
        """Remove a guest's seek; of a game that was found, only the note that it was."""
        gone = sa.delete(CORRESPONDENCE_SEEKS).where(
            CORRESPONDENCE_SEEKS.c.guest == guest, CORRESPONDENCE_SEEKS.c.id == id
        )
        return self.writer.run(lambda connection: connection.execute(gone).close())

    def start(self, seeks: Sequence[CorrespondenceSeek], append: Append, now: int) -> Future[bool]:
        """Store the table of seeks that were matched; False if one of them does not wait any more."""

        def job(connection: sa.Connection) -> None:
            for seek in sorted(seeks, key=lambda one: one.id):  # in one order, so that nobody deadlocks
                waits = (
                    (CORRESPONDENCE_SEEKS.c.id == seek.id)
                    & CORRESPONDENCE_SEEKS.c.table_id.is_(None)
                    & (CORRESPONDENCE_SEEKS.c.until > now)
                )
                found = (
                    sa.update(CORRESPONDENCE_SEEKS).where(waits).values(table_id=append.change.id, until=now + KNOWN)
                )
                if connection.execute(found).rowcount != 1:
                    raise TooLateError
            self.writer.write(connection, [append])

        return in_time(self.writer.run(job))


def forget(connection: sa.Connection, guest: str) -> None:
    """Delete the seeks of a player who leaves."""
    connection.execute(sa.delete(CORRESPONDENCE_SEEKS).where(CORRESPONDENCE_SEEKS.c.guest == guest))
