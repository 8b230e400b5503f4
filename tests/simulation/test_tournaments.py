"""Tournaments end whatever happens to their servers, and every pairing and table is stored once."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import Future
from typing import Any

import pytest
import sqlalchemy as sa

from mchezo.server.domain.tournaments import log
from mchezo.server.domain.tournaments.tables import void_result
from mchezo.server.runtime import tournaments as runtime
from mchezo.server.runtime.tournaments import Tournaments
from mchezo.server.storage.schema import TOURNAMENTS
from mchezo.server.storage.tournaments import StoredTournaments, add_facts, changed_row
from tests.simulation.tournaments import run

SHARES = 24
SEEDS = 4 * SHARES


@pytest.mark.rotating(shares=SHARES)
@pytest.mark.parametrize("share", range(SHARES))
def test_no_fault_pairs_anybody_twice_or_keeps_a_tournament_from_ending(share: int) -> None:
    for seed in range(share, SEEDS, SHARES):
        outcome = run(seed)
        assert outcome.violation is None, f"seed {seed}: {outcome.violation}"


KILLED = 12  # statements; each is one test, and the last ones are beyond the end of a tournament


@pytest.mark.rotating(shares=KILLED)
@pytest.mark.parametrize("share", range(KILLED))
def test_a_server_may_be_killed_at_every_statement_of_a_tournament(share: int) -> None:
    killed = share
    while True:
        outcome = run(3, crash_at=killed)
        if outcome.faults["not reached"]:
            break
        assert outcome.violation is None, f"statement {killed}: {outcome.violation}"
        assert sum(outcome.faults.values()) >= 1
        killed += KILLED
    assert killed > KILLED


@pytest.mark.rotating(shares=8)
def test_a_tournament_is_the_same_again() -> None:
    first, second = run(5), run(5)
    assert first.digest == second.digest


def without_condition(
    self: StoredTournaments, before: Any, facts: list[log.AnyFact], tables: Collection[Any] = ()
) -> Future[bool]:
    """Append as the server does, whatever was stored since."""
    row = changed_row(before.tournament.after(facts))
    id, number = before.tournament.id, before.tournament.number

    def job(connection: sa.Connection) -> bool:
        connection.execute(sa.update(TOURNAMENTS).values(version=TOURNAMENTS.c.version + 1, **row))
        last = connection.scalar(sa.text("SELECT max(number) FROM tournament_facts")) or number
        add_facts(connection, id, last + 1, facts)
        if tables:
            self.writer.write(connection, list(tables))
        return True

    return self.writer.run(job)


def tables_later(
    self: StoredTournaments, before: Any, facts: list[log.AnyFact], tables: Collection[Any] = ()
) -> Future[bool]:
    """Append the facts first, and the tables in another transaction."""
    stored = ORIGINAL(self, before, facts)
    if tables:
        self.writer.run(lambda connection: self.writer.write(connection, list(tables)))
    return stored


async def no_results(self: Tournaments, tournament: Any) -> dict[str, Any]:
    """Never find out that a table is over."""
    return {}


ORIGINAL = StoredTournaments.append
PLANTS = {
    "no condition": (StoredTournaments, "append", without_condition),
    "two transactions": (StoredTournaments, "append", tables_later),
    "no results": (Tournaments, "_results", no_results),
    "drawn": (runtime, "table_result", lambda facts: void_result(2)),
}


@pytest.mark.rotating(shares=len(PLANTS))
@pytest.mark.parametrize("plant", PLANTS)
def test_a_planted_bug_is_found(plant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*PLANTS[plant])
    assert any(run(seed).violation is not None for seed in (3, 5, 6, 9, 10, 11))
