"""A server's table as one of its players knows it, for trials that wait for no line. The server decides everything.

It is built from the record that the server gives to this player, in which hidden outcomes are left out, and follows the
events of the server's news, or its facts (`want=facts`), of which it makes news. What the server shows has to follow
from them; else the table is not known here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec

from mchezo.core.history import History
from mchezo.core.position import Position
from mchezo.core.seen import play_seen
from mchezo.core.structs import CHANCE
from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.creation import replay
from mchezo.server.domain.table import Question, Submission, Table
from mchezo.server.errors import TableError
from mchezo.server.projection.game_view import encoded_view
from mchezo.server.projection.replay import replay_steps
from mchezo.server.projection.table_view import available_commands, status_message
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
    asked: list[messages.Asked]
    settings: messages.Settings


class ServerNews(msgspec.Struct, frozen=True):
    """What is read of `News`."""

    events: list[messages.Events]
    table: Shown


View = Annotated[Any, msgspec.Meta(extra_json_schema={"$ref": "View"})]


class HeardTable(msgspec.Struct, frozen=True):
    """What moves change in a `TableView`, but for the clock, which is the server's."""

    number: int
    decision: int | None
    to_move: int | None
    made: int
    view: View
    legal: list[str]
    touched: None
    say: messages.Message
    may: list[str]


class Heard(msgspec.Struct, frozen=True):
    """What `News` would say in place of facts."""

    events: list[messages.Moved | messages.Drawn]
    views: list[View]
    table: HeardTable


NEWS = msgspec.json.Decoder(ServerNews)
FACTS = msgspec.json.Decoder(messages.Facts)


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
        else log.Occupant(
            one.player.kind,
            guest if one.yours else None,
            one.player.name,
            one.player.level,
            one.player.rating,
            avatar=one.player.avatar,
        )
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
        settings=shown.settings,
        pack=pack,
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


def hear(table: Table, data: bytes, may: list[str], guest: str) -> tuple[Table, Heard]:
    """Return the table after the moves of the server's facts, and what its news would say.

    `may` is what the player may do before; there is no open question, and the game is not over.
    """
    facts = FACTS.decode(data)
    held = table.seats_of(guest)
    assert table.position is not None
    if len(held) != 1 or table.questions or may != available_commands(table, held, ()):
        raise TableError("stale", "stale")
    (seat,) = held
    before, position = len(table.position.steps), table.position.copy()
    moves = [event for event in facts.events if isinstance(event, messages.Moved | messages.Drawn)]
    numbers = range(table.number + 1, table.number + 1 + len(facts.events))
    if not numbers or [event.number for event in moves] != list(numbers):
        raise TableError("stale", "stale")
    for event in moves:
        play_seen(position, event.move, seat)
    if position.to_move in (None, CHANCE) or position.to_move != facts.to_move:
        raise TableError("stale", "stale")
    found = table.copy()
    place(found, position, moves[-1].number, facts.decision, None)
    steps = replay_steps(position, seat, before)
    events = [msgspec.structs.replace(event, told=step.told) for event, step in zip(moves, steps, strict=True)]
    states = [*(step.before for step in position.steps[before + 1 :]), position.states]
    views: list[Any] = [encoded_view(found, state, seat) for state in states]
    decides = position.to_move == seat and found.computer_level(seat) is None
    shown = HeardTable(
        found.number,
        found.decision,
        found.to_move,
        found.moves_made,
        views[-1],
        found.legal if decides else [],
        None,
        status_message(found, decides),
        available_commands(found, held, ()),
    )
    return found, Heard(events, views if len(views) > 1 else [], shown)


def seat_of(shown: Shown) -> int:
    """Return the player's seat in a running game."""
    if shown.seat is None or shown.status != "running":
        raise TableError("not-running", "not-started")
    return shown.seat


def arrive(table: Table, position: Position, shown: Shown) -> Table:
    """Return the table in a position, if the server shows the same."""
    view = msgspec.json.decode(messages.encode(position.view(shown.seat)))
    place(table, position, shown.number, shown.decision, shown.touched)
    table.questions = {one.what: Question(one.seat, set(one.agreed)) for one in shown.asked}
    table.dropped_out = {seat: one.out for seat, one in enumerate(shown.seats) if one.out is not None}
    if len(position.steps) != shown.made or view != shown.view or (shown.legal and table.legal != shown.legal):
        raise TableError("stale", "stale")
    return table


def place(table: Table, position: Position, number: int, decision: int | None, touched: str | None) -> None:
    """Put a table in a position; every move counts as sent by itself."""
    table.position, table.cache = position, {}
    table.status, table.number = "running", number
    table.decision, table.touched, table.to_move = decision, touched, position.to_move
    moves = enumerate(position.steps)
    table.submissions = History(Submission(step.by, number, made) for made, step in moves if step.by != CHANCE)
