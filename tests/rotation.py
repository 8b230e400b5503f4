"""Long tests rotate: a run checks a share of them, and successive runs check all of them.

The hour at which a run starts (UTC) selects its share, so that the hourly runs of a day cover everything, and one run a
day covers everything within as many days as there are shares. The hour also seeds Hypothesis. It is printed at the top
of a run and with every failure: `pytest --rotation 2026-11-17T02 TEST` repeats a test exactly. A test that is named
runs at any hour, with all of its cases. `pytest --whole` checks everything at once, as `make soak` does.

A test takes part in one of three ways:

- `@pytest.mark.rotating(shares=4)` on a test runs every fourth of its cases. The cases of all such tests are counted
  through, so that tests with a single case take turns, and each hour has as many. `first=2` makes the count of a test
  its own, for expensive tests that should not meet, or should share what they prepare,
- `pytestmark = pytest.mark.rotating(shares=4)` in a module runs every fourth of its unmarked tests,
- `examples(4_000, shares=4)` returns the number of examples for Hypothesis, which differ from run to run.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

FORMAT = "%Y-%m-%dT%H"
HOURS = 24


@dataclass
class Rotation:
    """The selection of the current run."""

    hour: datetime
    whole: bool = False

    @property
    def number(self) -> int:
        """The number of this run: one more an hour later, and one more a day later."""
        return self.hour.toordinal() + self.hour.hour

    def includes(self, index: int, shares: int, first: int = 0) -> bool:
        """Return whether this run checks the case with this index."""
        assert HOURS % shares == 0, "shares must divide 24, or some would be left out on every day"
        return self.whole or (index + first - self.number) % shares == 0


CURRENT = Rotation(datetime.now(UTC))  # tests/conftest.py sets what the command line says


def examples(total: int, shares: int) -> int:
    """Return the number of examples that Hypothesis generates in this run."""
    return total if CURRENT.whole else -(-total // shares)
