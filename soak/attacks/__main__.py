"""Command line: run attacks and print a table."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
from pathlib import Path
from typing import Any

from . import (
    community,
    connections,
    costly,
    damage,
    fairness,
    headers,
    inventions,
    parsing,
    people,
    storage,
    studying,
)
from .running import attacks, run

MODULES = (
    parsing,
    connections,
    damage,
    storage,
    people,
    fairness,
    headers,
    inventions,
    community,
    costly,
    studying,
)  # importing registers attacks


def verdict(found: dict[str, Any]) -> str:
    """Return one word on an attack."""
    return {True: "THROUGH", False: "held", None: "?"}[found.get("through")]


def change(found: dict[str, Any], kind: str, quantile: str) -> str:
    """Return a wait before and during an attack, with the ratio."""
    before, during = found["before"][kind][quantile], found["during"][kind][quantile]
    ratio = f" x{during / before:.1f}" if before and during else ""
    failed = found["during"][kind]["failed"]
    return f"{before}>{during}{ratio}" + (f" !{failed}" if failed else "")


def line(found: dict[str, Any]) -> str:
    """Return the figures of one attack as text."""
    parts = [verdict(found)]
    if "during" in found:
        parts.append(f"move p50 {change(found, 'move', 'p50')} p99 {change(found, 'move', 'p99')}")
        parts.append(f"level 2 {change(found, 'computer', 'p99')}")
        parts.append(f"visit {change(found, 'visit', 'p99')} ms")
        parts.append(f"{found['megabytes'][0]}>{found['megabytes'][1]} MB")
        parts.append(f"load {found['load']}")
    if not found.get("alive", True):
        parts.append("DIED")
    if found.get("tracebacks"):
        parts.append(f"{found['tracebacks']} tracebacks")
    return "; ".join(parts) + f"\n        got: {found['got']}"


def main() -> None:
    """Run the attacks asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--src", type=Path, required=True, help="folder src of the checkout to attack")
    parser.add_argument("--only", default="", help="ids, or beginnings of ids, with commas")
    parser.add_argument("--small", action="store_true", help="attack gently: for versions known to be weak")
    parser.add_argument("--json", type=Path, help="write the results here; earlier ones in the file are kept")
    parser.add_argument("--before", type=Path, help="results of another checkout, to compare with")
    parser.add_argument("--nice", type=int, default=0, help="of server and honest players; below 0 on a busy machine")
    asked = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    wanted = tuple(asked.only.split(","))
    results: dict[str, Any] = json.loads(asked.json.read_text()) if asked.json and asked.json.exists() else {}
    before: dict[str, Any] = json.loads(asked.before.read_text()) if asked.before else {}
    for id, entry in attacks.items():
        if not id.startswith(wanted):
            continue
        found = asyncio.run(run(entry, asked.src.resolve(), asked.small, asked.nice))
        results[id] = found
        print(f"{id:6} {entry.title}")
        if id in before:
            print(f"  then  {line(before[id])}")
        print(f"  now   {line(found)}", flush=True)
        if asked.json:
            asked.json.write_text(json.dumps(results, indent=1))
    print(f"{sum(found.get('through') is True for found in results.values())} of {len(results)} got through;", end=" ")
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
