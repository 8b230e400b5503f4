"""Moves, and the end of a game: on the board, by resignation, on time, or because a player left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from mchezo.core.position import Position
from mchezo.core.structs import CHANCE
from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.checks import acting_seat, require_decision, require_running
from mchezo.server.domain.context import Change, Context
from mchezo.server.domain.creation import UNFINISHED, continue_at_new_table
from mchezo.server.domain.seating import resolve_chance
from mchezo.server.domain.table import Table, table_winners
from mchezo.server.errors import TableError


def move(table: Table, command: messages.Move, context: Context) -> Change:
    """Play one or more decisions of one seat."""
    seat = require_decision(table, command.seat, command.decision, context)
    return play(table, seat, command.moves, context)


def play(table: Table, seat: int, moves: Sequence[str], context: Context) -> Change:
    """Play a seat's decisions, what chance adds, and the end of the game if it is reached."""
    assert table.position is not None
    position = table.position.copy()
    if table.touched and moves[0] in position.legal_moves and moves[0] not in table.legal:
        raise TableError("illegal", "touched-must-move", place=table.touched)
    facts: list[log.AnyFact] = []
    delay = table.latency_credit(seat, context.delay)
    for index, text in enumerate(moves):
        if index:
            require_same_turn(position, seat, text)
        position.play(text)
        played = position.steps[-1].text
        facts.append(log.MovePlayed(at=context.now, seat=seat, move=played, delay=delay, first=index == 0))
    if position.to_move == CHANCE:
        facts += resolve_chance(position, context.now)
    return end_if_over(table, position, facts, context)


def require_same_turn(position: Position, seat: int, move: str) -> None:
    """Refuse a further move once chance or another seat decides."""
    if position.to_move != seat:
        key = "beyond-chance" if position.to_move == CHANCE else "beyond-turn"
        raise TableError("illegal", key, move=move)


def computer_move(table: Table, decision: int, seat: int, moves: Sequence[str], context: Context) -> Change:
    """Play the moves of a computer, if they still answer the open decision."""
    require_running(table)
    if table.decision != decision or table.to_move != seat or table.computer_level(seat) is None:
        raise TableError("stale", "stale")
    try:
        return play(table, seat, moves, context)
    except TableError:
        # It may have planned beyond the end of its turn: the first decision is valid.
        return play(table, seat, moves[:1], context)


def touch(table: Table, command: messages.Touch, context: Context) -> Change:
    """Touch a pawn: it must move, or be captured, if it can."""
    seat = require_decision(table, command.seat, command.decision, context)
    game = table.game
    if game.touch is None or not table.creation.settings.touch_move:
        raise TableError("not-possible", "no-touch-move", game=game.title)
    if table.touched is not None:
        raise TableError("illegal", "touched-must-move", place=table.touched)
    legal = table.legal
    if game.touch(command.place, legal) == legal:
        raise TableError("not-possible", "touch-nothing", place=command.place)
    return Change([log.PawnTouched(at=context.now, seat=seat, place=command.place)])


# The end of a game


def end_if_over(table: Table, position: Position, facts: list[log.AnyFact], context: Context) -> Change:
    """Add the end of the game if it is over on the board."""
    outcome = position.outcome
    if outcome is None:
        return Change(facts, position=position)
    winners = table_winners(table, outcome)
    ended = log.GameEnded(at=context.now, winners=winners, scores=list(outcome.scores), reason=outcome.reason)
    return end_game(table, facts, ended, position, context)._replace(position=position)


def end_game(
    table: Table, facts: list[log.AnyFact], ended: log.GameEnded, position: Position, context: Context
) -> Change:
    """Add the end of the game, and the next game of a series that is not decided yet."""
    facts = [*facts, ended]
    series = table.creation.series
    if series is None:
        return Change(facts)
    so_far = add_to_series(series, ended)
    if so_far.games % 2 == 0 and so_far.score[0] != so_far.score[1]:
        return Change(facts)
    return continue_at_new_table(table, facts, position, "revenge", so_far, context)


def add_to_series(series: log.SeriesSoFar, ended: log.GameEnded) -> log.SeriesSoFar:
    """Return the series with one more game: a point for a win, half a point each for a draw."""
    points = list(series.score)
    for seat in ended.winners or (0, 1):
        points[seat ^ series.swapped] += 1 / (len(ended.winners) or 2)
    return log.SeriesSoFar(series.games + 1, (points[0], points[1]), series.swapped)


# Players who drop out


def resign(table: Table, command: messages.Resign, context: Context) -> Change:
    """Give up."""
    require_running(table)
    return drop_out(table, acting_seat(table, context.who, command.seat), "resignation", context)


