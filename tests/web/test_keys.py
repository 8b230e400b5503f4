"""Whole games with keyboard and screen reader."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Visit
from tests.web.keys import CHOICES, FOCUSED, LIVE_REGIONS, KeyboardPlayer, press_on, walk
from tests.web.player import LOG, start
from tests.web.waiting import attempts

pytestmark = pytest.mark.rotating(shares=24)


def test_katarenga_is_played_with_the_keyboard_alone(visit: Visit) -> None:
    page = visit("/new/katarenga")
    press_on(page, "White", "Space")
    for _ in range(6):  # the weakest computer
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.type") == "range":
            page.keyboard.press("Home")
            break
    press_on(page, "Start game", "Enter")
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
    expect(page.get_by_role("link", name="Download game")).to_be_visible()


@pytest.mark.rotating(shares=24)
@pytest.mark.parametrize("game", ["kiwara", "kitara"])
def test_a_game_is_played_with_the_keyboard_alone(visit: Visit, game: str) -> None:
    page = visit()
    start(page, game)
    page.locator("svg.board [data-place]").first.wait_for(state="attached")
    player = KeyboardPlayer(page)
    assert player.unreachable() == set()
    assert player.play() > 10
    assert player.presses > 50
    expect(page.get_by_role("link", name="Download game")).to_be_visible()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_arrows_lead_to_every_space_of_kitaras_maps(visit: Visit, players: int) -> None:
    page = visit("/new/kitara")
    page.locator(f"input[name=players][value='{players}']").check()
    page.get_by_text("Same screen").click()
    page.get_by_role("button", name="Start game", exact=True).click()
    page.wait_for_url("**/t/*")
    page.locator("svg.board").wait_for()
    player = KeyboardPlayer(page)
    assert len(player.ways) == {2: 13, 3: 19, 4: 25}[players]
    assert player.unreachable() == set()


def test_page_down_goes_round_everything_that_can_be_chosen(visit: Visit) -> None:
    page = visit()
    one_screen(page, "katarenga")
    page.get_by_role("button", name="Play from this side").press("Enter")
    page.locator("svg.board .open").first.wait_for(state="attached")
    offered = {one["place"] for one in page.evaluate(CHOICES)}
    player = KeyboardPlayer(page)
    player.tab_to(place=True)
    for key in ("PageDown", "PageUp"):
        seen = set()
        for _ in offered:
            page.keyboard.press(key)
            seen.add(page.evaluate(FOCUSED)["place"])
        assert seen == offered


def one_screen(page: Page, game: str) -> None:
    page.goto(f"/new/{game}")
    press_on(page, "Same screen", "Space")
    press_on(page, "Start game", "Enter")
    page.wait_for_url("**/t/*")
    page.locator("svg.board").wait_for()


def test_the_board_of_katarenga_is_named_in_words(visit: Visit) -> None:
    page = visit()
    one_screen(page, "katarenga")
    page.get_by_role("button", name="Play from this side").press("Enter")
    page.locator("svg.board .open").first.wait_for(state="attached")
    tree = page.locator("main").aria_snapshot()
    assert 'heading "Katarenga" [level=1]' in tree
    assert 'group "Board: use the arrow keys' in tree
    assert tree.count("white pawn, can move") >= 1
    assert tree.count("black pawn") == 8
    assert 'region "Players"' in tree
    assert 'region "Game log"' in tree


@pytest.mark.parametrize(
    ("game", "named"),
    [("kiwara", ["a1, territory Sand", "stone"]), ("kitara", ["start savanna", "ruin", "Card 1."])],
)
def test_boards_are_named_in_words(visit: Visit, game: str, named: list[str]) -> None:
    page = visit()
    one_screen(page, game)
    tree = page.locator("main").aria_snapshot().lower()
    for words in named:
        assert words.lower() in tree


# Record everything that is announced to screen readers.
RECORD = """() => {
  window.announced = [];
  const [region] = document.querySelectorAll("[aria-live=polite]");
  new MutationObserver(() => window.announced.push(region.innerText))
    .observe(region, { childList: true, characterData: true, subtree: true });
}"""


@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
def test_every_event_is_announced_and_so_is_what_to_do(visit: Visit, game: str) -> None:
    page = visit()
    start(page, game)
    player = KeyboardPlayer(page)
    page.locator("svg.board .open, .play .primary").first.wait_for(state="attached")
    page.evaluate(RECORD)
    before = page.locator(LOG).count()
    for turn in range(16):
        page.wait_for_function(f"() => ({CHOICES})().length")
        choices = page.evaluate(CHOICES)
        moves = [one for one in choices if "can go here" in one["name"] or "can take" in one["name"]] or choices
        thing = moves[turn * 7 % len(moves)]
        assert page.locator(LIVE_REGIONS).nth(1).inner_text() == page.locator(".prompt").inner_text()
        player.choose(thing["place"], thing["name"])
        page.wait_for_timeout(60)
    page.wait_for_function(f"() => ({CHOICES})().length")
    lines = page.locator(LOG).all_inner_texts()[before:]
    assert len(lines) > 3
    announced = page.evaluate("window.announced.join(' ')")
    assert [line for line in lines if line not in announced] == []


WHERE = "document.activeElement?.closest('svg.board') ? 'board' : document.activeElement?.tagName"


def test_the_focus_goes_to_the_board_when_the_pressed_button_disappears(visit: Visit) -> None:
    page = visit()
    plan = {"game": "katarenga", "seats": [{"kind": "computer", "level": 1}, {"kind": "you"}], "lot": False}
    page.request.get("/api/me")  # for the cookie
    made = page.request.post("/api/tables", data=plan, headers={"Origin": page.evaluate("location.origin")})
    page.goto(f"/t/{made.json()['id']}")
    page.get_by_role("button", name="Play from this side").press("Enter")
    for _ in attempts(page):
        if page.evaluate(WHERE) == "board":
            break


def test_the_focus_returns_when_a_dialog_is_closed(visit: Visit) -> None:
    page = visit()
    start(page, "kiwara")
    page.locator(".menu summary").press("Enter")
    page.locator(".menu .danger").press("Enter")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".menu summary")).to_be_focused()
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator(".menu summary")).to_be_focused()


def test_the_focus_goes_with_the_reader_to_another_page(visit: Visit) -> None:
    page = visit()
    page.locator("[data-game=kiwara] a[href='/learn/kiwara']").press("Enter")
    page.wait_for_url("**/learn/kiwara")
    expect(page.locator("#content")).to_be_focused()
