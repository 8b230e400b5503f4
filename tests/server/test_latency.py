"""Latency credit: what the server observed, within bounds, and nothing that a client says."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from mchezo.server.domain.clock import MAX_CREDIT, MAX_GAME_CREDIT
from mchezo.server.messages import ClockRules
from mchezo.server.runtime.latency import Latency
from mchezo.server.transport.websocket import TableSocket
from tests.server.contexts import play, two
from tests.server.serving import Client, Running


def test_only_the_answer_to_the_outstanding_ping_counts() -> None:
    latency = Latency()
    latency.pong(0, 9_000)  # nothing was sent
    first = latency.ping(10_000)
    latency.pong(first ^ 1, 10_400)
    assert latency.milliseconds == 0
    second = latency.ping(11_000)
    latency.pong(first, 11_400)  # too late
    assert latency.milliseconds == 0
    latency.pong(second, 11_040)
    latency.pong(second, 15_000)  # again
    assert latency.milliseconds == 40


def test_the_shortest_of_the_last_round_trips_counts() -> None:
    latency = Latency()
    for delay in (300, 40, 5_000, 700):
        latency.pong(latency.ping(0), delay)
    assert latency.milliseconds == 40


def test_ping_numbers_cannot_be_guessed_and_survive_json() -> None:
    latency = Latency()
    numbers = {latency.ping(0) for _ in range(100)}
    assert len(numbers) == 100
    assert max(numbers) < 2**53


@given(st.lists(st.integers(-10_000, 100_000), max_size=60))
def test_credit_stays_within_its_bounds_whatever_a_client_does(delays: list[int]) -> None:
    table = two(clock=ClockRules(3_600_000, 0))
    assert table.clock is not None
    now, total = 1_000_000, 0
    table = play(table, "turn0", now=now)
    rng = random.Random(1)
    for delay in delays:
        if table.to_move is None:
            break
        mover = table.to_move
        assert table.clock is not None
        before, now = table.clock.left[mover], now + 2_000
        running = table.clock.running == mover
        table = play(table, rng.choice(table.legal), now=now, delay=delay)
        if running and table.clock is not None:
            left = table.clock.left[mover]
            assert before is not None
            assert left is not None
            gained = 2_000 - (before - left)
            assert 0 <= gained <= MAX_CREDIT
            total += gained
    assert total <= 2 * MAX_GAME_CREDIT


def test_a_seat_gains_no_more_than_its_budget_in_a_game() -> None:
    table = two(clock=ClockRules(3_600_000, 0))
    seat = table.to_move
    assert seat is not None
    assert table.latency_credit(seat, 60_000) == MAX_CREDIT
    table.credited[seat] = MAX_GAME_CREDIT - 100
    assert table.latency_credit(seat, 60_000) == 100
    after = play(table, "turn0", delay=60_000)
    assert after.credited[seat] == MAX_GAME_CREDIT
    assert after.latency_credit(seat, 60_000) == 0
    assert table.credited[seat] == MAX_GAME_CREDIT - 100  # the copy is independent


def test_a_forged_pong_gains_nothing(running: Running, ada: Client, ben: Client) -> None:
    table = ada.make()["id"]
    ben.do(table, "join")
    assert running.service is not None
    with ada.live(table) as live:
        live.wait_for("ping")  # and answer it
        live.ask("try", decision=0, moves=["turn0"])
        (watcher,) = running.service.sessions.sessions[table].watchers
        assert isinstance(watcher, TableSocket)
        measured = list(watcher.latency.samples)
        assert len(measured) == 1
        for at in (0, 1, running.service.store.now() - 5_000):
            live.send({"type": "pong", "at": at})
        live.ask("try", decision=0, moves=["turn0"])  # answered after the pongs
        assert list(watcher.latency.samples) == measured
