"""Rotation leaves nothing out."""

import subprocess
import sys
from datetime import datetime, timedelta

import pytest

from tests.rotation import HOURS, Rotation

MIDNIGHT = datetime(2026, 12, 31)
SHARES = [shares for shares in range(1, HOURS + 1) if HOURS % shares == 0]


def collected(chosen: str, hour: str) -> list[str]:
    """Return the rotating tests that a run checks."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "--quiet", "--rotation", hour, chosen]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return [line for line in run.stdout.splitlines() if "what_is_pinned" in line]


@pytest.mark.parametrize("step", [timedelta(hours=1), timedelta(days=1)], ids=["hourly", "daily"])
@pytest.mark.parametrize("first", [0, 5])
@pytest.mark.parametrize("shares", SHARES)
def test_successive_runs_check_every_case_once(shares: int, first: int, step: timedelta) -> None:
    runs = [Rotation(MIDNIGHT + number * step) for number in range(shares)]
    for index in range(30):
        assert sum(run.includes(index, shares, first) for run in runs) == 1


def test_shares_that_would_leave_cases_out_every_day_are_refused() -> None:
    with pytest.raises(AssertionError, match="divide 24"):
        Rotation(MIDNIGHT).includes(0, 5)


def test_a_test_that_is_named_runs_at_any_hour() -> None:
    file = "tests/games/test_perft.py"
    name = f"{file}::test_the_rule_book_counts_what_is_pinned[katarenga0]"
    hour = next(hour for hour in ("2026-11-17T02", "2026-11-17T03") if name not in collected(file, hour))
    assert name in collected(name, hour)


def test_every_hour_has_as_many_cases() -> None:
    runs = [collected("tests/games/test_perft.py", f"2026-11-17T{hour:02}") for hour in (2, 3, 4)]
    counts = [len(run) for run in runs]
    assert max(counts) - min(counts) <= 1
    assert not set(runs[0]) & set(runs[1])
