"""A server that was suspended, damaged or badly started."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
from typing import Any

from .clients import HONEST, Guest
from .ordinary import Follower
from .running import Outcome, Target, attack

DAMAGES: dict[str, bytes] = {
    "not JSON": b"\x00garbage",
    "an illegal move": b'{"fact":"moved","move":"a1-a1","seat":0,"at":1}',
    "an unknown fact": b'{"fact":"exploded","at":1}',
    "empty": b"",
    "deep nesting": b"[" * 100_000,
}


async def clocked(target: Target, milliseconds: int, moves: int = 4) -> str:
    """Play some moves at a table with a clock; return the table's id."""
    guest = await Guest(target.url, HONEST).sign_in()
    created = await guest.create(
        "katarenga", [{"kind": "you"}, {"kind": "you"}], clock={"milliseconds": milliseconds, "increment": 0}
    )
    async with guest.live(created["id"]) as connection:
        player = Follower(connection)
        for _ in range(moves):
            await asyncio.wait_for(player.until(player.mine), 20)
            decision = player.table["decision"]
            await player.move()
            await asyncio.wait_for(player.after(decision), 20)
    return str(created["id"])


async def computers(target: Target) -> str:
    """Create a table where a computer moves first; return its id."""
    guest = await Guest(target.url, HONEST).sign_in()
    created = await guest.create("katarenga", [{"kind": "you"}, {"kind": "computer", "level": 2}])
    return str(created["id"])


async def look(target: Target, table: str) -> dict[str, Any]:
    """Return a table as a spectator sees it."""
    guest = await Guest(target.url, HONEST).sign_in()
    answer = await guest.get(f"/api/tables/{table}")
    seen: dict[str, Any] = answer.json()
    return {"http": answer.status_code, **seen}


@attack("H1", "damaged facts in the log of a clocked table", honest=False)
async def damaged_facts(target: Target) -> Outcome:
    server = target.server
    bad = [await clocked(target, 600_000) for _ in DAMAGES]
    good = await clocked(target, 25_000)
    computer = await computers(target)
    server.stop()
    database = sqlite3.connect(server.database)
    for table, damage in zip(bad, DAMAGES.values(), strict=True):
        last = database.execute("SELECT max(number) FROM facts WHERE table_id = ?", (table,)).fetchone()[0]
        database.execute("UPDATE facts SET fact = ? WHERE table_id = ? AND number = ?", (damage, table, last))
    database.commit()
    database.close()
    await server.start()
    fresh = await computers(target)
    await asyncio.sleep(30)
    old, new, other = [await look(target, table) for table in (computer, fresh, good)]
    answers = [(await look(target, table))["http"] for table in bad]
    health = await Guest(target.url, HONEST).get("/healthz")
    moves = [old.get("made"), new.get("made")]
    through = other.get("status") != "over" or 0 in moves
    got = (
        f"other clock: {other.get('status')}; moves of computers {moves}; damaged tables answer {answers}; "
        f"health {health.status_code} {health.text[:60]}"
    )
    return Outcome(through, got)


@attack("M3", "the process suspended longer than the clocks have", honest=False)
async def suspended(target: Target) -> Outcome:
    server = target.server
    table = await clocked(target, 10_000)
    before = (await look(target, table))["clock"]
    server.process.send_signal(signal.SIGSTOP)
    await asyncio.sleep(20)
    server.process.send_signal(signal.SIGCONT)
    await asyncio.sleep(2)
    seen = await look(target, table)
    lost = seen["status"] == "over"
    clock = seen.get("clock") or {}
    return Outcome(lost, f"clocks {before['left']} > {clock.get('left')} after 20 s suspended; game {seen['status']}")


@attack("M6", "files of the database readable by others", honest=False)
async def file_modes(target: Target) -> Outcome:
    await computers(target)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in target.server.folder.glob("attacked*")}
    readable = {name: oct(mode) for name, mode in modes.items() if mode & 0o077}
    return Outcome(bool(readable), f"readable by others: {readable or 'none'} of {sorted(modes)}")


def started_badly(target: Target) -> tuple[int | None, str]:
    """Start the server; return its exit code, None if it runs, and what it wrote."""
    server = target.server
    server.log.write_bytes(b"")
    server.launch()
    assert server.process is not None
    try:
        server.process.wait(60)
        code: int | None = server.process.returncode
    except subprocess.TimeoutExpired:
        code = None
    text = server.log.read_text(errors="replace")
    server.stop()
    return code, text


@attack("L-start", "start on a newer, damaged, foreign or unwritable database", honest=False)
async def strange_databases(target: Target) -> Outcome:
    server = target.server
    server.stop()
    kept = server.folder / "kept"
    shutil.copyfile(server.database, kept)
    found: list[str] = []
    bad = 0

    def restore() -> None:
        for path in server.folder.glob("attacked*"):
            if path.is_dir():
                path.rmdir()
            else:
                path.unlink()
        shutil.copyfile(kept, server.database)

    async def case(name: str) -> None:
        nonlocal bad
        code, text = await asyncio.to_thread(started_badly, target)
        traceback = "Traceback" in text
        bad += traceback or code is None
        found.append(f"{name}: exit {code}{', traceback' if traceback else ''}")

    restore()
    with sqlite3.connect(server.database) as database:
        database.execute("DELETE FROM alembic_version")
        database.execute("INSERT INTO alembic_version VALUES ('9999')")
    await case("newer")
    restore()
    server.database.write_bytes(b"this is not a database" * 1000)
    await case("not a database")
    restore()
    server.database.write_bytes(kept.read_bytes()[: kept.stat().st_size // 2])
    await case("cut in half")
    restore()
    server.database.unlink()
    server.database.mkdir()
    await case("a folder")
    restore()
    server.database.chmod(0o400)
    if os.access(server.database, os.W_OK):
        found.append("read-only: not tried, root may write everything")
    else:
        await case("read-only")
    server.database.chmod(0o600)
    return Outcome(bad > 0, "; ".join(found))
