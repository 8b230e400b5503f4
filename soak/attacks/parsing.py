"""Text that is expensive or dangerous to parse."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import httpx

from .clients import status_counts
from .packs import other_packs
from .running import Outcome, Target, attack

BOARD = "RGBYGRYB/YYBRBGRG/GRGBYYBR/BYRGRGBY/RGYBGRYB/YRYGBBRG/BGBRYYGR/GBRYRGBY"


async def timed(request: Any, seconds: float = 30.0) -> tuple[int, float, str]:
    """Return status, seconds and text of an answer; status 0 if there was none."""
    began = time.monotonic()
    try:
        answer = await asyncio.wait_for(request, seconds)
        return answer.status_code, time.monotonic() - began, answer.text
    except (httpx.HTTPError, TimeoutError) as failure:
        return 0, time.monotonic() - began, type(failure).__name__


def dotted(size: int) -> str:
    """Return TOML of about `size` characters that is one key of many dots."""
    return "a" + ".a" * (size // 2) + " = 1"


@attack("C1", "TOML of one dotted key, as a pack to check and as an option")
async def dotted_key(target: Target) -> Outcome:
    sizes = [24_000] if target.small else [24_000, 149_000, 149_000, 149_000, 149_000]
    guest = await target.guest()
    found = []
    for size in sizes:
        text = dotted(size)
        found.append(await timed(guest.post("/api/packs/check", {"text": text}), 20))
    setup = {"options": {"pack": dotted(sizes[-1]), "players": 3}}
    found.append(await timed(guest.post("/api/games/kitara/setup", setup), 20))
    longest = max(seconds for _, seconds, _ in found)
    got = f"{status_counts([status for status, _, _ in found])}, longest {longest:.1f} s"
    return Outcome(longest > 5, got)


@attack("C1b", "other TOML: nesting, long numbers, many tables, long arrays")
async def other_toml(target: Target) -> Outcome:
    size = 20_000 if target.small else 149_000
    texts = {
        "nested arrays": "a = " + "[" * size,
        "nested inline tables": "a = " + "{a=" * (size // 3),
        "table header of dots": "[a" + ".a" * (size // 2) + "]",
        "many short dotted keys": "\n".join(f"a{number}.b.c.d.e.f.g.h = 1" for number in range(size // 24)),
        "one long integer": "a = " + "9" * size,
        "many tables": "\n".join(f"[a{number}]" for number in range(size // 9)),
        "arrays of tables": "[[a]]\n" * (size // 6),
        "one deep path repeated": "\n".join(
            "[" + ".".join("a" * 100) + f".b{number}]" for number in range(size // 210)
        ),
        "long string of escapes": 'a = "' + "\\u0041" * (size // 6) + '"',
        "spaced dots": "a" + " . a" * (size // 4) + " = 1",
        "quoted dots": "a" + '."a"' * (size // 4) + " = 1",
        "dots in inline table": "x = {a" + ".a" * (size // 2) + " = 1}",
        "dots hidden after a string": 's = "\\""\na' + ".a" * (size // 2) + " = 1",
        "dots hidden by a quote in a comment": "# it's\na" + ".a" * (size // 2) + " = 1",
        "dots after an odd multi-line string": "s = '''a'''''\na" + ".a" * (size // 2) + " = 1",
    }
    guest = await target.guest()
    slow, statuses = [], []
    for name, text in texts.items():
        status, seconds, _ = await timed(guest.post("/api/packs/check", {"text": text}), 15)
        statuses.append(status)
        if seconds > 3 or status in (0, 500):
            slow.append(f"{name} {status} {seconds:.1f} s")
        await asyncio.sleep(0.5)
    return Outcome(bool(slow), f"{status_counts(statuses)}; slow or failed: {slow or 'none'}")


@attack("M1", "a record that names a file of the server as its pack", honest=False)
async def record_names_path(target: Target) -> Outcome:
    folder = target.server.folder
    (folder / "present.toml").write_text("secret_key = 1\n")
    paths = [folder / "present.toml", folder / "absent.toml", Path("/etc/passwd")]
    guest = await target.guest()
    pack = next(other_packs(target))
    digest = (await guest.post("/api/packs/check", {"text": pack})).json()["id"].split("#")[-1]
    # a set-up that fails after its pack was read: the pack was known from then on, but not kept
    await guest.post("/api/games/kitara/setup", {"options": {"pack": pack, "turns": "9/9"}})
    answers: list[list[str]] = []
    for path in paths:
        record = f'[Game "kitara"]\n[Rules "1"]\n[pack "{path}#{digest}"]\n\n1. a1\n'
        texts = []
        for route, body in (
            ("/api/records", {"record": record}),
            ("/api/tables", {"game": "kitara", "seats": [{"kind": "you"}] * 2, "record": record, "at": 0}),
            ("/api/games/kitara/setup", {"options": {"pack": f"{path}#{digest}"}}),
            ("/api/games/kitara/setup", {"options": {"pack": str(path)}}),
        ):
            status, _, text = await timed(guest.post(route, body))
            refusal = str(json.loads(text)["told"]) if status >= 400 else ""  # accepted set-ups differ by chance
            texts.append(f"{status} {refusal}".replace(str(path), "PATH"))
            await asyncio.sleep(0.5)
        answers.append(texts)
    differ = [number for number, texts in enumerate(zip(*answers, strict=True)) if len(set(texts)) > 1]
    leaked = any("secret_key" in text for text in answers[0])
    got = f"answers depend on the file in {len(differ)} of 4 requests; its first key came back: {leaked}"
    return Outcome(bool(differ) or leaked, got)


@attack("L-json", "deeply nested or strange JSON", honest=False)
async def nested_json(target: Target) -> Outcome:
    guest = await target.guest()
    statuses: dict[str, int] = {}
    bodies = {
        "60,000 arrays": b'{"text":' + b"[" * 60_000 + b"]" * 60_000 + b"}",
        "60,000 arrays in options": b'{"options":{"board":' + b"[" * 60_000 + b"]" * 60_000 + b"}}",
        "900 arrays in options": b'{"options":{"board":' + b"[" * 900 + b"]" * 900 + b"}}",
        "objects in options": b'{"options":' + b'{"a":' * 30_000 + b"1" + b"}" * 30_000 + b"}",
        "unclosed": b"[" * 200_000,
        "huge number": b'{"options":{"players":' + b"9" * 5_000 + b"}}",
        "huge exponent": b'{"options":{"players":1e999999}}',
        "huge float": b'{"options":{"players":1e308}}',
        "lone surrogate": b'{"options":{"board":"\\ud800"}}',
        "lone surrogate as a key": b'{"options":{"\\ud800":1}}',
        "null byte": b'{"options":{"board":"\\u0000"}}',
        "array as board": b'{"options":{"board":[]}}',
        "object as board": b'{"options":{"board":{}}}',
        "invalid UTF-8": b'{"options":{"board":"\xff"}}',
    }
    for name, body in bodies.items():
        for route in (
            "/api/packs/check",
            "/api/games/kitara/setup",
            "/api/games/katarenga/setup",
            "/api/games/kiwara/setup",
        ):
            headers = {**guest.headers, "Content-Type": "application/json"}
            status, _, _ = await timed(guest.http.post(route, content=body, headers=headers), 15)
            if status in (0, 429) or status >= 500:
                statuses[f"{name} to {route}"] = status
            await asyncio.sleep(0.05)
    bad = {name: status for name, status in statuses.items() if status != 429}
    return Outcome(bool(bad), f"{len(bad)} answered with 5xx or not at all: {dict(list(bad.items())[:6])}")


@attack("N-rec", "records and positions made to be slow to read")
async def slow_records(target: Target) -> Outcome:
    size = 190_000
    head = '[Game "katarenga"]\n[Rules "1"]\n'
    texts = {
        "open braces": head + "\n" + "{" * size,
        "brace pairs": head + "\n" + "{}" * (size // 2),
        "numbers": head + "\n" + "1. " * (size // 3),
        "one long number": head + "\n" + "1" * size + ".",
        "many tags": head + "".join(f'[T{number} "x"]\n' for number in range(size // 12)),
        "backslashes in a tag": head + '[A "' + "\\" * size + '"]\n',
        "open quotes": head + '[A "' * (size // 4),
        "many records": (head + "\n1. d1-d4\n\n") * (size // 45),
        "long rules": '[Game "katarenga"]\n[Rules "' + "9" * size + '"]\n',
        "long board": head + '[board "' + "R" * size + '"]\n\n',
        "slashes": head + '[board "' + "/" * size + '"]\n\n',
        "long digit board": head + '[position "' + "9" * size + '"]\n\n',
        "many winners": head + '[Winners "' + "0 " * (size // 2) + '"]\n[Scores "1 0"]\n[Reason "both-camps"]\n\n',
        "nested arrays as option": head + '[board "' + "[" * size + '"]\n\n',
        "dotted pack": '[Game "kitara"]\n[Rules "1"]\n[pack "' + dotted(20_000) + '"]\n\n',
        "white space": head + "\n" + " \n" * (size // 2),
    }
    guest = await target.guest()
    slow, statuses = [], []
    for name, text in texts.items():
        status, seconds, _ = await timed(guest.post("/api/records", {"record": text}), 10)
        statuses.append(status)
        if seconds > 2 or status in (0, 500):
            slow.append(f"{name}: {status} {seconds:.1f} s")
        await asyncio.sleep(0.3)
    for option in ("board", "position"):
        for game in ("katarenga", "kiwara"):
            for value in ("9" * 200_000, "/" * 200_000, "R" * 200_000, [["x"] * 10] * 5_000):
                status, seconds, _ = await timed(
                    guest.post(f"/api/games/{game}/setup", {"options": {option: value}}), 10
                )
                statuses.append(status)
                if seconds > 2 or status in (0, 500):
                    slow.append(f"{game} {option}: {status} {seconds:.1f} s")
                await asyncio.sleep(0.1)
    return Outcome(bool(slow), f"{status_counts(statuses)}; slow or failed: {slow or 'none'}")
