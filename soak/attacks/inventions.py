"""Attacks beyond the first review: compression, frames, polls, pipelines, smuggling, names, storms and floods."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import random
import time
import zlib

import httpx
from websockets.exceptions import WebSocketException

from .clients import HONEST, Guest, Raw, count_open, http, sources, status_counts, unique
from .connections import frame, upgrade
from .fairness import flood, guests, served, think
from .parsing import timed
from .running import Outcome, Target, attack


@attack("N-gzip", "compressed bodies and messages that grow a thousandfold")
async def compression(target: Target) -> Outcome:
    guest = await target.guest()
    zeros = gzip.compress(b'{"text":"' + b" " * (64 << 20) + b'"}')
    headers = {**guest.headers, "Content-Type": "application/json", "Content-Encoding": "gzip"}
    bodies = [await timed(guest.http.post("/api/packs/check", content=zeros, headers=headers), 15) for _ in range(3)]
    table = (await guest.create("katarenga", [{"kind": "you"}, {"kind": "you"}]))["id"]
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = compressor.compress(b" " * (64 << 20)) + compressor.flush(zlib.Z_SYNC_FLUSH)
    closed = 0
    for _ in range(10):
        with contextlib.suppress(WebSocketException, OSError, TimeoutError):
            async with guest.live(table) as connection:  # the library offers permessage-deflate
                extension = connection.response.headers.get("Sec-WebSocket-Extensions") if connection.response else None
                if not extension:
                    return Outcome(
                        None, f"bodies {status_counts([found[0] for found in bodies])}; no permessage-deflate"
                    )
                connection.transport.write(frame(bomb[:-4], reserved=0x40))
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(connection.wait_closed(), 5)
                    closed += 1
    return Outcome(
        None, f"bodies {status_counts([found[0] for found in bodies])}; {closed} of 10 sockets closed at the bomb"
    )


@attack("N-poll", "long polls from many addresses")
async def long_polls(target: Target) -> Outcome:
    assert target.ordinary is not None
    quiet = await target.guest()
    table = await quiet.create("katarenga", [{"kind": "you"}, {"kind": "you"}], public=True)
    number = table["table"]["number"]
    found = await guests(target, 40)

    async def request(worker: int) -> int:
        path = f"/api/tables/{table['id']}/news?after={number}&wait=25"
        return (await found[worker % len(found)].get(path)).status_code

    waiting = [asyncio.create_task(request(worker)) for worker in range(2000)]
    done, pending = await asyncio.wait(waiting, timeout=15)
    for task in pending:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    statuses = [task.result() for task in done if not task.cancelled() and task.exception() is None]
    return Outcome(None, f"{len(pending)} of 2000 polls held; answered {status_counts(statuses)}")


@attack("N-frame", "huge and endless WebSocket messages, floods of pings")
async def frames(target: Target) -> Outcome:
    guest = await target.guest()
    table = (await guest.create("katarenga", [{"kind": "you"}, {"kind": "you"}]))["id"]
    authorization = guest.headers["Authorization"]
    taken = {}

    async def stream(name: str, first: bytes, more: bytes, seconds: float, pause: float = 0.0) -> None:
        raw = await upgrade(target, table, "127.0.2.1", authorization)
        if raw is None:
            taken[name] = "not let in"
            return
        sent = len(first) if await raw.send(first) else 0
        end = time.monotonic() + seconds
        while time.monotonic() < end and sent < 200 << 20 and await raw.send(more, 3):
            sent += len(more)
            await asyncio.sleep(pause)
        taken[name] = f"{sent / 1e6:.1f} MB"
        raw.close()

    half = b"a" * (1 << 18)
    head = frame(b"")[:1] + bytes([0x80 | 127]) + (1 << 33).to_bytes(8, "big") + b"\0\0\0\0"
    await stream("one frame of 8 GB", head, half, 4)
    await stream("endless fragments", frame(half, final=False), frame(half, opcode=0, final=False), 4)
    await stream("empty fragments", frame(b"a", final=False), frame(b"", opcode=0, final=False) * 2000, 4)
    await stream("pings", frame(b"x" * 125, opcode=9), frame(b"x" * 125, opcode=9) * 200, 4)
    await stream("unreadable text", frame(b"{"), frame(b"{") * 500, 4)
    much = [name for name, text in taken.items() if text.endswith("MB") and float(text.split()[0]) > 20]
    return Outcome(bool(much), f"taken: {taken}")


@attack("N-pipe", "pipelined requests whose answers are not read")
async def pipelines(target: Target) -> Outcome:
    sent = 0
    paths = [
        "/",
        "/api/games",
        "/api/words/en",
        "/schema/openapi.json",
        "/api/rules/kitara",
        "/metrics",
        "/api/statistics",
    ]
    opened = []
    for source in sources(20):
        with contextlib.suppress(OSError, TimeoutError):
            raw = await Raw.open(target.port, source, receive=2048)
            raw.writer.transport.pause_reading()
            opened.append(raw)
    burst = b"".join(f"GET {path} HTTP/1.1\r\nHost: localhost:{target.port}\r\n\r\n".encode() for path in paths) * 5
    end = time.monotonic() + 15
    while time.monotonic() < end:
        for raw in opened:
            if raw.writer.transport.get_write_buffer_size() < 20_000 and not raw.writer.is_closing():
                raw.writer.write(burst)
                sent += 5 * len(paths)
        await asyncio.sleep(0.01)
    for raw in opened:
        raw.close()
    return Outcome(None, f"{sent} requests written on {len(opened)} connections")


@attack("N-flood", "plain requests for pages, schema, rules and words as fast as they go")
async def pages(target: Target) -> Outcome:
    paths = [
        "/",
        "/schema/openapi.json",
        "/api/rules/kitara",
        "/api/words/de",
        "/api/statistics",
        "/api/records",
        "/healthz",
    ]
    clients = [http(target.url, source) for source in sources(40)]

    async def request(worker: int) -> int:
        return (await clients[worker].get(random.choice(paths))).status_code

    statuses, longest = await flood(12, 40, request)
    return Outcome(None, f"{status_counts(statuses)}, longest {longest:.1f} s")


def request_text(line: str, *fields: str, body: str = "", host: bool = True) -> str:
    """Return a request as it is sent; `H` stands for the server's host."""
    return "\r\n".join([f"{line} HTTP/1.1", *(["Host: H"] if host else []), *fields, "", body])


