"""Taking and leaving seats, and the start of the game once no seat is open."""

from __future__ import annotations

import hmac

from mchezo.core.chance import Seed
from mchezo.core.position import Position
from mchezo.core.structs import CHANCE
from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.checks import acting_seat
from mchezo.server.domain.context import Change, Context, clean_name
from mchezo.server.domain.table import Table, first_position
from mchezo.server.errors import TableError


def join(table: Table, command: messages.Join, context: Context) -> Change:
    """Take an open seat."""
    if table.status != "open":
        raise TableError("not-open", "already-started")
    if table.seats_of(context.who.guest):
        raise TableError("not-open", "already-seated")
    free = [seat for seat, occupant in enumerate(table.seats) if occupant.kind == "open"]
    if command.key is not None:
        key = command.key.encode()
        free = [seat for seat in free if hmac.compare_digest((table.seats[seat].key or "").encode(), key)]
        if not free:
            raise TableError("bad-key", "bad-key")
    elif not table.creation.settings.public:
        raise TableError("bad-key", "key-needed")
    if command.seat is not None:
        if command.seat not in free:
            raise TableError("not-open", "seat-taken", seat=command.seat)
        free = [command.seat]
    seat, who = free[0], context.who
    name, clock = clean_name(command.name or who.shown_name), table.seats[seat].clock
    if table.creation.settings.rated and not who.has_account:
        raise TableError("not-possible", "rated-account")
    own = command.name is None or command.name == who.name
    occupant = log.Occupant(
        "bot" if who.bot else "person",
        who.guest,
        name,
        clock=clock,
        avatar=who.avatar,
        account=who.has_account and own,
    )
    taken = log.SeatTaken(at=context.now, seat=seat, occupant=occupant)
    seated = Table(table.id, [*table.log, taken])
    return Change([taken, *start_if_full(seated, context.now)])


def leave(table: Table, command: messages.Leave, context: Context) -> Change:
    """Give a seat back before the start."""
    if table.status != "open":
        raise TableError("not-open", "already-started")
    seat = acting_seat(table, context.who, command.seat)
    return Change([log.SeatLeft(at=context.now, seat=seat, key=context.new.seat_key())])


def start_if_full(table: Table, now: int) -> list[log.AnyFact]:
    """Return the facts of the start if no seat is open: the seating order, and chance before the first decision."""
    if any(occupant.kind == "open" for occupant in table.seats):
        return []
    rivals = [seat for seat, occupant in enumerate(table.seats) if occupant.kind == "rival"]
    order = [*seating_order(table.creation, len(table.seats) - len(rivals)), *rivals]
    started = log.GameStarted(at=now, order=order)
    return [started, *resolve_chance(first_position(table.creation), now)]


def seating_order(creation: log.TableCreated, seats: int) -> list[int]:
    """Return which planned seat becomes which, drawn from the game's seed: seat 0 is drawn first."""
    waiting = list(range(seats))
    # In a series seats are drawn once, the players of a continued record keep theirs, a rematch has changed them, and
    # pairing has chosen fair ones.
    settings, series = creation.settings, creation.series
    decided = creation.moves or settings.paired or (creation.previous and not series) or (series and series.games)
    if not settings.lot or decided:
        return waiting
    seed = Seed(creation.seed)
    return [waiting.pop(seed.draw("lot", index, len(waiting))) for index in range(seats)]


def resolve_chance(position: Position, now: int) -> list[log.AnyFact]:
    """Play what chance decides next, by the seed, on this position; return it as facts."""
    before = len(position.steps)
    if position.to_move == CHANCE:
        position.draw_from_seed()
        position.manual = True
    return [log.ChanceResolved(at=now, move=step.text) for step in position.steps[before:]]
