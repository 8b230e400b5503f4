"""The long trials: `make soak`. Prints the figures of docs/reliability.md; stops at the first thing that is wrong."""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
import time
from dataclasses import asdict

import mchezo
from tests.server import postgres, trials
from tests.server.hostile import frames, press_api
from tests.server.serving import Client, Process
from tests.server.worlds import compare

GAMES, KILLS = 200, 20
PAUSE = 12.0  # seconds at most before a move: games are to run at the last kill, too
WORLDS = 60  # games of each kind
CASES = 10_000


def tell(what: str, **figures: object) -> None:
    """One line."""
    print(what, json.dumps(figures), flush=True)


def killed(database: str, name: str, processes: int) -> None:
    """Servers killed in the middle of many games."""
    course = asyncio.run(
        trials.run(database, GAMES, KILLS, between=3.0, processes=processes, computers=GAMES // 10, pause=PAUSE)
    )
    tell(
        f"killed, {name}",
        games=len(course.games),
        kills=course.kills,
        processes=processes,
        acknowledged=course.acknowledged,
        moves=course.moves,
        running_at_the_last_kill=course.running_at_last_kill,
        **asdict(course.findings),
        seconds=round(course.seconds),
    )
    assert course.findings == trials.Findings(), "something was lost"


def hidden() -> None:
    """Worlds that differ in what is hidden."""
    for game in mchezo.games():
        found = [compare(game, number) for number in range(WORLDS)]
        tell(f"hidden, {game}", games=WORLDS, bytes=sum(size for size, _ in found), redrawn=sum(n for _, n in found))


def hostile(database: str) -> None:
    """Generated requests and frames."""
    server = Process(database)
    try:
        ada = Client(server.address, "Ada")
        table = ada.make()["id"]
        began, cases = time.monotonic(), 0
        failures: list[str] = []
        while cases < CASES:
            course = press_api(server.address, ada, examples=60)
            cases += course.cases
            failures += course.failures
        number = ada.look(table)["number"]
        sent = 0
        dice = random.Random(1)
        import hypothesis

        @hypothesis.given(frame=frames())
        @hypothesis.settings(max_examples=2_000, deadline=None, database=None)
        def press(frame: str | bytes) -> None:
            nonlocal sent
            with ada.live(table) as live:
                live.wait_for("news")
                live.socket.send(frame)
                live.ask("try", decision=dice.randrange(5))
            sent += 1

        press()
        assert ada.look(table)["number"] == number
        tell("hostile", requests=cases, frames=sent, failures=len(failures), seconds=round(time.monotonic() - began))
        assert not failures, failures[:5]
    finally:
        server.stop()


def main() -> None:
    """All, or those named."""
    asked = sys.argv[1:] or ["sqlite", "postgresql", "processes", "hidden", "hostile"]
    cluster = postgres.begin()
    with tempfile.TemporaryDirectory() as folder:
        if "sqlite" in asked:
            killed(f"{folder}/killed.sqlite", "SQLite", 1)
        if cluster is not None:
            if "postgresql" in asked:
                killed(cluster.database(), "PostgreSQL", 1)
            if "processes" in asked:
                killed(cluster.database(), "PostgreSQL", 2)
            cluster.stop()
        if "hidden" in asked:
            hidden()
        if "hostile" in asked:
            hostile(f"{folder}/hostile.sqlite")


if __name__ == "__main__":
    main()
