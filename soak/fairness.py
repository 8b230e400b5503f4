"""How long an ordinary player waits while one guest fills the server with level-8 tables: `python -m soak.fairness`.

One guest opens 30 tables of Kitara with three computers of level 8 each and answers them at once; another one, from the
same network, plays against a computer of level 2. The server is a process of its
own with the computer players that are shipped and the limits that are the default.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.server.serving import Client, Live, eventually, new_id

COMPUTER = {"kind": "computer", "level": 8}
SERVER = """
import sys
from mchezo.server import run
from mchezo.server.runtime.config import Config
config = Config(sys.argv[1], threads=int(sys.argv[2]))
run.serve(config, "127.0.0.1", 0, started=lambda address: print(address, flush=True))
"""


def wait_for_players(address: str) -> None:
    """Wait until the rules and the computer players are loaded: tables and hints are refused before."""
    client = Client(address, "Ready")
    body = {"game": "katarenga", "seats": [{"kind": "you"}, {"kind": "you"}]}
    made = eventually(lambda: (answer := client.http.post("/api/tables", json=body)).status_code == 201 and answer)
    table = made.json()["table"]
    hint = {"type": "hint", "id": "h", "decision": table["decision"], "level": 1}
    path = f"/api/tables/{table['id']}/hint"
    eventually(lambda: client.http.post(path, json=hint).status_code == 200 or time.sleep(3))


class Flood(threading.Thread):
    """One guest with many tables of three level-8 computers; answers each as soon as it is its turn."""

    def __init__(self, address: str, tables: int) -> None:
        super().__init__(daemon=True)
        self.client = Client(address, "Mallory")
        seats = [{"kind": "you"}, COMPUTER, COMPUTER, COMPUTER]
        self.tables = [self.client.make("kitara", seats)["id"] for _ in range(tables)]
        self.ended = threading.Event()
        self.moves = 0
        self.refused: Counter[str] = Counter()

    def run(self) -> None:
        """Move at every table in turn."""
        rng = random.Random(1)
        while not self.ended.is_set():
            for id in self.tables:
                if self.ended.is_set():
                    return
                answer = self.client.http.get(f"/api/tables/{id}")
                if answer.status_code != 200:
                    self.refused[answer.json()["code"]] += 1
                    time.sleep(0.05)
                    continue
                seen = answer.json()
                if seen["legal"]:
                    body = {"type": "move", "id": new_id(), "decision": seen["decision"]}
                    move = {**body, "moves": [rng.choice(seen["legal"])]}
                    self.client.http.post(f"/api/tables/{id}/commands", json=move)
                    self.moves += 1
                time.sleep(0.02)


def answers(address: str, game: str, turns: int) -> tuple[list[float], list[float]]:
    """Play against level 2; return the milliseconds of our moves until acknowledged, and of its answers after that."""
    ada = Client(address, "Ada")
    rng = random.Random(2)
    moves: list[float] = []
    waits: list[float] = []
    while len(waits) < turns:
        table = ada.make(game, [{"kind": "you"}, {"kind": "computer", "level": 2}])["id"]
        with ada.live(table) as live:
            live.wait_for("news")
            while len(waits) < turns and live.table["status"] == "running":
                one_turn(live, rng, moves, waits)
    return moves, waits


def one_turn(live: Live, rng: random.Random, moves: list[float], waits: list[float]) -> None:
    """Play until the computer is to move, and wait for its answer."""
    while live.table["status"] == "running" and not live.table["legal"]:
        live.receive()
    while live.table["legal"]:
        decision = live.table["decision"]
        sent = time.perf_counter()
        answer = live.ask("move", decision=decision, moves=[rng.choice(live.table["legal"])])
        if answer["type"] != "done":
            return
        acknowledged = time.perf_counter()
        moves.append(1000 * (acknowledged - sent))
        while live.table["number"] < answer["number"]:
            live.receive()
    while live.table["status"] == "running" and not live.table["legal"]:
        live.receive()
    waits.append(1000 * (time.perf_counter() - acknowledged))


def percentiles(values: list[float]) -> dict[str, int]:
    """Return the median, the 95th and 99th percentile and the maximum, in milliseconds."""
    ordered = sorted(values)
    found = {f"p{share}": ordered[min(len(ordered) - 1, len(ordered) * share // 100)] for share in (50, 95, 99)}
    return {name: round(value) for name, value in {**found, "max": ordered[-1]}.items()}


def main() -> None:
    """Measure an idle server, then one under the flood."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--games", nargs="+", default=["kiwara", "katarenga"])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = [sys.executable, "-c", SERVER, str(Path(folder) / "tables.sqlite"), str(given.threads)]
        process = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            line = process.stdout.readline().strip()
            address = line.removeprefix("http://").removesuffix("/").replace("localhost", "127.0.0.1")
            wait_for_players(address)
            report: dict[str, Any] = {}
            for game in given.games:
                moves, waits = answers(address, game, given.turns)
                report[f"{game}, idle"] = {"move": percentiles(moves), "answer": percentiles(waits)}
            flood = Flood(address, given.tables)
            flood.start()
            time.sleep(3)  # until all of its tables wait for computers
            for game in given.games:
                moves, waits = answers(address, game, given.turns)
                report[f"{game}, {given.tables} tables"] = {"move": percentiles(moves), "answer": percentiles(waits)}
            flood.ended.set()
            flood.join()
            for name, figures in report.items():
                print(name, json.dumps(figures), flush=True)
            print("flood", json.dumps({"moves": flood.moves, "refused": dict(flood.refused)}), flush=True)
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
