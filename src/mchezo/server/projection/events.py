"""Facts as events: the log as one seat, or a spectator, may see it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, cast

import msgspec

from mchezo.core.chance import Seed
from mchezo.core.record import HIDDEN
from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.days_clock import DaysClock
from mchezo.server.domain.table import Table, Transition
from mchezo.server.projection.effects import effects_of
from mchezo.server.projection.game_view import encoded_view

RECENT = 8  # facts whose effects are kept for all seats; a whole log is sent to each only once, and encoded


def project_event(table: Table, number: int, seat: int | None) -> messages.Events:
    """Return a fact as this seat may see it, with what it did."""
    told = _effects(table, number, seat) if table.transitions[number] is not None else ()
    return project_fact(table, number, seat, told)


def project_fact(table: Table, number: int, seat: int | None, told: Sequence[messages.Message] = ()) -> messages.Events:
    """Return a fact as this seat may see it; what it did follows from it by the rules."""
    fact = table.log[number]
    if isinstance(fact, log.MovePlayed):
        return messages.Moved(number=number, at=fact.at, seat=fact.seat, move=fact.move, told=list(told))
    common = {"number": number, "at": fact.at}
    match fact:
        case log.TableCreated():
            return messages.Created(game=fact.game, **common)
        case log.SeatTaken():
            player = seated_player(fact.occupant)
            assert player is not None
            return messages.Joined(seat=fact.seat, player=player, **common)
        case log.SeatLeft():
            return messages.Left(seat=fact.seat, **common)
        case log.GameStarted():
            players = [player for player in map(seated_player, table.seats) if player]
            return messages.Started(
                order=fact.order,
                players=players,
                seed_hash=seed_hash(table.creation.seed),
                made=len(table.creation.moves),
                **common,
            )
        case log.ChanceResolved():
            move = fact.move if is_visible(table, number, seat) else HIDDEN
            rival = table.game.effects.rival(transition_at(table, number).before[0])
            if rival is not None:
                return messages.Moved(seat=rival, move=move, told=list(told), **common)
            return messages.Drawn(move=move, told=list(told), **common)
        case log.PawnTouched():
            return messages.Touched(seat=fact.seat, place=fact.place, **common)
        case log.QuestionAsked():
            return messages.AskedFor(seat=fact.seat, what=fact.what, **common)
        case log.QuestionAnswered():
            return messages.Answered(seat=fact.seat, what=fact.what, yes=fact.yes, **common)
        case log.MovesTakenBack():
            return messages.TakenBack(seat=fact.seat, made=fact.moves_made, **common)
        case log.PlayerDroppedOut():
            computer = None if fact.level is None else messages.SeatedPlayer("computer", "", fact.level)
            return messages.Out(seat=fact.seat, reason=fact.reason, player=computer, **common)
        case log.ClockPaused():
            return messages.Outage(milliseconds=fact.milliseconds, **common)
        case log.VacationSet():
            return messages.OnVacation(seat=fact.seat, since=fact.since, until=fact.until, **common)
        case log.GameEnded():
            return messages.Ended(
                winners=fact.winners, scores=fact.scores, reason=fact.reason, seed=table.creation.seed, **common
            )
        case log.NextTableCreated():
            return messages.NextGame(table=fact.table, **common)


def transition_at(table: Table, number: int) -> Transition:
    """Return what a move or a chance outcome changed."""
    transition = table.transitions[number]
    assert transition is not None
    return transition


def is_visible(table: Table, number: int, seat: int | None) -> bool:
    """Return whether a seat may see all of a move or a chance outcome; after the end everybody may."""
    visible_to = transition_at(table, number).visible_to
    return visible_to is None or visible_to == seat or table.ending is not None


def facts_since(table: Table, first: int, seat: int | None, now: int) -> messages.Facts:
    """Return the facts from a number on as this seat may see them, and what is open now."""
    events = [project_fact(table, number, seat) for number in range(first, table.number + 1)]
    return messages.Facts(events, table.decision, table.to_move, clock_view(table, now))


def seen_by_all(table: Table, first: int) -> bool:
    """Return whether everybody may see all of the facts from a number on."""
    if table.ending is not None or table.game.notation.secret is None:
        return True
    for transition in table.transitions[first:]:
        if transition is not None and transition.step.only is not None:
            return False
    return True


def clock_view(table: Table, now: int) -> messages.ClockView | None:
    """Return the clocks at this moment."""
    clock = table.clock
    if clock is None:
        return None
    left, increment = list(clock.left_at(now)), list(clock.increment)
    if not isinstance(clock, DaysClock):
        return messages.ClockView(now, left, increment, clock.running)
    vacations = [[messages.Span(one.since, one.until) for one in of_seat] for of_seat in clock.vacations]
    return messages.ClockView(now, left, increment, clock.running, clock.deadline, vacations)


def _effects(table: Table, number: int, seat: int | None) -> list[messages.Message]:
    seen = is_visible(table, number, seat)
    key = ("effects", number, seen)
    found: list[messages.Message] | None = table.cache.get(key)
    if found is None:
        assert table.position is not None
        transition = transition_at(table, number)
        found = effects_of(table.position, transition.step, transition.after, seen)
        if number > table.number - RECENT:
            table.cache[key] = found
    return found


def encoded_events(table: Table, first: int, seat: int | None) -> msgspec.Raw:
    """Return the events from a number on as this seat may see them, as JSON; made once for all who see the same."""
    key = ("events", first, None if seen_by_all(table, first) else seat)
    found: msgspec.Raw | None = table.cache.get(key)
    if found is None:
        events = [project_event(table, number, seat) for number in range(first, table.number + 1)]
        found = table.cache[key] = msgspec.Raw(messages.encode(events))
    return found


def step_views(table: Table, first: int, seat: int | None) -> list[messages.View | None]:
    """Return the view after each event from `first` on, None for events that left the board unchanged.

    The list is empty if fewer than two events changed the board: then the current view is enough.
    """
    if first == table.number or table.position is None:
        return []
    transitions = table.transitions[first:]
    if len(transitions) - transitions.count(None) < 2:
        return []
    return [None if found is None else cast(Any, encoded_view(table, found.after, seat)) for found in transitions]


def seated_player(occupant: log.Occupant) -> messages.SeatedPlayer | None:
    """Return who sits in a seat; None if it is open."""
    if occupant.kind == "open":
        return None
    return messages.SeatedPlayer(
        occupant.kind, occupant.name, occupant.level, occupant.rating, occupant.avatar, occupant.account
    )


@lru_cache(maxsize=4096)
def seed_hash(seed: str) -> str:
    """Return the hash that is published while the game is running."""
    return Seed(seed).hash