POST, JSON, CHUNKED = "POST /api/tokens", "Content-Type: application/json", "Transfer-Encoding: chunked"
NEXT = request_text("GET /healthz")
SMUGGLED = {
    "two lengths": request_text(POST, JSON, "Content-Length: 2", "Content-Length: 40", body="{}"),
    "length list": request_text(POST, JSON, "Content-Length: 2, 2", body="{}"),
    "length and chunked": request_text(POST, JSON, "Content-Length: 4", CHUNKED, body="0\r\n\r\n" + NEXT),
    "chunked twice": request_text(POST, JSON, CHUNKED, "Transfer-Encoding: identity", body="0\r\n\r\n"),
    "chunked with a tail": request_text(POST, JSON, CHUNKED + ", x", body="0\r\n\r\n"),
    "negative length": request_text(POST, JSON, "Content-Length: -1"),
    "length +2": request_text(POST, JSON, "Content-Length: +2", body="{}"),
    "space before colon": request_text("GET /healthz", "Content-Length : 5", body="hello"),
    "folded header": request_text("GET /healthz", "X-A: a", " Content-Length: 5"),
    "two hosts": request_text("GET /api/me", "Host: evil.example"),
    "foreign host": request_text("GET /api/me", "Host: evil.example", host=False),
    "no host": request_text("GET /api/me", host=False),
    "absolute target": request_text("GET http://evil.example/api/me"),
    "bare line feeds": NEXT.replace("\r", ""),
    "null in a header": request_text("GET /healthz", "X-A: a\0b"),
    "old protocol": "GET /healthz HTTP/0.9\r\n\r\n",
    "CONNECT": request_text("CONNECT evil.example:80"),
    "TRACE": request_text("TRACE /", "X-Secret: 1"),
    "HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "upgrade to h2c": request_text("GET /healthz", "Connection: Upgrade", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"),
}
TO_REFUSE = {
    "two lengths",
    "length and chunked",
    "chunked twice",
    "chunked with a tail",
    "negative length",
    "length +2",
}
TO_REFUSE |= {"space before colon", "two hosts", "foreign host", "null in a header", "CONNECT", "TRACE"}


