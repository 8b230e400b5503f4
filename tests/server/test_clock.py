"""Game clocks are values; the time is an argument."""

from hypothesis import given
from hypothesis import strategies as st

from mchezo.server.domain.clock import MAX_CREDIT, GameClock

FIVE_AND_THREE = GameClock(left=(300_000, 180_000), increment=(5_000, 0))


def test_players_may_have_different_times_and_one_clock_runs() -> None:
    running = FIVE_AND_THREE.switch(0, 1_000)
    assert running.left_at(11_000) == (290_000, 180_000)
    assert running.deadline == 301_000 + MAX_CREDIT


def test_the_increment_is_added_at_the_end_of_a_turn() -> None:
    clock = FIVE_AND_THREE.switch(0, 0).switch(1, 10_000)
    assert clock.left == (295_000, 180_000)
    assert clock.switch(0, 30_000).left == (295_000, 160_000)


def test_a_second_decision_in_a_row_adds_no_increment() -> None:
    assert FIVE_AND_THREE.switch(0, 0).switch(0, 10_000).left == (290_000, 180_000)


def test_latency_is_credited_within_bounds() -> None:
    running = FIVE_AND_THREE.switch(1, 0)
    assert running.switch(0, 2_000, delay=300).left[1] == 180_000 - 1_700
    assert running.switch(0, 2_000, delay=60_000).left[1] == 180_000 - 2_000 + MAX_CREDIT
    assert running.switch(0, 100, delay=400).left[1] == 180_000
    assert running.switch(0, 2_000, delay=-5_000).left[1] == 178_000


def test_a_clock_is_down_once_its_time_is_used_up() -> None:
    running = FIVE_AND_THREE.switch(1, 0)
    assert not running.is_down(179_999)
    assert running.is_down(180_000)
    assert not running.is_down(180_000, delay=200)
    assert running.is_down(180_000 + MAX_CREDIT, delay=10_000)


def test_an_outage_does_not_count() -> None:
    running = FIVE_AND_THREE.switch(1, 0).skip(60_000)
    assert running.left_at(60_000) == (300_000, 180_000)
    assert FIVE_AND_THREE.skip(60_000) == FIVE_AND_THREE


def test_a_seat_without_a_clock_has_no_deadline() -> None:
    clock = GameClock(left=(None, 1_000), increment=(0, 0)).switch(0, 0)
    assert clock.deadline is None
    assert not clock.is_down(10**9)
    assert clock.switch(1, 10**9).left == (None, 1_000)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 10_000), st.integers(-100, 2_000)), max_size=30))
def test_no_clock_ever_gains_more_than_its_increments(turns: list[tuple[int, int, int]]) -> None:
    clock, now, passed = GameClock((60_000,) * 4, (1_000,) * 4), 0, [0] * 4
    for seat, wait, delay in turns:
        now += wait
        before = clock.running
        clock = clock.switch(seat, now, delay)
        if before is not None and before != seat:
            passed[before] += 1
    for seat, left in enumerate(clock.left):
        assert left is not None
        assert 0 <= left <= 60_000 + 1_000 * passed[seat]
