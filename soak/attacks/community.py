"""Accounts, chat, tournaments, pairing and notices, as a stranger would try them."""

from __future__ import annotations

import asyncio
import itertools
import random
from contextlib import AsyncExitStack
from typing import Any

import httpx
from websockets.asyncio.client import connect

from .clients import http, status_counts
from .running import Outcome, Target, attack

LETTERS = map("".join, itertools.product("abdfghkp", repeat=5))  # names that do not look alike
DECEIVING = [
    "\u3164\u3164",  # nothing to see
    "\u2800\uffa0",
    "\u1d00\u1d05\u1d00",  # small capitals
    "\ua4ee\ua4d3\ua4ee",  # Lisu
    "\u13aa\u13a0\u13aa",  # Cherokee
    "Ad\u0251",
    "\u0430d\u0430",
    "Bo" + "\u0335" * 20,
    "<b>Ada</b>",
    "m.chez0",
]
INTERNAL = [
    "https://127.0.0.1:8064/",
    "https://[::1]/",
    "https://[::127.0.0.1]/",
    "https://[::ffff:0:127.0.0.1]/",
    "https://[64:ff9b:1::7f00:1]/",
    "https://[fec0::1]/",
    "https://169.254.169.254/latest/meta-data",
    "https://192.168.0.1/",
    "https://user@example.org/",
    "http://example.org/",
    "https://example.org/\r\nX: y",
]
SPELLED = ["https://2130706433/", "https://0x7f.1/", "https://localhost/"]  # names, which are resolved when sending
KEYS = {
    "p256dh": "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM",
    "auth": "tBHItJI5svbpez7KI4CCXg",
    "language": "en",
}
CLOCK = {"milliseconds": 600_000, "increment": 0}