@attack("N-smug", "conflicting lengths, foreign hosts and odd requests", honest=False)
async def smuggling(target: Target) -> Outcome:
    accepted, answers = [], {}
    for name, text in SMUGGLED.items():
        raw = await Raw.open(target.port, "127.0.2.1")
        await raw.send(text.replace("Host: H", f"Host: localhost:{target.port}").encode())
        answer = await raw.receive(20_000, 3)
        raw.close()
        status = answer[9:12].decode("latin-1") or "closed"
        answers[name] = status
        if answer.count(b"HTTP/1.1 ") > 1:
            answers[name] = f"{status} and a second answer"
            accepted.append(name)
        elif (name in TO_REFUSE and status.startswith("2")) or status.startswith("5"):
            accepted.append(name)
    return Outcome(bool(accepted), f"doubtful: {accepted or 'none'}; {answers}")


@attack("N-chunk", "endless chunk extensions, trailers and tiny chunks")
async def chunks(target: Target) -> Outcome:
    guest = await target.guest()
    signed = f"Authorization: {guest.headers['Authorization']}"
    text = request_text("POST /api/packs/check", JSON, CHUNKED, signed)
    head = text.replace("Host: H", f"Host: localhost:{target.port}").encode()
    taken = {}
    piece = b"a" * (1 << 18)
    for name, first, more, seconds in (
        ("extension", b"5;", piece, 5),
        ("trailers", b"2\r\n{}\r\n0\r\nX-Long: ", piece, 5),
        ("many trailers", b"2\r\n{}\r\n0\r\n", b"X-A: b\r\n" * 30_000, 5),
        ("tiny chunks", b"", b"1\r\n \r\n" * 40_000, 5),
        ("leading empty lines", b"", b"\r\n" * 100_000, 3),
        ("long target", b"", b"", 3),
        ("many headers", b"", b"X-A: b\r\n" * 30_000, 5),
    ):
        raw = await Raw.open(target.port, "127.0.2.1")
        if name == "leading empty lines":
            await raw.send(b"\r\n")
        elif name == "long target":
            await raw.send(b"GET /")
            more = piece
        elif name == "many headers":
            await raw.send(b"GET / HTTP/1.1\r\n")
        else:
            await raw.send(head + first)
        sent, end = 0, time.monotonic() + seconds
        while time.monotonic() < end and sent < 60 << 20 and await raw.send(more, 3):
            sent += len(more)
            await asyncio.sleep(0)
        taken[name] = round(sent / 1e6, 1)
        raw.close()
    much = [name for name, size in taken.items() if size > 8 and name != "leading empty lines"]
    return Outcome(bool(much), f"MB taken: {taken}")


NAMES = {
    "right to left": "\u202egro.live\u202c",
    "zero width": "\u200b\u200b\u200b",
    "combining": "Z" + "\u0338" * 39,
    "lone surrogate": "\ud800",
    "null": "a\0b",
    "control": "a\x1b[31mb\r\nSet-Cookie: x=1",
    "spaces": "   ",
    "markup": "<img src=x onerror=alert(1)>",
    "wide": "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 8,
    "private use": "\ue000\U000f0000",
    "tags": "a\U000e0041\U000e0042",
    "noncharacter": "\uffff",
    "Hangul filler": "\u3164",
    "line separator": "a\u2028b",
    "computer's own": "Learner",
}


@attack("N-name", "names that deceive, break lines or cannot be stored", honest=False)
async def unicode_names(target: Target) -> Outcome:
    kept, failed = [], []
    guest = await target.guest()
    for name, value in NAMES.items():
        body = json.dumps({"name": value}).encode()
        headers = {"Content-Type": "application/json"}
        status, _, text = await timed(guest.http.post("/api/tokens", content=body, headers=headers))
        if status >= 500 or status == 0:
            failed.append(f"{name} {status}")
        elif status < 300 and json.loads(text)["name"] == value and name not in ("markup", "wide", "computer's own"):
            kept.append(name)
        if status < 300:  # such a name must not break what others read
            owner = Guest(target.url, "127.0.2.1", guest.http)
            owner.headers["Authorization"] = f"Bearer {json.loads(text)['token']}"
            seats = [{"kind": "you"}, {"kind": "open"}]
            answer = await owner.post("/api/tables", {"game": "katarenga", "seats": seats, "public": True})
            if answer.status_code < 300:
                table = answer.json()["id"]
                for path in (
                    f"/api/tables/{table}/record",
                    f"/t/{table}",
                    f"/api/tables/{table}/picture.svg",
                    "/api/tables",
                ):
                    seen = await owner.get(path)
                    if seen.status_code >= 500:
                        failed.append(f"{name} {path.replace(table, 'ID')} {seen.status_code}")
                    if b"<img src=x" in seen.content and "html" in seen.headers.get("content-type", ""):
                        failed.append(f"markup in {path}")
        await asyncio.sleep(0.2)
    return Outcome(bool(failed) or bool(kept), f"failed: {failed or 'none'}; kept as they are: {kept or 'none'}")


