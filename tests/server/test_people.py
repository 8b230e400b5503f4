"""Avatars and set phrases: chosen from lists, seen by everybody at the table, and never part of a record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mchezo.server.domain.context import Identity
from mchezo.server.runtime.limits import Limits, Rate
from mchezo.server.runtime.signing import Signer
from tests.server.postgres import Postgres
from tests.server.serving import UNLIMITED, Client, Live, Running

pytestmark = pytest.mark.rotating(shares=8)


def begin(ada: Client, ben: Client) -> str:
    """Return a table at which both sit."""
    table = str(ada.make()["id"])
    ben.do(table, "join")
    return table


def say(live: Live, phrase: str, **more: Any) -> None:
    live.send({"type": "say", "phrase": phrase, **more})


def test_an_avatar_is_chosen_kept_and_seen_at_tables_and_in_lists(ada: Client, ben: Client) -> None:
    assert ben.get("/api/me")["avatar"] is None
    ben.post("/api/me", {"avatar": "lion"})
    ben.post("/api/me", {"name": "Benjamin"})  # leaves it as it is
    assert ben.get("/api/me") == ben.get("/api/me") | {"name": "Benjamin", "avatar": "lion"}
    table = begin(ada, ben)
    assert [seat["player"]["avatar"] for seat in ada.look(table)["seats"]] == [None, "lion"]
    (listed,) = [one for one in ben.get("/api/tables")["yours"] if one["id"] == table]
    assert [seat["player"]["avatar"] for seat in listed["seats"]] == [None, "lion"]
    assert ben.http.post("/api/me", json={"avatar": "https://example.org/me.png"}).status_code == 400


def test_an_avatar_goes_with_the_name_when_a_guest_deletes_their_data(ada: Client, running: Running) -> None:
    cay = running.client("Cay")
    cay.post("/api/me", {"avatar": "zebra"})
    table = begin(ada, cay)
    assert cay.http.delete("/api/me").status_code == 204
    assert ada.look(table)["seats"][1]["player"] == ada.look(table)["seats"][1]["player"] | {
        "name": "Guest",
        "avatar": None,
    }


def test_others_on_a_shared_screen_have_no_avatar(ada: Client) -> None:
    ada.post("/api/me", {"avatar": "okapi"})
    table = ada.make(seats=[{"kind": "you"}, {"kind": "you", "name": "Eve"}])
    assert [seat["player"]["avatar"] for seat in table["seats"]] == ["okapi", None]


def test_cookies_without_an_avatar_read_and_write_as_before() -> None:
    signer = Signer(bytes(range(32)))
    for who in (
        Identity("guest", "Ada"),
        Identity("guest", None, issued=5),
        Identity("guest", None, issued=5, avatar="red"),
        Identity("guest", "Ada", avatar="red"),
    ):
        assert signer.read_cookie(signer.cookie(who)) == who
    assert signer.serializers["person"].loads(signer.cookie(Identity("guest", "Ada", issued=5))) == ["guest", "Ada", 5]


def test_a_phrase_is_heard_by_everybody_and_stored_nowhere(ada: Client, ben: Client, running: Running) -> None:
    table = begin(ada, ben)
    spectator = running.client("Cay")
    number = ada.look(table)["number"]
    with ada.live(table) as one, ben.live(table) as other, spectator.live(table) as watching:
        for live in (one, other, watching):
            live.wait_for("news")
        say(other, "well-played")
        for live in (one, other, watching):
            assert live.wait_for("said") == {"type": "said", "seat": 1, "phrase": "well-played"}
        say(watching, "hello")
        assert watching.wait_for("refused")["code"] == "not-your-seat"
        say(one, "hello", seat=1)
        assert one.wait_for("refused")["code"] == "not-your-seat"
        for phrase in ("you are a cheat", "", 5):
            say(one, phrase)  # type: ignore[arg-type]  # what no client of ours sends
            assert one.wait_for("refused")["code"] == "bad-request"
    assert ada.look(table)["number"] == number
    ada.do(table, "resign")
    assert "well-played" not in ada.http.get(f"/api/tables/{table}/record").text


def test_phrases_are_rate_limited(start: Callable[..., Running], database: str) -> None:
    limits = Limits(**{name: getattr(UNLIMITED, name) for name in Limits.__dataclass_fields__ if name != "phrases"})
    running = start(database, limits=limits)
    table = begin(running.client("Ada"), ben := running.client("Ben"))
    with ben.live(table) as live:
        live.wait_for("news")
        for _ in range(int(limits.phrases.burst)):
            say(live, "hello")
            live.wait_for("said")
        say(live, "hello")
        assert live.wait_for("refused")["code"] == "too-often"
    assert limits.phrases.per_second < Rate(1, 1).per_second


def test_a_phrase_reaches_players_at_another_process(cluster: Postgres, start: Callable[..., Running]) -> None:
    database = cluster.database()
    here, there = start(database), start(database)
    table = begin(ada := here.client("Ada"), ben := here.client("Ben"))
    ben.move_to(there.address)
    with ada.live(table) as one, ben.live(table) as other:
        one.wait_for("news")
        other.wait_for("news")
        say(one, "good-luck")
        assert other.wait_for("said") == one.wait_for("said") == {"type": "said", "seat": 0, "phrase": "good-luck"}
