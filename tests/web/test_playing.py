"""Whole games through the interface: against the computer, by link, on one screen, by keyboard, in German."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Visit
from tests.web.player import PRESS, play_on

# The weakest computers, so that games are short.
EASY = """localStorage.mchezo = JSON.stringify(
  {...JSON.parse(localStorage.mchezo), levels: {katarenga: 1, kiwara: 1, kitara: 1}})"""
LOG = "section.log li"


def start(page: Page, game: str) -> None:
    """One click on the home page, after which there is a board."""
    page.evaluate(EASY)
    page.reload()
    page.locator(f"[data-game={game}] button.primary").click()
    page.locator("svg.board").wait_for()


@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
def test_a_whole_game_against_the_computer(visit: Visit, game: str) -> None:
    page = visit()
    start(page, game)
    assert play_on(page) > 0
    assert page.locator(LOG).count() > 10
    expect(page.locator("aside h2").first).to_be_visible()
    expect(page.get_by_role("link", name="Download the record")).to_be_visible()


def test_a_game_in_german_speaks_german(visit: Visit) -> None:
    page = visit(language="de-DE")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    start(page, "kiwara")
    play_on(page)
    expect(page.get_by_role("link", name="Partie herunterladen")).to_be_visible()
    expect(page.locator("section.log")).to_contain_text("Die Partie beginnt.")
    assert "{" not in page.locator("main").inner_text()


def invite(page: Page, game: str) -> str:
    """A table for a friend; the link for the other seat."""
    page.goto(f"/new/{game}")
    page.get_by_text("A friend by link").click()
    page.get_by_role("button", name="Make the table").click()
    return page.locator(".waiting input").input_value()


def press(page: Page, turn: int) -> str:
    return str(page.evaluate(PRESS, (turn * 0.618) % 1))


@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
def test_on_one_screen_both_sides_are_played_here(visit: Visit, game: str) -> None:
    page = visit(f"/new/{game}")
    page.get_by_text("On one screen").click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/t/*")
    page.locator("svg.board").wait_for()
    play_on(page)
    expect(page.get_by_role("link", name="Download the record")).to_be_visible()


def test_a_turn_of_kiwara_is_taken_back_step_by_step_until_it_is_sent(visit: Visit) -> None:
    page = visit("/new/kiwara")
    page.get_by_text("On one screen").click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/t/*")
    page.locator("svg.board [data-place='2']").click()
    page.locator("svg.board [data-place='c3'].open").click()
    expect(page.locator("svg.board g.token")).to_have_count(2)  # the animal and the totem
    page.get_by_role("button", name="Step back").click()
    expect(page.locator("svg.board g.token")).to_have_count(1)
    expect(page.locator("section.log li")).to_have_count(2)  # nobody else has seen it


def test_on_touch_a_move_waits_to_be_confirmed(visit: Visit) -> None:
    page = visit(
        "/new/katarenga", confirm="touch", has_touch=True, is_mobile=True, viewport={"width": 360, "height": 740}
    )
    page.get_by_text("On one screen").tap()
    page.get_by_text("Black chooses the side").tap()
    page.get_by_role("button", name="Start", exact=True).tap()
    page.locator("svg.board [data-place='d1'].open").tap()
    page.locator("svg.board [data-place].open:not([aria-label*='pawn'])").first.tap()
    confirm = page.get_by_role("button", name="Confirm")
    expect(confirm).to_be_visible()
    expect(page.locator("section.log li")).to_have_count(1)
    confirm.tap()
    expect(page.locator("section.log li")).to_have_count(2)


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


# What has the focus, by its words; before anything has it, the body has, with all words of the page.
LABEL = """() => {
  const focused = document.activeElement;
  return focused === document.body ? "" : (focused.labels?.[0] ?? focused).innerText;
}"""
AMONG = """(name) => document.activeElement.type === "radio"
  && [...document.getElementsByName(document.activeElement.name)]
    .some((radio) => radio.labels[0].innerText.includes(name))"""


def press_on(page: Page, name: str, key: str) -> None:
    """Tab until the thing of that name has the focus, then press."""
    for _ in range(80):
        page.keyboard.press("Tab")
        label = page.evaluate(LABEL)
        if name in (label or ""):
            page.keyboard.press(key)
            return
        # radio buttons are one stop: arrows go on inside
        if page.evaluate(AMONG, name):
            for _ in range(4):
                page.keyboard.press("ArrowDown")
                if name in page.evaluate("document.activeElement.labels[0].innerText"):
                    return
    raise AssertionError(f"{name} cannot be reached")


# The spoken name of a place is all that a player by ear has; where it lies says which arrows lead there.
TOWARDS = """([wanted, turn]) => {
  const places = [...document.querySelectorAll("svg.board [data-place]")]
    .filter((place) => place.getAttribute("aria-label").match(wanted));
  if (!places.length) return "nowhere";
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(document.activeElement), [toX, toY] = middle(places[turn % places.length]);
  if (Math.abs(toX - x) > 8) return toX > x ? "ArrowRight" : "ArrowLeft";
  return Math.abs(toY - y) > 8 ? (toY > y ? "ArrowDown" : "ArrowUp") : "there";
}"""


def walk(page: Page, wanted: str, turn: int) -> bool:
    """Go over the board by arrow keys to a place whose spoken name says what is wanted."""
    for _ in range(60):
        if page.evaluate("document.activeElement.hasAttribute('data-place')"):
            break
        page.keyboard.press("Shift+Tab" if page.evaluate("!!document.activeElement.closest('aside')") else "Tab")
    for _ in range(60):
        way = page.evaluate(TOWARDS, [wanted, turn])
        if way in ("there", "nowhere"):
            return bool(way == "there")
        page.keyboard.press(way)
    raise AssertionError(f"the arrows do not lead to a place where one {wanted}")
