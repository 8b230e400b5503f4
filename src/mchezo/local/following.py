"""A server's table as one of its players knows it, for trials that wait for no line. The server decides everything.

It is built from the record that the server gives to this player, in which hidden outcomes are left out, and follows the
events of the server's news. What the server shows has to follow from them; else the table is not known here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import msgspec

from mchezo.core.position import Position
from mchezo.core.seen import play_seen
from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.creation import replay
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.transport.untrusted import read_record


class Shown(msgspec.Struct, frozen=True):
    """What is read of a `TableView`."""

    status: Literal["open", "running", "over"]
    number: int
    seats: list[messages.SeatView]
    seat: int | None
    decision: int | None
    made: int
    view: dict[str, Any] | None
    legal: list[str]
    touched: str | None


class ServerNews(msgspec.Struct, frozen=True):
    """What is read of `News`."""

    events: list[messages.Events]
    table: Shown


NEWS = msgspec.json.Decoder(ServerNews)


def begin(id: str, text: str, data: bytes, guest: str) -> Table:
    """Return a server's table from the record that it gives to this player, and its latest news."""
    shown = NEWS.decode(data).table
    seat = seat_of(shown)
    record, pack = read_record(text)
    position = replay(replace(record, moves=(), turns=()), pack)
    for move in record.moves:
        play_seen(position, move, seat)
    seats = [
        log.Occupant("open")
        if one.player is None
        else log.Occupant(one.player.kind, guest if one.yours else None, level=one.player.level)
        for one in shown.seats
    ]
    created = log.TableCreated(
        at=0,
        game=record.game,
        rules=record.rules,
        options=dict(position.options),
        drawn=[],
        asked_options={},
        seed="",  # nobody but the server knows it
        seats=seats,
        settings=messages.Settings(),
    )
    return arrive(Table(id, [created]), position, shown)


def advance(table: Table, data: bytes) -> Table:
    """Return the table after the events of the server's news."""
    news = NEWS.decode(data)
    seat = seat_of(news.table)
    assert table.position is not None
    position = table.position.copy()
    for event in news.events:
        if event.number <= table.number:
            continue
        match event:
            case messages.Moved() | messages.Drawn():
                play_seen(position, event.move, seat)
            case messages.TakenBack():
                while len(position.steps) > event.made:
                    position.undo()
            case _:
                pass  # nothing on the board
    return arrive(table.copy(), position, news.table)


def seat_of(shown: Shown) -> int:
    """Return the player's seat in a running game."""
    if shown.seat is None or shown.status != "running":
        raise TableError("not-running", "not-started")
    return shown.seat


def arrive(table: Table, position: Position, shown: Shown) -> Table:
    """Return the table in a position, if the server shows the same."""
    view = msgspec.json.decode(messages.encode(position.view(shown.seat)))
    table.position, table.cache = position, {}
    table.status, table.number, table.to_move = "running", shown.number, position.to_move
    table.decision, table.touched = shown.decision, shown.touched
    if len(position.steps) != shown.made or view != shown.view or (shown.legal and table.legal != shown.legal):
        raise TableError("stale", "stale")
    return table
