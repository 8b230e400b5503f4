"""A server's game against the computer that continues at a table of this browser, because the connection is lost.

The server's table waits, and the server remains the judge of it. The browser knows no more about it than the person's
seat does: outcomes that only other seats have seen are drawn again, with the odds of the rules, until everything that
this seat has seen is possible.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from mchezo.core.chance import Seed
from mchezo.core.errors import IllegalMove
from mchezo.core.position import Position
from mchezo.core.record import HIDDEN
from mchezo.core.structs import CHANCE
from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError

MOST_REDRAWS = 1_000
SHORTEST = 1_000  # milliseconds of a clock


def continued(
    table: Table, seat: int, clock: messages.ClockView | None, new_seed: Callable[[], str], now: int
) -> list[log.AnyFact]:
    """Return the facts of a table that continues the game of a followed one; its clocks have the time that was left.

    Moves made so far are facts, too, so that the log is whole. With a clock, which must not count them, they are a
    record that is continued, as are the outcomes before the first decision: they do not follow from the new seed.
    """
    assert table.position is not None
    seed, position = redrawn(table.position, seat, new_seed)
    steps = list(position.steps)
    decided = (number for number, step in enumerate(steps) if step.by != CHANCE)
    before = next(decided, len(steps)) if clock is None else len(steps)
    options = dict(position.options)
    created = msgspec.structs.replace(
        table.creation,
        at=now,
        rules=position.game.version,
        options=options,
        asked_options=options,
        seed=seed,
        seats=[with_clock(occupant, number, clock) for number, occupant in enumerate(table.seats)],
        moves=[step.text for step in steps[:before]],
        by=table.seats[seat].holder,
    )
    facts: list[log.AnyFact] = [created, log.GameStarted(at=now, order=list(range(len(table.seats))))]
    last = CHANCE
    for step in steps[before:]:
        if step.by == CHANCE:
            facts.append(log.ChanceResolved(at=now, move=step.text))
        else:
            facts.append(log.MovePlayed(at=now, seat=step.by, move=step.text, first=step.by != last))
        last = step.by
    return facts


def redrawn(position: Position, seat: int, new_seed: Callable[[], str]) -> tuple[str, Position]:
    """Return the game with the outcomes that a seat has not seen drawn again, and the seed that drew them."""
    seen = position.seen_moves(seat)
    for _ in range(MOST_REDRAWS):
        seed, again = Seed(new_seed()), position.earlier(0)
        try:
            for move in seen:
                again.play(again.legal_moves[seed.outcome(again.draws, again.choices()[1])] if move == HIDDEN else move)
        except IllegalMove:
            continue  # an outcome that the seat has seen was drawn by another one
        return seed.hex, again
    raise TableError("stale", "stale")


def with_clock(occupant: log.Occupant, seat: int, clock: messages.ClockView | None) -> log.Occupant:
    """Return an occupant with the time that was left."""
    left = None if clock is None else clock.left[seat]
    if clock is None or left is None:
        return occupant
    rules = messages.ClockRules(max(SHORTEST, left), clock.increment[seat])
    return msgspec.structs.replace(occupant, clock=rules)
