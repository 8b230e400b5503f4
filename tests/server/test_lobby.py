"""The lobby of a server: seeks, challenges and bots, over HTTP and its WebSocket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from websockets import Origin
from websockets.sync.client import connect

from mchezo.server import messages
from mchezo.server.domain.context import Identity
from mchezo.server.domain.pairing import ANYBODY, Seeker, occupant
from mchezo.server.runtime.lobby import CROWD, Lobby
from mchezo.server.storage.pairing import FOUND, GONE, SHOWN, StoredSeek, Waiting
from mchezo.server.storage.schema import SEEKS
from mchezo.server.storage.store import Store
from tests.server.postgres import Postgres
from tests.server.random_players import RandomOpponents
from tests.server.serving import PATIENCE, UNLIMITED, Client, Process, Running, eventually, pass_time, run_in_thread
from tests.server.test_accounts import refused, register

pytestmark = pytest.mark.rotating(shares=24)

NAMES = map("".join, product("abdefghk", repeat=4))  # digits look like letters, and names must not look alike


@contextmanager
def lobby(client: Client, query: str = "") -> Iterator[Callable[[Callable[[Any], Any]], Any]]:
    """Stay in the lobby; the function waits until its state has a property, and returns what that is."""
    cookies = "; ".join(f"{name}={value}" for name, value in client.http.cookies.items())
    headers = {"Authorization": f"Bearer {client.token}"} if client.token else {"Cookie": cookies}
    address, origin = f"ws://{client.address}/api/lobby/live{query}", Origin(f"http://{client.address}")
    with connect(
        address, additional_headers=headers, origin=origin, open_timeout=PATIENCE, ping_interval=None
    ) as socket:

        def until(what: Callable[[Any], Any]) -> Any:
            while True:
                state = json.loads(socket.recv(timeout=PATIENCE))
                if state["type"] == "lobby" and (found := what(state)):
                    return found

        until(lambda state: True)
        yield until


def person(running: Running, account: bool = True) -> Client:
    client = running.client("x")
    if account:
        register(client, f"Player {next(NAMES)}")
    return client


def name(client: Client) -> str:
    return str(client.get("/api/me")["name"])


def found(state: Any) -> Any:
    return state["seeking"] and state["seeking"]["table"]


def seek(client: Client, kind: str = "kiwara", speed: str = "rapid", **given: Any) -> Any:
    return client.post("/api/seek", {"kind": kind, "speed": speed, **given})


def test_two_who_seek_the_same_find_each_other_and_play(running: Running) -> None:
    ann, bob, guest = person(running), person(running), person(running, account=False)
    with lobby(ann) as ann_sees, lobby(bob) as bob_sees, lobby(guest):
        mine = seek(ann, rated=True)["seeking"]
        assert (mine["kind"], mine["rated"], mine["table"], mine["level"]) == ("kiwara", True, None, 4)
        assert mine["level_rated"]
        waiting = bob_sees(lambda state: state["seeks"])
        assert [(one["name"], one["rating"], one["rated"]) for one in waiting] == [(name(ann), 1500, True)]
        seek(guest)  # casual: another pool
        seek(bob, "kiwara", "blitz", rated=True)
        assert seek(bob, rated=True)["seeking"]["table"] is not None
        table = ann_sees(found)
        assert bob.get("/api/lobby")["seeking"]["table"] == table
        assert guest.get("/api/lobby")["seeking"]["table"] is None
        look = ann.look(table)
        assert look["settings"]["rated"]
        assert look["settings"]["paired"]
        assert not look["settings"]["takeback"]
        assert look["clock"]["left"] == [900_000, 900_000]
        mover = ann if look["to_move"] in look["you"] else bob
        seen = mover.look(table)
        mover.do(table, "move", decision=seen["decision"], moves=seen["legal"][:1])
        assert guest.http.delete("/api/seek").status_code == 200
        for one in (ann, bob):
            assert one.http.delete("/api/seek", params={"table": table}).json()["seeking"] is None


def test_seats_alternate_between_two_who_meet_again(running: Running) -> None:
    ann, bob = person(running, account=False), person(running, account=False)
    seats = []
    with lobby(ann), lobby(bob):
        for _ in range(4):
            seek(ann, "katarenga", "unlimited")
            table = seek(bob, "katarenga", "unlimited")["seeking"]["table"]
            seats.append(ann.look(table)["you"])
            for one in (ann, bob):
                one.http.delete("/api/seek", params={"table": table})
    assert seats[0] != seats[1]
    assert sorted(map(tuple, seats)) == [(0,), (0,), (1,), (1,)]


def test_three_and_four_play_kitara_together(running: Running) -> None:
    people = [person(running, account=False) for _ in range(4)]
    with ExitStack() as stack:
        for one in people:
            stack.enter_context(lobby(one))
        for one in people[:2]:
            assert seek(one, "kitara-3")["seeking"]["table"] is None
        table = seek(people[2], "kitara-3")["seeking"]["table"]
        assert len({one.look(table)["you"][0] for one in people[:3]}) == 3
        assert people[0].look(table)["settings"]["abandoned"] == "computer"
        for one in people:
            one.http.delete("/api/seek", params={"table": table})
        results = [seek(one, "kitara-4")["seeking"]["table"] for one in people]
        assert results[:3] == [None] * 3
        assert len(people[3].look(results[3])["seats"]) == 4


def test_a_seek_of_the_list_is_accepted_by_one(running: Running) -> None:
    ann, bob, cay = person(running), person(running), person(running)
    with lobby(ann), lobby(bob), lobby(cay):
        seek(ann, spread=50)
        (offer,) = [one for one in bob.get("/api/lobby")["seeks"] if one["name"] == name(ann)]
        same = {"kind": "kiwara", "speed": "rapid", "accept": offer["id"]}
        assert refused(bob.http.post("/api/seek", json={**same, "speed": "blitz"})) == "seek-gone"
        table = bob.post("/api/seek", same)["seeking"]["table"]
        assert ann.get("/api/lobby")["seeking"]["table"] == table
        assert refused(cay.http.post("/api/seek", json=same)) == "seek-gone"
        assert cay.get("/api/lobby")["seeking"] is None
        bob.http.delete("/api/seek", params={"table": table})


def test_those_who_blocked_each_other_are_not_paired(running: Running) -> None:
    ann, bob, cay = person(running), person(running), person(running)
    ann.post(f"/api/players/{name(bob)}/relation", {"relation": "block"})
    with lobby(ann), lobby(bob), lobby(cay):
        seek(bob, "congress")
        assert seek(ann, "congress")["seeking"]["table"] is None
        (offer,) = [one for one in bob.get("/api/lobby")["seeks"] if one["name"] == name(ann)]
        again = {"kind": "congress", "speed": "rapid", "accept": offer["id"]}
        assert refused(bob.http.post("/api/seek", json=again)) == "not-welcome"
        assert seek(cay, "congress")["seeking"]["table"] is not None
        challenge = {"kind": "kiwara", "speed": "blitz", "player": name(ann)}
        assert refused(bob.http.post("/api/challenges", json=challenge)) == "not-welcome"


def test_what_cannot_be_paired_is_refused(running: Running) -> None:
    guest, bot = person(running, account=False), running.client("Bot", bot=True)
    assert refused(guest.http.post("/api/seek", json={"kind": "chess", "speed": "blitz"})) == "unknown-kind"
    assert guest.http.post("/api/seek", json={"kind": "kiwara", "speed": "bullet"}).status_code == 400
    assert refused(guest.http.post("/api/seek", json={"kind": "kiwara", "speed": "blitz", "rated": True})) == (
        "rated-account"
    )
    assert refused(bot.http.post("/api/seek", json={"kind": "kiwara", "speed": "blitz"})) == "people-only"
    assert running.client().http.get("/api/lobby").status_code == 401


def test_a_seek_goes_with_the_page_of_its_guest(running: Running) -> None:
    ann, bob = person(running, account=False), person(running, account=False)
    with lobby(bob) as bob_sees:
        with lobby(ann):
            seek(ann, "quebec")
            bob_sees(lambda state: [one for one in state["seeks"] if one["kind"] == "quebec"])
        bob_sees(lambda state: not [one for one in state["seeks"] if one["kind"] == "quebec"])
        assert seek(bob, "quebec")["seeking"]["table"] is None
        bob.http.delete("/api/seek")


def test_a_guest_who_was_never_in_the_lobby_is_not_matched_for_long(
    start: Callable[..., Running], database: str
) -> None:
    running = start(database)
    ann, bob = person(running, account=False), person(running, account=False)
    seek(ann)
    pass_time(running, GONE + 1)
    with lobby(bob):
        assert seek(bob)["seeking"]["table"] is None


def test_tables_that_are_found_count_like_others(start: Callable[..., Running], tmp_path: Path) -> None:
    running = start(str(tmp_path / "tables.sqlite"), limits=replace(UNLIMITED, unfinished=2))
    ann, bob = person(running), person(running)
    for _ in range(2):
        seek(ann)
        table = found(seek(bob))
        for one in (ann, bob):
            one.http.delete("/api/seek", params={"table": table})
    terms = {"kind": "kiwara", "speed": "rapid"}
    assert refused(ann.http.post("/api/seek", json=terms)) == "too-many-tables"
    assert refused(ann.http.post("/api/seeks", json={"kind": "kiwara", "days": 3})) == "too-many-tables"
    assert refused(ann.http.post("/api/challenges", json={**terms, "player": name(bob)})) == "too-many-tables"


def test_those_whom_nothing_concerns_are_shown_the_same_state(start: Callable[..., Running], tmp_path: Path) -> None:
    running = start(str(tmp_path / "tables.sqlite"))
    assert running.service is not None
    ann, bob, cay = (person(running, account=False) for _ in range(3))
    with lobby(ann), lobby(bob) as bob_sees, lobby(cay) as cay_sees:
        seek(ann, "congress")
        for sees in (bob_sees, cay_sees):
            sees(lambda state: [one["kind"] for one in state["seeks"]] == ["congress"])
        shown = [visitor.shown for guests in running.service.lobby.visitors.values() for visitor in guests]  # type: ignore[attr-defined]  # sockets
        assert len({id(one) for one in shown}) == 2
        assert [one.seeking for one in shown if one.seeking] != []


class Onlooker:
    """A visitor of the lobby who counts what all of them are shown."""

    plays: Sequence[str] = ()

    def __init__(self, guest: str, shown: list[messages.Lobby]) -> None:
        self.who = Identity(guest)
        self.all_shown = shown
        self.sees: messages.Lobby | None = None

    def show(self, lobby: messages.Lobby) -> None:
        self.all_shown.append(lobby)
        self.sees = lobby


def test_a_lobby_that_changes_all_the_time_is_read_once_and_shown_to_a_few_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(str(tmp_path / "tables.sqlite"))
    shown: list[messages.Lobby] = []
    crowd = [Onlooker(f"guest {number}", shown) for number in range(500)]
    rating = store.pairing.rating("ann", "kiwara-rapid", 0)

    def state(number: int) -> Waiting:
        seeker, player = Seeker("ann", number, rating, ANYBODY), occupant(Identity("ann"), None)
        return Waiting([StoredSeek("s", "kiwara", "rapid", False, player, seeker, None)], [], [], [])

    async def trial() -> None:
        lobby = Lobby(store, RandomOpponents(), lambda game: None, lambda guest: False)
        reads: list[int] = []

        def waiting(now: int) -> Waiting:
            reads.append(now)
            return state(len(reads))

        monkeypatch.setattr(lobby.stored, "waiting", waiting)
        lobby.visitors = {one.who.guest: [one] for one in crowd}
        for _ in range(20):
            lobby.show_soon()
        assert not shown
        most = 0
        while crowd[-1].sees is None:
            before = len(shown)
            await asyncio.sleep(0)
            most = max(most, len(shown) - before)
        assert most <= CROWD
        assert len(shown) == len(crowd)
        assert len(reads) == 1
        assert {id(one.sees) for one in crowd} == {id(lobby.common)}
        lobby.show_soon()
        while len(shown) < 2 * len(crowd):  # what has changed is shown, if later
            await asyncio.sleep(0)
        lobby.release()

    run_in_thread(trial())
    store.close()


# Challenges


def test_a_challenge_is_accepted_declined_or_withdrawn(running: Running) -> None:
    ann, bob = person(running), person(running)
    terms = {"kind": "kiwara", "speed": "blitz", "player": name(bob)}
    with lobby(ann) as ann_sees, lobby(bob) as bob_sees:
        (mine,) = ann.post("/api/challenges", {**terms, "rated": True})["challenges"]
        assert (mine["yours"], mine["to"], mine["status"]) == (True, name(bob), "waiting")
        (theirs,) = bob_sees(lambda state: state["challenges"])
        assert (theirs["yours"], theirs["by"], theirs["rated"]) == (False, name(ann), True)
        assert refused(ann.http.post("/api/challenges", json=terms)) == "already-challenged"
        assert refused(ann.http.post(f"/api/challenges/{mine['id']}", json={"accept": True})) == "unknown-challenge"
        bob.post(f"/api/challenges/{theirs['id']}", {"accept": True})
        table = ann_sees(lambda state: [one["table"] for one in state["challenges"] if one["status"] == "accepted"])[0]
        assert ann.look(table)["settings"]["rated"]
        assert {tuple(one.look(table)["you"]) for one in (ann, bob)} == {(0,), (1,)}
        assert refused(bob.http.post(f"/api/challenges/{theirs['id']}", json={"accept": True})) == "challenge-over"

        (second,) = [one for one in ann.post("/api/challenges", terms)["challenges"] if one["status"] == "waiting"]
        bob.post(f"/api/challenges/{second['id']}", {"accept": False})
        ann_sees(lambda state: [one for one in state["challenges"] if one["status"] == "declined"])

        slow = {**terms, "speed": "correspondence"}
        (third,) = [one for one in ann.post("/api/challenges", slow)["challenges"] if one["status"] == "waiting"]
        assert ann.http.delete(f"/api/challenges/{third['id']}").status_code == 200
        assert refused(bob.http.post(f"/api/challenges/{third['id']}", json={"accept": True})) == "challenge-over"


def test_challenges_have_limits_and_only_reach_other_players(running: Running) -> None:
    ann, guest = person(running), person(running, account=False)
    terms = {"kind": "kiwara", "speed": "blitz"}
    assert refused(ann.http.post("/api/challenges", json={**terms, "player": name(ann)})) == "yourself"
    assert refused(ann.http.post("/api/challenges", json={**terms, "player": "Nobody here"})) == "unknown-player"
    assert refused(ann.http.post("/api/challenges", json={**terms, "bot": "0" * 16})) == "bot-away"
    many = {"kind": "kitara-4", "speed": "blitz", "player": name(ann)}
    assert refused(guest.http.post("/api/challenges", json=many)) == "challenge-two"
    assert refused(guest.http.post("/api/challenges", json={**terms, "player": name(ann), "rated": True})) == (
        "rated-account"
    )
    others = [person(running) for _ in range(6)]
    for other in others[:5]:
        ann.post("/api/challenges", {**terms, "player": name(other)})
    last = {**terms, "player": name(others[5])}
    assert refused(ann.http.post("/api/challenges", json=last)) == "too-many-challenges"


def test_a_challenge_is_withdrawn_when_its_time_is_over(start: Callable[..., Running], database: str) -> None:
    running = start(database)
    ann, bob = person(running), person(running)
    with lobby(ann) as ann_sees:
        (mine,) = ann.post("/api/challenges", {"kind": "kiwara", "speed": "rapid", "player": name(bob)})["challenges"]
        pass_time(running, mine["until"] - (running.service.store.now() if running.service else 0) + 1)
        answer = bob.http.post(f"/api/challenges/{mine['id']}", json={"accept": True})
        assert refused(answer) == "challenge-over"
        ann_sees(lambda state: [one for one in state["challenges"] if one["status"] == "withdrawn"])


def deep_lion(state: Any) -> list[Any]:
    return [one for one in state["bots"] if one["name"] == "Deep Lion"]


def test_a_bot_waits_in_the_lobby_and_is_challenged_there(running: Running) -> None:
    bot, guest = running.client("Deep Lion", bot=True), person(running, account=False)
    with lobby(bot, "?plays=kiwara") as bot_sees, lobby(guest) as guest_sees:
        (shown,) = deep_lion(guest.get("/api/lobby")) or guest_sees(deep_lion)
        assert shown["games"] == ["kiwara"]
        terms = {"speed": "blitz", "bot": shown["id"]}
        assert refused(guest.http.post("/api/challenges", json={**terms, "kind": "kitara-2"})) == "bot-away"
        guest.post("/api/challenges", {**terms, "kind": "kiwara"})
        (challenge,) = bot_sees(lambda state: state["challenges"])
        bot.post(f"/api/challenges/{challenge['id']}", {"accept": True})
        table = guest_sees(lambda state: [one["table"] for one in state["challenges"] if one["table"]])[0]
        assert {seat["player"]["kind"] for seat in guest.look(table)["seats"]} == {"person", "bot"}
    with lobby(guest) as guest_sees:
        if deep_lion(guest.get("/api/lobby")):
            guest_sees(lambda state: not deep_lion(state))


def test_a_player_who_leaves_takes_seek_and_challenges_along(running: Running) -> None:
    ann, bob = person(running), person(running)
    ann.post("/api/challenges", {"kind": "kiwara", "speed": "rapid", "player": name(bob)})
    seek(ann, "isolation")
    assert ann.http.delete("/api/me").status_code == 204
    state = bob.get("/api/lobby")
    assert state["challenges"] == []
    assert not [one for one in state["seeks"] if one["kind"] == "isolation"]


# Several servers, and servers that end


def test_two_servers_pair_everybody_exactly_once(cluster: Postgres, start: Callable[..., Running]) -> None:
    database = cluster.database()
    servers = start(database), start(database)
    people = [person(servers[number % 2], account=False) for number in range(8)]
    with ExitStack() as stack:
        views = [stack.enter_context(lobby(one)) for one in people]
        with ThreadPoolExecutor(len(people)) as pool:
            list(pool.map(seek, people))
        tables = [found(one.get("/api/lobby")) or sees(found) for one, sees in zip(people, views, strict=True)]
    assert sorted(tables.count(table) for table in tables) == [2] * 8
    held = [len(one.get("/api/tables")["yours"]) for one in people]
    assert held == [1] * 8


def test_a_game_that_was_found_is_known_after_a_kill(database: str) -> None:
    first = Process(database)
    try:
        ann, bob = Client(first.address, "Ann"), Client(first.address, "Bob")
        with lobby(ann), lobby(bob) as bob_sees:
            seek(ann)
            table = found(seek(bob)) or bob_sees(found)
            first.kill()
        second = Process(database)
        try:
            for one in (ann, bob):
                one.move_to(second.address)
                assert one.get("/api/lobby")["seeking"]["table"] == table
                assert one.look(table)["you"]
        finally:
            second.kill()
    finally:
        if first.process.poll() is None:
            first.kill()


def test_a_game_that_was_found_is_known_although_a_server_was_away_for_minutes(
    start: Callable[..., Running], database: str
) -> None:
    running = start(database)
    ann, bob, cay = (person(running, account=False) for _ in range(3))
    with lobby(ann), lobby(bob):
        seek(ann)
        table = seek(bob)["seeking"]["table"]
    pass_time(running, SHOWN + 1)
    with lobby(cay):  # whoever comes first after an outage removes what is over
        seek(cay)
        assert found(ann.get("/api/lobby")) == table
        # Bob looks for another game, so he does not have to hear of the old one any more.
        assert found(seek(bob, "congress")) is None
        pass_time(running, FOUND + 1)
    with lobby(cay):
        assert ann.get("/api/lobby")["seeking"] is None


def test_the_sweep_pairs_those_whose_range_has_widened(start: Callable[..., Running], database: str) -> None:
    running = start(database)
    assert running.service is not None
    store = running.service.store
    ann, bob = person(running, account=False), person(running, account=False)
    with lobby(ann) as ann_sees, lobby(bob):
        seek(ann)
        with store.database.begin() as connection:
            connection.execute(sa.update(SEEKS).values(rating=80_000, deviation=3_000))
        assert seek(bob)["seeking"]["table"] is None
        pass_time(running, ANYBODY)
        ann.get("/api/lobby")
        assert ann_sees(found)


def test_nobody_is_kept_waiting_by_the_lobby_when_the_server_stops(
    start: Callable[..., Running], database: str
) -> None:
    running = start(database)
    ann = person(running, account=False)
    with lobby(ann):
        running.server.should_exit = True
        eventually(lambda: running.ended.is_set())
