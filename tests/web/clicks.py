"""An impatient player: clicks at random times, on anything, over a line that is slow and breaks."""

from playwright.sync_api import Page

from tests.web.proxy import Proxy

FORGIVEN = "WebSocket|ERR_|Failed to load|Unable to preload"  # what the browser says about a line that breaks
# A page is stuck if it is the player's move, no answer from the server is pending, and this many rounds of clicks have
# no effect.
# The page's own timers run in the same thread, so that a slow machine delays rounds and timers alike.
ROUNDS = 1_500
DISTURBED = 150_000  # milliseconds without an answer, after which the line is calmed
SILENCE = 10 * DISTURBED  # milliseconds without an answer: ends a test that hangs
# Keeps in `line` what the server has told the page last, and what it has not answered yet. Nothing is painted, which
# would take most of the processor: the clicks are scripted.
LISTEN = """
addEventListener("DOMContentLoaded", () => (document.documentElement.style.visibility = "hidden"));
window.line = { heard: false, number: -1, yours: false, unanswered: new Set() };
window.WebSocket = class extends WebSocket {
  constructor(...address) {
    super(...address);
    this.addEventListener("close", () => (line.heard = false));
    this.addEventListener("message", ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === "news") {
        const { number, legal } = message.table;
        Object.assign(line, { heard: true, number, yours: legal.length > 0 });
      }
      if (message.id != null && message.code !== "too-often") line.unanswered.delete(message.id);
    });
  }
  send(data) {
    const { id } = JSON.parse(data);
    if (id != null) line.unanswered.add(id);
    super.send(data);
  }
};
"""
# Click until the game is over: mostly on what can be chosen, sometimes beside it, back, or on what is closed. Stop if
# the page is stuck, and without news for some time also if the server owes an answer.
CLICK = """
async ([seed, rounds, patience]) => {
  const random = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const all = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length);
  let [number, since, vain] = [-1, performance.now(), 0];
  while (vain < rounds && performance.now() < since + patience) {
    if (document.querySelector("a[href$='/record']")) return "over";
    if (line.number !== number) [number, since, vain] = [line.number, performance.now(), 0];
    if (line.heard && line.yours && !line.unanswered.size) vain++;
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
  const prompt = document.querySelector(".prompt")?.textContent;
  const said = { prompt, vain, ...line, unanswered: line.unanswered.size };
  return (vain < rounds ? "slow: " : "stuck: ") + JSON.stringify(said);
}
"""
# Katarenga begins late, so that its games are short.
OPTIONS = {"katarenga": {"position": "8/1w1w2w1/8/8/8/8/1b1b2b1/8 w - -"}, "kiwara": {}, "kitara": {}}


def listen(page: Page) -> None:
    """Have the page keep what the server tells it, from the next address on."""
    page.add_init_script(LISTEN)


def play(page: Page, proxy: Proxy, game: str, seed: int) -> str:
    """Play a game over the disturbed line and return "over", or where it got stuck.

    On a busy machine the line can break faster than a page reconnects. Such a game continues over a calm line.
    """
    page.goto(new_table(page, game, seed))
    page.locator("svg.board").wait_for(state="attached")
    proxy.disturb(seed)
    outcome = page.evaluate(CLICK, [seed, ROUNDS, DISTURBED])
    proxy.calm()
    if outcome.startswith("slow"):
        outcome = page.evaluate(CLICK, [seed, ROUNDS, SILENCE])
    return str(outcome)


def new_table(page: Page, game: str, seed: int) -> str:
    """Create a table against the weakest computer and return its address."""
    seats = [{"kind": "you"}, {"kind": "computer", "level": 1}]
    plan = {"game": game, "seats": seats if seed % 2 else seats[::-1], "options": OPTIONS[game], "lot": False}
    made = page.request.post("/api/tables", data=plan, headers={"Origin": page.evaluate("location.origin")})
    assert made.ok, made.text()
    return f"/t/{made.json()['id']}"
