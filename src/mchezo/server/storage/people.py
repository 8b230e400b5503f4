"""What is stored about a person: their seats and names, and what operators or they themselves decided about them."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from mchezo.server.identifiers import new_guest, public_id
from mchezo.server.storage import (
    admin_log,
    chat,
    correspondence_seeks,
    fair_play,
    notice_channels,
    pairing,
    ratings,
    relations,
    tournaments,
)
from mchezo.server.storage.correspondence import delete_correspondence
from mchezo.server.storage.database import Database
from mchezo.server.storage.quarantine import not_set_aside
from mchezo.server.storage.schema import ACCOUNTS, DEVICES, FACTS, GUESTS, HOLDERS, PASSKEYS, PAYERS, TABLES
from mchezo.server.storage.stored import Stored

ANONYMOUS = "Guest"  # the name of players who chose none
AT_ONCE = 5  # tables from which a guest is removed in one transaction
REWRITE_FACT = (
    sa.update(FACTS)
    .where(FACTS.c.table_id == sa.bindparam("of_table"), FACTS.c.number == sa.bindparam("at"))
    .values(fact=sa.bindparam("without"))
)


class GuestState(NamedTuple):
    """Restrictions of a guest; most guests have none and no row."""

    name: str | None = None  # given by an operator, instead of the guest's own
    blocked: bool = False
    valid_from: int = 0  # cookies and tokens issued before are revoked
    signed_out: frozenset[str] = frozenset()  # devices whose cookies and tokens are revoked


def read_guests(connection: sa.Connection, ids: set[str] | None = None) -> dict[str, GuestState]:
    """Return the states of guests by public id, of all or of some."""
    query = sa.select(GUESTS)
    if ids is not None:
        query = query.where(GUESTS.c.id.in_(list(ids)))
    return {
        row.id: GuestState(row.name, row.blocked, row.valid_from, frozenset((row.signed_out or "").split()))
        for row in connection.execute(query)
    }


def set_guest(database: Database, connection: sa.Connection, guest: str, action: str, **values: Any) -> None:
    """Change the state of a guest, given by public id."""
    empty = {"id": guest, "name": None, "blocked": False, "valid_from": 0}
    connection.execute(database.insert_if_new(GUESTS), empty)
    connection.execute(sa.update(GUESTS).where(GUESTS.c.id == guest).values(**values))
    admin_log.record(database, connection, action, guest=guest)


class StoredPeople(Stored):
    """What guests change about themselves, and what servers have to follow."""

    def states(self, ids: set[str] | None = None) -> dict[str, GuestState]:
        """Return the states of guests by public id, of all or of some."""
        with self.database.engine.connect() as connection:
            return read_guests(connection, ids)

    def last_number(self) -> int:
        """Return the number of the last entry in the admin log."""
        return admin_log.last_number(self.database)

    def entries(self, after: int) -> list[admin_log.Entry]:
        """Return the entries of the admin log after a number."""
        return admin_log.entries(self.database, after)

    def revoke(self, guest: str, now: int) -> Future[None]:
        """Revoke all cookies and tokens of a guest that were issued before."""

        def job(connection: sa.Connection) -> None:
            connection.execute(sa.delete(DEVICES).where(DEVICES.c.guest == guest))
            set_guest(self.database, connection, public_id(guest), "revoked", valid_from=now, signed_out=None)

        return self.writer.run(job)

    def leave_tables(self, guest: str) -> Future[int]:
        """Remove a guest's names from a few of their tables; return from how many."""
        return self.writer.run(lambda connection: anonymize(self.database, connection, guest, AT_ONCE))

    def delete(self, guest: str, now: int) -> Future[None]:
        """Remove a guest's account and their names from the tables that are left; revoke their cookies and tokens."""

        def job(connection: sa.Connection) -> None:
            anonymize(self.database, connection, guest)
            delete_account(self.database, connection, guest)
            set_guest(self.database, connection, public_id(guest), "deleted", valid_from=now, name=None)

        return self.writer.run(job)

    def unfinished(self, guest: str) -> list[str]:
        """Return the open and running tables at which a guest has or had a seat."""
        held = sa.select(HOLDERS.c.table_id).where(HOLDERS.c.guest == guest)
        with self.database.engine.connect() as connection:
            query = sa.select(TABLES.c.id).where(TABLES.c.id.in_(held), TABLES.c.status != "over")
            query = query.where(not_set_aside(TABLES.c.id))
            return list(connection.scalars(query))

    def tables(self, guest: str, before: int, limit: int) -> list[tuple[str, int]]:
        """Return the tables at which a guest has or had a seat and when they last changed, newest first."""
        held = sa.select(HOLDERS.c.table_id).where(HOLDERS.c.guest == guest)
        query = sa.select(TABLES.c.id, TABLES.c.changed).where(TABLES.c.id.in_(held), TABLES.c.changed < before)
        query = query.where(not_set_aside(TABLES.c.id))
        with self.database.engine.connect() as connection:
            newest = connection.execute(query.order_by(TABLES.c.changed.desc(), TABLES.c.id).limit(limit))
            return [(row.id, row.changed) for row in newest]