class Person:
    """Somebody with a browser, and with an account if they are given a name."""

    def __init__(self, target: Target, source: str = "127.0.2.1") -> None:
        self.target = target
        self.http = http(target.url, source, headers={"Origin": target.url})

    async def come(self, *, account: bool = True) -> Person:
        """Get a cookie, and an account."""
        (await self.http.get("/api/me")).raise_for_status()
        if account:
            self.name = f"Player {next(LETTERS)}"
            (await self.post("/api/account", {"name": self.name})).raise_for_status()
        return self

    async def get(self, path: str, **options: Any) -> httpx.Response:
        """Send a GET request."""
        return await self.http.get(path, **options)

    async def post(self, path: str, body: Any = None) -> httpx.Response:
        """Send a POST request."""
        return await self.http.post(path, json={} if body is None else body)

    def lobby(self, source: str) -> connect:
        """Return a connection to the lobby, from an address; it is made when it is entered."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        return connect(
            f"{self.target.url.replace('http', 'ws')}/api/lobby/live",
            additional_headers={"Cookie": cookie, "Origin": self.target.url},
            local_addr=(source, 0),
            proxy=None,
            open_timeout=20,
            close_timeout=0.1,
            max_queue=1,
        )


@attack("P1", "user names that deceive", honest=False)
async def deceiving_names(target: Target) -> Outcome:
    accepted = []
    for name in DECEIVING:
        person = await Person(target).come(account=False)
        answer = await person.post("/api/account", {"name": name})
        if answer.status_code == 201 and answer.json()["name"].count("\u0335") != 2:  # what is kept of a heap
            accepted.append(ascii(name))
    ada = await Person(target).come()
    guest = await Person(target).come(account=False)
    answer = await guest.post("/api/me", {"name": f"{ada.name}\u3164"})
    if answer.status_code == 200:
        accepted.append("a guest with the name of an account and an invisible letter")
    return Outcome(bool(accepted), f"accepted: {accepted or 'none'}")


@attack("P2", "guessing recovery phrases; a session that was prepared for somebody", honest=False)
async def sign_ins(target: Target) -> Outcome:
    person = await Person(target).come(account=False)
    before = person.http.cookies.get("mchezo")
    tried = 0
    for _ in range(200):
        answer = await person.post("/api/sign-in/phrase", {"phrase": " ".join(random.choices("abcdefgh", k=5))})
        tried += answer.status_code != 429
    victim = await Person(target, "127.0.3.1").come()
    phrase = (await victim.post("/api/account/phrase")).json()["phrase"]
    fixed = http(target.url, "127.0.4.1", headers={"Origin": target.url}, cookies={"mchezo": str(before)})
    (await fixed.post("/api/sign-in/phrase", json={"phrase": phrase})).raise_for_status()
    prepared = http(target.url, "127.0.4.1", headers={"Origin": target.url}, cookies={"mchezo": str(before)})
    shares = (await prepared.get("/api/me")).json()["account"]
    other = http(
        target.url, "127.0.4.1", headers={"Origin": "https://elsewhere.example"}, cookies={"mchezo": str(before)}
    )
    crossed = (await other.post("/api/sign-in/phrase", json={"phrase": phrase})).status_code
    through = tried > 60 or shares or crossed != 403
    return Outcome(
        through,
        f"{tried} of 200 guesses of eighty bits answered; the prepared cookie is signed in: {shares}; "
        f"sign-in from another site: {crossed}",
    )


@attack("P3", "push endpoints and webhooks inside our network; mail addresses with line breaks", honest=False)
async def internal_addresses(target: Target) -> Outcome:
    person = await Person(target).come()
    passed = []
    for url in INTERNAL:
        for path, body in (("push", {"endpoint": url, **KEYS}), ("webhook", {"url": url, "language": "en"})):
            if (await person.post(f"/api/notices/{path}", body)).status_code == 201:
                passed.append(f"{path} {url!r}")
    for url in SPELLED:
        added = await person.post("/api/notices/webhook", {"url": url, "language": "en"})
        if added.status_code == 201:
            channel = added.json()["notices"]["channels"][-1]["id"]
            if (await person.post(f"/api/notices/channels/{channel}/test")).status_code < 300:
                passed.append(f"sent to {url}")
    for address in ("a@b.c\r\nBcc: d@e.f", "a@b.c, d@e.f", '"a\nb"@c.d', "<a@b.c>"):
        answer = await person.post("/api/notices/mail", {"address": address, "language": "en"})
        if answer.status_code < 300 or answer.json()["told"]["key"] == "no-mail":  # which comes after the check
            passed.append(f"mail to {address!r}")
    return Outcome(bool(passed), f"accepted: {passed or 'none'}")


@attack("P4", "1,500 visitors of the lobby from five networks, and seeks that change it all the time")
async def full_lobby(target: Target) -> Outcome:
    people = [await Person(target, f"127.0.{4 + place % 5}.1").come(account=False) for place in range(60)]
    opened = refused = seeks = 0
    async with AsyncExitStack() as stack:
        for place in range(1_500):
            try:
                await stack.enter_async_context(people[place % len(people)].lobby(f"127.0.{4 + place % 5}.1"))
                opened += 1
            except Exception:
                refused += 1
        end = asyncio.get_running_loop().time() + 15
        while asyncio.get_running_loop().time() < end:
            one = random.choice(people)
            body = {"kind": random.choice(("kiwara", "congress", "katarenga")), "speed": "rapid", "spread": 50}
            seeks += (await one.post("/api/seek", body)).status_code == 200
            await one.http.delete("/api/seek")
    return Outcome(None, f"{opened} sockets opened, {refused} refused, {seeks} seeks")


@attack("P5", "one's own seek, blocked players, tables without end by pairing", honest=False)
async def pairing(target: Target) -> Outcome:
    ann, eve = await Person(target).come(), await Person(target, "127.0.3.1").come()
    terms = {"kind": "kiwara", "speed": "rapid", "rated": True}
    passed = []
    own = (await ann.post("/api/seek", terms)).json()["seeking"]
    listed = (await eve.get("/api/lobby")).json()["seeks"]
    mine = next(one["id"] for one in listed if one["name"] == ann.name)
    if (await ann.post("/api/seek", {**terms, "accept": mine})).status_code == 200 or own["table"]:
        passed.append("own seek")
    (await ann.post(f"/api/players/{eve.name}/relation", {"relation": "block"})).raise_for_status()
    await ann.post("/api/seek", terms)
    if (await eve.post("/api/seek", terms)).json()["seeking"]["table"]:
        passed.append("a player who blocked the attacker")
    first, second = await Person(target).come(account=False), await Person(target).come(account=False)
    tables = 0
    for _ in range(90):
        await first.post("/api/seek", {"kind": "congress", "speed": "unlimited"})
        answer = await second.post("/api/seek", {"kind": "congress", "speed": "unlimited"})
        found = answer.json().get("seeking") if answer.status_code == 200 else None
        if found and found["table"]:
            tables += 1
            for one in (first, second):
                await one.http.delete("/api/seek", params={"table": found["table"]})
        await asyncio.sleep(0.25)
    if tables > 60:
        passed.append(f"{tables} unfinished tables of two guests")
    return Outcome(bool(passed), f"passed: {passed or 'none'}; {tables} tables of two guests in 90 tries")


@attack("P6", "tournaments: leaving and coming back, a hundred computers, an arena of computers, many of them")
async def tournaments(target: Target) -> Outcome:
    """Each part has a network of its own, so that no part is refused because of another; all come before it begins."""
    eve, mal = await Person(target).come(), await Person(target, "127.0.3.1").come()
    crowd = [await Person(target, "127.0.5.1").come() for _ in range(12)]
    plan = {
        "name": "x",
        "format": "arena",
        "game": "kiwara",
        "clock": CLOCK,
        "computers": True,
        "minutes": 60,
        "most": 128,
    }
    created = await eve.post("/api/tournaments", plan)
    created.raise_for_status()
    path = f"/api/tournaments/{created.json()['id']}"

    async def command(person: Person, kind: str, **given: Any) -> int:
        """Send a command, patiently; return the status of its answer."""
        for _ in range(10):
            status = (await person.post(f"{path}/commands", {"type": kind, **given})).status_code
            if status != 429:
                break
            await asyncio.sleep(2)
        return status

    entered = []
    for _ in range(60):
        entered.append(await command(mal, "enter"))
        await command(mal, "withdraw")
    added = [await command(eve, "add-computer", level=1) for _ in range(25)]
    started = await command(eve, "start")
    await asyncio.sleep(20)
    games = sum(len(one["games"]) for one in (await eve.get(path)).json()["rounds"])
    made = [
        (await person.post("/api/tournaments", {**plan, "format": "swiss"})).status_code
        for person in crowd
        for _ in range(5)
    ]
    back, computers, tournaments = entered.count(200), added.count(200), made.count(201)
    through = back > 40 or computers > 16 or games > 0 or tournaments > 20 or started != 200
    return Outcome(
        through,
        f"came back {back} of 60 times {status_counts(entered)}; {computers} of 25 computers entered "
        f"{status_counts(added)}; started {started}, {games} games of computers alone in 20 s; "
        f"{tournaments} of 60 tournaments created from one network {status_counts(made)}",
    )


@attack("P7", "chat: markup, floods, spectators who write to players, lines of others", honest=False)
async def chat(target: Target) -> Outcome:
    ann, bob, eve = [await Person(target).come() for _ in range(3)]
    guest = await Person(target).come(account=False)
    body = {"game": "kiwara", "seats": [{"kind": "you"}, {"kind": "open"}], "public": True}
    table = (await ann.post("/api/tables", body)).json()["id"]
    (await bob.post(f"/api/tables/{table}/commands", {"type": "join", "id": "1"})).raise_for_status()
    path, passed = f"/api/tables/{table}/chat", []
    markup = "<img src=x onerror=alert(1)> [a](javascript:1) \u202egnp"
    (await ann.post(path, {"text": markup})).raise_for_status()
    (line,) = (await bob.get(path)).json()["lines"]
    if "\u202e" in line["text"]:
        passed.append("a control character")
    (await eve.post(path, {"text": "take the lion"})).raise_for_status()
    if len((await ann.get(path)).json()["lines"]) != 1 or len((await eve.get(path)).json()["lines"]) != 1:
        passed.append("spectators and players read each other")
    if (await guest.post(path, {"text": "hi"})).status_code < 300 or (await guest.get(path)).json()["lines"]:
        passed.append("a guest")
    if (await eve.post(f"{path}/{line['number']}/reports", {"text": "x"})).status_code < 300:
        passed.append("a report about a line that one may not see")
    if (await ann.post(path, {"text": "x" * 301})).status_code < 300:
        passed.append("301 characters")
    written = sum([(await eve.post(path, {"text": "spam"})).status_code == 201 for _ in range(60)])
    if written > 15:
        passed.append(f"{written} lines at once")
    return Outcome(bool(passed), f"passed: {passed or 'none'}; {written} of 60 lines at once; markup kept as text")


@attack("P8", "feeds by guessed addresses; exports, channels and seeks of others", honest=False)
async def secrets_of_others(target: Target) -> Outcome:
    ann, eve = await Person(target).come(), await Person(target, "127.0.3.1").come()
    passed = []
    address = (await ann.post("/api/feed")).json()["address"]
    feed = await eve.get(f"{address}.ics")
    if "no-store" not in feed.headers.get("cache-control", "") and "private" not in feed.headers.get(
        "cache-control", ""
    ):
        passed.append("a feed that caches may keep")
    guesses = [(await eve.get(f"/api/feeds/{random.getrandbits(128):032x}.rss")).status_code for _ in range(300)]
    if 200 in guesses:  # of 128 bits
        passed.append("a guessed feed")
    added = await ann.post("/api/notices/webhook", {"url": "https://example.org/", "language": "en"})
    channel = added.json()["notices"]["channels"][0]["id"]
    if (await eve.post(f"/api/notices/channels/{channel}/test")).status_code < 300:
        passed.append("a test of another's channel")
    await eve.http.delete(f"/api/notices/channels/{channel}")
    if not (await ann.get("/api/notices")).json()["channels"]:
        passed.append("the end of another's channel")
    sought = await ann.post("/api/seeks", {"kind": "kiwara", "days": 3})
    if sought.status_code == 200:
        await eve.http.delete(f"/api/seeks/{sought.json()['letters'][0]['id']}")
        if not (await ann.get("/api/lobby")).json()["letters"]:
            passed.append("the end of another's seek")
    if ann.name in (await eve.get("/api/me/data")).text:
        passed.append("data of another in the export")
    return Outcome(bool(passed), f"passed: {passed or 'none'}; {guesses.count(429)} of 300 guesses refused as too many")
