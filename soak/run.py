"""The long trials: `make soak`. Prints the figures of docs/reliability.md; stops at the first failure.

`python soak/run.py --share 0.1 sqlite hidden` runs some of them, at a tenth of their size.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from dataclasses import asdict

import mchezo
from tests.server import postgres, trials
from tests.server.hostile import attack_api, frames
from tests.server.lost_commits import Trial
from tests.server.serving import Client, Process
from tests.server.worlds import compare

GAMES, KILLS = 200, 20
PAUSE = 12.0  # maximum seconds before a move: games have to last until the last kill
WORLDS = 60  # per game
CASES, FRAMES = 10_000, 2_000
COMMANDS = 500  # at each of 20 tables, while connections to PostgreSQL are lost
PARTS = ("sqlite", "postgresql", "processes", "commits", "hidden", "hostile")


def report(what: str, **figures: object) -> None:
    """Print one line."""
    print(what, json.dumps(figures), flush=True)


def killed(database: str, name: str, processes: int, share: float) -> None:
    """Kill servers in the middle of many games."""
    games, kills = part(GAMES, share), part(KILLS, share)
    pause = max(PAUSE / 4, PAUSE * kills / KILLS)
    course = asyncio.run(
        trials.run(database, games, kills, between=3.0, processes=processes, computers=games // 10, pause=pause)
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


def commits(cluster: postgres.Postgres, share: float) -> None:
    """Lose connections to PostgreSQL around statements; crash servers, and PostgreSQL."""
    began = time.monotonic()
    trial = Trial(cluster, tables=20, commands=part(COMMANDS, share), probability=0.1, seed=1)
    findings = asyncio.run(trial.run(crashes=part(20, share), cuts=part(5, share)))
    seconds = round(time.monotonic() - began)
    report("commits", answers=trial.answers, faults=trial.faults, **asdict(findings), seconds=seconds)
    assert findings == trials.Findings(), "something was lost"


def hidden(share: float) -> None:
    """Compare worlds that differ in what is hidden."""
    worlds = part(WORLDS, share)
    for game in mchezo.games():
        found = [compare(game, number) for number in range(worlds)]
        report(f"hidden, {game}", games=worlds, bytes=sum(size for size, _ in found), redrawn=sum(n for _, n in found))


def hostile(database: str, share: float) -> None:
    """Send generated requests and frames."""
    server = Process(database)
    try:
        began, cases = time.monotonic(), 0
        failures: list[str] = []
        while cases < part(CASES, share):
            # Another guest each time: some of the requests sign out or delete their sender.
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
        @hypothesis.settings(max_examples=part(FRAMES, share), deadline=None, database=None)
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


def part(size: int, share: float) -> int:
    """Return a share of a size, at least 1."""
    return max(1, round(size * share))


def main() -> None:
    """Run all trials, or those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="trials; all without any")
    parser.add_argument("--share", type=float, default=1.0, help="of the whole size")
    given = parser.parse_args()
    asked, share = given.parts or PARTS, given.share
    cluster = postgres.begin()
    try:
        with tempfile.TemporaryDirectory() as folder:
            if "sqlite" in asked:
                killed(f"{folder}/killed.sqlite", "SQLite", 1, share)
            if "postgresql" in asked:
                killed(cluster.database(), "PostgreSQL", 1, share)
            if "processes" in asked:
                killed(cluster.database(), "PostgreSQL", 2, share)
            if "commits" in asked:
                commits(cluster, share)
            if "hidden" in asked:
                hidden(share)
            if "hostile" in asked:
                hostile(f"{folder}/hostile.sqlite", share)
    finally:
        cluster.stop()


if __name__ == "__main__":
    main()
