"""Headers, origins and clocks: the smaller findings."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from .clients import Guest, Raw, http, unique
from .running import Outcome, Target, attack


async def clock_credit(target: Target, forged: int) -> float:
    """Play five moves with pongs that are `forged` milliseconds too old; return the seconds the clock did not count."""
    thought, credit = 1.5, 0.0
    guest = await target.guest()
    created = await guest.create("katarenga", [{"kind": "you"}, {"kind": "you"}], clock={"milliseconds": 120_000})
    table = created["table"]
    async with guest.live(created["id"]) as connection:

        async def read(seconds: float) -> None:
            nonlocal table
            message = json.loads(await asyncio.wait_for(connection.recv(), seconds))
            if message["type"] == "ping":
                await connection.send(json.dumps({"type": "pong", "at": message["at"] - forged}))
                if forged:  # and one to a ping that was never sent
                    await connection.send(json.dumps({"type": "pong", "at": message["at"] - 3 * forged}))
            elif message["type"] == "news" and message.get("table"):
                table = message["table"]

        for number in range(7):
            while not table["legal"]:
                await read(20)
            until = time.monotonic() + thought
            while (rest := until - time.monotonic()) > 0:
                with contextlib.suppress(TimeoutError):
                    await read(rest)
            before, decision = table["clock"]["left"], table["decision"]
            move = {"type": "move", "id": unique(), "decision": decision, "moves": [table["legal"][0]]}
            await connection.send(json.dumps(move))
            while table["decision"] == decision:
                await read(20)
            if number >= 2:  # clocks start with the first moves
                credit += thought - (sum(before) - sum(table["clock"]["left"])) / 1000
    return credit


@attack("L-pong", "forged pongs to gain time on the clock", honest=False)
async def forged_pong(target: Target) -> Outcome:
    """Compare the credit of honest and of forged pongs."""
    honest, forged = await clock_credit(target, 0), await clock_credit(target, 3_000)
    return Outcome(forged - honest > 0.6, f"credit in 5 moves: honest {honest:.2f} s, forged {forged:.2f} s")


@attack("L-orig", "origins of another scheme, port or site; bodies of another type", honest=False)
async def origins(target: Target) -> Outcome:
    host = f"localhost:{target.port}"
    url = f"http://{host}"
    accepted = []
    async with http(url, "127.0.2.1") as client:
        await client.get("/api/me")
        if not client.cookies:
            return Outcome(None, "no cookie")

        async def post(headers: dict[str, str], content: bytes = b'{"name":"Eve"}') -> int:
            return (await client.post("/api/me", content=content, headers=headers)).status_code

        json_type = {"Content-Type": "application/json"}
        own = await post({**json_type, "Origin": url})
        for origin in (
            f"https://{host}",
            f"ftp://{host}",
            f"http://localhost:{target.port + 1}",
            "http://localhost",
            "null",
            "",
            f"http://{host}.evil.example",
            f"http://evil.example@{host}",
            f"http://{host}/path",
            "http://127.0.0.1.evil.example",
        ):
            if await post({**json_type, "Origin": origin}) == 200:
                accepted.append(origin or "(empty)")
        if await post(json_type) == 200:
            accepted.append("(no Origin)")
        if await post({**json_type, "Host": "evil.example", "Origin": "http://evil.example"}) == 200:
            accepted.append("Host and Origin evil.example")
        for kind in (
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "",
            "text/json",
        ):
            if await post({"Content-Type": kind, "Origin": url}) == 200:
                accepted.append(f"body {kind or '(no type)'}")
        cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        table = await client.post(
            "/api/tables",
            json={"game": "katarenga", "seats": [{"kind": "you"}, {"kind": "you"}]},
            headers={"Origin": url},
        )
        address = f"ws://{host}/api/tables/{table.json()['id']}/live"
        for site in (f"https://{host}", "http://evil.example", None, "null"):
            headers = {"Cookie": cookie, **({"Origin": site} if site else {})}
            with contextlib.suppress(WebSocketException, OSError, TimeoutError):
                async with connect(address, additional_headers=headers, proxy=None, open_timeout=10) as connection:
                    if json.loads(await asyncio.wait_for(connection.recv(), 5))["type"] == "refused":
                        continue
                    accepted.append(f"WebSocket of {site or '(no Origin)'}")
    return Outcome(bool(accepted), f"own origin {own}; wrongly accepted: {accepted or 'none'}")


@attack("L-head", "response headers, metrics, health", "--https", honest=False)
async def response_headers(target: Target) -> Outcome:
    missing = []
    async with http(target.url, "127.0.2.1") as client:
        page = await client.get("/")
        policy = page.headers.get("content-security-policy", "")
        connecting = next((part for part in policy.split(";") if "connect-src" in part), "").split()
        if "ws:" in connecting or "wss:" in connecting:
            missing.append("CSP allows any ws:")
        if "strict-transport-security" not in page.headers:
            missing.append("no HSTS")
        # The browser app sets styles on its drawings; scripts are never inline.
        kinds = {part.split()[0]: part for part in policy.split(";") if part.split()}
        scripts = kinds.get("script-src", kinds.get("default-src", "unsafe"))
        if "unsafe" in scripts:
            missing.append("CSP script unsafe-inline")
        me = await client.get("/api/me")
        if "secure" not in me.headers.get("set-cookie", "").lower():
            missing.append("cookie not Secure")
        guest = await Guest(target.url, "127.0.2.1", client).sign_in()
        table = (await guest.create("katarenga", [{"kind": "you"}, {"kind": "you"}]))["id"]
        page = await guest.get(f"/t/{table}")
        if page.text != (await http(target.url, "127.0.3.1").get(f"/t/{table}")).text:
            missing.append("/t/ID depends on who asks")  # otherwise it may be cached
        for path in ("/api/me", "/api/tables", f"/api/tables/{table}", f"/api/tables/{table}/news"):
            cache = (await guest.get(path)).headers.get("cache-control", "")
            if "private" not in cache and "no-store" not in cache:
                missing.append(f"{path.replace(table, 'ID')} Cache-Control: {cache or 'none'}")
        metrics = await client.get("/metrics")
        if metrics.status_code == 200:
            missing.append("/metrics public")
        health = await client.get("/healthz")
        # Numbers of tables and sockets are no secret; anything of a person or of the machine would be.
        known = {"status", "version", "database", "tables", "sockets", "set_aside"}
        if set(health.json()) - known or health.json()["database"] not in ("sqlite", "postgresql"):
            missing.append(f"/healthz says {health.text[:90]}")
    return Outcome(bool(missing), f"{missing or 'nothing missing'}")


@attack("L-fwd", "X-Forwarded-For believed without being asked to", honest=False)
async def forwarded(target: Target) -> Outcome:
    """Exhaust the limit of one address, then pretend to be others."""
    found = {}
    believed = []
    for source in ("127.0.0.1", "127.0.2.1"):
        async with http(target.url, source) as client:
            plain: list[int] = []
            for _ in range(400):
                plain.append((await client.post("/api/tokens", json={"name": "x"})).status_code)
                if plain[-1] == 429:
                    break
            forged = []
            for number in range(20):
                address = f"203.0.{number}.7"
                headers = {"X-Forwarded-For": address, "X-Real-IP": address, "Forwarded": f"for={address}"}
                forged.append((await client.post("/api/tokens", json={"name": "x"}, headers=headers)).status_code)
            found[source] = (
                f"{len(plain)} guests then {plain[-1]}; forged {forged.count(201) + forged.count(200)} of 20"
            )
            if plain[-1] == 429 and forged.count(429) < 10:
                believed.append(source)
            secure = await client.get(
                "/api/me", headers={"X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example"}
            )
            if "secure" in secure.headers.get("set-cookie", "").lower():
                believed.append(f"{source} X-Forwarded-Proto")
        raw = await Raw.open(target.port, source)
        await raw.send(f"GET / HTTP/1.1\r\nHost: localhost:{target.port}\r\nX-Forwarded-Proto: https\r\n\r\n".encode())
        answer = await raw.receive(4000)
        if b"https://localhost" in answer:
            believed.append(f"{source} page with https")
        raw.close()
    return Outcome(bool(believed), f"{found}; believed: {believed or 'none seen'}")
