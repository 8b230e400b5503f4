"""What the parts of the storage have in common."""

from __future__ import annotations

from mchezo.server.storage.database import Database
from mchezo.server.storage.writer import Writer


class Stored:
    """A part of the storage: it reads from the database, and changes it by the writer thread."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self.database = database
        self.writer = writer
