"""A player who knows no rules and presses whatever can be pressed."""

import random

from playwright.sync_api import Page

# Press something that can be pressed now; say so, or that there is nothing, or that the game is over.
PRESS = """
(fraction) => {
  const visible = (element) => element.getClientRects().length > 0;
  if (document.querySelector("a[href$='/record']")) return "over";
  const targets = [...document.querySelectorAll("svg.board [data-place].open")];
  const buttons = [...document.querySelectorAll(
    ".play .primary:enabled, .play .helper:enabled, .play .paper:enabled, .play .animal:enabled")].filter(visible);
  const chosen = targets.filter((target) => !target.hasAttribute("aria-pressed"));
  const all = [...chosen, ...buttons];
  if (!all.length) return "waiting";
  const pick = all[Math.floor(fraction * all.length)];
  pick.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  return "pressed";
}
"""
# Something can be pressed, or the game is over.
PRESSABLE = "a[href$='/record'], svg.board [data-place].open, .play .primary:enabled, .paper:enabled"
# The weakest computers, so that games are short.
EASY = """localStorage.mchezo = JSON.stringify(
  {...JSON.parse(localStorage.mchezo), levels: {katarenga: 1, kiwara: 1, kitara: 1}})"""
LOG = "section.log li"


def start(page: Page, game: str) -> None:
    """Start a game against the computer with one click on the home page."""
    page.evaluate(EASY)
    page.reload()
    page.locator(f"[data-game={game}] button.primary").click()
    page.locator("svg.board").wait_for()


def one_screen(page: Page, game: str) -> None:
    """Start a game in which both sides are played in this browser."""
    page.goto(f"/new/{game}")
    page.locator("input[value=screen]").check()
    page.locator("form button.primary").click()
    page.wait_for_url("**/t/*")
    page.locator("svg.board").wait_for()
    page.wait_for_load_state("networkidle")


def invite(page: Page, game: str) -> str:
    """Create a table for a friend and return the link to the other seat."""
    page.goto(f"/new/{game}")
    page.locator("input[value=friend]").check()
    page.locator("form button.primary").click()
    return page.locator(".waiting input").input_value()


def choose_from_menu(page: Page, name: str) -> None:
    """Choose an action from the table's menu."""
    page.locator(".few .menu summary").click()
    page.locator(".few .menu").get_by_role("button", name=name).click()


def resign(page: Page) -> None:
    """Resign and confirm it."""
    page.locator(".few .menu summary").click()
    page.locator(".few .menu button.danger").click()
    page.locator("dialog button.danger").click()


def press(page: Page, turn: int) -> str:
    """Press one thing if the page waits for it, a different one each turn."""
    return str(page.evaluate(PRESS, (turn * 0.618) % 1))


def play_on(page: Page, *, seed: int = 1, presses: int = 2_000) -> int:
    """Press until the game is over and return the number of presses."""
    rng = random.Random(seed)
    pressed = 0
    while pressed < presses:
        page.locator(PRESSABLE).first.wait_for(state="attached")
        match page.evaluate(PRESS, rng.random()):
            case "over":
                return pressed
            case "pressed":
                pressed += 1
        page.wait_for_timeout(15)
    raise AssertionError(f"the game did not end in {presses} presses: {page.locator('.prompt').inner_text()}")
