"""The store: one open database, its writer, and what is kept in it."""

from __future__ import annotations

from concurrent.futures import Future

import sqlalchemy as sa

from mchezo.server import messages
from mchezo.server.storage import leases
from mchezo.server.storage.accounts import StoredAccounts
from mchezo.server.storage.analyses import StoredAnalyses
from mchezo.server.storage.chat import StoredChat
from mchezo.server.storage.clock import SteadyClock, elapsed
from mchezo.server.storage.correspondence import StoredCorrespondence
from mchezo.server.storage.correspondence_seeks import StoredCorrespondenceSeeks
from mchezo.server.storage.database import Database
from mchezo.server.storage.explorer import StoredExplorer
from mchezo.server.storage.fair_play import StoredFairPlay
from mchezo.server.storage.feeds import StoredFeeds
from mchezo.server.storage.notice_channels import StoredChannels
from mchezo.server.storage.notifications import PHRASES, encode_said
from mchezo.server.storage.openings import StoredOpenings
from mchezo.server.storage.outbox import Outbox
from mchezo.server.storage.pairing import StoredPairing
from mchezo.server.storage.people import StoredPeople
from mchezo.server.storage.presence import StoredPresence
from mchezo.server.storage.quarantine import Quarantine
from mchezo.server.storage.ratings import StoredRatings
from mchezo.server.storage.relations import StoredRelations
from mchezo.server.storage.settings import StoredSettings
from mchezo.server.storage.statistics import read_statistics
from mchezo.server.storage.tables import StoredTables
from mchezo.server.storage.tournaments import StoredTournaments
from mchezo.server.storage.writer import Append, Writer

OUTAGE = 3_000  # milliseconds without a heartbeat: no server was running
MAX_BEHIND = 1_000  # milliseconds by which the processes on one database may differ


class Store:
    """Everything that is stored."""

    def __init__(self, database: str | Database) -> None:
        self.database = Database(database) if isinstance(database, str) else database
        self.writer = Writer(self.database)
        self.quarantine = Quarantine(self.database, self.writer)
        self.tables = StoredTables(self.database, self.writer, self.quarantine)
        self.computer_turns = leases.computer_turns(self.writer)
        self.analyses = StoredAnalyses(self.database, self.writer)
        self.presence = StoredPresence(self.database, self.writer)
        self.settings = StoredSettings(self.database, self.writer)
        self.people = StoredPeople(self.database, self.writer)
        self.accounts = StoredAccounts(self.database, self.writer)
        self.correspondence = StoredCorrespondence(self.database, self.writer)
        self.feeds = StoredFeeds(self.database, self.writer)
        self.ratings = StoredRatings(self.database)
        self.relations = StoredRelations(self.database, self.writer)
        self.pairing = StoredPairing(self.database, self.writer)
        self.correspondence_seeks = StoredCorrespondenceSeeks(self.database, self.writer)
        self.openings = StoredOpenings(self.database)
        self.explorer = StoredExplorer(self.tables)
        self.fair_play = StoredFairPlay(self.database, self.writer)
        self.tournaments = StoredTournaments(self.database, self.writer)
        self.channels = StoredChannels(self.database, self.writer)
        self.outbox = Outbox(self.database, self.writer, self.tables)
        self.chat = StoredChat(self.database, self.writer)
        self.continue_time()

    def continue_time(self) -> None:
        """Start no earlier than the last server stopped, and at the time of the servers that are running."""
        last = self.settings.last_heartbeat()
        living = None if last is None else last.time_of_living(OUTAGE)
        if living is not None:
            self.database.clock = SteadyClock(living, elapsed)
        elif last is not None:
            self.database.clock.advance_to(last.at)

    def join_time(self) -> None:
        """Catch up with the time of the servers that ran while this process did not."""
        last = self.settings.last_heartbeat()
        living = None if last is None else last.time_of_living(OUTAGE)
        if living is not None and living - self.now() > MAX_BEHIND:
            self.database.clock.advance_to(living)

    @property
    def shared(self) -> bool:
        """Whether other processes may use the database too."""
        return self.database.shared

    def now(self) -> int:
        """Return the time by the database's clock, in milliseconds."""
        return self.database.now()

    def append(self, append: Append) -> Future[bool]:
        """Store an append; the future is True once it is on disk, False if the table has new facts already."""
        return self.writer.append(append)

    def notify_said(self, table: str, said: messages.Said | messages.Chatted) -> Future[None]:
        """Notify all processes of what a player says or writes. PostgreSQL only."""
        notify = sa.select(sa.func.pg_notify(PHRASES, encode_said(table, said)))
        return self.writer.run(lambda connection: connection.execute(notify).close())

    def submit(self, appends: list[Append]) -> None:
        """Store appends; the `done` of each is called with its result, on the writer thread."""
        self.writer.submit(appends)

    def statistics(self) -> messages.Statistics:
        """Return the statistics of the finished games."""
        return read_statistics(self.database)

    def close(self) -> None:
        """Write what is queued, then close the database."""
        self.writer.close()
        self.database.close()
