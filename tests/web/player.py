"""Somebody who plays by pressing whatever may be pressed: through the interface, knowing no rules."""

import random

from playwright.sync_api import Page

# What a turn offers: open places of the board, animals and cards, the buttons that end a step.
OPEN = "svg.board [data-place].open"
BUTTONS = ".play .row .primary:enabled, .play .helper:enabled, .cards .paper:enabled"
PROMPT = ".prompt"
RESULT = ".score, aside section h2"

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


def play_on(page: Page, *, seed: int = 1, presses: int = 4_000, until: str = "over") -> int:
    """Press until the game is over; how often that was."""
    dice = random.Random(seed)
    pressed = 0
    for _ in range(presses):
        state = page.evaluate(PRESS, dice.random())
        if state == until:
            return pressed
        if state == "pressed":
            pressed += 1
        page.wait_for_timeout(15 if state == "pressed" else 40)
    raise AssertionError(f"the game did not end in {presses} presses: {page.locator(PROMPT).inner_text()}")
