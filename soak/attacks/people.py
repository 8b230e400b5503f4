"""Help in a running game, and what people and operators can do about identities and data."""

from __future__ import annotations

import asyncio
import re

from .clients import Guest, http
from .running import Outcome, Target, attack


@attack("M2", "help in a running game: hints, analysis, upload, the same moves at another table", honest=False)
async def help_while_playing(target: Target) -> Outcome:
    """Ask for help with a running game. At another table nobody can recognise it, and the docs do not promise that."""
    guest = await target.guest()
    created = await guest.create("katarenga", [{"kind": "you"}, {"kind": "you"}], hints=False)
    table, view = created["id"], created["table"]
    moves: list[str] = []
    for _ in range(6):
        moves.append(view["legal"][0])
        move = {"type": "move", "decision": view["decision"], "moves": moves[-1:]}
        (await guest.command(table, **move)).raise_for_status()
        view = (await guest.get(f"/api/tables/{table}")).json()
    record = (await guest.get(f"/api/tables/{table}/record")).text
    played = re.sub(r"\[Seed[^\n]*\n", "", record)
    answers = {
        "a hint": await guest.post(
            f"/api/tables/{table}/hint", {"type": "hint", "decision": view["decision"], "level": 8}
        ),
        "its analysis": await guest.post(f"/api/tables/{table}/analysis", {}),
        "its record uploaded": await guest.post("/api/records", {"record": record}),
        "its record uploaded without the seed": await guest.post("/api/records", {"record": played}),
    }
    again = await guest.create("katarenga", [{"kind": "you"}, {"kind": "you"}], options=view["options"])
    twin = again["table"]
    for move in moves:
        (await guest.command(twin["id"], type="move", decision=twin["decision"], moves=[move])).raise_for_status()
        twin = (await guest.get(f"/api/tables/{twin['id']}")).json()
    hint = {"type": "hint", "decision": twin["decision"], "level": 8}
    copied = (await guest.post(f"/api/tables/{twin['id']}/hint", hint)).status_code
    passed = [name for name, answer in answers.items() if answer.status_code < 300]
    got = (
        f"refused: {sorted(set(answers) - set(passed))}; passed: {passed or 'none'}; "
        f"a hint for the same moves at another table: {copied}"
    )
    return Outcome(bool(passed), got)


async def can(target: Target, missing: list[str], name: str, method: str, path: str) -> None:
    """Try a request about oneself as a new guest of a browser; note its name if the server does not know it."""
    async with http(target.url, "127.0.2.1", headers={"Origin": target.url}) as client:
        await client.get("/api/me")
        answer = await client.request(method, path, json={} if method == "POST" else None)
        if answer.status_code >= 300:
            missing.append(f"{name} ({answer.status_code})")


@attack("M8", "sign-out, revocation, export, deletion, administration", honest=False)
async def rights(target: Target) -> Outcome:
    missing: list[str] = []
    await can(target, missing, "sign-out", "POST", "/api/me/sign-out")
    await can(target, missing, "revocation", "POST", "/api/me/revoke")
    await can(target, missing, "export", "GET", "/api/me/data")
    await can(target, missing, "deletion", "DELETE", "/api/me")
    bot: Guest = await target.guest()
    me = (await bot.get("/api/me")).json()
    await bot.create("katarenga", [{"kind": "you"}, {"kind": "you"}])
    database = ("--database", str(target.server.database))
    for command in (
        ("tables",),
        ("guests",),
        ("export", str(me.get("id"))),
        ("block", str(me.get("id"))),
        ("unblock", str(me.get("id"))),
        ("revoke", str(me.get("id")), "--yes"),
        ("delete", str(me.get("id")), "--yes"),
        ("check",),
        ("log",),
    ):
        done = await asyncio.to_thread(target.server.command, "admin", *command, *database)
        if done.returncode:
            missing.append(f"mchezo admin {command[0]} (exit {done.returncode})")
    await asyncio.sleep(2)
    if (await bot.get("/api/tables")).status_code < 300:
        missing.append("a revoked token is still accepted")
    return Outcome(bool(missing), f"missing: {missing or 'nothing'}")
