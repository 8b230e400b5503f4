"""The secret addresses of people's feeds."""

from __future__ import annotations

import secrets
from concurrent.futures import Future

import sqlalchemy as sa

from mchezo.server.storage.schema import FEEDS
from mchezo.server.storage.stored import Stored


class StoredFeeds(Stored):
    """Reads and changes them."""

    def secret_of(self, guest: str) -> str | None:
        """Return the secret of a person's feeds, if there is one."""
        return self._find(sa.select(FEEDS.c.secret).where(FEEDS.c.guest == guest))

    def guest_of(self, secret: str) -> str | None:
        """Return whose feeds have a secret."""
        return self._find(sa.select(FEEDS.c.guest).where(FEEDS.c.secret == secret))

    def _find(self, query: sa.Select[tuple[str]]) -> str | None:
        with self.database.engine.connect() as connection:
            found: str | None = connection.scalar(query)  # type: ignore[assignment]  # of one column
            return found

    def renew(self, guest: str) -> Future[str]:
        """Give a person's feeds a new secret."""
        secret = secrets.token_hex(16)

        def job(connection: sa.Connection) -> str:
            connection.execute(sa.delete(FEEDS).where(FEEDS.c.guest == guest))
            connection.execute(sa.insert(FEEDS).values(guest=guest, secret=secret))
            return secret

        return self.writer.run(job)

    def end(self, guest: str) -> Future[None]:
        """End a person's feeds."""
        ended = sa.delete(FEEDS).where(FEEDS.c.guest == guest)
        return self.writer.run(lambda connection: connection.execute(ended).close())
