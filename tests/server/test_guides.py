"""Rules pages, their examples and tutorial games, as the server sends them."""

from __future__ import annotations

import re

import pytest

import mchezo
from mchezo.core import guide
from mchezo.core.words import LANGUAGES
from mchezo.server.transport import guides
from tests.server.serving import Client

GAMES = mchezo.games()
CONDITIONS = {"decision", "told", "by", "legal", "onto", "preview", "wins", "pick", "turns"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_rules_page_is_html_and_has_every_example_it_names(game: str, language: str) -> None:
    page = guides.page(game, language)
    parts = [part for section in page.sections for part in section.parts]
    assert {part.name for part in parts if part.kind == "example"} == page.examples.keys()
    assert all(part.html.startswith("<") for part in parts if part.kind != "example")
    assert not any(re.search(r"\*\*|@example|^> |&lt;", part.html) for part in parts)


def test_a_page_is_in_the_requested_language_or_the_browsers(ada: Client) -> None:
    assert ada.http.get("/api/rules/kiwara", params={"lang": "nl"}).json()["language"] == "nl"
    spoken = ada.http.get("/api/rules/kiwara", headers={"Accept-Language": "fr"}).json()
    assert spoken["language"] == "fr"
    assert ada.http.get("/api/rules/kiwara", params={"lang": "xx"}).status_code == 400
    assert ada.http.get("/api/rules/chess").json()["code"] == "unknown-game"


def test_moves_on_an_example_are_judged(ada: Client) -> None:
    def attempt(*moves: str) -> dict[str, object]:
        answer = ada.http.post("/api/rules/kiwara/examples/crocodile?lang=en", json={"moves": moves})
        found: dict[str, object] = answer.raise_for_status().json()
        return found

    assert attempt()["verdict"] == "open"
    step = attempt("Cc4")
    assert (step["verdict"], step["legal"]) == ("open", ["~b4", "~c5", "."])
    met = attempt("Cc4", "~b4")
    assert (met["verdict"], met["legal"]) == ("met", [])
    assert met["words"] == guide.example("kiwara", "crocodile").done["en"]
    assert attempt("Gc4")["verdict"] == "missed"
    refused = attempt("Cc4", "~c3")
    assert (refused["verdict"], refused["moves"]) == ("refused", ["Cc4"])
    assert refused["words"] == "~c3: there is no river between c4 and c3."
    assert attempt("nonsense")["verdict"] == "refused"
    assert ada.http.post("/api/rules/kiwara/examples/x", json={}).status_code == 409


@pytest.mark.parametrize("game", GAMES)
def test_a_tutorial_game_can_be_created_and_its_hints_can_occur(game: str, ada: Client) -> None:
    lesson = ada.http.get(f"/api/lessons/{game}", params={"lang": "de"}).json()
    seats = [{"kind": "you"}, {"kind": "computer", "level": lesson["level"]}]
    made = ada.http.post("/api/tables", json={"game": game, "seats": seats, "options": lesson["options"], "lot": False})
    table = made.raise_for_status().json()["table"]
    assert table["to_move"] == lesson["seat"] == 0
    assert table["legal"]
    words = mchezo.game(game).words.sentences
    for hint in lesson["hints"]:
        when = hint["when"]
        assert (hint["name"] == "goal") == (not when)  # what is always true, and said when nothing else is
        assert when.keys() <= CONDITIONS
        for name, kind in (("decision", "decision"), ("told", "told"), ("preview", "told"), ("wins", "told")):
            assert name not in when or f"{kind}-{when[name]}" in words
        assert when.get("by", "me") in ("me", "them")
        for name in ("legal", "pick"):
            re.compile(when.get(name, ""))
    names = [hint["name"] for hint in lesson["hints"]]
    assert names[0] == "goal"
    assert len(names) == len(set(names)) >= 12
