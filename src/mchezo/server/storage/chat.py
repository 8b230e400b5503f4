"""What people write at tables. It is stored apart from the logs: games do not depend on it."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import Future
from typing import Any, NamedTuple

import sqlalchemy as sa

from mchezo.server.errors import TableError
from mchezo.server.storage.schema import ACCOUNTS, CHAT, RELATIONS
from mchezo.server.storage.stored import Stored

COUNTER = "chat"  # the setting that holds the last number
MAX_LINES = 1_000  # of the players of a table, and of its spectators
HIDING = ("mute", "block")  # relations to a writer whose lines are not shown


class Line(NamedTuple):
    """What somebody wrote."""

    number: int
    at: int
    guest: str
    name: str
    room: str
    text: str


class OwnLine(NamedTuple):
    """What a person wrote, as it is exported."""

    table: str
    at: int
    text: str


class StoredChat(Stored):
    """Reads and writes it."""

    def lines(self, table: str, reader: str, rooms: Collection[str], after: int, limit: int) -> list[Line]:
        """Return the last lines of some rooms after a number, without those of people whom the reader mutes."""
        hidden = sa.select(RELATIONS.c.other).where(RELATIONS.c.guest == reader, RELATIONS.c.kind.in_(HIDING))
        query = (
            self._all(table)
            .where(CHAT.c.number > after, CHAT.c.room.in_(list(rooms)), CHAT.c.guest.not_in(hidden))
            .order_by(CHAT.c.number.desc())
            .limit(limit)
        )
        with self.database.engine.connect() as connection:
            return [Line(*row) for row in connection.execute(query)][::-1]

    def line(self, table: str, number: int) -> Line | None:
        """Return one line."""
        with self.database.engine.connect() as connection:
            row = connection.execute(self._all(table).where(CHAT.c.number == number)).first()
        return None if row is None else Line(*row)

    def _all(self, table: str) -> sa.Select[Any]:
        columns = sa.select(CHAT.c.number, CHAT.c.at, CHAT.c.guest, ACCOUNTS.c.name, CHAT.c.room, CHAT.c.text)
        return columns.join(ACCOUNTS, ACCOUNTS.c.guest == CHAT.c.guest).where(CHAT.c.table_id == table)

    def have_accounts(self, guests: Collection[str]) -> bool:
        """Return whether all of these people have accounts."""
        query = sa.select(sa.func.count()).where(ACCOUNTS.c.guest.in_(list(guests)))
        with self.database.engine.connect() as connection:
            return connection.scalar(query) == len(set(guests))

    def write(self, table: str, guest: str, room: str, text: str, now: int) -> Future[int]:
        """Store a line and return its number; numbers grow, with gaps."""

        def job(connection: sa.Connection) -> int:
            written = sa.select(sa.func.count()).where(CHAT.c.table_id == table, CHAT.c.room == room)
            if (connection.scalar(written) or 0) >= MAX_LINES:
                raise TableError("not-possible", "chat-full")
            number = self.database.next_number(connection, COUNTER)
            row = {"table_id": table, "number": number, "at": now, "guest": guest, "room": room, "text": text}
            connection.execute(sa.insert(CHAT), row)
            return number

        return self.writer.run(job)

    def of(self, guest: str) -> list[OwnLine]:
        """Return everything that a person wrote, oldest first."""
        query = sa.select(CHAT.c.table_id, CHAT.c.at, CHAT.c.text).where(CHAT.c.guest == guest)
        with self.database.engine.connect() as connection:
            return [OwnLine(*row) for row in connection.execute(query.order_by(CHAT.c.number))]


def forget(connection: sa.Connection, guest: str) -> None:
    """Delete what a person wrote."""
    connection.execute(sa.delete(CHAT).where(CHAT.c.guest == guest))
