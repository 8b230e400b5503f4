"""Taking more than one's share of thinking, memory, lists and pictures."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
from websockets.exceptions import WebSocketException

from .clients import HONEST, Guest, Raw, sources, status_counts, unique
from .connections import upgrade
from .ordinary import Follower
from .packs import other_packs
from .running import Outcome, Target, attack

COMPUTERS = [*[{"kind": "computer", "level": 8}] * 3, {"kind": "you"}]


async def think(guest: Guest) -> int:
    """Create a table where three strong computers move first; return the status of the answer."""
    body = {"game": "kitara", "seats": COMPUTERS, "options": {"players": 4}, "lot": False}
    return (await guest.post("/api/tables", body)).status_code


async def guests(target: Target, count: int) -> list[Guest]:
    """Return as many guests as the server gives, at most `count`."""
    found: list[Guest] = []
    for source in sources(count):
        with contextlib.suppress(httpx.HTTPError):
            found.append(await target.guest(source))
    return found


async def flood(
    seconds: float, workers: int, request: Callable[[int], Awaitable[int]], pause: float = 0.0
) -> tuple[list[int], float]:
    """Repeat a request by many workers; return all statuses and the longest wait."""
    statuses: list[int] = []
    longest = 0.0
    end = time.monotonic() + seconds

    async def work(worker: int) -> None:
        nonlocal longest
        while time.monotonic() < end:
            began = time.monotonic()
            try:
                statuses.append(await asyncio.wait_for(request(worker), 30))
            except (httpx.HTTPError, OSError, TimeoutError, WebSocketException):
                statuses.append(0)
            longest = max(longest, time.monotonic() - began)
            await asyncio.sleep(pause)

    await asyncio.gather(*(work(number) for number in range(workers)))
    return statuses, longest


def served(statuses: list[int]) -> int:
    """Return how many requests were served."""
    return sum(200 <= status < 300 for status in statuses)


@attack("H2", "30 tables of three level-8 computers by one guest")
async def thinking(target: Target) -> Outcome:
    guest = await target.guest()
    statuses = []
    for _ in range(30):
        statuses.append(await think(guest))
    await asyncio.sleep(18)
    return Outcome(None, f"tables: {status_counts(statuses)}")


@attack("H2b", "100 tables of level-8 computers by five guests of one prefix")
async def thinking_guests(target: Target) -> Outcome:
    statuses = []
    found = await guests(target, 5)
    for number in range(100):
        statuses.append(await think(found[number % len(found)]))
    await asyncio.sleep(15)
    return Outcome(None, f"tables: {status_counts(statuses)}")


@attack("H3a", "a new guest every five requests")
async def free_guests(target: Target) -> Outcome:
    counts = {"guests": 0, "refused guests": 0}
    clients = [target.http(source) for source in sources(10)]

    async def request(worker: int) -> int:
        client = clients[worker]
        answer = await client.post("/api/tokens", json={"name": "x"})
        counts["guests" if answer.status_code < 300 else "refused guests"] += 1
        if answer.status_code >= 300:
            return int(answer.status_code)
        headers = {"Authorization": f"Bearer {answer.json()['token']}"}
        status = 0
        for _ in range(5):
            seats = [{"kind": "you"}, {"kind": "you"}]
            body = {"game": "katarenga", "seats": seats}
            status = (await client.post("/api/tables", json=body, headers=headers)).status_code
            tables.append(status)
        return status

    tables: list[int] = []
    await flood(12, 10, request)
    got = f"{counts['guests']} guests, {counts['refused guests']} refused; tables {status_counts(tables)}"
    return Outcome(counts["guests"] > 200 or served(tables) > 300, got)


@attack("H3b", "open public tables that fill the lobby", honest=False)
async def lobby(target: Target) -> Outcome:
    honest = await Guest(target.url, HONEST).sign_in()
    seats = [{"kind": "you"}, {"kind": "open"}]
    own = [(await honest.create("katarenga", seats, public=True))["id"] for _ in range(2)]
    statuses = []
    for spammer in await guests(target, 20):
        for _ in range(10):
            body = {"game": "katarenga", "seats": seats, "public": True}
            statuses.append((await spammer.post("/api/tables", body)).status_code)
    visitor = await Guest(target.url, "127.0.1.2").sign_in()
    listed = [table["id"] for table in (await visitor.get("/api/tables")).json()["open"]]
    seen = sum(id in listed for id in own)
    return Outcome(seen < 2, f"{status_counts(statuses)}; {len(listed)} listed, honest ones among them: {seen} of 2")


@attack("H3c", "199 set-ups with packs of their own", honest=False)
async def packs(target: Target) -> Outcome:
    texts = other_packs(target)
    mine = next(texts)
    spammers = await guests(target, 20)
    statuses = []
    for number in range(220):
        options = {"options": {"pack": next(texts), "players": 3}}
        answer = await spammers[number % len(spammers)].post("/api/games/kitara/setup", options)
        statuses.append(answer.status_code)
        if statuses[-5:] == [429] * 5:
            break
    honest = await Guest(target.url, HONEST).sign_in()
    body = {"game": "kitara", "seats": [{"kind": "you"}] * 3, "options": {"pack": mine, "players": 3}}
    answer = await honest.post("/api/tables", body)
    return Outcome(
        answer.status_code >= 300, f"{status_counts(statuses)}; honest table: {answer.status_code} {answer.text[:80]}"
    )


@attack("H3d", "news after random numbers")
async def random_news(target: Target) -> Outcome:
    assert target.ordinary is not None
    table = target.ordinary.table
    found = await guests(target, 20)
    begun = target.server.memory()

    async def request(worker: int) -> int:
        path = f"/api/tables/{table}/news?after={random.randrange(-1, 1 << 31)}&wait=0"
        return (await found[worker % len(found)].get(path)).status_code

    statuses, _ = await flood(15, 20, request)
    grown = (target.server.memory() - begun) / 1e6
    return Outcome(grown > 40, f"{status_counts(statuses)}; memory grew by {grown:.0f} MB")


@attack("H3e", "hints of level 8 by 20 guests")
async def hints(target: Target) -> Outcome:
    found = await guests(target, 20)
    tables = []
    for guest in found:
        answer = await guest.post(
            "/api/tables", {"game": "kitara", "seats": [{"kind": "you"}] * 3, "options": {"players": 3}}
        )
        tables.append(answer.json().get("table") if answer.status_code < 300 else None)
    able = [(guest, table) for guest, table in zip(found, tables, strict=True) if table]

    async def request(worker: int) -> int:
        guest, table = able[worker % len(able)]
        body = {"type": "hint", "decision": table["decision"], "level": 8}
        return (await guest.post(f"/api/tables/{table['id']}/hint", body)).status_code

    statuses, longest = await flood(15, 20, request) if able else ([], 0.0)
    return Outcome(None, f"{len(able)} guests with tables; hints {status_counts(statuses)}, longest {longest:.1f} s")


@attack("H3f", "tries with previews by 20 guests")
async def previews(target: Target) -> Outcome:
    found = await guests(target, 20)
    able: list[tuple[Guest, dict[str, Any]]] = []
    for guest in found:
        answer = await guest.post("/api/tables", {"game": "kiwara", "seats": [{"kind": "you"}, {"kind": "you"}]})
        if answer.status_code < 300:
            able.append((guest, answer.json()["table"]))

    async def request(worker: int) -> int:
        guest, table = able[worker % len(able)]
        body = {"type": "try", "decision": table["decision"], "moves": [], "previews": True}
        return (await guest.post(f"/api/tables/{table['id']}/try", body)).status_code

    statuses, _ = await flood(15, 20, request) if able else ([], 0.0)
    return Outcome(None, f"{len(able)} guests with tables; tries {status_counts(statuses)}")


@contextlib.asynccontextmanager
async def watching(target: Target, found: list[Guest], table: str, count: int) -> AsyncIterator[tuple[int, int]]:
    """Open many WebSockets by hand, read nothing but what the system buffers, and drop them at the end."""
    opened: list[Raw] = []
    refused, began = 0, time.monotonic()
    for number in range(count):
        if time.monotonic() - began > 15 or refused > 100:
            break
        guest = found[number % len(found)]
        raw = await upgrade(target, table, guest.source, guest.headers["Authorization"])
        if raw is None:
            refused += 1
        else:
            opened.append(raw)
    try:
        yield len(opened), refused
    finally:
        for raw in opened:
            raw.close()


@attack("H3g", "a thousand watchers of the honest table")
async def watchers(target: Target) -> Outcome:
    assert target.ordinary is not None
    found = await guests(target, 50)
    async with watching(target, found, target.ordinary.table, 1000) as (opened, refused):
        await asyncio.sleep(8)
    return Outcome(None, f"{opened} let in, {refused} refused")


async def finished_game(target: Target) -> str:
    """Play a game of Kitara at random; return its table."""
    guest = await Guest(target.url, HONEST).sign_in()
    created = await guest.create("kitara", [{"kind": "you"}] * 2, options={"players": 2}, public=True)
    async with guest.live(created["id"]) as connection:
        player = Follower(connection)
        for _ in range(60):
            await asyncio.wait_for(player.until(player.mine), 20)
            if player.over():
                break
            decision = player.table["decision"]
            await player.move()
            await asyncio.wait_for(player.after(decision), 20)
            await asyncio.sleep(0.05)
        else:
            await guest.command(created["id"], type="resign", seat=0)
    return str(created["id"])


@attack("M4", "eight animations by one guest")
async def animations(target: Target) -> Outcome:
    table = await finished_game(target)
    found = await guests(target, 8)
    gifs = [
        asyncio.create_task(guest.get(f"/api/tables/{table}/game.gif?whose={whose}", timeout=120))
        for guest, whose in zip(found * 8, ["all", "none", 0, 1, 2, "all", "none", 0], strict=False)
    ]
    await asyncio.sleep(1)
    honest = await Guest(target.url, HONEST).sign_in()
    waits = []
    for number in range(5):
        began = time.monotonic()
        try:
            answer = await honest.get(f"/api/tables/{table}/picture.png?at={number}&width={400 + number}", timeout=20)
            waits.append((answer.status_code, round(time.monotonic() - began, 1)))
        except httpx.HTTPError:
            waits.append((0, round(time.monotonic() - began, 1)))
            break
    for gif in gifs:
        gif.cancel()
    finished = await asyncio.gather(*gifs, return_exceptions=True)
    statuses = [answer.status_code for answer in finished if isinstance(answer, httpx.Response)]
    slow = any(seconds > 5 or status != 200 for status, seconds in waits)
    return Outcome(
        slow, f"an honest guest's pictures: {waits}; animations finished: {status_counts(statuses) or 'none'}"
    )


@attack("M4b", "the animation of one long uploaded record, and analyses of many")
async def uploads(target: Target) -> Outcome:
    table = await finished_game(target)
    honest = await Guest(target.url, HONEST).sign_in()
    record = (await honest.get(f"/api/tables/{table}/record")).text
    found = await guests(target, 5)
    statuses, analyses = [], []
    for number in range(30):
        text = re.sub(r'\[(Event|Site) ".*"\]\n', "", record).replace("]\n", f']\n[Note "{number} {unique()}"]\n', 1)
        guest = found[number % len(found)]
        answer = await guest.post("/api/records", {"record": text})
        statuses.append(answer.status_code)
        if answer.status_code < 300:
            analysis = await guest.post(f"/api/tables/{answer.json()['id']}/analysis", {})
            analyses.append(analysis.status_code)
    await asyncio.sleep(12)
    return Outcome(None, f"uploads {status_counts(statuses)}; analyses {status_counts(analyses)}")
