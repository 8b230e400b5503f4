"""Somebody who plays by pressing whatever may be pressed: through the interface, knowing no rules."""

import random

from playwright.sync_api import Page

# Whether the page waits for this person, who then presses something. Places are pressed by a click on the SVG element.
PRESS = """
(dice) => {
  const visible = (element) => element.getClientRects().length > 0;
  if (document.querySelector("a[href$='/record']")) return "over";
  const targets = [...document.querySelectorAll("svg.board [data-place].open")];
  const buttons = [...document.querySelectorAll(
    ".play .primary:enabled, .play .helper:enabled, .play .paper:enabled, .play .animal:enabled")].filter(visible);
  const chosen = targets.filter((target) => !target.hasAttribute("aria-pressed"));
  const all = [...chosen, ...buttons];
  if (!all.length) return "waiting";
  const pick = all[Math.floor(dice * all.length)];
  pick.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  return "pressed";
}
"""
# Something can be pressed, or all is over.
SOMETHING = "a[href$='/record'], svg.board [data-place].open, .play .primary:enabled, .paper:enabled"
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


def one_screen(page: Page, game: str) -> None:
    """A table where both sides are played here."""
    page.goto(f"/new/{game}")
    page.locator("input[value=screen]").check()
    page.locator("form button.primary").click()
    page.wait_for_url("**/t/*")
    page.locator("svg.board").wait_for()
    page.wait_for_timeout(300)


def invite(page: Page, game: str) -> str:
    """A table for a friend; the link for the other seat."""
    page.goto(f"/new/{game}")
    page.get_by_text("A friend by link").click()
    page.get_by_role("button", name="Make the table").click()
    return page.locator(".waiting input").input_value()


def press(page: Page, turn: int) -> str:
    """Press one thing, if the page waits for it, another one each turn."""
    return str(page.evaluate(PRESS, (turn * 0.618) % 1))


def play_on(page: Page, *, seed: int = 1, presses: int = 2_000) -> int:
    """Press until the game is over; how often that was."""
    dice = random.Random(seed)
    for pressed in range(presses):
        page.locator(SOMETHING).first.wait_for(state="attached")
        if page.evaluate(PRESS, dice.random()) == "over":
            return pressed
        page.wait_for_timeout(15)
    raise AssertionError(f"the game did not end in {presses} presses: {page.locator('.prompt').inner_text()}")
