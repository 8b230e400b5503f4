"""A full disk, a PostgreSQL that restarts, and copies of the database."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.server import postgres

from .clients import HONEST, Guest, status_counts
from .ordinary import Follower
from .running import Outcome, Target, attack
from .serving import Server

SEATS = [{"kind": "you"}, {"kind": "you"}]
BODY = {"game": "katarenga", "seats": SEATS}


async def status(request: Any) -> int:
    """Return the status of an answer; 0 if there was none."""
    try:
        return int((await request).status_code)
    except httpx.HTTPError:
        return 0


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """Mount a small file system in memory, which only root can do."""
    folder = Path(tempfile.mkdtemp(prefix="attack-disk-"))
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0700", "none", str(folder)]
    subprocess.run(mount, check=True, capture_output=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
        folder.rmdir()


@attack("L-disk", "a full disk", honest=False, served=False)
async def full_disk(target: Target) -> Outcome:
    if os.geteuid() != 0:
        return Outcome(None, "not tried: only root can mount a small disk")
    with small_disk(16) as folder:
        server = Server(target.server.src, folder)
        server.log = target.server.log
        try:
            await server.start()
            guest = await Guest(server.url, HONEST).sign_in()
            table = (await guest.create(**BODY))["table"]
            filler = folder / "filler"
            with filler.open("wb", buffering=0) as file:
                try:
                    while True:
                        file.write(bytes(4096))
                except OSError:
                    pass
            tables: list[int] = []
            words = ""
            while not words and len(tables) < 40:
                answer = await guest.post("/api/tables", BODY)
                tables.append(answer.status_code)
                if answer.status_code >= 500:
                    words = str(answer.json().get("words", ""))
            move = {"type": "move", "decision": table["decision"], "moves": [table["legal"][0]]}
            moved = (await guest.command(table["id"], **move)).status_code
            probes = {path: await status(guest.get(path)) for path in ("/healthz", "/readyz")}
            read = await status(guest.get(f"/api/tables/{table['id']}"))
            filler.unlink()
            after = 0
            for _ in range(20):
                after = await status(guest.post("/api/tables", BODY))
                if after == 201:
                    break
                await asyncio.sleep(0.5)
        finally:
            server.stop()
    got = (
        f"tables {status_counts(tables)} “{words}”, a move {moved}, reading {read}, {probes}; "
        f"with space again {after}; {server.errors()} tracebacks"
    )
    return Outcome(tables[-1] != 503 or moved == 500 or probes["/readyz"] != 503 or after != 201, got)


@attack("L-pg", "PostgreSQL restarts three times", honest=False, served=False)
async def restarting_database(target: Target) -> Outcome:
    cluster = await asyncio.to_thread(postgres.begin)
    server = target.server
    server.url_of_database = cluster.database()
    seen: Counter[int] = Counter()
    lost = 0
    try:
        await server.start()
        guest = await Guest(target.url, HONEST).sign_in()
        stop = asyncio.Event()
        created: list[str] = []

        async def create() -> None:
            while not stop.is_set():
                try:
                    answer = await guest.post("/api/tables", BODY)
                    seen[answer.status_code] += 1
                    if answer.status_code == 201:
                        created.append(answer.json()["id"])
                except httpx.HTTPError:
                    seen[0] += 1
                await asyncio.sleep(1)

        async def look() -> None:
            while not stop.is_set():
                seen[await status(guest.get("/api/tables"))] += 1
                await asyncio.sleep(0.1)

        asking = [asyncio.create_task(work()) for work in (create, look, look)]
        for _ in range(3):
            await asyncio.sleep(2)
            await asyncio.to_thread(cluster.cut)
            await asyncio.sleep(3)
            await asyncio.to_thread(cluster.resume)
        await asyncio.sleep(3)
        stop.set()
        await asyncio.gather(*asking)
        await asyncio.sleep(2)
        for table in created:
            lost += await status(guest.get(f"/api/tables/{table}")) == 404
    finally:
        server.stop()
        await asyncio.to_thread(cluster.stop)
    got = f"{', '.join(f'{count} x {code}' for code, count in sorted(seen.items()))}; {lost} acknowledged tables lost"
    return Outcome(seen[500] > 0 or lost > 0, got)


async def play(target: Target, acknowledged: list[tuple[str, int, float]], stop: asyncio.Event) -> None:
    """Play games by WebSocket; note the table, the decision answered and when it was acknowledged."""
    guest = await Guest(target.url, HONEST).sign_in()
    while not stop.is_set():
        table = (await guest.create(**BODY))["id"]
        async with guest.live(table) as connection:
            player = Follower(connection)
            await player.until(player.mine)
            while not stop.is_set() and not player.over():
                decision = player.table["decision"]
                await player.move()
                acknowledged.append((table, decision, time.monotonic()))
                await player.after(decision)
                await asyncio.sleep(0.1)


@attack("M7", "a backup while games are played, restored elsewhere", honest=False)
async def backup(target: Target) -> Outcome:
    server, folder = target.server, target.server.folder
    acknowledged: list[tuple[str, int, float]] = []
    stop = asyncio.Event()
    playing = [asyncio.create_task(play(target, acknowledged, stop)) for _ in range(4)]
    await asyncio.sleep(8)
    shutil.copyfile(server.database, folder / "copied.sqlite")
    began = time.monotonic()
    made = await asyncio.to_thread(server.command, "backup", str(folder / "backup"), "--database", str(server.database))
    await asyncio.sleep(2)
    stop.set()
    await asyncio.gather(*playing)
    before = [(table, decision) for table, decision, at in acknowledged if at < began]
    copied = f"the copied file has {stored(folder / 'copied.sqlite', before)} of {len(before)} moves"
    if made.returncode:
        return Outcome(True, f"no backup: exit {made.returncode}; {copied}")
    elsewhere = folder / "elsewhere" / "tables.sqlite"
    restored = await asyncio.to_thread(server.command, "restore", str(folder / "backup"), "--database", str(elsewhere))
    checked = await asyncio.to_thread(server.command, "admin", "check", "--database", str(elsewhere))
    there = stored(elsewhere, before)
    got = (
        f"{there} of {len(before)} moves acknowledged before the backup are in it, {len(acknowledged)} in all; "
        f"restore: exit {restored.returncode}, check: exit {checked.returncode}; {copied}"
    )
    return Outcome(there < len(before) or bool(restored.returncode) or bool(checked.returncode), got)


def stored(database: Path, moves: list[tuple[str, int]]) -> int:
    """Return how many of the moves a database holds: a fact follows the decision that each answers."""
    with sqlite3.connect(f"file:{database}?immutable=1", uri=True) as connection:
        try:
            last = dict(connection.execute("SELECT table_id, max(number) FROM facts GROUP BY table_id").fetchall())
        except sqlite3.DatabaseError:
            return 0
    return sum(last.get(table, -1) > decision for table, decision in moves)
