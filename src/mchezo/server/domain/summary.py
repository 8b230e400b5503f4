"""What is stored of a table beside its log: a summary for lists of tables, and a row for statistics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct, field

from mchezo.server.domain import log
from mchezo.server.domain.creation import UNFINISHED
from mchezo.server.domain.days_clock import DaysClock
from mchezo.server.domain.table import Table
from mchezo.server.domain.turns import turn_starts

TURNS_STEP = 10  # the width of a histogram bin, and the last bin, which holds all longer games
MAX_TURNS = 200
MINUTES_STEP = 5
MAX_MINUTES = 120
DAY = 86_400_000
KIND_LETTERS = {"person": "p", "bot": "b", "computer": "c", "open": "p"}


class Summary(Struct, frozen=True, omit_defaults=True):
    """A table as lists show it; field names are the stored format."""

    game: str
    status: str
    public: bool
    options: dict[str, Any]
    seats: list[log.Occupant]
    moves_made: int = field(name="made")
    to_move: int | None
    created: int
    winners: list[int] | None
    reason: str | None
    days: int | None = None
    deadline: int | None = None  # in correspondence: when the time for the turn is over
    turn: int | None = None  # in correspondence: the number of the fact that began the turn, and when it was
    turn_since: int | None = None


encode = msgspec.json.Encoder().encode
decode_summary = msgspec.json.Decoder(Summary).decode


def fragment(table: Table, name: str, value: Any) -> Any:
    """Return a value of a table that rarely changes, encoded once; it stands for the value in a message."""
    found = table.fragments.get(name)
    if found is None:
        found = table.fragments[name] = msgspec.Raw(encode(value))
    return found


def summarize(table: Table) -> bytes:
    """Return a table's summary, encoded: nothing in it is hidden, except keys and holders."""
    ending, creation = table.ending, table.creation
    days = creation.settings.days
    turn = table.turn_number if days is not None else None
    summary = Summary(
        game=creation.game,
        status=table.status,
        public=creation.settings.public,
        options=fragment(table, "options", creation.options),
        seats=fragment(table, "seats", table.seats),
        moves_made=table.moves_made,
        to_move=table.to_move,
        created=creation.at,
        winners=None if ending is None else ending.winners,
        reason=None if ending is None else ending.reason,
        days=days,
        deadline=table.clock.deadline if isinstance(table.clock, DaysClock) else None,
        turn=turn,
        turn_since=None if turn is None else table.log[turn].at,
    )
    return encode(summary)


def result_row(table: Table) -> dict[str, Any] | None:
    """Return the statistics row of a finished game.

    None for a running one, one without a result, one alone, and an uploaded record.
    """
    ending, position = table.ending, table.position
    if ending is None or ending.reason == UNFINISHED:
        return None
    alone = len(table.seats) == 1 or any(occupant.kind == "rival" for occupant in table.seats)
    if alone or (table.creation.moves and table.moves_made == len(table.creation.moves)):
        return None
    started = table.creation.at if table.start_number is None else table.log[table.start_number].at
    turns = len(turn_starts(position)) if position else 0
    return {
        "table_id": table.id,
        "game": table.creation.game,
        "went": outcome_code(table.seats, ending.winners),
        "reason": ending.reason,
        "moves": histogram_bin(turns, TURNS_STEP, MAX_TURNS),
        "minutes": histogram_bin(max(0, ending.at - started) // 60_000, MINUTES_STEP, MAX_MINUTES),
        "day": ending.at // DAY,
    }


def outcome_code(seats: Sequence[log.Occupant], winners: Sequence[int]) -> str:
    """Return who sat where and how it ended, so that equal games can be counted by the database.

    `p+ c5-` is a person who won against a computer of level 5, `p= p=` a draw between two people.
    """
    marks = ["=" if not winners else "+" if seat in winners else "-" for seat in range(len(seats))]
    return " ".join(
        f"{KIND_LETTERS[occupant.kind]}{occupant.level or ''}{mark}"
        for occupant, mark in zip(seats, marks, strict=True)
    )


def histogram_bin(value: int, step: int, last: int) -> int:
    """Return the start of the bin that holds a value."""
    return min(value // step * step, last)
