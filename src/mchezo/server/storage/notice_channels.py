"""How and when people want to be notified: their channels and settings."""

from __future__ import annotations

import secrets
from concurrent.futures import Future
from typing import Any, NamedTuple

import sqlalchemy as sa

from mchezo.server.errors import TableError
from mchezo.server.storage.schema import NOTICE_CHANNELS, NOTICE_SETTINGS, NOTICES
from mchezo.server.storage.stored import Stored

MAX_CHANNELS = 20  # of one person
CONFIRM_WITHIN = 2 * 86_400_000  # milliseconds
ONE_OF_A_KIND = ("mail", "webhook")  # a new one replaces the old


class Channel(NamedTuple):
    """A way to notify somebody."""

    id: str
    guest: str
    kind: str  # push, mail or webhook
    address: str
    secret: str
    label: str
    language: str
    site: str
    created: int
    confirmed: bool


class StoredChannels(Stored):
    """Reads and changes channels and settings."""

    def settings(self, guest: str) -> dict[str, Any]:
        """Return when a person wants to be notified; empty if they have not said."""
        query = sa.select(NOTICE_SETTINGS).where(NOTICE_SETTINGS.c.guest == guest)
        with self.database.engine.connect() as connection:
            row = connection.execute(query).mappings().first()
        return {} if row is None else {name: value for name, value in row.items() if name != "guest"}

    def set_settings(self, guest: str, values: dict[str, Any]) -> Future[None]:
        """Store when a person wants to be notified."""

        def job(connection: sa.Connection) -> None:
            connection.execute(self.database.insert_if_new(NOTICE_SETTINGS), {"guest": guest, **values})
            changed = sa.update(NOTICE_SETTINGS).where(NOTICE_SETTINGS.c.guest == guest)
            connection.execute(changed.values(**values))

        return self.writer.run(job)

    def of(self, guest: str) -> list[Channel]:
        """Return a person's channels, oldest first."""
        return self._find(NOTICE_CHANNELS.c.guest == guest)

    def named(self, ids: list[str]) -> dict[str, Channel]:
        """Return channels by id."""
        return {channel.id: channel for channel in self._find(NOTICE_CHANNELS.c.id.in_(ids))}

    def _find(self, condition: sa.ColumnElement[bool]) -> list[Channel]:
        query = sa.select(NOTICE_CHANNELS).where(condition)
        query = query.order_by(NOTICE_CHANNELS.c.created, NOTICE_CHANNELS.c.id)
        with self.database.engine.connect() as connection:
            return [Channel(**row._mapping) for row in connection.execute(query)]

    def add(self, channel: Channel) -> Future[None]:
        """Store a channel in place of the one that it replaces: the same browser's, or the only one of its kind."""

        def job(connection: sa.Connection) -> None:
            same = (NOTICE_CHANNELS.c.kind == channel.kind) & (NOTICE_CHANNELS.c.address == channel.address)
            if channel.kind in ONE_OF_A_KIND:
                same = (NOTICE_CHANNELS.c.kind == channel.kind) & (NOTICE_CHANNELS.c.guest == channel.guest)
            # A browser that somebody else used before is theirs no longer.
            remove(connection, same)
            mine = sa.select(sa.func.count()).where(NOTICE_CHANNELS.c.guest == channel.guest)
            if (connection.scalar(mine) or 0) >= MAX_CHANNELS:
                raise TableError("not-possible", "too-many-channels", most=MAX_CHANNELS)
            connection.execute(sa.insert(NOTICE_CHANNELS).values(**channel._asdict()))

        return self.writer.run(job)

    def remove(self, guest: str, id: str) -> Future[bool]:
        """Remove one of a person's channels; False if there is none with this id."""
        mine = (NOTICE_CHANNELS.c.guest == guest) & (NOTICE_CHANNELS.c.id == id)
        return self.writer.run(lambda connection: remove(connection, mine) == 1)

    def drop(self, id: str) -> Future[bool]:
        """Remove a channel whose address is gone."""
        return self.writer.run(lambda connection: remove(connection, NOTICE_CHANNELS.c.id == id) == 1)

    def confirm(self, secret: str, now: int) -> Future[bool]:
        """Confirm an e-mail address by the link that was sent there; False if the link is old or unknown."""
        asked = (NOTICE_CHANNELS.c.kind == "mail") & (NOTICE_CHANNELS.c.secret == secret)
        recent = NOTICE_CHANNELS.c.confirmed.is_(True) | (NOTICE_CHANNELS.c.created > now - CONFIRM_WITHIN)
        confirmed = sa.update(NOTICE_CHANNELS).where(asked, recent).values(confirmed=True)
        return self.writer.run(lambda connection: connection.execute(confirmed).rowcount == 1)

    def stop(self, secret: str) -> Future[bool]:
        """Remove an e-mail address by the link in its messages."""
        asked = (NOTICE_CHANNELS.c.kind == "mail") & (NOTICE_CHANNELS.c.secret == secret)
        return self.writer.run(lambda connection: remove(connection, asked) == 1)


def new_channel_id() -> str:
    """Return the id of a new channel."""
    return secrets.token_hex(8)


def new_secret() -> str:
    """Return the secret of a new channel."""
    return secrets.token_hex(24)


def remove(connection: sa.Connection, condition: sa.ColumnElement[bool]) -> int:
    """Delete channels and what waits for them; return how many there were."""
    gone = sa.select(NOTICE_CHANNELS.c.id).where(condition)
    connection.execute(sa.delete(NOTICES).where(NOTICES.c.channel.in_(gone)))
    return connection.execute(sa.delete(NOTICE_CHANNELS).where(condition)).rowcount


def forget(connection: sa.Connection, guest: str) -> None:
    """Delete how and when a person wanted to be notified, and what waits to be sent."""
    for table in (NOTICES, NOTICE_CHANNELS, NOTICE_SETTINGS):
        connection.execute(sa.delete(table).where(table.c.guest == guest))
