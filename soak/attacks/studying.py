"""Replays, the explorer, puzzles, packs, profiles and links, asked for without end."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

import mchezo
from mchezo.puzzles.collection import shipped

from .clients import Guest, http, sources, status_counts
from .community import Person
from .costly import ask_often
from .fairness import flood, guests
from .running import Outcome, Target, attack

SECONDS = 12


def long_game(game: str = "katarenga", tries: int = 8) -> mchezo.Position:
    """Return a long game of random moves."""
    longest = None
    for seed in range(tries):
        rng, position = random.Random(seed), mchezo.game(game).start(seed=seed)
        while position.outcome is None:
            position.play(rng.choice(position.legal_moves))
        if longest is None or len(position.moves) > len(longest.moves):
            longest = position
    assert longest is not None
    return longest


async def upload(guest: Guest, game: mchezo.Position) -> str:
    """Upload a record; return the table."""
    answer = await guest.post("/api/records", {"record": str(game.record())})
    answer.raise_for_status()
    return str(answer.json()["id"])


async def ask_as_guests(target: Target, request: Callable[[Guest], Awaitable[int]]) -> Outcome:
    """Have twenty guests of one network ask as often as they may."""
    found = await guests(target, 20)

    async def asked(worker: int) -> int:
        return await request(found[worker % len(found)])

    statuses, longest = await flood(SECONDS, 40, asked)
    return Outcome(None, f"{status_counts(statuses)}, longest {longest:.1f} s")


@attack("S1", "QR codes of long texts")
async def qr_codes(target: Target) -> Outcome:
    async def request(guest: Guest) -> int:
        return (await guest.get("/api/qr", params={"text": "\U0001f600" * 200})).status_code

    return await ask_as_guests(target, request)


@attack("S2", "the page of a long game, with the preview that other sites show")
async def linked_pages(target: Target) -> Outcome:
    table = await upload(await target.guest(), long_game())
    return await ask_often(target, [f"/replay/{table}", f"/t/{table}"])


@attack("S3", "views, variations and the explorer at every point of long games")
async def replays(target: Target) -> Outcome:
    uploader = await target.guest()
    tables = [(await upload(uploader, played), len(played.moves)) for played in map(long_game, mchezo.games())]

    async def request(guest: Guest) -> int:
        table, moves = random.choice(tables)
        place = f"/api/tables/{table}/replay"
        at = random.randrange(moves)
        if random.random() < 0.3:
            return (await guest.get(f"{place}/views", params={"first": at})).status_code
        if random.random() < 0.1:
            return (await guest.get(place)).status_code
        what = random.choice(["try", "explore"])
        return (await guest.post(f"{place}/{what}", {"at": at, "moves": []})).status_code

    return await ask_as_guests(target, request)


@attack("S4", "moves on the boards of all puzzles")
async def puzzles(target: Target) -> Outcome:
    known = [(game, puzzle) for game in mchezo.games() for puzzle in list(shipped(game).values())[:100]]

    async def request(guest: Guest) -> int:
        game, puzzle = random.choice(known)
        body = {"puzzle": msgspec.to_builtins(puzzle), "moves": []}
        return (await guest.post(f"/api/puzzles/{game}/try", body)).status_code

    return await ask_as_guests(target, request)


@attack("S5", "a pack that is edited all the time, with values of every kind")
async def edited_packs(target: Target) -> Outcome:
    contents = (await (await target.guest()).post("/api/packs/open", {})).json()["contents"]

    async def request(guest: Guest) -> int:
        changed = {**contents, random.choice(list(contents)): random.choice([None, 7, "x" * 9_000, [[]], {"": {}}])}
        body = {"contents": random.choice([contents, changed])}
        return (await guest.post("/api/packs/sketch", body)).status_code

    return await ask_as_guests(target, request)


@attack("S6", "one's data, profiles, openings and lists, of a player with sixty games")
async def own_data(target: Target) -> Outcome:
    people = [await Person(target, source).come() for source in sources(8)]
    body: dict[str, Any] = {"game": "katarenga", "seats": [{"kind": "you"}, {"kind": "you"}], "lot": False}
    body |= {"record": str(long_game().earlier(300).record()), "public": True}
    for person in people:
        for _ in range(8):
            made = await person.post("/api/tables", body)
            if made.status_code == 201 and random.random() < 0.5:
                end = {"type": "resign", "id": "end", "seat": 0}
                await person.post(f"/api/tables/{made.json()['id']}/commands", end)
    paths = ["/api/me/data", "/api/waiting", "/api/tables?own=1000", "/api/records", "/api/statistics"]
    paths += [f"/api/players/{people[0].name}/{page}" for page in ("games", "openings")]

    async def request(worker: int) -> int:
        return (await people[worker % len(people)].get(random.choice(paths))).status_code

    statuses, longest = await flood(SECONDS, 40, request)
    return Outcome(None, f"{status_counts(statuses)}, longest {longest:.1f} s")


@attack("S7", "games that are broken off as fast as they are made, and removed by somebody else", honest=False)
async def broken_off(target: Target) -> Outcome:
    """A casual game against computers alone may be ended without a result; nothing else may."""
    ada, eve = await target.guest(), await target.guest("127.0.3.1")
    computer: list[dict[str, Any]] = [{"kind": "you"}, {"kind": "computer", "level": 1}]
    alone = (await ada.create("katarenga", computer))["id"]
    shared = (await ada.create("katarenga", [{"kind": "you"}, {"kind": "open"}], public=True))["id"]
    clocked = (await ada.create("katarenga", computer, days=1))["id"]
    (await eve.command(shared, type="join")).raise_for_status()
    client = http(target.url, "127.0.3.1")
    through = []
    for name, who, table in (
        ("a stranger's", eve, alone),
        ("one with a person", ada, shared),
        ("by correspondence", ada, clocked),
    ):
        answer = await client.delete(f"/api/tables/{table}", headers=who.headers)
        if answer.status_code < 300:
            through.append(name)
    own = await client.delete(f"/api/tables/{alone}", headers=ada.headers)
    return Outcome(bool(through), f"got through: {through or 'none'}; one's own {own.status_code}")
