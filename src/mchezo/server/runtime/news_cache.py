"""Encoded news, kept for the watchers of a table who know and see the same."""

from __future__ import annotations

from collections import OrderedDict

MAX_PER_TABLE = 16  # messages: a few seats and spectators, at the last few numbers
MAX_BYTES = 32_000_000

# The first event (None: all), the seat, the guest if it matters, whether only facts are sent
Key = tuple[int | None, int | None, str | None, bool]


class NewsCache:
    """The messages of all tables; those of the tables to which nothing was added for longest are dropped first."""

    def __init__(self) -> None:
        self.tables: OrderedDict[str, dict[Key, bytes]] = OrderedDict()
        self.bytes = 0

    def get(self, table: str, key: Key) -> bytes | None:
        """Return a message, if it is kept."""
        messages = self.tables.get(table)
        return None if messages is None else messages.get(key)

    def add(self, table: str, key: Key, message: bytes) -> None:
        """Keep a message."""
        messages = self.tables.setdefault(table, {})
        self.tables.move_to_end(table)
        self.bytes += len(message) - len(messages.pop(key, b""))
        messages[key] = message
        if len(messages) > MAX_PER_TABLE:
            self.bytes -= len(messages.pop(next(iter(messages))))
        while self.bytes > MAX_BYTES:
            self.clear(next(iter(self.tables)))

    def clear(self, table: str) -> None:
        """Drop the messages of a table: it has changed."""
        messages = self.tables.pop(table, None)
        if messages is not None:
            self.bytes -= sum(map(len, messages.values()))
