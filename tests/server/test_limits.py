"""Limits: a burst is allowed, then the refill rate; by guest, and by network for those who are many guests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mchezo.server.domain.payers import Payer
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.runtime import limits, news_cache, sessions
from mchezo.server.runtime.limits import Limits, OpenSockets, Rate, RateLimits, TokenBuckets
from mchezo.server.runtime.news_cache import NewsCache
from mchezo.server.storage.writer import append_for
from tests.server.contexts import OPEN, YOU, make
from tests.server.serving import UNLIMITED, Running

pytestmark = pytest.mark.rotating(shares=24)


def take(buckets: TokenBuckets, count: int, now: float, key: str = "ada") -> int:
    """Return how many of this many requests are accepted."""
    accepted = 0
    for _ in range(count):
        try:
            buckets.take(key, now)
        except TableError:
            continue
        accepted += 1
    return accepted


def test_a_burst_is_accepted_and_then_the_refill_rate() -> None:
    buckets = TokenBuckets(Rate(per_second=2, burst=10))
    assert take(buckets, 50, now=0.0) == 10
    assert take(buckets, 50, now=3.0) == 6
    assert take(buckets, 50, now=1_000.0) == 10


def test_an_error_says_how_long_to_wait() -> None:
    buckets = TokenBuckets(Rate(per_second=0.1, burst=1))
    buckets.take("ada", 0.0)
    with pytest.raises(TableError) as caught:
        buckets.take("ada", 0.0)
    assert (caught.value.code, caught.value.values["seconds"]) == ("too-often", 10)


def test_keys_and_kinds_have_buckets_of_their_own() -> None:
    rates = RateLimits(Limits(requests=Rate(1, 1), creations=Rate(1, 1), thinking=Rate(1, 1)))
    for kind in ("requests", "creations", "thinking"):
        for guest in ("ada", "ben"):
            rates.take(kind, guest, "home", 0.0)
    with pytest.raises(TableError):
        rates.take("requests", "ada", "home", 0.0)


def test_the_least_recently_used_buckets_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_BUCKETS", 100)
    buckets = TokenBuckets(Rate(per_second=1, burst=5))
    for number in range(1_000):
        buckets.take("regular", 0.0 + number)
        buckets.take(f"guest {number}", 0.0 + number)
    assert len(buckets.buckets) == 100
    assert "regular" in buckets.buckets


def test_a_new_guest_for_every_five_requests_gains_nothing() -> None:
    rates = RateLimits(Limits(requests=Rate(1, 10), guests_per_network=4))
    accepted = 0
    for number in range(1_000):
        try:
            rates.take("requests", f"guest {number // 5}", "attic", 0.0)
        except TableError:
            continue
        accepted += 1
    assert accepted == 40
    rates.take("requests", "ada", "home", 0.0)  # nobody else notices


def test_a_refused_request_costs_nothing() -> None:
    rates = RateLimits(Limits(pictures=Rate(1, 10), guests_per_network=1))
    rates.take("pictures", "ada", "home", 0.0, 9)
    for _ in range(5):
        with pytest.raises(TableError):
            rates.take("pictures", "ben", "home", 0.0, 2)
    rates.take("pictures", "ben", "home", 0.0)


def test_a_class_of_thirty_behind_one_address_can_start_and_play() -> None:
    rates = RateLimits(Limits())
    for pupil in range(30):  # all within five seconds: a page, a name, a table
        now = pupil / 6
        rates.take_network("guests", "school", now)
        for _ in range(20):
            rates.take_network("pages", "school", now)
        for _ in range(15):
            rates.take("requests", f"pupil {pupil}", "school", now)
        rates.take("creations", f"pupil {pupil}", "school", now, 2)
    for second in range(10, 120):  # then a message a second and a preview every ten
        for pupil in range(30):
            rates.take("requests", f"pupil {pupil}", "school", float(second))
            if (second + pupil) % 10 == 0:
                rates.take("previews", f"pupil {pupil}", "school", float(second))
        if second % 4 == 0:
            rates.take("thinking", f"pupil {second % 30}", "school", float(second))


def test_sockets_are_counted_by_guest_and_by_network() -> None:
    sockets = OpenSockets(Limits(sockets=2, sockets_per_network=3, all_sockets=10))
    sockets.open("mallory", "attic")
    sockets.open("mallory", "attic")
    sockets.open("eve", "attic")
    for guest in ("mallory", "trent"):
        with pytest.raises(TableError):
            sockets.open(guest, "attic")
    sockets.open("ada", "home")
    for guest, network in (("mallory", "attic"), ("mallory", "attic"), ("eve", "attic"), ("ada", "home")):
        sockets.close(guest, network)
    assert not sockets.guests
    assert not sockets.networks


# At a server


def codes(answers: list[Any]) -> Counter[int]:
    return Counter(answer.status_code for answer in answers)


def test_new_guests_are_limited_by_network(start: Callable[..., Running], tmp_path: Path) -> None:
    server = start(str(tmp_path / "tables.sqlite"), limits=replace(UNLIMITED, guests=Rate(0.001, 3)))
    answers = [server.client().http.get("/api/me") for _ in range(6)]
    assert codes(answers) == {200: 3, 429: 3}
    assert all(int(answer.headers["Retry-After"]) > 0 for answer in answers[3:])
    tokens = server.client().http.post("/api/tokens", json={"name": "bot"})
    assert tokens.status_code == 429


def test_a_guest_whose_network_is_exhausted_waits_whatever_its_cookie(
    start: Callable[..., Running], tmp_path: Path
) -> None:
    rate = Rate(0.001, 10)
    server = start(str(tmp_path / "tables.sqlite"), limits=replace(UNLIMITED, requests=rate, guests_per_network=2))
    answers = []
    for _ in range(10):
        client = server.client()
        answers += [client.http.get("/api/me") for _ in range(5)]
    assert codes(answers) == {200: 20, 429: 30}


def test_nobody_takes_seats_faster_than_they_could_make_tables(start: Callable[..., Running], tmp_path: Path) -> None:
    server = start(str(tmp_path / "tables.sqlite"), limits=replace(UNLIMITED, creations=Rate(0.001, 3)), threads=0)
    hosts = [server.client("Host") for _ in range(2)]
    tables = [host.make(public=True)["id"] for host in hosts for _ in range(2)]
    eve = server.client("Eve")
    joined = [
        eve.http.post(f"/api/tables/{table}/commands", json={"type": "join", "id": table}).status_code
        for table in tables
    ]
    assert joined == [200, 200, 200, 429]
    with eve.live(tables[3]) as live:
        live.wait_for("news")
        assert live.ask("join")["code"] == "too-often"


def test_pages_and_health_checks_are_limited_too(start: Callable[..., Running], tmp_path: Path) -> None:
    server = start(str(tmp_path / "tables.sqlite"), limits=replace(UNLIMITED, pages=Rate(0.001, 5)))
    client = server.client()
    answers = [
        client.http.get(path) for path in ("/healthz", "/", "/metrics", "/nothing/here", "/healthz", "/", "/healthz")
    ]
    assert [answer.status_code for answer in answers[-2:]] == [429, 429]
    assert answers[-1].json()["code"] == "too-often"
    assert int(answers[-1].headers["Retry-After"]) > 0


def test_qr_codes_are_limited_like_pictures(start: Callable[..., Running], tmp_path: Path) -> None:
    server = start(str(tmp_path / "tables.sqlite"), limits=replace(UNLIMITED, pictures=Rate(0.001, 2)), threads=0)
    ada = server.client("Ada")
    answers = [ada.http.get("/api/qr", params={"text": f"/join/{number}"}) for number in range(4)]
    assert codes(answers) == {200: 2, 429: 2}


def test_beyond_their_rate_limit_moves_are_tried_without_previews(
    start: Callable[..., Running], tmp_path: Path
) -> None:
    server = start(str(tmp_path / "tables.sqlite"), limits=replace(UNLIMITED, previews=Rate(0.001, 2)))
    ada, ben = server.client("Ada"), server.client("Ben")
    id = ada.make()["id"]
    ben.do(id, "join")
    player = next(who for who in (ada, ben) if who.look(id)["legal"])
    asked = {"type": "try", "id": "t", "decision": player.look(id)["decision"], "previews": True}
    answers = [player.post(f"/api/tables/{id}/try", asked) for _ in range(4)]
    assert [answer["previews"] is not None for answer in answers] == [True, True, False, False]
    assert all(answer["legal"] for answer in answers)


def test_a_guest_and_a_network_have_a_number_of_unfinished_tables(
    start: Callable[..., Running], tmp_path: Path
) -> None:
    few = replace(UNLIMITED, unfinished=2, unfinished_per_network=3)
    server = start(str(tmp_path / "tables.sqlite"), limits=few)
    ada, ben = server.client("Ada"), server.client("Ben")
    body = {"game": "kiwara", "seats": [{"kind": "you"}, {"kind": "open"}]}
    answers = [who.http.post("/api/tables", json=body) for who in (ada, ada, ada, ben, ben)]
    assert [answer.status_code for answer in answers] == [201, 201, 429, 201, 429]
    assert answers[2].json()["told"]["key"] == "too-many-tables"


def test_any_number_in_a_request_for_news_keeps_one_message(start: Callable[..., Running], tmp_path: Path) -> None:
    server = start(str(tmp_path / "tables.sqlite"))
    ada = server.client("Ada")
    id = ada.make()["id"]
    for after in range(1_000, 1_200):
        ada.get(f"/api/tables/{id}/news", after=after)
    assert server.service is not None
    assert [len(kept) for kept in server.service.sessions.encoded.tables.values()] == [1]


def test_encoded_news_are_bounded_by_table_and_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news_cache, "MAX_BYTES", 1_000)
    kept = NewsCache()
    for number in range(100):
        kept.add("one", (number, None, None, False), b"x")
    assert len(kept.tables["one"]) == news_cache.MAX_PER_TABLE
    for number in range(50):
        kept.add(f"table {number}", (None, 0, "ada", False), b"x" * 100)
    assert kept.bytes == sum(len(one) for table in kept.tables.values() for one in table.values()) <= 1_000
    assert kept.get("table 49", (None, 0, "ada", False)) == b"x" * 100
    kept.clear("table 49")
    assert kept.get("table 49", (None, 0, "ada", False)) is None
    for number in range(50):
        kept.clear(f"table {number}")
    assert (kept.bytes, kept.tables) == (0, {})


def test_tables_in_memory_that_nobody_watches_are_bounded(
    start: Callable[..., Running], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "MAX_UNWATCHED", 10)
    server = start(str(tmp_path / "tables.sqlite"))
    ada = server.client("Ada")
    ids = [ada.make()["id"] for _ in range(15)]
    assert server.service is not None
    assert len(server.service.sessions.sessions) <= 10
    assert ids[-1] in server.service.sessions.sessions
    assert ada.look(ids[0])["status"] == "open"  # it is loaded again


def test_long_tables_in_memory_that_nobody_watches_are_bounded_by_their_facts(
    start: Callable[..., Running], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start(str(tmp_path / "tables.sqlite"))
    assert server.service is not None
    ada = server.client("Ada")
    tables = [ada.make(seats=[{"kind": "you"}, {"kind": "you"}])["id"] for _ in range(8)]
    for table in tables:
        ada.do(table, "move", decision=ada.look(table)["decision"], moves=["turn0"])
    length = ada.look(tables[0])["number"]
    monkeypatch.setattr(sessions, "LONG", length - 1)
    monkeypatch.setattr(sessions, "MAX_FACTS", 3 * length)
    server.service.sessions.sessions.clear()
    for table in tables:
        ada.look(table)
    assert list(server.service.sessions.sessions) == tables[-4:]  # the last one, and three others
    assert ada.look(tables[0])["number"] == length  # loaded again


def test_a_table_has_a_number_of_watchers_but_its_players_always_get_in(
    start: Callable[..., Running], tmp_path: Path
) -> None:
    server = start(str(tmp_path / "tables.sqlite"), limits=replace(UNLIMITED, watchers=1))
    ada, ben, cay = server.client("Ada"), server.client("Ben"), server.client("Cay")
    id = ada.make()["id"]
    with ben.live(id) as first, cay.live(id) as second, ada.live(id) as player:
        assert first.wait_for("news")
        assert second.wait_for("refused")["told"]["key"] == "too-many-watchers"
        assert player.wait_for("news")


def test_long_polls_count_as_sockets(start: Callable[..., Running], tmp_path: Path) -> None:
    server = start(str(tmp_path / "tables.sqlite"), limits=replace(UNLIMITED, sockets=1))
    ada = server.client("Ada")
    table = ada.make()
    with ada.live(table["id"]) as live:
        live.wait_for("news")
        query = {"after": table["number"], "wait": 20}
        assert ada.http.get(f"/api/tables/{table['id']}/news", params=query).status_code == 429


def test_spam_does_not_push_the_tables_of_others_out_of_the_lobby(running: Running) -> None:
    assert running.service is not None
    store = running.service.store
    other = Payer("home", "an honest guest")
    honest = make("kiwara", seats=(YOU, OPEN))
    store.append(append_for(Table("honest000000", honest.log), honest.log, other.network)).result()
    for number in range(60):
        facts = [msgspec.structs.replace(honest.log[0], by=f"mallory {number % 6}", at=2_000_000), *honest.log[1:]]
        store.append(append_for(Table(f"spam{number:08}", facts), facts, "attic")).result()
    found = running.client().get("/api/tables", game="kiwara")["open"]
    ids = [table["id"] for table in found]
    assert "honest000000" in ids
    assert sum(id.startswith("spam") for id in ids) == 15


def test_a_refusal_for_speed_names_the_message(start: Callable[..., Running], tmp_path: Path) -> None:
    server = start(str(tmp_path / "tables.sqlite"), limits=replace(UNLIMITED, requests=Rate(0.001, 8)))
    ada = server.client("Ada")
    id = ada.make("kiwara", [{"kind": "you"}, {"kind": "you"}])["id"]
    with ada.live(id) as socket:
        decision = socket.wait_for("news")["table"]["decision"]
        answers = [socket.ask("try", decision=decision) for _ in range(8)]  # each is answered under its id
    assert (answers[0]["type"], answers[-1]["type"]) == ("tried", "refused")
    assert answers[-1]["code"] == "too-often"
