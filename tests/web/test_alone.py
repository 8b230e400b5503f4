"""Kitara alone in the browser: set-up, a whole game, the rival's turn in words, medals, the printed rules."""

import re
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import mchezo
from tests.web.axe import violations
from tests.web.conftest import Visit
from tests.web.player import play_on
from tests.web.records import set_table

pytestmark = pytest.mark.rotating(shares=24)

LANGUAGES = {
    "en": "The rival's turn",
    "de": "Der Zug des Rivalen",
    "fr": "Le tour du rival",
    "nl": "De beurt van de rivaal",
}


def table_of(page: Page) -> dict[str, Any]:
    """Return the table that the page shows."""
    found: dict[str, Any] = page.request.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}").json()
    return found


def test_alone_is_chosen_on_the_set_up_page(visit: Visit) -> None:
    page = visit("/new/kitara")
    page.locator("input[value=alone]").check()
    expect(page.locator("input[name=players]")).to_have_count(0)
    page.locator("input[name=difficulty][value='4']").check()
    page.locator("input[name=scenario][value=raiders]").check()
    assert violations(page) == []
    page.locator("form button.primary").click()
    page.wait_for_url("**/t/*")
    table = table_of(page)
    assert table["options"]["players"] == 1
    assert table["view"]["rival"]["difficulty"] == 4
    assert table["view"]["rival"]["scenario"] == "raiders"
    assert [seat["player"]["kind"] for seat in table["seats"]] == ["person", "rival"]


def test_other_games_offer_no_rival(visit: Visit) -> None:
    page = visit("/new/kiwara")
    page.locator("input[value=computer]").wait_for()
    expect(page.locator("input[value=alone]")).to_have_count(0)


def test_a_whole_game_alone_is_played_from_the_campaign(visit: Visit) -> None:
    page = visit("/alone")
    page.locator("input[name=difficulty][value='5']").check()
    page.locator("[data-scenario=empire] button").click()
    page.wait_for_url("**/t/*")
    page.locator("svg.board [data-place].open").first.click()
    expect(page.locator("section.log")).to_contain_text("Rival starts on")
    play_on(page)
    table = table_of(page)
    assert table["status"] == "over"
    assert len(table["result"]["lines"]) == 6
    expect(page.locator("section.log")).to_contain_text("Rival turns up card")
    expect(page.get_by_text("difficulty 5").first).to_be_visible()
    page.goto(f"/replay/{table['id']}")
    expect(page.locator("main")).to_contain_text("Rival")


def test_a_victory_over_the_rival_is_kept_as_a_medal(visit: Visit) -> None:
    page = visit("/alone")
    expect(page.locator("[data-scenario=open] svg")).to_have_attribute("aria-label", "No medal yet")
    table = set_table(page, "kitara", won_game(), [{"kind": "you"}])
    page.goto(f"/t/{table['id']}")
    play_on(page)
    expect(page.get_by_text("Bronze for beating the rival").first).to_be_visible()
    page.goto("/alone")
    expect(page.locator("[data-scenario=open] svg")).to_have_attribute("aria-label", "Bronze medal")
    page.goto("/")
    expect(page.locator("section[data-game=kitara]")).to_contain_text("1")


def won_game() -> str:
    """Return the record of a game before its last turn, with which the player cannot but win."""
    position, player = mchezo.game("kitara").start(seed=1, players=1, rival=1), mchezo.player("kitara", 4)
    while position.to_move is not None:
        thought = player.think(position, seed=1)
        for move in thought.moves[: thought.turn]:
            position.play(move)
    outcome, record = position.outcome, position.record()
    assert outcome is not None
    assert outcome.scores[0] > outcome.scores[1] + 20
    last = max(number for number, step in enumerate(position.steps) if step.text.startswith("+"))
    return str(replace(record, moves=record.moves[:last], outcome=None, seed=None))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_of_the_rival_are_printed_on_one_page(visit: Visit, language: str) -> None:
    page = visit("/alone", language=language)
    expect(page.locator("#rules")).to_contain_text(LANGUAGES[language])
    assert violations(page) == []
    printed = page.pdf(format="A4", margin={"top": "12mm", "bottom": "12mm", "left": "14mm", "right": "14mm"})
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
    page.emulate_media(media="print")
    on_screen_only = page.locator("header, .skip, .screen")
    expect(on_screen_only).to_have_count(4)
    for element in on_screen_only.all():
        expect(element).to_be_hidden()
    expect(page.locator("#rules")).to_be_visible()
