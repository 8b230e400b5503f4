"""A year of correspondence by the rules of the tables alone: every game ends, and vacations are honoured."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from mchezo.server.domain import log
from mchezo.server.domain.days_clock import DAY, DaysClock, Vacation
from mchezo.server.domain.playing import time_out
from mchezo.server.domain.table import Table
from mchezo.server.domain.vacations import DAYS_A_GAME, apply_vacation, check_vacation
from mchezo.server.errors import TableError
from tests.server.contexts import context, new_id, owner, play, stored, two

GAMES = 1_000
SHARES = 24


def play_game(number: int) -> tuple[Table, dict[str, list[Vacation]]]:
    """Return a game between players who are slow, travel, or vanish, and the vacations they took."""
    rng = random.Random(f"year {number}")
    days, weekends = rng.choice((1, 2, 3, 5, 7, 14)), rng.random() < 0.4
    table = two("katarenga", days=days, weekends=weekends, seed=f"{rng.getrandbits(256):064x}")
    pace = {"ada": rng.choice((0.05, 0.1, 0.1, 1.2)) * days * DAY, "ben": rng.choice((0.05, 0.1, 0.4)) * days * DAY}
    trips: dict[str, list[Vacation]] = {"ada": [], "ben": []}
    now = table.last_at
    while table.status == "running":
        assert isinstance(table.clock, DaysClock)
        who = owner(table).guest
        if rng.random() < 0.1:
            begin = now + rng.randrange(5 * DAY)
            trip = Vacation(new_id(), begin, begin + rng.randrange(1, 12) * DAY)
            try:
                check_vacation(trips[who], trip.since, trip.until, now)
            except TableError:
                continue
            trips[who].append(trip)
            change = apply_vacation(table, who, trip, now)
            table = table if change is None else table.after(change.facts)
            continue
        assert table.clock is not None
        deadline = table.clock.deadline
        assert deadline is not None
        assert deadline - now <= (days * 7 // 5 + 4 + DAYS_A_GAME * 2) * DAY
        moves_at = now + int(rng.expovariate(1) * pace[who])
        on_trip = [trip for trip in trips[who] if trip.since <= moves_at < trip.until]
        moves_at = on_trip[0].until if on_trip else moves_at
        now = min(moves_at, deadline)
        change = time_out(table, context(now=now))
        table = play(table, rng.choice(table.legal), now=now) if change is None else table.after(change.facts)
        if len(table.log) > 150:
            table = table.after([log.GameEnded(at=now, winners=[], scores=[0.5, 0.5], reason="agreement")])
    return table, trips


@pytest.mark.rotating(shares=SHARES)
@pytest.mark.parametrize("share", range(SHARES))
def test_every_game_of_a_year_ends_and_nobody_loses_on_vacation(share: int) -> None:
    reasons: Counter[str] = Counter()
    for number in range(share, GAMES, SHARES):
        table, trips = play_game(number)
        assert table.ending is not None
        reasons[table.ending.reason] += 1
        assert Table(table.id, stored(table.log)).clock == table.clock
        for fact in table.log:
            if isinstance(fact, log.PlayerDroppedOut):
                loser = table.seats[fact.seat].holder
                assert loser is not None
                counted = [one for one in trips[loser] if one.since <= fact.at < one.until]
                granted = sum(one.until - one.since for one in trips[loser])
                assert not counted or granted > DAYS_A_GAME * DAY
    assert reasons["time-out"] > 3
    assert reasons.total() - reasons["time-out"] > 3
