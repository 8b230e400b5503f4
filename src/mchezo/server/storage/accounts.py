"""Accounts: a guest with a user name, and with ways to sign in elsewhere. The games are the guest's all along."""

from __future__ import annotations

import hashlib
import secrets
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, NamedTuple

import sqlalchemy as sa

from mchezo.server.domain.accounts import skeleton
from mchezo.server.errors import TableError
from mchezo.server.identifiers import public_id
from mchezo.server.storage.people import set_guest
from mchezo.server.storage.schema import ACCOUNTS, DEVICES, GUESTS, PASSKEYS, SETTINGS
from mchezo.server.storage.stored import Stored

MAX_PASSKEYS = 20  # of one account
MAX_DEVICES = 50  # the one that was used least recently is signed out
DAY = 24 * 3_600_000  # milliseconds
ANSWERED = "passkey "  # the names of challenges in the settings
REMEMBERED = 3_600_000  # milliseconds, longer than a challenge is valid


class Device(NamedTuple):
    """A browser in which an account is signed in, or the token of a bot."""

    id: str
    kind: str  # browser or bot
    label: str
    created: int
    used: int


@dataclass(frozen=True)
class Passkey:
    """A passkey of an account."""

    id: str
    guest: str
    credential: bytes
    public_key: bytes
    sign_count: int
    label: str
    created: int
    used: int


class StoredAccount(NamedTuple):
    """An account, with what it can be signed in with and where it is."""

    guest: str
    name: str
    created: int
    has_phrase: bool
    passkeys: list[Passkey]
    devices: list[Device]


def credential_hash(credential: bytes) -> str:
    """Return the id under which a credential is stored; its own may be a kilobyte."""
    return hashlib.sha256(credential).hexdigest()


