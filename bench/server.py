"""Load test of the server: `make bench-server`. Prints the tables of docs/reliability.md.

    python -m bench.server speed    players never pause: moves per second, latency, processor time of a move
    python -m bench.server tables   how many tables with a move per second are held, and their memory
    python -m bench.server idle     memory of idle sockets
    python -m bench.server crowd    the latency of players beside idle sockets and a crowd of spectators

Every contender gets the same loads in the same run, one after the other, again for every run; a row has the medians.
Beside moves per second stands the processor time that the server takes for a move, for the load runs on the same cores.
Each piece can be run by itself, and for some contenders only (`--only NAME`), to fit into a few minutes.

`MCHEZO_OLD=FOLDER`, a checkout of an earlier version, adds that version's server.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx

import mchezo
from mchezo.server.run import allow_many_sockets
from tests.server import postgres
from tests.server.serving import Client, Process, eventually

HERE = Path(__file__).parent / "network"
LOADS = (500, 1000, 1500, 2000, 3000, 4000)  # tables with a move per second
FULL_SPEED = 50  # tables whose players never pause
MOST_P99 = 100.0  # milliseconds
# What players who ask for facts know whole games of: nothing in them is left to chance, so that nobody needs the rules.
KNOWN: dict[str, dict[str, str]] = {"katarenga": {"variant": "congress", "board": "b0d3a0c3"}, "kiwara": {}}
GAMES = 50
WATCHED = 50  # tables that idle sockets watch


@dataclass
class Serving:
    """A running contender: its address, its processes and those of its database, and its load script."""

    address: str
    pids: list[int]
    load: list[str]  # the command
    database: list[int] = field(default_factory=list)


Begin = Callable[[], AbstractContextManager[Serving]]


class Contenders:
    """What is measured, by name; each start gets an empty database."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        games = {game: write_games(f"{folder}/{game}.json", game) for game in KNOWN}
        self.cluster: postgres.Postgres | None = None
        on_sqlite = partial(self.ours, self.new_file)
        on_postgres = partial(self.ours, self.new_database)
        self.begin: dict[str, Begin] = {
            "SQLite, facts": partial(on_sqlite, want=games["katarenga"]),
            "SQLite, facts, Kiwara": partial(on_sqlite, game="kiwara", want=games["kiwara"]),
            "SQLite, views": on_sqlite,
            "SQLite, views, Kiwara": partial(on_sqlite, game="kiwara"),
            "SQLite, views, Kitara": partial(on_sqlite, game="kitara"),
            "PostgreSQL, facts": partial(on_postgres, want=games["katarenga"]),
            "PostgreSQL, facts, two processes": partial(on_postgres, want=games["katarenga"], processes=2),
            "PostgreSQL, views": on_postgres,
            "boardgame.io, in memory": boardgame_io,
            "boardgame.io, in files": lambda: boardgame_io(tempfile.mkdtemp(dir=folder)),
        }
        if (old := os.environ.get("MCHEZO_OLD")) is not None:
            before = partial(earlier, old, self.new_file)
            self.begin["SQLite, facts, earlier version"] = partial(before, want=games["katarenga"])
            self.begin["SQLite, views, earlier version"] = before

    def new_file(self) -> str:
        """Return the path of a new SQLite database."""
        return tempfile.mkdtemp(dir=self.folder) + "/tables.sqlite"

    def new_database(self) -> str:
        """Return a new PostgreSQL database, which syncs what it commits."""
        if self.cluster is None:
            self.cluster = postgres.begin(sync=True)
        return self.cluster.database()

    @contextmanager
    def ours(
        self, database: Callable[[], str], processes: int = 1, game: str = "katarenga", want: str = "view"
    ) -> Iterator[Serving]:
        """Run our server."""
        server = Process(database(), threads=0, processes=processes)
        try:
            stored = [] if self.cluster is None else [self.cluster.pid]
            load = ["load.js", server.address, game, want]
            yield Serving(server.address, [server.process.pid], load, stored)
        finally:
            server.stop()

    def close(self) -> None:
        """Stop PostgreSQL."""
        if self.cluster is not None:
            self.cluster.stop()


def write_games(path: str, game: str) -> str:
    """Write random games for players who need no legal moves; return the path."""
    rng, games = random.Random(1), []
    for _ in range(GAMES):
        position = mchezo.game(game).start(**KNOWN[game])
        while position.legal_moves:
            position.play(rng.choice(position.legal_moves))
        games.append(position.moves)
    Path(path).write_text(json.dumps({"options": KNOWN[game], "games": games}))
    return path


