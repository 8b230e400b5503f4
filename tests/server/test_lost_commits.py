"""PostgreSQL loses connections around statements, and servers crash: what was acknowledged is stored, once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any
from unittest.mock import patch

import psycopg
import pytest

from mchezo.server.storage import bulk
from mchezo.server.storage.bulk import Changes, PostgresBulk
from mchezo.server.storage.writer import Append, Writer, discard
from tests.server import postgres
from tests.server.cutting import FAULTS
from tests.server.lost_commits import Trial
from tests.server.postgres import Postgres
from tests.server.serving import run_in_thread
from tests.server.trials import Findings
from tests.simulation.plants import forget_idempotency_keys

pytestmark = pytest.mark.rotating(shares=24)


@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_acknowledged_is_stored_once_whenever_a_connection_is_lost(cluster: Postgres, seed: int) -> None:
    trial = Trial(cluster, tables=6, commands=60, probability=0.2, seed=seed)
    assert run_in_thread(trial.run(crashes=2)) == Findings(), trial.answers
    assert set(FAULTS) | {"server crashed"} <= trial.faults.keys()
    assert trial.answers["done"] > 250
    assert trial.answers["failed"] > 20


@pytest.fixture
def own_cluster() -> Iterator[Postgres]:
    """A cluster that may crash."""
    cluster = postgres.begin()
    yield cluster
    cluster.stop()


def test_what_is_acknowledged_survives_a_crash_of_the_database(own_cluster: Postgres) -> None:
    trial = Trial(own_cluster, tables=6, commands=60, probability=0.05, seed=3)
    assert run_in_thread(trial.run(cuts=2)) == Findings()
    assert trial.faults["database crashed"] == 2


# Bugs that these tests have to find


def store_in_two_statements() -> Any:
    """Change the rows of tables, and add the facts by another statement: each is a transaction of its own."""
    store = PostgresBulk.store

    def careless(self: PostgresBulk, connection: Any, changes: Changes) -> Any:
        stored = store(self, connection, [(row, []) for row, _ in changes])
        self.add_facts(connection, [fact for row, facts in changes if row.id in stored for fact in facts])
        return stored

    return patch.object(PostgresBulk, "store", careless)


def acknowledge_before_the_commit() -> Any:
    """Say that a batch is stored when it is given to the database."""
    commit = Writer.commit_batch

    def hasty(self: Writer, appends: Sequence[Append]) -> None:
        for append in appends:
            append.done(True)
            append.done = discard
        commit(self, appends)

    return patch.object(Writer, "commit_batch", hasty)


def ignore_the_number() -> Any:
    """Store an append whatever happened at its table since it was decided."""
    return patch.object(bulk, "STORE", bulk.STORE.replace(" AND locked.number = given.after", ""))


PLANTS: dict[str, Callable[[], Any]] = {
    "two-statements": store_in_two_statements,
    "acknowledge-before-the-commit": acknowledge_before_the_commit,
    "ignore-the-number": ignore_the_number,
    "forget-idempotency-keys": forget_idempotency_keys,
}


@pytest.mark.parametrize("plant", PLANTS)
def test_a_planted_bug_is_found(cluster: Postgres, plant: str) -> None:
    with PLANTS[plant]():
        assert (
            run_in_thread(Trial(cluster, tables=4, commands=60, probability=0.3, seed=1).run(crashes=1)) != Findings()
        )


def test_commits_that_are_not_written_before_they_are_acknowledged_are_found(own_cluster: Postgres) -> None:
    with psycopg.connect(own_cluster.url("postgres"), autocommit=True) as connection:
        for setting in ("synchronous_commit = off", "wal_writer_delay = '10s'"):
            connection.execute(f"ALTER SYSTEM SET {setting}".encode())
        connection.execute("SELECT pg_reload_conf()")
    assert run_in_thread(Trial(own_cluster, tables=6, commands=60, probability=0.0, seed=1).run(cuts=1)).lost > 0
