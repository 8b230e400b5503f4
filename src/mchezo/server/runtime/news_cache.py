"""Encoded news, kept for the watchers of a table who know and see the same."""

from __future__ import annotations

from collections import OrderedDict

MAX_PER_TABLE = 16  # messages: a few seats and spectators, at the last few numbers
MAX_BYTES = 32_000_000

# The first event (None: all), the seat, the guest if it matters, whether only facts are sent
Key = tuple[int | None, int | None, str | None, bool]


class NewsCache:
    """The messages of all tables, the least recently used dropped first."""

    def __init__(self) -> None:
        self.messages: OrderedDict[tuple[str, Key], bytes] = OrderedDict()
        self.keys: dict[str, OrderedDict[Key, None]] = {}  # by table, oldest first
        self.bytes = 0

    def get(self, table: str, key: Key) -> bytes | None:
        """Return a message, if it is kept."""
        message = self.messages.get((table, key))
        if message is not None:
            self.messages.move_to_end((table, key))
        return message

    def add(self, table: str, key: Key, message: bytes) -> None:
        """Keep a message."""
        self.remove(table, key)
        self.messages[table, key] = message
        self.keys.setdefault(table, OrderedDict())[key] = None
        self.bytes += len(message)
        if len(self.keys[table]) > MAX_PER_TABLE:
            self.remove(table, next(iter(self.keys[table])))
        while self.bytes > MAX_BYTES:
            self.remove(*next(iter(self.messages)))

    def remove(self, table: str, key: Key) -> None:
        """Drop a message, if it is kept."""
        message = self.messages.pop((table, key), None)
        if message is not None:
            self.bytes -= len(message)
            del self.keys[table][key]
            if not self.keys[table]:
                del self.keys[table]

    def clear(self, table: str) -> None:
        """Drop the messages of a table: it has changed."""
        for key in list(self.keys.get(table, ())):
            self.remove(table, key)