class StoredAccounts(Stored):
    """Reads and changes accounts."""

    # Reading

    def load(self, guest: str) -> StoredAccount | None:
        """Return a guest's account, if there is one."""
        with self.database.engine.connect() as connection:
            row = connection.execute(sa.select(ACCOUNTS).where(ACCOUNTS.c.guest == guest)).first()
            if row is None:
                return None
            passkeys = connection.execute(
                sa.select(PASSKEYS).where(PASSKEYS.c.guest == guest).order_by(PASSKEYS.c.created)
            )
            devices = sa.select(DEVICES).where(DEVICES.c.guest == guest).order_by(DEVICES.c.used.desc(), DEVICES.c.id)
            return StoredAccount(
                guest,
                row.name,
                row.created,
                row.phrase is not None,
                [Passkey(**one._mapping) for one in passkeys],
                [Device(one.id, one.kind, one.label, one.created, one.used) for one in connection.execute(devices)],
            )

    def owner_of_name(self, name: str) -> str | None:
        """Return the guest whose account has this name, or one that looks like it."""
        return self._guest_with(ACCOUNTS.c.skeleton == skeleton(name))

    def owner_of_phrase(self, hashed: str) -> str | None:
        """Return the guest whose account has this recovery phrase."""
        return self._guest_with(ACCOUNTS.c.phrase == hashed)

    def _guest_with(self, condition: sa.ColumnElement[bool]) -> str | None:
        with self.database.engine.connect() as connection:
            found: str | None = connection.scalar(sa.select(ACCOUNTS.c.guest).where(condition))
            return found

    def passkey(self, credential: bytes) -> Passkey | None:
        """Return a passkey by its credential id."""
        query = sa.select(PASSKEYS).where(PASSKEYS.c.id == credential_hash(credential))
        with self.database.engine.connect() as connection:
            row = connection.execute(query).first()
            return None if row is None else Passkey(**row._mapping)

    # Changing

    def create(self, guest: str, name: str, now: int) -> Future[None]:
        """Make a guest's account; refuse a name that is another's."""

        def job(connection: sa.Connection) -> None:
            require_free(connection, name, guest)
            row = {"guest": guest, "name": name, "skeleton": skeleton(name), "created": now, "phrase": None}
            if (
                connection.execute(self.database.insert_if_new(ACCOUNTS).returning(ACCOUNTS.c.guest), row).first()
                is None
            ):
                taken = connection.scalar(sa.select(ACCOUNTS.c.guest).where(ACCOUNTS.c.guest == guest))
                raise TableError("not-possible", "account-exists" if taken else "name-taken", name=name)

        return self.writer.run(job)

    def rename(self, guest: str, name: str) -> Future[None]:
        """Change an account's name; refuse one that is another's."""

        def job(connection: sa.Connection) -> None:
            require_free(connection, name, guest)
            changed = sa.update(ACCOUNTS).where(ACCOUNTS.c.guest == guest)
            connection.execute(changed.values(name=name, skeleton=skeleton(name)))

        return self.writer.run(job)

    def set_phrase(self, guest: str, hashed: str) -> Future[None]:
        """Replace the recovery phrase."""
        changed = sa.update(ACCOUNTS).where(ACCOUNTS.c.guest == guest).values(phrase=hashed)
        return self.writer.run(lambda connection: require_row(connection.execute(changed)))

    def add_passkey(self, passkey: Passkey) -> Future[None]:
        """Add a passkey to its account."""

        def job(connection: sa.Connection) -> None:
            mine = sa.select(sa.func.count()).select_from(PASSKEYS).where(PASSKEYS.c.guest == passkey.guest)
            if (connection.scalar(mine) or 0) >= MAX_PASSKEYS:
                raise TableError("not-possible", "too-many-passkeys", most=MAX_PASSKEYS)
            require_row(connection.execute(sa.select(ACCOUNTS.c.guest).where(ACCOUNTS.c.guest == passkey.guest)))
            added = self.database.insert_if_new(PASSKEYS).returning(PASSKEYS.c.id)
            if connection.execute(added, vars(passkey)).first() is None:
                raise TableError("not-possible", "passkey-known")

        return self.writer.run(job)

    def used_passkey(self, passkey: Passkey, sign_count: int, challenge: str, now: int) -> Future[None]:
        """Record that a passkey signed in; refuse it if it was removed or used elsewhere in the meantime.

        An answered challenge is remembered for all processes: passkeys that are synchronised do not count their uses.
        """
        changed = sa.update(PASSKEYS).where(PASSKEYS.c.id == passkey.id, PASSKEYS.c.sign_count == passkey.sign_count)
        changed = changed.values(sign_count=sign_count, used=now)
        answered = SETTINGS.c.name.like(f"{ANSWERED}%")
        old = answered & (sa.cast(SETTINGS.c.value, sa.BigInteger) < now - REMEMBERED)

        def job(connection: sa.Connection) -> None:
            connection.execute(sa.delete(SETTINGS).where(old))
            first = self.database.insert_if_new(SETTINGS).returning(SETTINGS.c.name)
            row = {"name": ANSWERED + challenge, "value": str(now)}
            if connection.execute(first, row).first() is None:
                raise TableError("not-possible", "passkey-late")
            require_row(connection.execute(changed), "passkey-wrong")

        return self.writer.run(job)

    def remove_passkey(self, guest: str, id: str) -> Future[None]:
        """Remove a passkey."""
        removed = sa.delete(PASSKEYS).where(PASSKEYS.c.guest == guest, PASSKEYS.c.id == id)
        return self.writer.run(lambda connection: require_row(connection.execute(removed), "unknown-passkey"))

    def add_device(self, guest: str, kind: str, label: str, now: int) -> Future[str]:
        """Record a sign-in; return the device's id, which its cookie or token carries."""
        id = secrets.token_hex(8)

        def job(connection: sa.Connection) -> str:
            mine = sa.select(DEVICES.c.id).where(DEVICES.c.guest == guest).order_by(DEVICES.c.used.desc())
            for old in list(connection.scalars(mine))[MAX_DEVICES - 1 :]:
                self._sign_out(connection, guest, old)
            row = {"id": id, "guest": guest, "kind": kind, "label": label[:60], "created": now, "used": now}
            connection.execute(sa.insert(DEVICES), row)
            return id

        return self.writer.run(job)

    def used_device(self, id: str, now: int) -> Future[None]:
        """Record that a device is in use, once a day."""
        changed = sa.update(DEVICES).where(DEVICES.c.id == id, DEVICES.c.used < now - DAY).values(used=now)
        return self.writer.run(lambda connection: connection.execute(changed).close())

    def sign_out(self, guest: str, id: str) -> Future[None]:
        """Sign a device out."""

        def job(connection: sa.Connection) -> None:
            found = sa.select(DEVICES.c.id).where(DEVICES.c.guest == guest, DEVICES.c.id == id)
            if connection.scalar(found) is None:
                raise TableError("unknown-page", "unknown-device")
            self._sign_out(connection, guest, id)

        return self.writer.run(job)

    def _sign_out(self, connection: sa.Connection, guest: str, id: str) -> None:
        connection.execute(sa.delete(DEVICES).where(DEVICES.c.id == id))
        public = public_id(guest)
        before = connection.scalar(sa.select(GUESTS.c.signed_out).where(GUESTS.c.id == public))
        set_guest(self.database, connection, public, "signed-out", signed_out=" ".join([*(before or "").split(), id]))


def require_free(connection: sa.Connection, name: str, guest: str) -> None:
    """Refuse a name that is another account's, or looks like it."""
    owner = connection.scalar(sa.select(ACCOUNTS.c.guest).where(ACCOUNTS.c.skeleton == skeleton(name)))
    if owner is not None and owner != guest:
        raise TableError("not-possible", "name-taken", name=name)


def require_row(result: sa.CursorResult[Any], key: str = "no-account") -> None:
    """Refuse a change that found nothing to change."""
    found = result.first() is not None if result.returns_rows else result.rowcount > 0
    if not found:
        raise TableError("not-possible", key)
