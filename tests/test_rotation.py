"""Rotation leaves nothing out."""

import subprocess
import sys
from datetime import datetime, timedelta
from zlib import crc32

import pytest

from tests.rotation import FORMAT, HOURS, Rotation

MIDNIGHT = datetime(2026, 12, 31)
SHARES = [shares for shares in range(1, HOURS + 1) if HOURS % shares == 0]


def read(hour: str) -> Rotation:
    return Rotation(datetime.strptime(hour, FORMAT))


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
    name = "tests/games/test_perft.py::test_the_rule_book_counts_what_is_pinned[katarenga0]"
    first = crc32(name.partition("[")[0].encode())
    hour = next(hour for hour in ("2026-11-17T02", "2026-11-17T03") if not read(hour).includes(0, 24, first))
    command = [sys.executable, "-m", "pytest", "--collect-only", "--quiet", "--rotation", hour, name]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert name in run.stdout
