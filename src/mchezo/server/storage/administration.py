"""What operators do to a database, whether servers use it or not.

Every change is one short transaction that also appends to the admin log. Servers read that log every second: they
reload the tables and the guests it names. So no other connection to a running server is needed, and SQLite's one
server process stays the only one that holds tables in memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import sqlalchemy as sa

from mchezo.server.domain import playing
from mchezo.server.domain.context import Change, Identity
from mchezo.server.domain.replaying import UnreadableTable, replay
from mchezo.server.domain.summary import Summary, decode_summary
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.identifiers import public_id
from mchezo.server.storage import admin_log
from mchezo.server.storage.appending import append_change, command_context
from mchezo.server.storage.clock import SteadyClock, elapsed
from mchezo.server.storage.database import Database, create_engine, normalize_url, parse_path
from mchezo.server.storage.people import AT_ONCE, GuestState, anonymize, delete_account, read_guests, set_guest
from mchezo.server.storage.quarantine import BrokenTable, not_set_aside
from mchezo.server.storage.ratings import Rebuilt, rebuild
from mchezo.server.storage.schema import ACCOUNTS, ANALYSES, FACTS, HOLDERS, REVISION, TABLES
from mchezo.server.storage.store import Store
from mchezo.server.storage.tables import decode_facts, remove_tables
from mchezo.server.storage.upgrading import read_revisions
from mchezo.server.storage.writer import append_for

DAY = 86_400_000
ROW_COLUMNS = ("number", "game", "status", "public", "created", "changed", "deadline", "computer", "days")


class ServedDatabase(Database):
    """A database that servers may be using: it is neither locked nor migrated."""

    def __init__(self, url: str) -> None:
        path = parse_path(url)
        if path is not None and not path.exists():
            raise TableError("not-possible", "no-database", file=path)
        self.url = sa.make_url(normalize_url(url))
        self.shared = path is None
        self.lock = None
        self.engine = create_engine(self.url)
        with self.engine.connect() as connection:
            current = read_revisions(connection)
        if current != {REVISION}:
            raise TableError("not-possible", "other-schema", file=path or self.url.database)
        self.clock = SteadyClock(self.reference_time(), elapsed)


class ListedTable(NamedTuple):
    """A table as operators see it."""

    id: str
    game: str
    status: str
    public: bool
    created: int
    changed: int
    moves: int
    players: list[tuple[str, str | None]]  # name and public id of the guest; None for computers and open seats


class ListedGuest(NamedTuple):
    """A guest as operators see them."""

    id: str
    names: list[str]
    tables: int
    last: int  # when one of their tables last changed
    blocked: bool
    revoked: bool


class Problem(NamedTuple):
    """What is wrong with a table."""

    table: str
    kind: str  # gap, unreadable or row
    detail: str


class Pruned(NamedTuple):
    """What was removed."""

    open: int
    finished: int
    analyses: int


class Administration:
    """The operator's access to a database."""

    def __init__(self, url: str) -> None:
        self.store = Store(ServedDatabase(url))
        self.database = self.store.database

    def close(self) -> None:
        """Close the database."""
        self.store.close()

    # Tables

    def tables(
        self,
        game: str | None = None,
        status: str | None = None,
        guest: str | None = None,
        idle_days: float = 0,
        limit: int = 100,
    ) -> list[ListedTable]:
        """Return tables, last changed first."""
        query = sa.select(TABLES).order_by(TABLES.c.changed.desc()).limit(limit)
        if game is not None:
            query = query.where(TABLES.c.game == game)
        if status is not None:
            query = query.where(TABLES.c.status == status)
        if idle_days:
            query = query.where(TABLES.c.changed < self.database.now() - int(idle_days * DAY))
        if guest is not None:
            held = sa.select(HOLDERS.c.table_id).where(HOLDERS.c.guest.in_(self.holders(guest)))
            query = query.where(TABLES.c.id.in_(held))
        with self.database.engine.connect() as connection:
            rows = connection.execute(query).all()
        return [listed(row, self.store.tables.summary(row.id, row.summary)) for row in rows]

    def close_table(self, id: str) -> str:
        """Remove a table that never started, or end a running game without a result; return what was done."""
        table = self.store.tables.load(id)
        if table is None:
            raise TableError("unknown-table", "unknown-table")
        if table.status == "over":
            raise TableError("not-running", "over")
        if table.status == "open" and self.store.tables.cancel(id).result():
            return "removed"

        def decide(table: Table) -> Change | None:
            if table.status != "running":
                return None
            return Change([playing.unfinished(table, max(self.database.now(), table.last_at))])

        self.change(id, decide)
        return "ended"

    def change(self, id: str, decide: Callable[[Table], Change | None]) -> bool:
        """Append to a table as servers do, and let them know; return whether there was anything to append."""
        table = self.store.tables.load(id)
        assert table is not None

        async def reload(_: Table) -> Table:
            found = self.store.tables.load(id)
            assert found is not None
            return found

        if asyncio.run(append_change(self.store, table, decide, reload)) is None:
            return False
        with self.database.begin() as connection:
            admin_log.record(self.database, connection, "changed", table=id)
        return True

    def rebuild_ratings(self) -> Rebuilt:
        """Compute all ratings again from the log of results."""
        return rebuild(self.database)

    # Guests

    def holders(self, guest: str) -> list[str]:
        """Return the guests with seats or an account that have this public id: one, or none."""
        with self.database.engine.connect() as connection:
            found = connection.scalars(sa.union(sa.select(HOLDERS.c.guest), sa.select(ACCOUNTS.c.guest)))
            return [holder for holder in found if public_id(holder) == guest]

    def guests(self, name: str | None = None, limit: int = 100) -> list[ListedGuest]:
        """Return guests who have or had a seat, have an account, or whom an operator restricted; last seen first."""
        states = self.states()
        found: dict[str, tuple[set[str], int, int]] = {}
        query = sa.select(TABLES.c.summary, TABLES.c.changed).where(not_set_aside(TABLES.c.id))
        with self.database.engine.connect() as connection:
            for row in connection.execute(query):
                seats = [(public_id(one.holder), one.name) for one in decode_summary(row.summary).seats if one.holder]
                for id in {id for id, _ in seats}:
                    names, tables, last = found.get(id, (set(), 0, 0))
                    names |= {name for holder, name in seats if holder == id}
                    found[id] = names, tables + 1, max(last, row.changed)
            for account in connection.execute(sa.select(ACCOUNTS.c.guest, ACCOUNTS.c.name, ACCOUNTS.c.created)):
                names, tables, last = found.get(public_id(account.guest), (set(), 0, account.created))
                found[public_id(account.guest)] = names | {account.name}, tables, last
        for id in states:
            found.setdefault(id, (set(), 0, 0))
        listed = [
            ListedGuest(
                id,
                sorted(names),
                tables,
                last,
                id in states and states[id].blocked,
                id in states and states[id].valid_from > 0,
            )
            for id, (names, tables, last) in found.items()
            if name is None or any(name.casefold() in one.casefold() for one in names)
        ]
        return sorted(listed, key=lambda one: -one.last)[:limit]

    def states(self) -> dict[str, GuestState]:
        """Return what operators and guests decided about guests."""
        with self.database.engine.connect() as connection:
            return read_guests(connection)

    def set_guest(self, action: str, guest: str, **values: Any) -> None:
        """Block, rename or revoke; servers follow within a second."""
        with self.database.begin() as connection:
            set_guest(self.database, connection, guest, action, **values)

    def require_guest(self, guest: str) -> list[str]:
        """Return the guests with seats or an account that have this public id; refuse an id that nobody has."""
        held = self.holders(guest)
        if not held and guest not in self.states():
            raise TableError("not-possible", "unknown-guest", guest=guest)
        return held

    def export_guest(self, guest: str, write_record: Callable[[Table], object]) -> dict[str, Any]:
        """Return what is stored about a guest, with the records of their games."""
        held = self.require_guest(guest)
        state = self.states().get(guest, GuestState())
        tables = []
        for one in self.tables(guest=guest, limit=1_000_000):
            try:
                table = self.store.tables.load(one.id)
            except TableError:  # set aside
                continue
            if table is None:
                continue
            seats = [seat for seat, (_, id) in enumerate(one.players) if id == guest]
            record = str(write_record(table)) if table.position is not None else None
            names = [name for name, _ in one.players]
            tables.append({**one._asdict(), "players": names, "seats": seats, "record": record})
        names = sorted({table["players"][seat] for table in tables for seat in table["seats"]})
        told = {**state._asdict(), "signed_out": sorted(state.signed_out)}
        accounts = [self.exported_account(holder) for holder in held]
        account = next((one for one in accounts if one is not None), None)
        return {"id": guest, "names": names, "known": bool(held), "state": told, "account": account, "tables": tables}

    def exported_account(self, holder: str) -> dict[str, Any] | None:
        """Return what is stored about a guest's account, without its keys."""
        account = self.store.accounts.load(holder)
        if account is None:
            return None
        passkeys = [{"label": one.label, "created": one.created, "used": one.used} for one in account.passkeys]
        devices = [one._asdict() for one in account.devices]
        return {
            "name": account.name,
            "created": account.created,
            "passkeys": passkeys,
            "devices": devices,
            "ratings": {pool: one._asdict() for pool, one in sorted(self.store.ratings.of(holder).items())},
            "people": [one._asdict() for one in self.store.relations.of(holder)],
            "comparisons": [
                {"kind": one.kind, **one.compared._asdict()} for one in self.store.fair_play.figures(holder)
            ],
            "tournaments": self.store.tournaments.of(holder),
            "notices": self.store.channels.settings(holder),
            "channels": [
                {"kind": one.kind, "label": one.label, "created": one.created, "confirmed": one.confirmed}
                for one in self.store.channels.of(holder)
            ],
            "chat": [one._asdict() for one in self.store.chat.of(holder)],
        }

    def log(self, limit: int = 100) -> list[admin_log.Entry]:
        """Return the last entries of the admin log, newest first."""
        return admin_log.entries(self.database, admin_log.last_number(self.database) - limit)[::-1]

    def broken(self, limit: int = 100) -> list[BrokenTable]:
        """Return the tables that servers have set aside, newest first."""
        return self.store.quarantine.broken_tables(limit)

    def release(self, id: str) -> None:
        """Let a table go on that was set aside; refuse one that still cannot be read, and say why."""
        try:
            released = self.store.tables.release(id)
        except UnreadableTable as error:
            raise TableError("not-possible", "still-unreadable", table=id, reason=error.reason) from error
        if not released:
            raise TableError("unknown-table", "unknown-table")
        with self.database.begin() as connection:
            admin_log.record(self.database, connection, "released", table=id)

    def delete_guest(self, guest: str) -> int:
        """Resign a guest's games, give back their seats, remove their names everywhere; return how many tables."""
        changed = 0
        for holder in self.require_guest(guest):
            self.give_up_all(holder)
            left = AT_ONCE
            while left == AT_ONCE:  # a running server can write in between
                with self.database.begin() as connection:
                    left = anonymize(self.database, connection, holder, AT_ONCE)
                changed += left
            with self.database.begin() as connection:
                delete_account(self.database, connection, holder)
        self.set_guest("deleted", guest, valid_from=self.database.now(), name=None)
        return changed

    def give_up_all(self, holder: str) -> None:
        """Resign a guest's running games and give back their seats at open tables."""
        who, done = Identity(holder), set[str]()

        def decide(table: Table) -> Change | None:
            return playing.give_up(table, command_context(who, self.database.now(), table))

        # Resigning a game of a series starts the next one.
        while new := set(self.store.people.unfinished(holder)) - done:
            for id in new:
                while self.change(id, decide):
                    pass
            done |= new

    # Retention and integrity

    def prune(
        self,
        open_days: float | None,
        finished_days: float | None,
        analyses_days: float | None,
        *,
        dry_run: bool = False,
    ) -> Pruned:
        """Remove tables that never started, finished games and analyses that are older; statistics are kept."""
        now = self.database.now()
        counts = [0, 0]
        for index, (status, days) in enumerate((("open", open_days), ("over", finished_days))):
            if days is None:
                continue
            old = sa.select(TABLES.c.id).where(TABLES.c.status == status, TABLES.c.changed < now - int(days * DAY))
            with self.database.engine.connect() as connection:
                ids = list(connection.scalars(old))
            if dry_run:
                counts[index] = len(ids)
                continue
            for first in range(0, len(ids), 100):  # short transactions: servers write in between
                with self.database.begin() as connection:
                    still = list(connection.scalars(old.where(TABLES.c.id.in_(ids[first : first + 100]))))
                    remove_tables(connection, still)
                    for id in still:
                        admin_log.record(self.database, connection, "removed", table=id)
                    counts[index] += len(still)
        analyses = 0
        if analyses_days is not None:
            old_analyses = (ANALYSES.c.asked < now - int(analyses_days * DAY), ANALYSES.c.status != "waiting")
            with self.database.begin() as connection:
                count = sa.select(sa.func.count()).select_from(ANALYSES).where(*old_analyses)
                analyses = connection.scalar(count) or 0
                if not dry_run:
                    connection.execute(sa.delete(ANALYSES).where(*old_analyses))
        return Pruned(counts[0], counts[1], analyses)

    def check(self) -> Iterator[Problem | None]:
        """Check every table: yield a problem, or None for a table without one."""
        if not self.database.shared:
            with self.database.engine.connect() as connection:
                found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar_one()
            if found != "ok":
                yield Problem("-", "unreadable", str(found))
        with self.database.engine.connect() as connection:
            ids = list(connection.scalars(sa.select(TABLES.c.id).order_by(TABLES.c.id)))
            orphans = sa.select(FACTS.c.table_id).distinct().where(FACTS.c.table_id.not_in(sa.select(TABLES.c.id)))
            for id in list(connection.scalars(orphans)):
                yield Problem(id, "row", "no row")
        for id in ids:
            yield self.check_table(id)

    def repair(self, id: str) -> bool:
        """Write a table's row again as it follows from the log."""
        table = self.store.tables.load(id)
        if table is None:
            return False
        row = append_for(table, table.log).row
        values = {name: row[name] for name in (*ROW_COLUMNS, "summary")}
        with self.database.begin() as connection:
            same = sa.select(sa.func.max(FACTS.c.number)).where(FACTS.c.table_id == id).scalar_subquery()
            update = sa.update(TABLES).where(TABLES.c.id == id, same == table.number)
            return bool(connection.execute(update.values(**values)).rowcount)

    def check_table(self, id: str) -> Problem | None:
        """Return what is wrong with a table, if anything is."""
        # One statement is one snapshot, whatever servers append in the meantime.
        joined = sa.join(TABLES, FACTS, TABLES.c.id == FACTS.c.table_id, isouter=True)
        query = sa.select(TABLES, FACTS.c.number.label("fact_number"), FACTS.c.fact).select_from(joined)
        with self.database.engine.connect() as connection:
            rows = connection.execute(query.where(TABLES.c.id == id).order_by(FACTS.c.number)).all()
        if not rows:
            return None  # removed in the meantime
        numbers = [row.fact_number for row in rows]
        if numbers != list(range(rows[0].number + 1)):
            return Problem(id, "gap", f"{len(numbers)} facts, last number {rows[0].number}")
        try:
            table = replay(id, decode_facts([(row.fact_number, row.fact) for row in rows], -1, rows[0].number))
        except UnreadableTable as error:
            return Problem(id, "unreadable", error.reason)
        expected = append_for(table, table.log).row
        wrong = [name for name in ROW_COLUMNS if getattr(rows[0], name) != expected[name]]
        if self.store.tables.summary(id, rows[0].summary) != decode_summary(expected["summary"]):
            wrong.append("summary")
        return Problem(id, "row", ", ".join(wrong)) if wrong else None


def listed(row: Any, summary: Summary | None) -> ListedTable:
    """Return a table's row as operators see it; without players if its summary is damaged."""
    seats = summary.seats if summary else []
    players = [(one.name or one.kind, public_id(one.holder) if one.holder else None) for one in seats]
    moves = summary.moves_made if summary else 0
    return ListedTable(row.id, row.game, row.status, row.public, row.created, row.changed, moves, players)
