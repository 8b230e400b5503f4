"""While machine code is made: who waits at a table is told how far it is, until all they need is there."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from mchezo.server.compiling import PLAYERS
from mchezo.server.service import Service
from tests.server.serving import Running


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """The computer players are ready when it opens."""
    gate = threading.Event()
    monkeypatch.setattr(Service, "load_computers", lambda _: gate.wait(60))
    return gate


def test_a_table_against_the_computer_is_told_until_the_players_are_ready(
    gate: threading.Event, start: Callable[..., Running], tmp_path: Path
) -> None:
    server = start(str(tmp_path / "tables.sqlite"))
    ada = server.client("Ada")
    seats = [{"kind": "computer", "level": 1}, {"kind": "you"}]
    table = ada.make("kiwara", seats)["id"]
    with ada.live(table) as live:
        assert live.wait_for("compiling")["players"] == {"done": 0, "total": 1, "ready": False}
        assert server.service is not None
        server.service.call(server.service.readiness.report, PLAYERS, 2, 7)
        assert live.wait_for("compiling")["players"] == {"done": 2, "total": 7, "ready": False}
        assert live.table["made"] == 0
        gate.set()
        assert live.wait_for("compiling")["players"]["ready"]
        while live.table["made"] == 0:
            live.wait_for("news")


def test_people_among_themselves_are_not_told_of_computers(
    gate: threading.Event, start: Callable[..., Running], tmp_path: Path
) -> None:
    ada = start(str(tmp_path / "tables.sqlite")).client("Ada")
    table = ada.make("kiwara", [{"kind": "you"}] * 2)["id"]
    with ada.live(table) as live:
        kinds = [live.receive()["type"] for _ in range(2)]
        kinds.append(live.ask("try", decision=live.table["decision"])["type"])
        assert "compiling" not in kinds
    gate.set()
