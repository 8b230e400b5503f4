"""Following the admin log: what operators, or other processes on behalf of guests, have changed in the database."""

from __future__ import annotations

from typing import NamedTuple

from mchezo.server.runtime.guests import Guests
from mchezo.server.storage.store import Store


class Followed(NamedTuple):
    """The guests (by public id) and the tables that were changed."""

    guests: set[str]
    tables: list[str]


class AdminLog:
    """How far this process has read the admin log, and the restrictions of guests as of then."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.number = store.people.last_number()
        self.guests = Guests(store.people.states())

    def read(self) -> Followed:
        """Read the new entries and apply those about guests; return what they name."""
        if self.store.people.last_number() == self.number:
            return Followed(set(), [])
        entries = self.store.people.entries(self.number)
        guests = {entry.guest for entry in entries if entry.guest}
        self.guests.states = self.guests.states | self.store.people.states(guests)
        tables = list(dict.fromkeys(entry.table for entry in entries if entry.table))
        self.number = max((entry.number for entry in entries), default=self.number)
        return Followed(guests, tables)
