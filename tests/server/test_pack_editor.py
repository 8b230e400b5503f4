"""Packs that are edited in the browser: opened, sketched, refused."""

from mchezo.games.kitara import pack as packs
from tests.server.serving import Client


def test_the_shipped_pack_is_opened_and_sketched_without_a_complaint(ada: Client) -> None:
    contents = ada.post("/api/packs/open", {})["contents"]
    sketched = ada.post("/api/packs/sketch", {"contents": contents})
    assert (sketched["words"], sketched["checked"]["id"]) == ("", packs.SHIPPED)
    assert sorted(sketched["maps"]) == ["2", "3", "4"]
    opened = ada.post("/api/packs/open", {"text": sketched["text"]})
    assert ada.post("/api/packs/sketch", opened)["text"] == sketched["text"]


def test_an_unfinished_pack_is_drawn_and_its_first_mistake_is_named(ada: Client) -> None:
    contents = ada.post("/api/packs/open", {})["contents"]
    contents["maps"]["2"]["spaces"][0]["borders"] = []
    contents["tokens"]["2"] = 99
    answer = ada.http.post("/api/packs/sketch", json={"contents": contents}, headers={"Accept-Language": "de"}).json()
    assert answer["checked"] is None
    assert "tokens.2" in answer["words"]
    assert len(answer["maps"]["2"]["spaces"]) == len(contents["maps"]["2"]["spaces"])


def test_what_is_no_pack_is_refused_or_named(ada: Client) -> None:
    assert ada.http.post("/api/packs/open", json={"text": "= ="}).status_code == 400
    assert ada.post("/api/packs/sketch", {"contents": {"maps": 3}})["checked"] is None
    assert ada.http.post("/api/packs/sketch", json={"contents": []}).status_code == 400
