"""Connections that never end, never read or are too many."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import struct
import sys
import time
from collections import Counter

from .clients import Raw, count_open, sources
from .running import Outcome, Target, attack


@attack("C2a", "requests whose headers never end, one after the other")
async def endless_headers(target: Target) -> Outcome:
    most = (40 if target.small else 150) << 20
    piece = b"a" * (1 << 19)
    began, taken = time.monotonic(), []
    while time.monotonic() - began < 10:
        raw = await Raw.open(target.port, "127.0.2.1")
        sent = 0
        await raw.send(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ")
        while sent < most and time.monotonic() - began < 20 and await raw.send(piece):
            sent += len(piece)
            await asyncio.sleep(0)
        raw.close()
        taken.append(sent)
        await asyncio.sleep(0.1)
    return Outcome(max(taken) > 4 << 20, f"{len(taken)} requests; {max(taken) / 1e6:.1f} MB of one header taken")


async def hold(target: Target, count: int, networks: int) -> Counter[str]:
    """Hold connections with one byte of a request for twelve seconds, in two processes; return what became of them."""
    arguments = ("-m", "soak.attacks.holding", str(target.port), str(count // 2), str(networks), "12")
    total: Counter[str] = Counter()
    holders = [
        await asyncio.create_subprocess_exec(sys.executable, *arguments, stdout=asyncio.subprocess.PIPE)
        for _ in range(2)  # the number of files a process may open is limited
    ]
    for holder in holders:
        written, _ = await holder.communicate()
        total += Counter(json.loads(written))
    return total


def held(found: Counter[str]) -> str:
    """Return what became of connections, as text."""
    return f"{found['opened']} opened, {found['refused']} refused, {found['kept']} open after 12 s"


@attack("C2b", "20,000 connections with one byte of a request, from one network")
async def one_byte(target: Target) -> Outcome:
    found = await hold(target, 20_000, 1)
    return Outcome(found["kept"] > 1_000, held(found))


@attack("C2f", "20,000 connections with one byte of a request, from 20 networks")
async def one_byte_many(target: Target) -> Outcome:
    found = await hold(target, 20_000, 20)
    return Outcome(None, held(found))


@attack("C2c", "bodies that arrive one byte a second")
async def slow_bodies(target: Target) -> Outcome:
    guest = await target.guest()
    head = (
        f"POST /api/packs/check HTTP/1.1\r\nHost: localhost:{target.port}\r\n"
        f"Authorization: {guest.headers['Authorization']}\r\n"
        "Content-Type: application/json\r\nContent-Length: 200000\r\n\r\n"
    ).encode()
    held = []
    for source in sources(500):
        with contextlib.suppress(OSError, TimeoutError):
            raw = await Raw.open(target.port, source)
            await raw.send(head)
            held.append(raw)
    for _ in range(30):
        for raw in held:
            if not raw.writer.is_closing():
                with contextlib.suppress(OSError):
                    raw.writer.write(b" ")
        await asyncio.sleep(1)
    kept = await count_open(held)
    for raw in held:
        raw.close()
    return Outcome(kept > 100, f"{len(held)} opened, {kept} still open after 30 s")


async def upgrade(
    target: Target, table: str, source: str, authorization: str, receive: int | None = None
) -> Raw | None:
    """Open a WebSocket by hand; the caller chooses what to read."""
    raw = await Raw.open(target.port, source, receive)
    key = base64.b64encode(os.urandom(16)).decode()
    await raw.send(
        (
            f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: localhost:{target.port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Authorization: {authorization}\r\n\r\n"
        ).encode()
    )
    try:
        answer = await asyncio.wait_for(raw.reader.readuntil(b"\r\n\r\n"), 10)
    except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        raw.close()
        return None
    if b" 101 " not in answer.split(b"\r\n")[0]:
        raw.close()
        return None
    return raw


def frame(payload: bytes, opcode: int = 1, final: bool = True, reserved: int = 0) -> bytes:
    """Return a masked WebSocket frame."""
    first = (0x80 if final else 0) | reserved | opcode
    size = len(payload)
    if size < 126:
        head = struct.pack("!BB", first, 0x80 | size)
    elif size < 65_536:
        head = struct.pack("!BBH", first, 0x80 | 126, size)
    else:
        head = struct.pack("!BBQ", first, 0x80 | 127, size)
    return head + b"\0\0\0\0" + payload  # a mask of zeros changes nothing


@attack("C2d", "watchers of the honest table that never read")
async def slow_readers(target: Target) -> Outcome:
    assert target.ordinary is not None
    opened: list[Raw] = []
    guests = [await target.guest(source) for source in sources(5)]
    for number, source in enumerate(sources(100)):
        with contextlib.suppress(OSError, TimeoutError):
            raw = await upgrade(
                target, target.ordinary.table, source, guests[number % 5].headers["Authorization"], receive=2048
            )
            if raw is not None:
                raw.reader._limit = 0  # read nothing more
                raw.writer.transport.pause_reading()
                opened.append(raw)
    await asyncio.sleep(18)
    for raw in opened:
        raw.close()
    return Outcome(None, f"{len(opened)} of 100 watchers let in")


@attack("C2e", "a socket that asks for previews and never reads the answers")
async def unread_answers(target: Target) -> Outcome:
    sent = 0
    opened: list[Raw] = []
    for source in sources(10):
        guest = await target.guest(source)
        table = (await guest.create("kitara", [{"kind": "you"}] * 3, options={"players": 3}))["table"]
        raw = await upgrade(target, table["id"], source, guest.headers["Authorization"], receive=2048)
        if raw is None:
            continue
        raw.writer.transport.pause_reading()
        opened.append(raw)
    ask = frame(json.dumps({"type": "try", "decision": table["decision"], "moves": [], "previews": True}).encode())
    began = time.monotonic()
    while time.monotonic() - began < 15:
        for raw in opened:
            if raw.writer.transport.get_write_buffer_size() < 10_000 and not raw.writer.is_closing():
                raw.writer.write(ask * 10)
                sent += 10
        await asyncio.sleep(0.02)
    kept = sum(not raw.writer.is_closing() for raw in opened)
    for raw in opened:
        raw.close()
    return Outcome(None, f"{sent} requests sent on {len(opened)} sockets, {kept} sockets still open")
