"""While the rules are compiled, players at a table see the progress of what they need."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from mchezo.server.compute import compiling
from mchezo.server.compute.compiling import PLAYERS, Readiness
from mchezo.server.runtime.service import Service
from tests.server.serving import Running


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """The computer players are ready when it opens."""
    gate = threading.Event()

    async def nothing(_: Readiness) -> None: ...

    monkeypatch.setattr(compiling, "compile_in_child", nothing)  # even where nothing is compiled yet
    monkeypatch.setattr(Service, "load_computers", lambda _: gate.wait())
    return gate


def test_a_table_with_a_computer_shows_the_progress_until_it_is_ready(
    gate: threading.Event, start: Callable[..., Running], tmp_path: Path
) -> None:
    server = start(str(tmp_path / "tables.sqlite"))
    ada = server.client("Ada")
    seats = [{"kind": "computer", "level": 1}, {"kind": "you"}]
    table = ada.make("kiwara", seats)["id"]
    with ada.live(table) as live:
        assert live.wait_for("compiling")["players"] == {"done": 0, "total": 1, "ready": False}
        assert server.service is not None
        server.service.mailbox.put(server.service.readiness.report, PLAYERS, 2, 7)
        assert live.wait_for("compiling")["players"] == {"done": 2, "total": 7, "ready": False}
        assert live.table["made"] == 0
        gate.set()
        assert live.wait_for("compiling")["players"]["ready"]
        while live.table["made"] == 0:
            live.wait_for("news")


def test_a_table_without_computers_does_not_show_their_progress(
    gate: threading.Event, start: Callable[..., Running], tmp_path: Path
) -> None:
    ada = start(str(tmp_path / "tables.sqlite")).client("Ada")
    table = ada.make("kiwara", [{"kind": "you"}] * 2)["id"]
    with ada.live(table) as live:
        kinds = [live.receive()["type"] for _ in range(2)]
        kinds.append(live.ask("try", decision=live.table["decision"])["type"])
        assert "compiling" not in kinds
    gate.set()
