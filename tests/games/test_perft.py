"""The engine finds the perft counts of the rule books."""

import pytest

import mchezo
from tests.oracles.perft import Count, read

COUNTS = read()
every_count = pytest.mark.parametrize("pinned", COUNTS, ids=lambda pinned: pinned.game)


@every_count
def test_the_engine_counts_as_many_sequences_as_the_rule_book(pinned: Count) -> None:
    assert mchezo.perft(pinned.position(), pinned.depth) == pinned.leaves


@pytest.mark.rotating(shares=24)
@every_count
def test_the_rule_book_counts_what_is_pinned(pinned: Count) -> None:
    assert pinned.recount() == pinned.leaves
