"""The runner: one attack at a time, with honest players before and during it."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .clients import Guest, http
from .ordinary import Waits
from .probing import Probe
from .serving import Server

BASELINE = 5.0  # seconds of honest play before an attack
LONGEST = 120.0  # seconds after which an attack is ended


@dataclass
class Target:
    """The server under attack, and who plays there."""

    server: Server
    ordinary: Probe | None
    small: bool  # whether to attack gently, for checkouts known to be weak

    @property
    def url(self) -> str:
        """Return the server's address."""
        return self.server.url

    @property
    def port(self) -> int:
        """Return the server's port."""
        return self.server.port

    async def guest(self, source: str = "127.0.2.1", client: Any = None) -> Guest:
        """Return a signed-in guest of the attacker."""
        return await Guest(self.url, source, client).sign_in()

    def http(self, source: str = "127.0.2.1", **options: Any) -> Any:
        """Return an HTTP client of the attacker."""
        return http(self.url, source, **options)


@dataclass
class Outcome:
    """What the attacker got."""

    through: bool | None  # None: judge by what honest players noticed
    got: str
    figures: dict[str, Any] = field(default_factory=dict)


Attack = Callable[[Target], Awaitable[Outcome]]


@dataclass
class Entry:
    """An attack and how it is run."""

    id: str
    title: str
    run: Attack
    honest: bool  # whether honest players play at the same time
    served: bool  # whether the runner starts the server
    arguments: tuple[str, ...]


attacks: dict[str, Entry] = {}


def attack(
    id: str, title: str, *arguments: str, honest: bool = True, served: bool = True
) -> Callable[[Attack], Attack]:
    """Register an attack; `arguments` are the server's."""

    def register(run: Attack) -> Attack:
        assert id not in attacks, id
        attacks[id] = Entry(id, title, run, honest, served, arguments)
        return run

    return register


def milliseconds(value: float | None) -> int | None:
    """Return seconds as milliseconds."""
    return None if value is None else round(value * 1000)


def summary(waits: dict[str, Waits]) -> dict[str, Any]:
    """Return median, 99th percentile and failures of each kind of wait."""
    found: dict[str, Any] = {}
    for kind, wait in waits.items():
        found[kind] = {
            "count": len(wait.seconds),
            "failed": wait.failed,
            "p50": milliseconds(wait.quantile(0.5)),
            "p99": milliseconds(wait.quantile(0.99)),
        }
    return found


def hurt(before: dict[str, Any], during: dict[str, Any]) -> bool:
    """Return whether honest players suffered: failures, or waits beyond what a busy machine explains."""
    for kind, limit in (("move", 1000), ("computer", 5000), ("visit", 3000)):
        if during[kind]["failed"] > before[kind]["failed"]:
            return True
        p99, baseline = during[kind]["p99"], before[kind]["p99"]
        if p99 is not None and p99 > max(limit, 5 * (baseline or 0)):
            return True
    return False


async def watch_memory(server: Server, peak: list[int]) -> None:
    """Keep the largest resident size."""
    while True:
        if server.alive():
            peak.append(server.memory())
        await asyncio.sleep(0.25)


async def execute(target: Target, entry: Entry) -> Outcome:
    """Run an attack, bounded in time."""
    try:
        return await asyncio.wait_for(entry.run(target), LONGEST)
    except TimeoutError:
        return Outcome(None, f"not finished within {LONGEST:.0f} s")
    except Exception as failure:
        where = traceback.extract_tb(failure.__traceback__)
        line = next((frame.lineno for frame in reversed(where) if "attacks" in frame.filename), 0)
        return Outcome(None, f"attack failed, line {line}: {type(failure).__name__}: {failure}"[:300])


async def run(entry: Entry, src: Path, small: bool, niceness: int = 0) -> dict[str, Any]:
    """Run one attack against a new server; return all figures, with the seconds that everything took."""
    began = time.monotonic()
    found = await attempt(entry, src, small, niceness)
    return {**found, "total": round(time.monotonic() - began)}


async def attempt(entry: Entry, src: Path, small: bool, niceness: int) -> dict[str, Any]:
    """Run one attack against a new server; return its figures."""
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        server = Server(src, Path(folder), *entry.arguments, niceness=niceness)
        found: dict[str, Any] = {"id": entry.id, "title": entry.title}
        try:
            if not entry.served:
                outcome = await execute(Target(server, None, small), entry)
                return {**found, "through": outcome.through, "got": outcome.got, "figures": outcome.figures}
            await server.start()
            if not entry.honest:
                outcome = await execute(Target(server, None, small), entry)
                found |= {"alive": server.alive(), "tracebacks": server.errors()}
                return {**found, "through": outcome.through, "got": outcome.got, "figures": outcome.figures}
            ordinary = Probe(server.url, niceness)
            async with ordinary.playing():
                await asyncio.sleep(1.0)
                await ordinary.forget()
                await asyncio.sleep(BASELINE)
                before = summary(await ordinary.forget())
                calm = server.memory()
                peak = [calm]
                watcher = asyncio.create_task(watch_memory(server, peak))
                started = time.monotonic()
                outcome = await execute(Target(server, ordinary, small), entry)
                seconds = time.monotonic() - started
                await asyncio.sleep(1.0)
            during = summary(await ordinary.answer())  # those who still waited when the block ended, too
            await ordinary.end()
            watcher.cancel()
            through = outcome.through
            if not server.alive() or hurt(before, during):
                through = True
            return {
                **found,
                "through": bool(through),
                "got": outcome.got,
                "figures": outcome.figures,
                "alive": server.alive(),
                "tracebacks": server.errors(),
                "before": before,
                "during": during,
                "megabytes": [calm >> 20, max(peak) >> 20],
                "seconds": round(seconds, 1),
                "load": round(os.getloadavg()[0], 1),
                "complaints": sorted(set(ordinary.ended))[:5],
            }
        except Exception as failure:
            return {**found, "through": None, "got": f"could not run: {type(failure).__name__}: {failure}"[:300]}
        finally:
            server.stop()
