"""Notifications between processes on the same PostgreSQL: new facts, players' phrases, chat. They may be lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, cast

from mchezo.server.messages import Chatted, Phrase, Said

CHANNEL = "mchezo"
PHRASES = "mchezo_said"  # another channel
WRITTEN = "written"  # in place of a seat: a line of chat
MAX_PER_PAYLOAD = 300  # stays below the 8,000 bytes that PostgreSQL allows


class Notification(NamedTuple):
    """A table has new facts: the number of the last one, and whether a computer is to move."""

    table: str
    number: int
    computer: bool


def encode(notification: Notification) -> str:
    """Return a notification as a few characters."""
    return f"{notification.table}:{notification.number}{'!' if notification.computer else ''}"


def decode(text: str) -> Notification:
    """Read what `encode` wrote."""
    table, _, number = text.partition(":")
    return Notification(table, int(number.rstrip("!")), number.endswith("!"))


def payloads(notifications: Iterable[Notification]) -> Iterator[str]:
    """Yield the payloads that carry all notifications."""
    texts = [encode(notification) for notification in notifications]
    for start in range(0, len(texts), MAX_PER_PAYLOAD):
        yield " ".join(texts[start : start + MAX_PER_PAYLOAD])


def parse_payload(payload: str) -> list[Notification]:
    """Return the notifications of a payload."""
    return [decode(text) for text in payload.split()]


def encode_said(table: str, said: Said | Chatted) -> str:
    """Return what a player says, or that somebody wrote something, as a payload."""
    if isinstance(said, Chatted):
        return f"{table} {WRITTEN} {said.number}"
    return f"{table} {said.seat} {said.phrase}"


def decode_said(payload: str) -> tuple[str, Said | Chatted]:
    """Read what `encode_said` wrote."""
    table, seat, phrase = payload.split()
    if seat == WRITTEN:
        return table, Chatted(int(phrase))
    return table, Said(int(seat), cast(Phrase, phrase))
