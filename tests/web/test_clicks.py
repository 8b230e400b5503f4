"""Impatient players: clicks at random times, on anything, over lines that are slow and break. Every game ends."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.rotation import share
from tests.web.conftest import Visit
from tests.web.proxy import Proxy
from tests.web.waiting import WAIT

GAMES = 25  # of each batch
BATCHES = 8
# Click until the game is over: mostly on what can be chosen, sometimes beside it, back, or on what is closed.
CLICK = """
async ([seed, limit]) => {
  const random = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const all = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length);
  const end = performance.now() + limit;
  while (performance.now() < end) {
    if (document.querySelector("a[href$='/record']")) return "over";
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


@pytest.fixture
def proxy(server: str) -> Iterator[Proxy]:
    proxy = Proxy(server)
    yield proxy
    proxy.close()


def new_table(page: Page, game: str, seed: int) -> str:
    """Create a table against the weakest computer and return its address."""
    seats = [{"kind": "you"}, {"kind": "computer", "level": 1}]
    plan = {"game": game, "seats": seats if seed % 2 else seats[::-1], "options": OPTIONS[game], "lot": False}
    made = page.request.post("/api/tables", data=plan, headers={"Origin": page.evaluate("location.origin")})
    assert made.ok, made.text()
    return f"/t/{made.json()['id']}"


@pytest.mark.rotating(shares=24)
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("game", list(OPTIONS))
def test_no_click_at_any_moment_gets_stuck(visit: Visit, proxy: Proxy, game: str, batch: int) -> None:
    page = visit(line=proxy.address, speed=4, forgiven="WebSocket|ERR_|Failed to load")
    page.request.get("/api/me")  # for the cookie
    for seed in share(range(batch * GAMES, (batch + 1) * GAMES), shares=12):
        page.goto(new_table(page, game, seed))
        page.locator("svg.board").wait_for()
        proxy.disturb(seed)
        assert page.evaluate(CLICK, [seed, WAIT]) == "over", f"game {seed}"
        proxy.calm()