def delete_account(database: Database, connection: sa.Connection, guest: str) -> None:
    """Delete a guest's account, if there is one, and what they keep to themselves; the name is free again."""
    ratings.forget(database, connection, guest, new_guest())
    relations.forget(connection, guest)
    pairing.forget(connection, guest)
    correspondence_seeks.forget(connection, guest)
    fair_play.forget(connection, guest)
    tournaments.forget(connection, guest, database.now())
    notice_channels.forget(connection, guest)
    chat.forget(connection, guest)
    for table in (ACCOUNTS, PASSKEYS, DEVICES):
        connection.execute(sa.delete(table).where(table.c.guest == guest))
    delete_correspondence(connection, guest)


def anonymize(database: Database, connection: sa.Connection, guest: str, limit: int | None = None) -> int:
    """Replace a guest in the logs of their tables by an unknown one of another id per table; return in how many.

    The games stay as they are: moves, times and results belong to the other players, too. Nobody else can write
    meanwhile, so a guest with many tables is removed from a few at a time.
    """
    held = sa.select(HOLDERS.c.table_id).where(HOLDERS.c.guest == guest).order_by(HOLDERS.c.table_id).limit(limit)
    tables = list(connection.scalars(held))
    mark = guest.encode()
    for table in tables:
        # Locks the table against appends; its log is rewritten under the same numbers.
        summary = connection.scalar(sa.select(TABLES.c.summary).where(TABLES.c.id == table).with_for_update())
        if summary is None:
            continue
        unknown = new_guest()
        facts = connection.execute(sa.select(FACTS.c.number, FACTS.c.fact).where(FACTS.c.table_id == table)).all()
        rewritten = [
            {"of_table": table, "at": number, "without": without_guest(fact, guest, unknown)}
            for number, fact in facts
            if mark in fact
        ]
        if rewritten:
            connection.execute(REWRITE_FACT, rewritten)
        without = without_guest(summary, guest, unknown)
        connection.execute(sa.update(TABLES).where(TABLES.c.id == table).values(summary=without))
        admin_log.record(database, connection, "rewritten", table=table)
    connection.execute(sa.delete(HOLDERS).where(HOLDERS.c.guest == guest, HOLDERS.c.table_id.in_(tables)))
    if limit is None or len(tables) < limit:
        connection.execute(sa.update(PAYERS).where(PAYERS.c.guest == guest).values(guest=new_guest(), network=None))
    return len(tables)


def without_guest(stored: bytes, guest: str, unknown: str) -> bytes:
    """Return a stored fact or summary with another guest, without a name, in place of this one."""

    def replaced(value: Any) -> Any:
        if isinstance(value, list):
            return [replaced(one) for one in value]
        if not isinstance(value, dict):
            return value
        changed = {name: replaced(one) for name, one in value.items()}
        if changed.get("holder") == guest:
            changed |= {"holder": unknown, "name": ANONYMOUS}
            changed.pop("avatar", None)
        if changed.get("by") == guest:
            changed["by"] = unknown
        return changed

    try:
        return msgspec.json.encode(replaced(msgspec.json.decode(stored)))
    except msgspec.DecodeError:  # of a table that was set aside
        return stored.replace(guest.encode(), unknown.encode())
