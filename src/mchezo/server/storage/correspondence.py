"""What is stored for correspondence beside the logs: vacations, conditional moves, notes to oneself."""

from __future__ import annotations

import secrets
from concurrent.futures import Future
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from mchezo.server.domain.days_clock import Vacation
from mchezo.server.domain.plans import Lines, Plan
from mchezo.server.domain.vacations import YEAR, check_vacation
from mchezo.server.errors import TableError
from mchezo.server.storage.quarantine import not_set_aside
from mchezo.server.storage.schema import FEEDS, HOLDERS, NOTES, PLANS, TABLES, VACATION_TABLES, VACATIONS
from mchezo.server.storage.stored import Stored

AT_ONCE = 100  # rows of a sweep
decode_lines = msgspec.json.Decoder(Lines).decode


class Absence(NamedTuple):
    """A vacation that is not in the log of a table yet, or not as it is now."""

    table: str
    guest: str
    vacation: Vacation


class StoredCorrespondence(Stored):
    """Reads and changes them."""

    def _rows(self, query: sa.Select[Any]) -> list[sa.Row[Any]]:
        with self.database.engine.connect() as connection:
            return list(connection.execute(query))

    # Vacations

    def vacations(self, guest: str) -> list[Vacation]:
        """Return those of a person's vacations that count, in order."""
        return [Vacation(row.id, row.since, row.until) for row in self._rows(taken_by(guest, self.database.now()))]

    def take_vacation(self, guest: str, since: int, until: int, now: int) -> Future[str]:
        """Store a vacation, or refuse it; return its id."""
        id = secrets.token_hex(8)

        def job(connection: sa.Connection) -> str:
            taken = [Vacation(*row) for row in connection.execute(taken_by(guest, now))]
            check_vacation(taken, since, until, now)
            connection.execute(sa.insert(VACATIONS).values(id=id, guest=guest, since=since, until=until))
            return id

        return self.writer.run(job)

    def end_vacation(self, guest: str, id: str, now: int) -> Future[None]:
        """End a vacation now, or cancel it before it begins."""

        def job(connection: sa.Connection) -> None:
            mine = (VACATIONS.c.id == id) & (VACATIONS.c.guest == guest)
            row = connection.execute(sa.select(VACATIONS).where(mine)).first()
            if row is None or row.until <= now:
                raise TableError("unknown-page", "unknown-vacation")
            connection.execute(sa.update(VACATIONS).where(mine).values(until=max(row.since, now)))

        return self.writer.run(job)

    def absences(self, now: int) -> list[Absence]:
        """Return the vacations that running tables have not noticed."""
        noticed = (VACATION_TABLES.c.vacation == VACATIONS.c.id) & (VACATION_TABLES.c.table_id == TABLES.c.id)
        query = (
            sa.select(TABLES.c.id.label("table_id"), VACATIONS)
            .select_from(
                VACATIONS.join(HOLDERS, HOLDERS.c.guest == VACATIONS.c.guest)
                .join(TABLES, TABLES.c.id == HOLDERS.c.table_id)
                .outerjoin(VACATION_TABLES, noticed)
            )
            .where(TABLES.c.status == "running", TABLES.c.days.is_not(None), not_set_aside(TABLES.c.id))
            .where(
                # A vacation that is over matters only where it was noticed as a longer one.
                (VACATIONS.c.until > now) & VACATION_TABLES.c.until.is_(None)
                | (VACATION_TABLES.c.until != VACATIONS.c.until)
            )
            .order_by(VACATIONS.c.id, TABLES.c.id)
            .limit(AT_ONCE)
        )
        return [Absence(row.table_id, row.guest, Vacation(row.id, row.since, row.until)) for row in self._rows(query)]

    def noticed(self, absence: Absence) -> Future[None]:
        """Record that a table has noticed a vacation."""
        row = {"vacation": absence.vacation.id, "table_id": absence.table, "until": absence.vacation.until}
        known = (VACATION_TABLES.c.vacation == row["vacation"]) & (VACATION_TABLES.c.table_id == row["table_id"])

        def job(connection: sa.Connection) -> None:
            connection.execute(self.database.insert_if_new(VACATION_TABLES), row)
            connection.execute(sa.update(VACATION_TABLES).where(known).values(until=row["until"]))

        return self.writer.run(job)

    # Conditional moves

    def plan(self, table: str, guest: str, seat: int) -> Plan | None:
        """Return the conditional moves of a guest's seat."""
        query = sa.select(PLANS).where(PLANS.c.table_id == table, PLANS.c.seat == seat, PLANS.c.guest == guest)
        return next((as_plan(row) for row in self._rows(query)), None)

    def plans(self, table: str) -> list[Plan]:
        """Return all conditional moves at a table: for the server itself."""
        return [as_plan(row) for row in self._rows(sa.select(PLANS).where(PLANS.c.table_id == table))]

    def set_plan(self, table: str, guest: str, plan: Plan) -> Future[None]:
        """Replace the conditional moves of a seat."""
        row = {
            "table_id": table,
            "seat": plan.seat,
            "guest": guest,
            "number": plan.number,
            "made": plan.made,
            "lines": msgspec.json.encode(plan.lines).decode(),
            "seen": plan.number,
        }

        def job(connection: sa.Connection) -> None:
            connection.execute(sa.delete(PLANS).where(PLANS.c.table_id == table, PLANS.c.seat == plan.seat))
            if plan.lines:
                connection.execute(sa.insert(PLANS), row)

        return self.writer.run(job)

    def keep_plan(self, table: str, plan: Plan, seen: int) -> Future[None]:
        """Record that conditional moves were compared with the log up to a number."""
        changed = sa.update(PLANS).where(*is_same(table, plan), PLANS.c.seen < seen).values(seen=seen)
        return self.writer.run(lambda connection: connection.execute(changed).close())

    def drop_plan(self, table: str, plan: Plan) -> Future[None]:
        """Forget conditional moves that the game has left, unless there are new ones."""
        return self.writer.run(
            lambda connection: connection.execute(sa.delete(PLANS).where(*is_same(table, plan))).close()
        )

    def unseen(self) -> list[str]:
        """Return the tables with facts that were not compared with conditional moves yet."""
        query = sa.select(PLANS.c.table_id).distinct().join(TABLES, TABLES.c.id == PLANS.c.table_id)
        query = query.where(PLANS.c.seen < TABLES.c.number, not_set_aside(TABLES.c.id))
        return [row.table_id for row in self._rows(query.order_by(PLANS.c.table_id).limit(AT_ONCE))]

    # Notes

    def note(self, table: str, guest: str) -> str:
        """Return a guest's note about a table, empty if there is none."""
        query = sa.select(NOTES.c.text).where(NOTES.c.table_id == table, NOTES.c.guest == guest)
        return next((str(row.text) for row in self._rows(query)), "")

    def set_note(self, table: str, guest: str, text: str) -> Future[None]:
        """Replace a guest's note about a table."""

        def job(connection: sa.Connection) -> None:
            connection.execute(sa.delete(NOTES).where(NOTES.c.table_id == table, NOTES.c.guest == guest))
            if text:
                connection.execute(sa.insert(NOTES).values(table_id=table, guest=guest, text=text))

        return self.writer.run(job)