def give_up(table: Table, context: Context) -> Change | None:
    """Give back a guest's seats before the start, or resign for one of them; None if none is left."""
    seats = [seat for seat in table.seats_of(context.who.guest) if seat not in table.dropped_out]
    if not seats or table.status == "over":
        return None
    if table.status == "open":
        return Change([log.SeatLeft(at=context.now, seat=seat, key=context.new.seat_key()) for seat in seats])
    return drop_out(table, seats[0], "resignation", context)


def break_off(table: Table, context: Context) -> Change:
    """End a running game without a result, which one person alone may do with a casual game against computers."""
    require_running(table)
    settings, own = table.creation.settings, table.seats_of(context.who.guest)
    alone = all(seat in own or occupant.kind in ("computer", "rival") for seat, occupant in enumerate(table.seats))
    counts = settings.rated or settings.days is not None or table.creation.series or table.creation.tournament
    if not own or not alone or counts:
        raise TableError("not-open", "already-started")
    return Change([unfinished(table, context.now)])


def unfinished(table: Table, now: int) -> log.GameEnded:
    """Return the end of a game that has no result."""
    return log.GameEnded(at=now, winners=[], scores=[0.0] * len(table.seats), reason=UNFINISHED)


def drop_out(table: Table, seat: int, reason: log.OutReason, context: Context, *, take_over: bool = False) -> Change:
    """End the game for a player. Of two the other wins; of more a computer takes over, and the seat ranks last.

    Who plays alone keeps the points made so far.
    """
    assert table.position is not None
    if take_over or continues_without(table, seat):
        level = table.creation.settings.stand_in
        return Change([log.PlayerDroppedOut(at=context.now, seat=seat, reason=reason, level=level)])
    left = others_in_game(table, seat)
    if len(table.seats) == 1:
        scores = list(table.position.scores)
    else:
        scores = [1.0 / len(left) if other in left else 0.0 for other in range(len(table.seats))]
    ended = log.GameEnded(at=context.now, winners=left, scores=scores, reason=reason)
    dropped = log.PlayerDroppedOut(at=context.now, seat=seat, reason=reason)
    return end_game(table, [dropped], ended, table.position, context)


def others_in_game(table: Table, seat: int) -> list[int]:
    """Return the other seats whose players have not dropped out."""
    return [other for other in range(len(table.seats)) if other != seat and other not in table.dropped_out]


def continues_without(table: Table, seat: int) -> bool:
    """Return whether a computer takes over the seat: more than one player is left, a person among them.

    In a tournament the places of computers count, too.
    """
    left = others_in_game(table, seat)
    people = any(table.seats[other].kind != "computer" for other in left)
    return len(left) > 1 and (people or table.creation.tournament is not None)


def time_out(table: Table, context: Context) -> Change | None:
    """Return what follows if the running clock is down; None if it is not."""
    clock = table.clock
    if table.status != "running" or clock is None or clock.deadline is None or context.now < clock.deadline:
        return None
    assert clock.running is not None
    return drop_out(table, clock.running, "time-out", context)


def pause_clock(table: Table, milliseconds: int, now: int) -> list[log.AnyFact]:
    """Return the fact that excludes an outage of the server from the running clock, if one is running."""
    if table.status != "running" or table.clock is None or table.clock.deadline is None:
        return []
    return [log.ClockPaused(at=now, milliseconds=milliseconds)]


def claim(table: Table, command: messages.Claim, context: Context) -> Change:
    """Claim the win, or a computer as a replacement, for a player who left."""
    require_running(table)
    acting_seat(table, context.who, None)
    absent = command.absent
    if (
        absent >= len(table.seats)
        or not is_claimable(table, absent, context.away)
        or absent in table.seats_of(context.who.guest)
    ):
        raise TableError("not-possible", "not-claimable", seat=absent)
    return drop_out(table, absent, "abandoned", context, take_over=claim_outcome(table, absent) == "computer")


def claim_outcome(table: Table, absent: int) -> Literal["win", "computer"]:
    """Return what a claim leads to: the win, or a computer that takes over."""
    takes_over = table.creation.settings.abandoned == "computer" or continues_without(table, absent)
    return "computer" if takes_over else "win"


def is_claimable(table: Table, seat: int, away: Mapping[int, int]) -> bool:
    """Return whether a player who is to move has been away for longer than the table allows."""
    return (
        table.status == "running"
        and table.creation.settings.days is None  # in correspondence nobody has to be there
        and table.to_move == seat
        and table.computer_level(seat) is None
        and away.get(seat, 0) >= table.creation.settings.grace
    )