@attack("N-storm", "reconnecting to the honest table as fast as possible")
async def reconnects(target: Target) -> Outcome:
    assert target.ordinary is not None
    found = await guests(target, 20)

    async def request(worker: int) -> int:
        assert target.ordinary is not None
        guest = found[worker % len(found)]
        raw = await upgrade(target, target.ordinary.table, guest.source, guest.headers["Authorization"])
        if raw is None:
            return 429
        raw.close()
        return 200

    statuses, _ = await flood(15, 40, request)
    return Outcome(
        None, f"{statuses.count(200)} connections, {statuses.count(429)} refused, {statuses.count(0)} failed"
    )


@attack("N-keys", "commands with ever new idempotency keys")
async def idempotency_keys(target: Target) -> Outcome:
    found = await guests(target, 20)
    tables = []
    for guest in found:
        answer = await guest.post("/api/tables", {"game": "katarenga", "seats": [{"kind": "you"}, {"kind": "you"}]})
        tables.append(answer.json().get("id", ""))
    begun = target.server.memory()
    bodies = (
        {"type": "resign", "seat": 3},
        {"type": "move", "decision": 0, "moves": ["x" * 60] * 64},
        {"type": "ask", "what": "takeback"},
        {"type": "answer", "what": "takeback", "yes": False},
        {"type": "leave"},
    )

    async def request(worker: int) -> int:
        body = {**random.choice(bodies), "id": (unique() * 4)[:64]}
        return (
            await found[worker % len(found)].post(f"/api/tables/{tables[worker % len(found)]}/commands", body)
        ).status_code

    statuses, _ = await flood(15, 20, request)
    grown = (target.server.memory() - begun) / 1e6
    return Outcome(grown > 60, f"{status_counts(statuses)}; memory grew by {grown:.0f} MB")


@attack("N-again", "rematches without end")
async def rematches(target: Target) -> Outcome:
    guest = await target.guest()
    made, statuses = 0, []
    created = await guest.create("katarenga", [{"kind": "you"}, {"kind": "you"}], series=True, public=True)
    table, end = created["id"], time.monotonic() + 15
    while time.monotonic() < end:
        answer = await guest.command(table, type="resign", seat=0)
        statuses.append(answer.status_code)
        for seat in (0, 1):
            for command in ({"type": "ask", "what": "rematch"}, {"type": "answer", "what": "rematch", "yes": True}):
                statuses.append((await guest.command(table, seat=seat, **command)).status_code)
        following = (await guest.get(f"/api/tables/{table}")).json().get("next")
        if following:
            made, table = made + 1, following
        if statuses[-3:] == [429] * 3:
            await asyncio.sleep(0.3)
    return Outcome(made > 100, f"{made} tables in 15 s; commands {status_counts(statuses)}")


@attack("N-many", "an attacker with addresses in 100 prefixes")
async def botnet(target: Target) -> Outcome:
    found = []
    for number in range(100):
        with contextlib.suppress(httpx.HTTPError):
            found.append(await target.guest(f"127.0.{20 + number}.1"))
    if not found:
        return Outcome(False, "no guest at all")

    async def request(worker: int) -> int:
        return await think(found[worker % len(found)])

    statuses, _ = await flood(12, 100, request, pause=1.0)
    return Outcome(None, f"{len(found)} guests; tables {status_counts(statuses)}")


