"""The long trials: `make soak`. Prints the figures of docs/reliability.md; stops at the first failure."""

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
from tests.server.hostile import attack_api, frames
from tests.server.serving import Client, Process
from tests.server.worlds import compare

GAMES, KILLS = 200, 20
PAUSE = 12.0  # maximum seconds before a move: games have to last until the last kill
WORLDS = 60  # per game
CASES = 10_000


def report(what: str, **figures: object) -> None:
    """Print one line."""
    print(what, json.dumps(figures), flush=True)


def killed(database: str, name: str, processes: int) -> None:
    """Kill servers in the middle of many games."""
    course = asyncio.run(
        trials.run(database, GAMES, KILLS, between=3.0, processes=processes, computers=GAMES // 10, pause=PAUSE)
    )
    report(
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
    """Compare worlds that differ in what is hidden."""
    for game in mchezo.games():
        found = [compare(game, number) for number in range(WORLDS)]
        report(f"hidden, {game}", games=WORLDS, bytes=sum(size for size, _ in found), redrawn=sum(n for _, n in found))


def hostile(database: str) -> None:
    """Send generated requests and frames."""
    server = Process(database)
    try:
        began, cases = time.monotonic(), 0
        failures: list[str] = []
        while cases < CASES:
            # Somebody else each time, for some of the requests sign out or delete whoever sends them.
            outcome = attack_api(server.address, Client(server.address, "Ada"), examples=60)
            cases += outcome.cases
            failures += outcome.failures
        ben = Client(server.address, "Ben")
        table = ben.make()["id"]
        number = ben.look(table)["number"]
        sent = 0
        rng = random.Random(1)
        import hypothesis

        @hypothesis.given(frame=frames())
        @hypothesis.settings(max_examples=2_000, deadline=None, database=None)
        def attack(frame: str | bytes) -> None:
            nonlocal sent
            with ben.live(table) as live:
                live.wait_for("news")
                live.socket.send(frame)
                live.ask("try", decision=rng.randrange(5))
            sent += 1

        attack()
        assert ben.look(table)["number"] == number
        report("hostile", requests=cases, frames=sent, failures=len(failures), seconds=round(time.monotonic() - began))
        assert not failures, failures[:5]
    finally:
        server.stop()


def main() -> None:
    """Run all trials, or those named."""
    asked = sys.argv[1:] or ["sqlite", "postgresql", "processes", "hidden", "hostile"]
    cluster = postgres.begin()
    with tempfile.TemporaryDirectory() as folder:
        if "sqlite" in asked:
            killed(f"{folder}/killed.sqlite", "SQLite", 1)
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