def taken_by(guest: str, now: int) -> sa.Select[Any]:
    """Return the query for a person's vacations, of this year and the next."""
    mine = sa.select(VACATIONS.c.id, VACATIONS.c.since, VACATIONS.c.until).where(VACATIONS.c.guest == guest)
    return mine.where(VACATIONS.c.until > now - YEAR).order_by(VACATIONS.c.since, VACATIONS.c.id)


def is_same(table: str, plan: Plan) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the condition that a stored plan is this one."""
    lines = msgspec.json.encode(plan.lines).decode()
    return (
        PLANS.c.table_id == table,
        PLANS.c.seat == plan.seat,
        PLANS.c.number == plan.number,
        PLANS.c.lines == lines,
    )


def as_plan(row: sa.Row[Any]) -> Plan:
    """Return a stored plan."""
    return Plan(row.seat, row.number, row.made, decode_lines(row.lines))


def delete_correspondence(connection: sa.Connection, guest: str) -> None:
    """Delete a person's vacations, conditional moves, notes and feeds."""
    taken = sa.select(VACATIONS.c.id).where(VACATIONS.c.guest == guest)
    connection.execute(sa.delete(VACATION_TABLES).where(VACATION_TABLES.c.vacation.in_(taken)))
    for table in (VACATIONS, PLANS, NOTES, FEEDS):
        connection.execute(sa.delete(table).where(table.c.guest == guest))
