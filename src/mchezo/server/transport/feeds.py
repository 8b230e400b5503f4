"""The correspondence games that wait for somebody, as an iCalendar and an RSS feed at a secret address.

A turn is one entry, however many decisions it has: its id names the table and the fact that began the turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from xml.sax.saxutils import escape

from mchezo.core import registry
from mchezo.server import messages
from mchezo.server.errors import WORDS

FOLDED = 74  # bytes of a line, RFC 5545, 3.1
HOUR = 3_600_000


def title(table: messages.ListedTable, language: str) -> str:
    """Return what waits: the game and the other players."""
    others = [seat.player.name or seat.side for seat in table.seats if seat.player is not None and not seat.yours]
    return WORDS.say("feed-turn", language, game=registry.find(table.game).title, players=", ".join(others))


def entry_id(table: messages.ListedTable) -> str:
    """Return the id of a turn."""
    return f"{table.id}-{table.turn}"


def rss(tables: Sequence[messages.ListedTable], site: str, language: str) -> str:
    """Return the turns that wait as RSS 2.0."""
    items = "".join(
        f"<item><title>{escape(title(table, language))}</title><link>{escape(site)}/t/{table.id}</link>"
        f'<guid isPermaLink="false">{entry_id(table)}</guid>'
        f"<pubDate>{format_datetime(moment(table.turn_since or table.changed))}</pubDate></item>"
        for table in tables
    )
    name = escape(WORDS.say("feed-title", language))
    return (
        '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel>'
        f"<title>{name}</title><link>{escape(site)}/</link><description>{name}</description>{items}</channel></rss>\n"
    )


def calendar(tables: Sequence[messages.ListedTable], site: str, language: str) -> str:
    """Return the turns that wait as iCalendar events, in the last hour before each is due."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//mchezo//turns//EN"]
    lines.append(f"X-WR-CALNAME:{written(WORDS.say('feed-title', language))}")
    for table in tables:
        due = table.deadline or table.changed
        lines += [
            "BEGIN:VEVENT",
            f"UID:{entry_id(table)}@mchezo",
            f"DTSTAMP:{stamp(table.changed)}",
            f"DTSTART:{stamp(due - HOUR)}",
            f"DTEND:{stamp(due)}",
            f"SUMMARY:{written(title(table, language))}",
            f"URL:{site}/t/{table.id}",
            "END:VEVENT",
        ]
    return "".join(f"{fold(line)}\r\n" for line in [*lines, "END:VCALENDAR"])


def moment(time: int) -> datetime:
    """Return a time of the server as a date."""
    return datetime.fromtimestamp(time // 1000, UTC)


def stamp(time: int) -> str:
    """Return a time as iCalendar writes it."""
    return moment(time).strftime("%Y%m%dT%H%M%SZ")


def written(text: str) -> str:
    """Return a text as iCalendar writes it."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return printable.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")


def fold(line: str) -> str:
    """Return a line in pieces of at most 75 bytes; characters stay whole."""
    pieces, length = [""], 0
    for letter in line:
        size = len(letter.encode())
        if length + size > FOLDED:
            pieces.append("")
            length = 1  # the space that continues the line
        pieces[-1] += letter
        length += size
    return "\r\n ".join(pieces)
