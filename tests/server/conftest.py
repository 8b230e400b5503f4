"""Both databases, and a server on each, for all tests here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server import postgres
from tests.server.serving import Client, Running


@pytest.fixture(scope="session")
def cluster() -> Iterator[postgres.Postgres]:
    cluster = postgres.begin()
    yield cluster
    cluster.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "tables.sqlite")
    cluster: postgres.Postgres = request.getfixturevalue("cluster")
    return cluster.database()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server for all tests of a module."""
    if request.param == "sqlite":
        url = str(tmp_path_factory.mktemp("database") / "tables.sqlite")
    else:
        cluster: postgres.Postgres = request.getfixturevalue("cluster")
        url = cluster.database()
    server = Running(url)
    yield server
    server.stop()


@pytest.fixture
def ada(running: Running) -> Client:
    return running.client("Ada")


@pytest.fixture
def ben(running: Running) -> Client:
    return running.client("Ben")


@pytest.fixture
def start(request: pytest.FixtureRequest) -> Callable[..., Running]:
    """Servers that stop with their test."""

    def begin(database: str, **given: object) -> Running:
        server = Running(database, **given)  # type: ignore[arg-type]  # as Running takes them
        request.addfinalizer(server.stop)
        return server

    return begin
