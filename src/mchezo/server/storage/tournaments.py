"""Stored tournaments: logs, lists, entries."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from mchezo.server import messages
from mchezo.server.domain.tournaments import log
from mchezo.server.domain.tournaments.running import KEPT_OPEN
from mchezo.server.domain.tournaments.summary import summarize
from mchezo.server.domain.tournaments.tournament import Tournament
from mchezo.server.errors import TableError
from mchezo.server.identifiers import new_guest
from mchezo.server.storage.schema import ENTRIES, QUARANTINE, TABLES, TOURNAMENT_FACTS, TOURNAMENTS
from mchezo.server.storage.stored import Stored
from mchezo.server.storage.writer import Append

LISTED = 50  # of each status
MAX_ORGANISED = 5  # unfinished ones of one organiser
MAX_ENTERED = 20  # unfinished ones of one player
ANONYMOUS = "Guest"  # the name of players who are gone
encode_summary = msgspec.json.Encoder().encode
decode_summary = msgspec.json.Decoder(messages.ListedTournament).decode
UNFINISHED = TOURNAMENTS.c.status != "over"


class StoredTournament(NamedTuple):
    """A tournament and the version that was read."""

    tournament: Tournament
    version: int


class TableState(NamedTuple):
    """What the row of a table says: whether it is over, and since when nobody has made the first move."""

    over: bool
    unreadable: bool
    waiting_since: int | None


class StoredTournaments(Stored):
    """Reads and changes tournaments."""

    # Reading

    def version(self, id: str) -> int | None:
        """Return the version of a tournament; None if there is none."""
        with self.database.engine.connect() as connection:
            found: int | None = connection.scalar(sa.select(TOURNAMENTS.c.version).where(TOURNAMENTS.c.id == id))
            return found

    def load(self, id: str) -> StoredTournament | None:
        """Return a tournament; None if there is none."""
        following = (TOURNAMENT_FACTS.c.tournament_id == TOURNAMENTS.c.id) & (
            TOURNAMENT_FACTS.c.number <= TOURNAMENTS.c.number
        )
        # One statement, so that the version and the facts belong together.
        query = sa.select(TOURNAMENTS.c.version, TOURNAMENT_FACTS.c.fact).join(TOURNAMENT_FACTS, following)
        with self.database.engine.connect() as connection:
            rows = connection.execute(query.where(TOURNAMENTS.c.id == id).order_by(TOURNAMENT_FACTS.c.number)).all()
        if not rows:
            return None
        return StoredTournament(Tournament(id, [log.decode(fact) for _, fact in rows]), rows[0].version)

    def due(self, now: int) -> list[str]:
        """Return the tournaments that run, or are to start."""
        started = (TOURNAMENTS.c.status == "open") & (TOURNAMENTS.c.due <= now)
        query = sa.select(TOURNAMENTS.c.id).where((TOURNAMENTS.c.status == "running") | started)
        with self.database.engine.connect() as connection:
            return list(connection.scalars(query.order_by(TOURNAMENTS.c.id)))

    def table_states(self, tables: Collection[str]) -> dict[str, TableState]:
        """Return what is known about tables; those that are gone are left out."""
        columns = (TABLES.c.id, TABLES.c.status, TABLES.c.created, TABLES.c.deadline, QUARANTINE.c.kind)
        query = sa.select(*columns).outerjoin(QUARANTINE, QUARANTINE.c.table_id == TABLES.c.id)
        with self.database.engine.connect() as connection:
            return {
                row.id: TableState(
                    row.status == "over",
                    row.kind is not None,
                    row.created if row.status == "running" and row.deadline is None else None,
                )
                for row in connection.execute(query.where(TABLES.c.id.in_(list(tables))))
            }

    def lists(self, guest: str | None) -> dict[str, list[messages.ListedTournament]]:
        """Return tournaments by status, last changed first, and under `yours` those of a guest."""
        columns = sa.select(TOURNAMENTS.c.summary).order_by(TOURNAMENTS.c.changed.desc()).limit(LISTED)
        queries = {status: columns.where(TOURNAMENTS.c.status == status) for status in ("open", "running", "over")}
        if guest is not None:
            queries["yours"] = columns.where(of_guest(guest))
        with self.database.engine.connect() as connection:
            found = {name: list(connection.scalars(query)) for name, query in queries.items()}
            held: set[str] = set() if guest is None else set(connection.scalars(entered_by(guest)))
        return {
            name: [
                msgspec.structs.replace(one, entered=one.id in held)
                for one in (decode_summary(summary) for summary in summaries)
            ]
            for name, summaries in found.items()
        }

    def of(self, guest: str) -> list[str]:
        """Return the tournaments that a guest entered or organised, oldest first."""
        query = sa.select(TOURNAMENTS.c.id).where(of_guest(guest)).order_by(TOURNAMENTS.c.created, TOURNAMENTS.c.id)
        with self.database.engine.connect() as connection:
            return list(connection.scalars(query))

    # Changing

    def create(self, id: str, created: log.TournamentCreated) -> Future[None]:
        """Store a new tournament; refuse another one to an organiser of many."""
        tournament = Tournament(id, [created])

        def job(connection: sa.Connection) -> None:
            organised = sa.select(sa.func.count()).where(TOURNAMENTS.c.organiser == created.by, UNFINISHED)
            if (connection.scalar(organised) or 0) >= MAX_ORGANISED:
                raise TableError("too-often", "too-many-tournaments", most=MAX_ORGANISED)
            row = {"id": id, "version": 0, "organiser": created.by, "created": created.at, **changed_row(tournament)}
            connection.execute(sa.insert(TOURNAMENTS), row)
            add_facts(connection, id, 0, [created])

        return self.writer.run(job)

    def append(
        self, before: StoredTournament, facts: Sequence[log.AnyFact], tables: Sequence[Append] = ()
    ) -> Future[bool]:
        """Store facts, and the tables that they name, in one transaction; False if something else was stored since."""
        id, number = before.tournament.id, before.tournament.number
        row = changed_row(before.tournament.after(facts))
        entered = [fact.entrant.holder for fact in facts if isinstance(fact, log.PlayerEntered)]

        def job(connection: sa.Connection) -> bool:
            unchanged = (TOURNAMENTS.c.id == id) & (TOURNAMENTS.c.version == before.version)
            changed = sa.update(TOURNAMENTS).where(unchanged).values(version=before.version + 1, **row)
            if not connection.execute(changed).rowcount:
                return False
            for guest in entered:
                if guest is not None:
                    self._enter(connection, id, guest)
            add_facts(connection, id, number + 1, facts)
            if tables:
                self.writer.write(connection, tables)
            return True

        return self.writer.run(job)

    def end(self, id: str) -> None:
        """End a tournament now, for an operator; servers follow."""
        while (found := self.load(id)) is not None:
            if found.tournament.finished:
                raise TableError("not-possible", "tournament-over")
            now = max(self.database.now(), found.tournament.last_at)
            if self.append(found, [log.TournamentFinished(at=now, reason="cancelled")]).result():
                return
        raise TableError("unknown-page", "unknown-tournament")

    def _enter(self, connection: sa.Connection, id: str, guest: str) -> None:
        entered = sa.select(sa.func.count()).select_from(TOURNAMENTS).where(TOURNAMENTS.c.id.in_(entered_by(guest)))
        if (connection.scalar(entered.where(UNFINISHED)) or 0) >= MAX_ENTERED:
            raise TableError("too-often", "too-many-entries", most=MAX_ENTERED)
        connection.execute(self.database.insert_if_new(ENTRIES), {"guest": guest, "tournament_id": id})


def entered_by(guest: str) -> sa.Select[tuple[str]]:
    """Return the query for the tournaments that a guest entered."""
    return sa.select(ENTRIES.c.tournament_id).where(ENTRIES.c.guest == guest)


def of_guest(guest: str) -> sa.ColumnElement[bool]:
    """Return the condition that a guest entered or organises a tournament."""
    return TOURNAMENTS.c.id.in_(entered_by(guest)) | (TOURNAMENTS.c.organiser == guest)


def changed_row(tournament: Tournament) -> dict[str, Any]:
    """Return what changes in the row of a tournament with its log."""
    starts = tournament.plan.starts
    due = tournament.creation.at + KEPT_OPEN if starts is None else starts
    return {
        "number": tournament.number,
        "status": tournament.status,
        "summary": encode_summary(summarize(tournament)),
        "changed": tournament.last_at,
        "due": due if tournament.status == "open" else None,
    }


def add_facts(connection: sa.Connection, id: str, first: int, facts: Sequence[log.AnyFact]) -> None:
    """Insert facts from a number on."""
    rows = [
        {"tournament_id": id, "number": number, "fact": log.encode(fact)}
        for number, fact in enumerate(facts, start=first)
    ]
    connection.execute(sa.insert(TOURNAMENT_FACTS), rows)


def read(connection: sa.Connection, id: str) -> Tournament:
    """Return a tournament in a transaction."""
    query = sa.select(TOURNAMENT_FACTS.c.fact).where(TOURNAMENT_FACTS.c.tournament_id == id)
    return Tournament(id, [log.decode(fact) for fact in connection.scalars(query.order_by(TOURNAMENT_FACTS.c.number))])


def forget(connection: sa.Connection, guest: str, now: int) -> None:
    """Withdraw a guest who leaves from all tournaments, and replace them in the logs by somebody without a name."""
    ids = list(connection.scalars(sa.select(TOURNAMENTS.c.id).where(of_guest(guest)).order_by(TOURNAMENTS.c.id)))
    for id in ids:
        locked = sa.update(TOURNAMENTS).where(TOURNAMENTS.c.id == id).values(version=TOURNAMENTS.c.version + 1)
        connection.execute(locked)
        tournament = read(connection, id)
        player = tournament.player_of(guest)
        if player is not None and player.active and tournament.status != "over":
            withdrew = log.PlayerWithdrew(at=max(now, tournament.last_at), player=player.number, removed=True)
            add_facts(connection, id, tournament.number + 1, [withdrew])
        rewrite(connection, id, guest, new_guest())
        row = changed_row(read(connection, id))
        if tournament.creation.by == guest:
            row["organiser"] = new_guest()
        connection.execute(sa.update(TOURNAMENTS).where(TOURNAMENTS.c.id == id).values(row))
    connection.execute(sa.delete(ENTRIES).where(ENTRIES.c.guest == guest))


def rewrite(connection: sa.Connection, id: str, guest: str, unknown: str) -> None:
    """Replace a guest in the log of a tournament."""
    mine = TOURNAMENT_FACTS.c.tournament_id == id
    for number, stored in connection.execute(
        sa.select(TOURNAMENT_FACTS.c.number, TOURNAMENT_FACTS.c.fact).where(mine)
    ).all():
        if guest.encode() in stored:
            without = log.encode(without_guest(log.decode(stored), guest, unknown))
            connection.execute(
                sa.update(TOURNAMENT_FACTS).where(mine, TOURNAMENT_FACTS.c.number == number).values(fact=without)
            )


def without_guest(fact: log.AnyFact, guest: str, unknown: str) -> log.AnyFact:
    """Return a fact with another guest, without a name, in place of this one."""
    if fact.by == guest:
        fact = msgspec.structs.replace(fact, by=unknown)
        if isinstance(fact, log.TournamentCreated):
            fact = msgspec.structs.replace(fact, organiser=ANONYMOUS)
    if isinstance(fact, log.PlayerEntered) and fact.entrant.holder == guest:
        gone = msgspec.structs.replace(fact.entrant, holder=unknown, name=ANONYMOUS, avatar=None, account=False)
        fact = msgspec.structs.replace(fact, entrant=gone)
    return fact