@contextmanager
def earlier(folder: str, database: Callable[[], str], want: str = "view") -> Iterator[Serving]:
    """Run the server of an earlier version."""
    command = [sys.executable, "-m", "tests.server.serving", database(), "0", "0", "1"]
    environment = {**os.environ, "PYTHONPATH": f"{folder}/src{os.pathsep}{folder}"}
    server = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = server.stdout.readline().strip().removeprefix("http://").removesuffix("/")
        address = address.replace("localhost", "127.0.0.1")
        eventually(lambda: httpx.get(f"http://{address}/healthz").json()["status"] == "ok")
        yield Serving(address, [server.pid], ["load.js", address, "katarenga", want])
    finally:
        server.kill()
        server.wait()


@contextmanager
def boardgame_io(*folder: str) -> Iterator[Serving]:
    """Run boardgame.io's server, in memory or with files in a folder."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = ["node", "boardgame_server.js", str(port), *folder]
    server = subprocess.Popen(command, cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout is not None
        assert server.stdout.readline() == "ready\n"
        address = f"127.0.0.1:{port}"
        yield Serving(address, [server.pid], ["boardgame_load.js", address])
    finally:
        server.kill()
        server.wait()


def put_under_load(serving: Serving, tables: int, seconds: float, pause: int) -> dict[str, Any]:
    """Run a load; return its measurements and the memory per table."""
    before = memory(serving.pids)
    command = ["node", *serving.load, *map(str, (tables, seconds, pause))]
    environment = {**os.environ, "SERVERS": commas(serving.pids), "DATABASES": commas(serving.database)}
    done = subprocess.run(command, cwd=HERE, env=environment, capture_output=True, text=True, timeout=600)
    if done.returncode or not done.stdout.strip():
        raise RuntimeError(done.stderr[-2000:])
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    found["p99"] = found.get("p99") or float("inf")  # no move arrived
    found["kilobytes"] = (memory(serving.pids) - before) / tables
    return found


def commas(numbers: list[int]) -> str:
    """Return numbers separated by commas."""
    return ",".join(map(str, numbers))


def memory(pids: list[int]) -> int:
    """Return the resident memory of processes and their children, in kilobytes."""
    total = 0
    for pid in pids:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        total += sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
        total += memory([int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()])
    return total


def log(name: str, found: dict[str, Any]) -> None:
    """Print a measurement to stderr, with the load of the machine."""
    shown = {key: None if value is None else round(value, 2) for key, value in found.items()}
    print(name, json.dumps(shown), "load", round(os.getloadavg()[0], 1), file=sys.stderr, flush=True)


def measure_speed(contenders: dict[str, Begin], runs: int, seconds: float) -> None:
    """Let players move without pauses, the contenders in turn."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in contenders}
    for _ in range(runs):
        for name, begin in contenders.items():
            with begin() as serving:
                found[name].append(put_under_load(serving, FULL_SPEED, seconds, 0))
            log(name, found[name][-1])
    head = [f"{FULL_SPEED} tables, players never pause", "moves per second", "of the runs", "p50 / p99"]
    head += ["us of the server a move", "us of PostgreSQL a move", "cores of the load"]
    print_head(head)
    for name, rows in found.items():
        middle = {key: statistics.median(row[key] for row in rows) for key in rows[0] if rows[0][key] is not None}
        speeds = sorted(row["moves_a_second"] for row in rows)
        cells = [name, f"{middle['moves_a_second']:,.0f}", f"{speeds[0]:,.0f} to {speeds[-1]:,.0f}"]
        cells += [f"{middle['p50']:.0f} / {middle['p99']:.0f} ms", f"{middle['microseconds']:,.0f}"]
        cells += [f"{middle['database']:,.0f}" if middle["database"] else "", f"{middle['load']:.2f}"]
        print("| " + " | ".join(cells) + " |", flush=True)


