"""Rated games: which tables can be rated, in which pool a game counts, and the result that is written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mchezo.core import registry
from mchezo.server.domain import log
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.messages import ClockRules

SPEEDS = ("blitz", "rapid", "unlimited")
BLITZ, RAPID = 8 * 60_000, 60 * 60_000  # milliseconds of an expected game for one player, below which it is one
TURNS = 40  # of an expected game
NOT_COUNTED = ("unfinished",)  # an operator ended the game


def speed_of(clock: ClockRules | None) -> str:
    """Return the speed of a clock."""
    if clock is None:
        return "unlimited"
    expected = clock.milliseconds + TURNS * clock.increment
    return "blitz" if expected < BLITZ else "rapid" if expected < RAPID else "unlimited"


def pool_of(game: str, options: Mapping[str, Any], clock: ClockRules | None) -> str:
    """Return the pool in which a game counts."""
    rated = registry.find(game).rated
    assert rated is not None  # the table is rated
    return f"{rated.kind(options)} {speed_of(clock)}"


def pools() -> list[str]:
    """Return all pools."""
    found = [game.rated for game in map(registry.find, registry.names())]
    kinds = [kind for rated in found if rated is not None for kind in rated.kinds]
    return [f"{kind} {speed}" for kind in kinds for speed in SPEEDS]


def is_standard(game: str, options: Mapping[str, Any]) -> bool:
    """Return whether a game with these requested options can be rated."""
    found = registry.find(game)
    rated = found.rated
    if rated is None:
        return False
    defaults = {option.name: option.default for option in found.setup.options}
    return all(
        name in defaults and (given == defaults[name] or given in rated.choices.get(name, ()))
        for name, given in options.items()
    )


def require_rateable(creation: log.TableCreated) -> None:
    """Refuse a rated table on which the game would not be a fair test."""
    seats, settings = creation.seats, creation.settings
    people = [seat.holder for seat in seats if seat.kind == "person"]
    if not is_standard(creation.game, creation.asked_options) or creation.moves or creation.pack is not None:
        raise TableError("invalid-setup", "rated-options")
    if len(seats) < 2 or any(seat.kind in ("rival", "bot") for seat in seats) or len(set(people)) < len(people):
        raise TableError("invalid-setup", "rated-seats")
    fair_seats = settings.lot or creation.tournament is not None  # where pairings balance seats
    if settings.takeback or settings.hints or not fair_seats:
        raise TableError("invalid-setup", "rated-settings")
    if len({(seat.clock.milliseconds, seat.clock.increment) if seat.clock else None for seat in seats}) > 1:
        raise TableError("invalid-setup", "rated-clocks")
    rated = registry.find(creation.game).rated
    highest = 0 if rated is None else rated.kinds.get(rated.kind(creation.options), 0)
    if any(seat.kind == "computer" and (seat.level or 0) > highest for seat in seats):
        raise TableError("invalid-setup", "rated-levels")


class RatedSeat(NamedTuple):
    """Who played in a rated game, and the place: 0 is best, and players who share a place were equal."""

    guest: str | None
    level: int | None
    place: int
    anchor: int | None = None  # the rating of a computer, in points


class RatedResult(NamedTuple):
    """The result of a rated game, as it is written down when the game ends."""

    table: str
    pool: str
    at: int
    seats: tuple[RatedSeat, ...]


def rated_result(table: Table) -> RatedResult | None:
    """Return the result of a rated game that is over and counts.

    A game that ends before everybody has moved does not count. One that a player leaves later counts as lost for them.
    """
    ending, creation = table.ending, table.creation
    if not creation.settings.rated or ending is None or ending.reason in NOT_COUNTED:
        return None
    moved = {fact.seat for fact in table.log if isinstance(fact, log.MovePlayed)}
    if len(moved) < len(table.seats):
        return None
    seats = tuple(
        RatedSeat(None, occupant.level, place, occupant.rating)
        if occupant.kind == "computer"
        else RatedSeat(occupant.holder, None, place)
        for occupant, place in zip(table.seats, places(ending, table.dropped_out), strict=True)
    )
    if any(seat.guest is None and seat.anchor is None for seat in seats):
        return None
    clock = next((occupant.clock for occupant in table.seats if occupant.clock), None)
    return RatedResult(table.id, pool_of(creation.game, creation.options, clock), ending.at, seats)


def places(ending: log.GameEnded, dropped_out: Mapping[int, str] | Sequence[int] = ()) -> list[int]:
    """Return everybody's place: the winners, the others by their points, those who dropped out last."""
    if not ending.winners:
        return [0] * len(ending.scores)
    keys = [
        (seat not in ending.winners, seat in dropped_out, 0.0 if seat in dropped_out else -ending.scores[seat])
        if seat not in ending.winners
        else (False, False, 0.0)
        for seat in range(len(ending.scores))
    ]
    return [sorted(keys).index(key) for key in keys]
