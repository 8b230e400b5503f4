"""Load on the server: `make bench-server`. Prints the table of its page."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.server import postgres
from tests.server.serving import Client, Process

HERE = Path(__file__).parent / "network"
SECONDS = 8
TABLES_AT_FULL_SPEED = 100
LOADS = (100, 200, 400, 800, 1200, 1600, 2400, 3200)  # tables with a move a second
MOST_P99 = 100.0  # milliseconds
IDLE = 5_000


def node(script: str, *arguments: object) -> dict[str, Any]:
    """Run a load; what it measured."""
    command = ["node", script, *map(str, arguments)]
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=300)
    if done.returncode or not done.stdout.strip():
        raise RuntimeError(done.stderr[-2000:])
    result: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return result


def memory(pid: int) -> float:
    """Resident memory of a process, in megabytes."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def measure(name: str, database: str) -> list[str]:
    """One line of the table for a database."""
    server = Process(database, threads=0)
    try:
        full = node("load.js", server.address, TABLES_AT_FULL_SPEED, SECONDS, 0)
        before, held = memory(server.process.pid), None
        for tables in LOADS:
            found = node("load.js", server.address, tables, SECONDS, 1000)
            print(name, found, file=sys.stderr)
            if found["p99"] > MOST_P99:
                break
            held = found
        after = memory(server.process.pid)
        each = (after - before) * 1024 / sum(load for load in LOADS if held and load <= held["tables"]) if held else 0
        return line(name, full, held, f"{each:.0f} kB")
    finally:
        server.stop()


def line(name: str, full: dict[str, Any], held: dict[str, Any] | None, each: str) -> list[str]:
    """A row."""
    speed = f"{full['moves_a_second']:,.0f} ({full['p99']:.0f} ms)"
    if held is None:
        return [name, speed, "-", "-", "-", each]
    rate = f"{held['moves_a_second']:,.0f}"
    return [name, speed, f"{held['tables']:,}", rate, f"{held['p50']:.0f} / {held['p99']:.0f} ms", each]


def measure_idle(database: str) -> str:
    """How many idle sockets are held, and in how much memory."""
    server = Process(database, threads=0)
    try:
        ada = Client(server.address, "Ada")
        table = ada.make()["id"]
        before = memory(server.process.pid)
        command = ["node", "idle.js", server.address, table, str(IDLE)]
        load = subprocess.Popen(command, cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert load.stdout is not None
        found = json.loads(load.stdout.readline())
        each = (memory(server.process.pid) - before) * 1024 / max(1, found["open"])
        load.communicate("done\n", timeout=60)
        return (
            f"{found['open']:,} idle sockets were held by one process, {each:.0f} kB each; {found['closed']} were lost."
        )
    finally:
        server.stop()


def main() -> None:
    """Measure everything, and print the table."""
    if shutil.which("npm") is None:
        sys.exit("npm is missing: apt-get install npm")
    subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--silent"], cwd=HERE, check=True)
    cluster = postgres.begin()
    with tempfile.TemporaryDirectory() as folder:
        rows = [measure("SQLite", f"{folder}/load.sqlite")]
        if cluster is not None:
            rows.append(measure("PostgreSQL", cluster.database()))
            cluster.stop()
        idle = measure_idle(f"{folder}/idle.sqlite")
    head = ["", "moves a second at full speed (p99)", "tables with a move a second, p99 below 100 ms"]
    head += ["moves a second then", "p50 / p99", "memory a table"]
    print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print(f"\n{idle}")


if __name__ == "__main__":
    main()