def measure_tables(contenders: dict[str, Begin], runs: int, seconds: float) -> None:
    """Add tables with a move per second, as long as the 99th percentile of latency stays below 100 ms."""
    print_head(["tables with a move per second", "of the runs", "moves per second", "p50 / p99", "kB a table"])
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in contenders}
    for _ in range(runs):
        for name, begin in contenders.items():
            found[name].append(most_tables(name, begin, seconds))
    for name, rows in found.items():
        rows.sort(key=lambda row: row["tables"])
        middle = rows[len(rows) // 2]
        cells = [name, ", ".join(f"{row['tables']:,}" for row in rows), f"{middle['moves_a_second']:,.0f}"]
        cells += [f"{middle['p50']:.0f} / {middle['p99']:.0f} ms", f"{middle['kilobytes']:.0f}"]
        print("| " + " | ".join(cells) + " |", flush=True)


def most_tables(name: str, begin: Begin, seconds: float) -> dict[str, Any]:
    """Return the measurements with the most tables that were held; every load gets a fresh server."""
    held: dict[str, Any] = {"tables": 0, "moves_a_second": 0, "p50": 0, "p99": 0, "kilobytes": 0}
    loads = list(LOADS)
    while loads:
        tables = loads.pop(0)
        with begin() as serving:
            found = put_under_load(serving, tables, seconds, 1000)
        log(name, found)
        if found["p99"] <= MOST_P99:
            held = found
        else:
            # Overloaded: try half-way back to the last load held, then stop.
            loads = [(tables + held["tables"]) // 2] if tables in LOADS else []
    return held


def print_head(head: list[str]) -> None:
    """Print the head of a table."""
    print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head), flush=True)


@contextmanager
def idle_sockets(serving: Serving, tables: list[str], count: int, minutes: float) -> Iterator[dict[str, Any]]:
    """Open sockets that only answer pings, spread over tables; how many were open in the end is added."""
    command = ["node", "idle.js", serving.address, ",".join(tables), str(count), str(round(minutes * 60_000))]
    found: dict[str, Any] = {}
    with subprocess.Popen(command, cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as load:
        assert load.stdout is not None
        load.stdout.readline()  # all are open
        yield found
        out, _ = load.communicate("how many\n", timeout=600)
    found.update(json.loads(out))


def measure_idle(begin: Begin, sockets: int) -> None:
    """Print how many idle sockets one process holds, and their memory."""
    with begin() as serving:
        ada = Client(serving.address, "Ada")
        tables = [ada.make()["id"] for _ in range(WATCHED)]
        before = memory(serving.pids)
        with idle_sockets(serving, tables, sockets, 1) as found:
            each = (memory(serving.pids) - before) / sockets
    print(f"{found['open']:,} idle sockets were held for a minute, {each:.1f} kB each; {found['closed']} were lost.")


def measure_crowd(begin: Begin, sockets: int, tables: int, crowd: int, seconds: float) -> None:
    """Print the latency of players alone, and beside idle sockets and a crowd at one of the tables."""
    for beside in (False, True):
        with begin() as serving:
            ada = Client(serving.address, "Ada")
            quiet = [ada.make()["id"] for _ in range(WATCHED)]
            if not beside:
                found = put_under_load(serving, tables, seconds, 1000)
                log("alone", found)
                print(f"{tables:,} tables: p50 {found['p50']:.0f} ms, p99 {found['p99']:.0f} ms")
                continue
            with idle_sockets(serving, quiet, sockets, 0) as held:
                serving.load = ["load.js", f"{serving.address}+{crowd}", *serving.load[2:]]
                found = put_under_load(serving, tables, seconds, 1000)
            log("beside a crowd", found)
            print(
                f"{tables:,} tables beside {held['open']:,} idle sockets, {crowd} spectators at one table: "
                f"p50 {found['p50']:.0f} ms, p99 {found['p99']:.0f} ms; {held['closed']} sockets were lost"
            )


def main() -> None:
    """Measure a piece, or everything, and print its table."""
    parser = argparse.ArgumentParser(description="Load test of the server.")
    parser.add_argument("pieces", nargs="*", default=["speed", "tables", "idle", "crowd"])
    parser.add_argument("--only", action="append", help="a contender; can be repeated")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--sockets", type=int, default=20_000, help="idle ones")
    parser.add_argument("--tables", type=int, default=2_000, help="beside a crowd")
    parser.add_argument("--crowd", type=int, default=500)
    asked = parser.parse_args()
    if shutil.which("npm") is None:
        sys.exit("npm is missing: apt-get install npm")
    allow_many_sockets()
    subprocess.run(["npm", "ci", "--silent"], cwd=HERE, check=True)
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:
        contenders = Contenders(folder)
        chosen = {name: contenders.begin[name] for name in asked.only or contenders.begin}
        ours = contenders.begin["SQLite, facts"]
        try:
            if "speed" in asked.pieces:
                measure_speed(chosen, asked.runs, asked.seconds)
            if "tables" in asked.pieces:
                measure_tables(chosen, asked.runs, asked.seconds)
            if "idle" in asked.pieces:
                measure_idle(ours, asked.sockets)
            if "crowd" in asked.pieces:
                measure_crowd(ours, asked.sockets, asked.tables, asked.crowd, asked.seconds)
        finally:
            contenders.close()


if __name__ == "__main__":
    main()