QUERIES = (
    "/api/tables/{t}/news?after={big}",
    "/api/tables/{t}/news?after=-{big}",
    "/api/tables/{t}/news?after=0&wait={big}",
    "/api/tables/{t}/news?after=0&wait=-5",
    "/api/tables/{t}/news?after=0&wait=nan",
    "/api/tables/{t}/news?after=0&wait=inf",
    "/api/tables/{t}/picture.png?width={big}",
    "/api/tables/{t}/picture.png?width=100000",
    "/api/tables/{t}/picture.png?width=-1",
    "/api/tables/{t}/picture.png?at={big}",
    "/api/tables/{t}/picture.svg?seat={big}",
    "/api/tables/{t}/moves/{big}",
    "/api/tables/{t}/moves/-1",
    "/api/tables/{t}?seat={big}",
    "/api/tables/{t}/replay/views?first={big}&count={big}",
    "/api/records?before={big}",
    "/api/records?before=%00",
    "/api/tables/%00",
    "/api/tables/" + "a" * 5000,
    "/api/tables/{t}/analysis?after={big}",
    "/api/packs/%23{t}/maps/{big}",
    "/api/packs/%23{t}/maps/3?table=%00",
    "/api/packs/..%2f..%2fetc/maps/3",
    "/api/words/..%2fen",
    "/api/rules/kitara?lang=%00",
    "/api/rules/kitara?lang=../../etc",
    "/t/%00",
    "/t/{t}?lang=%ff",
    "/join/{t}/%00",
    "/%ff%fe",
    "/assets/..%2f..%2f..%2fetc%2fpasswd",
    "/assets/%00",
    "/assets/" + "a" * 5000,
    "/api/tables?game=%00",
)


@attack("N-query", "numbers without end and strange characters in addresses", honest=False)
async def queries(target: Target) -> Outcome:
    guest = await target.guest()
    table = (await guest.create("katarenga", [{"kind": "you"}, {"kind": "you"}], public=True))["id"]
    failed, slow = [], []
    for query in QUERIES:
        for big in ("9" * 18, "9" * 25, "9" * 5000):
            path = query.replace("{t}", table).replace("{big}", big)
            status, seconds, _ = await timed(guest.get(path), 12)
            shown = query.replace("{big}", f"{len(big)} digits")[:60]
            if status >= 500 or status == 0:
                failed.append(f"{shown} {status}")
            elif seconds > 5:
                slow.append(f"{shown} {seconds:.0f} s")
            await asyncio.sleep(0.05)
            if "{big}" not in query:
                break
    return Outcome(bool(failed), f"failed: {failed or 'none'}; slow: {slow or 'none'}")


@attack("N-hold", "keep-alive connections held idle after one request")
async def hoarding(target: Target) -> Outcome:
    held: list[Raw] = []
    request = f"GET /healthz HTTP/1.1\r\nHost: localhost:{target.port}\r\n\r\n".encode()
    answered = 0
    for source in sources(2000):
        with contextlib.suppress(OSError, TimeoutError):
            raw = await Raw.open(target.port, source)
            await raw.send(request)
            held.append(raw)
    for raw in held:
        answered += b" 200 " in (await raw.receive(200, 2))[:20]
    await asyncio.sleep(10)
    kept = await count_open(held)
    for raw in held:
        raw.close()
    return Outcome(kept > 500, f"{len(held)} connections, {answered} answered, {kept} held after 10 s idle")


@attack("N-sketch", "sketches and set-ups that rate boards, by 20 guests")
async def sketches(target: Target) -> Outcome:
    found = await guests(target, 20)
    letters = "RGBY"

    async def request(worker: int) -> int:
        rows = ["".join(random.choice(letters) for _ in range(8)) for _ in range(8)]
        body = {"board": "/".join(rows)}
        guest = found[worker % len(found)]
        first = (await guest.post("/api/games/katarenga/sketch", body)).status_code
        await guest.post("/api/games/katarenga/setup", {"options": body})
        return first

    statuses, longest = await flood(12, 20, request)
    return Outcome(
        None, f"{len(found)} guests; {status_counts(statuses)}, longest {longest:.1f} s, served {served(statuses)}"
    )


@attack("N-seat", "taking all open seats of the lobby and leaving them at once", honest=False)
async def seat_grabbing(target: Target) -> Outcome:
    honest = await Guest(target.url, HONEST).sign_in()
    tables = []
    for _ in range(8):
        tables.append((await honest.create("katarenga", [{"kind": "you"}, {"kind": "open"}], public=True))["id"])
    taken = 0
    for guest in await guests(target, 4):
        for table in tables:
            answer = await guest.command(table, type="join")
            taken += answer.status_code < 300
    return Outcome(taken >= 8, f"one attacker sat down at {taken} of 8 open tables of one person")
