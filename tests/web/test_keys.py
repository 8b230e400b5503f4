"""Whole games with the keyboard alone, by the names that a screen reader speaks."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Visit
from tests.web.keys import FOCUSED, OFFERED, SPOKEN, ByKeys, press_on, walk
from tests.web.player import LOG, start


def test_katarenga_is_played_with_the_keyboard_alone(visit: Visit) -> None:
    page = visit("/new/katarenga")
    press_on(page, "White", "Space")
    for _ in range(6):  # the weakest computer
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.type") == "range":
            page.keyboard.press("Home")
            break
    press_on(page, "Start", "Enter")
    page.locator("svg.board").wait_for()
    for turn in range(300):
        page.locator("svg.board .open, a[href$='/record']").first.wait_for(state="attached")
        if page.locator("a[href$='/record']").count():
            break
        if walk(page, "can move", turn):
            page.keyboard.press("Enter")
            assert walk(page, "can go here|can take here", turn)
            page.keyboard.press("Enter")
            page.wait_for_timeout(30)
    expect(page.get_by_role("link", name="Download the record")).to_be_visible()


@pytest.mark.parametrize("game", ["kiwara", "kitara"])
def test_a_game_is_played_with_the_keyboard_alone(visit: Visit, game: str) -> None:
    page = visit()
    start(page, game)
    page.locator("svg.board [data-place]").first.wait_for(state="attached")
    player = ByKeys(page)
    assert player.unreachable() == set()
    assert player.play() > 10
    assert player.presses > 50
    expect(page.get_by_role("link", name="Download the record")).to_be_visible()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_arrows_lead_to_every_space_of_kitaras_maps(visit: Visit, players: int) -> None:
    page = visit("/new/kitara")
    page.locator(f"input[name=players][value='{players}']").check()
    page.get_by_text("On one screen").click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/t/*")
    page.locator("svg.board").wait_for()
    player = ByKeys(page)
    assert len(player.ways) == {2: 13, 3: 19, 4: 25}[players]
    assert player.unreachable() == set()


def test_page_down_goes_round_everything_that_can_be_chosen(visit: Visit) -> None:
    page = visit()
    one_screen(page, "katarenga")
    page.get_by_role("button", name="Play from this side").press("Enter")
    page.locator("svg.board .open").first.wait_for(state="attached")
    offered = {one["place"] for one in page.evaluate(OFFERED)}
    player = ByKeys(page)
    player.tab_to(place=True)
    for key in ("PageDown", "PageUp"):
        seen = set()
        for _ in offered:
            page.keyboard.press(key)
            seen.add(page.evaluate(FOCUSED)["place"])
        assert seen == offered


def one_screen(page: Page, game: str) -> None:
    page.goto(f"/new/{game}")
    press_on(page, "On one screen", "Space")
    press_on(page, "Start", "Enter")
    page.wait_for_url("**/t/*")
    page.locator("svg.board").wait_for()


def test_the_board_of_katarenga_is_named_in_words(visit: Visit) -> None:
    page = visit()
    one_screen(page, "katarenga")
    page.get_by_role("button", name="Play from this side").press("Enter")
    page.locator("svg.board .open").first.wait_for(state="attached")
    tree = page.locator("main").aria_snapshot()
    assert 'heading "Katarenga" [level=1]' in tree
    assert 'group "The board: arrow keys' in tree
    assert tree.count("white pawn, can move") >= 1
    assert tree.count("black pawn") == 8
    assert 'region "Players"' in tree
    assert 'region "What happened"' in tree


@pytest.mark.parametrize(
    ("game", "named"),
    [("kiwara", ["a1, territory A", "stone"]), ("kitara", ["start savanna", "ruin", "Card 1."])],
)
def test_boards_are_named_in_words(visit: Visit, game: str, named: list[str]) -> None:
    page = visit()
    one_screen(page, game)
    tree = page.locator("main").aria_snapshot().lower()
    for words in named:
        assert words.lower() in tree


# Keeps everything that a screen reader is given to speak.
LISTEN = """() => {
  window.heard = [];
  const [happened] = document.querySelectorAll("[aria-live=polite]");
  new MutationObserver(() => window.heard.push(happened.innerText))
    .observe(happened, { childList: true, characterData: true, subtree: true });
}"""


@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
def test_everything_that_happens_is_spoken_and_so_is_what_to_do(visit: Visit, game: str) -> None:
    page = visit()
    start(page, game)
    player = ByKeys(page)
    page.locator("svg.board .open, .play .primary").first.wait_for(state="attached")
    page.evaluate(LISTEN)
    before = page.locator(LOG).count()
    for turn in range(16):
        page.wait_for_function(f"() => ({OFFERED})().length")
        offered = page.evaluate(OFFERED)
        going = [one for one in offered if "can go here" in one["name"] or "can take" in one["name"]] or offered
        thing = going[turn * 7 % len(going)]
        assert page.locator(SPOKEN).nth(1).inner_text() == page.locator(".prompt").inner_text()
        player.choose(thing["place"], thing["name"])
        page.wait_for_timeout(60)
    page.wait_for_function(f"() => ({OFFERED})().length")
    happened = page.locator(LOG).all_inner_texts()[before:]
    assert len(happened) > 3
    heard = page.evaluate("window.heard.join(' ')")
    assert [line for line in happened if line not in heard] == []
