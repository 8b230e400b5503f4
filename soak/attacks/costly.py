"""Requests that are small and allowed, and cost the server more than others."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
from collections.abc import Callable
from contextlib import AsyncExitStack

from .clients import Raw, count_open, http, sources, status_counts
from .community import Person
from .connections import frame, upgrade
from .fairness import flood, guests
from .running import Outcome, Target, attack

PARAMETERS = "a=b&" * 7_000


async def ask_often(target: Target, paths: list[str], seconds: float = 12, workers: int = 40) -> Outcome:
    """Have strangers of one network ask for pages, as often as they are allowed to."""
    clients = [http(target.url, source) for source in sources(workers)]

    async def request(worker: int) -> int:
        return (await clients[worker].get(random.choice(paths))).status_code

    statuses, longest = await flood(seconds, workers, request)
    return Outcome(None, f"{status_counts(statuses)}, longest {longest:.1f} s")


@attack("Q1", "the description of the API in all forms that there are")
async def descriptions(target: Target) -> Outcome:
    names = ("openapi.yaml", "openapi.yml", "openapi.json", "redoc", "swagger", "")
    return await ask_often(target, [f"/schema/{name}" for name in names])


@attack("Q2", "addresses with 7,000 parameters")
async def parameters(target: Target) -> Outcome:
    return await ask_often(target, [f"/api/tables?{PARAMETERS}", f"/?{PARAMETERS}", f"/api/games?{PARAMETERS}"])


@attack("Q3", "moves on the boards of the rules pages, by strangers without a cookie")
async def examples(target: Target) -> Outcome:
    clients = [http(target.url, source) for source in sources(40)]
    names = {
        game: list((await clients[0].get(f"/api/rules/{game}")).json()["examples"]) for game in ("katarenga", "kiwara")
    }

    async def request(worker: int) -> int:
        game = random.choice(list(names))
        path = f"/api/rules/{game}/examples/{random.choice(names[game])}"
        return (await clients[worker].post(path, json={"moves": []})).status_code

    statuses, longest = await flood(12, 40, request)
    return Outcome(None, f"{status_counts(statuses)}, longest {longest:.1f} s")


@attack("Q4", "headers of 30 kB: cookies, languages, types, ranges, tags, forwarded addresses")
async def headers(target: Target) -> Outcome:
    long = {
        "Cookie": "; ".join(f"a{number}=b" for number in range(3_500)),
        "Accept-Language": "x," * 14_000,
        "Accept": "a/b;q=0.1," * 2_900,
        "Range": "bytes=" + ",".join(["0-1"] * 7_000),
        "If-None-Match": '"a",' * 7_000,
        "Accept-Encoding": "gzip," * 5_500,
        "X-Forwarded-For": "192.0.2.1," * 2_900,
    }
    clients = [http(target.url, source) for source in sources(40)]

    async def request(worker: int) -> int:
        name = random.choice(list(long))
        path = random.choice(["/", "/api/games", "/api/tables", "/healthz"])
        return (await clients[worker].get(path, headers={name: long[name]})).status_code

    statuses, longest = await flood(12, 40, request)
    return Outcome(None, f"{status_counts(statuses)}, longest {longest:.1f} s")


FRAMES: dict[str, Callable[[], bytes]] = {
    "empty fragments": lambda: frame(b"", 1, final=False) + frame(b"", 0, final=False) * 3_000,
    "pings within a message": lambda: frame(b"{", 1, final=False) + frame(b"", 9) * 3_000,
    "one byte a fragment": lambda: frame(b"{", 1, final=False) + frame(b" ", 0, final=False) * 3_000,
    "continuation without a beginning": lambda: frame(b"{}", 0),
    "compressed": lambda: frame(b"\x00" * 50, 1, reserved=0x40),
    "a control frame in fragments": lambda: frame(b"", 9, final=False),
    "a huge length": lambda: b"\x81\xff" + b"\x7f" + b"\xff" * 7 + b"\0\0\0\0",
    "not masked": lambda: b"\x81\x02{}",
    "an unknown opcode": lambda: frame(b"", 3),
    "empty texts": lambda: frame(b"", 1) * 3_000,
    "numbers that are none": lambda: frame(b'{"type":"pong","at":NaN}') + frame(b'{"type":"pong","at":1e999}') * 100,
    "huge numbers": lambda: frame(b'{"type":"pong","at":' + b"9" * 4_000 + b"}") * 10,
    "not UTF-8": lambda: frame(b"\xff\xfe"),
    "deep": lambda: frame(b"[" * 60_000),
    "a close frame of one byte": lambda: frame(b"\x03", 8),
    "pongs that nobody asked for": lambda: frame(b"x" * 125, 10) * 3_000,
    "random bytes": lambda: os.urandom(4_000),
}


@attack("Q5", "WebSocket frames of every odd kind, on new connections without end")
async def odd_frames(target: Target) -> Outcome:
    assert target.ordinary is not None
    found = await guests(target, 20)
    table = target.ordinary.table

    async def request(worker: int) -> int:
        guest = found[worker % len(found)]
        raw = await upgrade(target, table, guest.source, guest.headers["Authorization"])
        if raw is None:
            return 429
        with contextlib.suppress(OSError):
            await raw.send(random.choice(list(FRAMES.values()))(), 2)
            await raw.receive(2_000, 0.2)
        raw.close()
        return 200

    statuses, _ = await flood(15, 40, request)
    return Outcome(None, f"{statuses.count(200)} connections, {statuses.count(429)} refused")


@attack("Q6", "handshakes of WebSockets that never end, from ten networks")
async def slow_handshakes(target: Target) -> Outcome:
    begun = (
        f"GET /api/lobby/live HTTP/1.1\r\nHost: localhost:{target.port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\n"
    ).encode()
    held: list[Raw] = []
    for number in range(2_000):
        with contextlib.suppress(OSError, TimeoutError):
            raw = await Raw.open(target.port, f"127.0.{30 + number % 10}.1")
            await raw.send(begun)
            held.append(raw)
    for second in range(14):
        for raw in held:
            if not raw.writer.is_closing():
                with contextlib.suppress(OSError):
                    raw.writer.write(b"X-%d: a\r\n" % second)
        await asyncio.sleep(1)
    kept = await count_open(held)
    for raw in held:
        raw.close()
    return Outcome(kept > 200, f"{len(held)} begun, {kept} still open after 14 s")


async def finish_games(target: Target, count: int) -> int:
    """Play public games to their end, by resignation; return how many there are."""
    done = 0
    for guest in await guests(target, 4):
        for _ in range(count // 4):
            body = {"game": "katarenga", "seats": [{"kind": "you"}, {"kind": "you"}], "public": True}
            made = await guest.post("/api/tables", body)
            if made.status_code == 201:
                done += (await guest.command(made.json()["id"], type="resign", seat=0)).status_code == 200
    return done


@attack("Q7", "pages of a hundred records, over and over")
async def records(target: Target) -> Outcome:
    finished = await finish_games(target, 100)
    outcome = await ask_often(target, ["/api/records", "/api/records?game=katarenga"])
    return Outcome(None, f"{finished} games; {outcome.got}")


@attack("Q8", "visitors of the lobby who all seek games, and change their minds as fast as they may")
async def restless_lobby(target: Target) -> Outcome:
    people = [await Person(target, f"127.0.{4 + place % 5}.1").come(account=False) for place in range(100)]
    kinds = ("kiwara", "congress", "katarenga", "kitara-3")
    async with AsyncExitStack() as stack:
        for place in range(500):
            number = place % len(people)
            with contextlib.suppress(Exception):
                await stack.enter_async_context(people[number].lobby(f"127.0.{4 + number % 5}.1"))
        for person in people:
            for days in (1, 3, 7):
                await person.post("/api/seeks", {"kind": "kiwara", "days": days, "spread": 50})

        async def request(worker: int) -> int:
            person = people[worker]
            body = {"kind": random.choice(kinds), "speed": "rapid", "spread": 50}
            status = (await person.post("/api/seek", body)).status_code
            await person.http.delete("/api/seek")
            return status

        statuses, longest = await flood(12, len(people), request)
    return Outcome(None, f"seeks {status_counts(statuses)}, longest {longest:.1f} s")
