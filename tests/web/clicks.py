"""An impatient player: clicks at random times, on anything, over a line that is slow and breaks."""

from playwright.sync_api import Page

from tests.web.proxy import Proxy
from tests.web.waiting import WAIT

FORGIVEN = "WebSocket|ERR_|Failed to load"  # what the browser says about a line that breaks
# Click until the game is over: mostly on what can be chosen, sometimes beside it, back, or on what is closed. A game is
# stuck once nothing has been added to its log for the limit, in milliseconds.
CLICK = """
async ([seed, limit]) => {
  const random = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const all = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length);
  let [lines, since] = [0, performance.now()];
  while (performance.now() < since + limit) {
    if (document.querySelector("a[href$='/record']")) return "over";
    const now = document.querySelectorAll("section.log li").length;
    if (now !== lines) [lines, since] = [now, performance.now()];
    const chance = random();
    const open = all("svg.board [data-place].open:not([aria-pressed]), .play button:enabled");
    const things =
      chance < 0.08 ? all("svg.board [data-place]")
      : chance < 0.13 ? all(".steps button:enabled")
      : chance < 0.18 ? all("section.log")
      : open;
    if (chance > 0.96) window.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    const thing = things[Math.floor(random() * things.length)];
    thing?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    await new Promise((resolve) => setTimeout(resolve, 200 * random() ** 3));
  }
  return "stuck: " + document.querySelector(".prompt")?.innerText;
}
"""
# Katarenga begins late, so that its games are short.
OPTIONS = {"katarenga": {"position": "8/1w1w2w1/8/8/8/8/1b1b2b1/8 w - -"}, "kiwara": {}, "kitara": {}}


def play(page: Page, proxy: Proxy, game: str, seed: int) -> str:
    """Play a game over the disturbed line and return "over", or where it got stuck.

    On a busy machine the line can break faster than a page reconnects. So a game that seems stuck goes on over a calm
    line: one that is really stuck does not go on there, either.
    """
    page.goto(new_table(page, game, seed))
    page.locator("svg.board").wait_for()
    proxy.disturb(seed)
    outcome = page.evaluate(CLICK, [seed, WAIT])
    proxy.calm()
    return str(outcome if outcome == "over" else page.evaluate(CLICK, [seed, WAIT]))


def new_table(page: Page, game: str, seed: int) -> str:
    """Create a table against the weakest computer and return its address."""
    seats = [{"kind": "you"}, {"kind": "computer", "level": 1}]
    plan = {"game": game, "seats": seats if seed % 2 else seats[::-1], "options": OPTIONS[game], "lot": False}
    made = page.request.post("/api/tables", data=plan, headers={"Origin": page.evaluate("location.origin")})
    assert made.ok, made.text()
    return f"/t/{made.json()['id']}"
