"""What a visitor waits for and sees jump, in Chromium: `PYTHONPATH=. python bench/browser.py`.

Each round is a new visitor with an empty cache. Measured are

- the time from "Play" to a board that can be pressed, on a local line and on a throttled 4G line (8 Mbit/s, 85 ms a
  round trip), and from the link of a table,
- layout shift (CLS) while pages load, and while a game is played for some turns,
- the longest task of the page's thread while moves are shown: its processor time, which other work on the machine does
  not change, and how long it took.
"""

import argparse
import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.browser import launch
from tests.web.player import PRESS, PRESSABLE
from tests.web.serving import serving

GAMES = ("katarenga", "kiwara", "kitara")
PAGES = (
    "/",
    "/rules/kiwara",
    "/learn/kiwara",
    "/settings",
    "/new/katarenga",
    "/new/kiwara",
    "/new/kitara",
    "/real-table",
)
TURNS = 12  # presses while a game is watched
FAST_4G = {"offline": False, "latency": 85, "downloadThroughput": 1e6, "uploadThroughput": 1e6}  # bytes a second
# Runs inside the page, so that only the page is measured.
CLICK = """async (game) => {
  const began = performance.now();
  document.querySelector(`[data-game=${game}] button.primary`).click();
  while (!document.querySelector("svg.board [data-place]")) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""
# Collects layout shifts (without those right after an input, as CLS has it) from the start of a page.
OBSERVE = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const one of list.getEntries())
    if (!one.hadRecentInput) window.shifts.push([one.value, one.sources.map(({ node }) =>
      (node?.nodeType === 1 ? node : node?.parentElement)?.outerHTML.slice(0, 120)), one.startTime]);
}).observe({ type: "layout-shift", buffered: true });
"""


def visitor(browser: Browser, address: str, line: dict[str, Any] | None = None) -> Page:
    """Return an empty page of a new visitor, on this line."""
    context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 800})
    context.add_init_script(OBSERVE)
    page = context.new_page()
    if line is not None:
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", line)
    return page


def time_to_board(browser: Browser, address: str, game: str, line: dict[str, Any] | None) -> float:
    """Return milliseconds from the click on "Play" to the board."""
    page = visitor(browser, address, line)
    page.goto("/")
    page.locator(f"[data-game={game}] button.primary").wait_for()
    page.wait_for_load_state("networkidle")
    board = float(page.evaluate(CLICK, game))
    page.context.close()
    return board


def time_by_link(browser: Browser, address: str, line: dict[str, Any]) -> float:
    """Return milliseconds from opening a table's link, with nothing in the cache, to its board."""
    maker = visitor(browser, address)
    maker.goto("/")
    maker.request.get("/api/me")
    plan = {"game": "kiwara", "seats": [{"kind": "you"}, {"kind": "computer", "level": 1}], "public": True}
    made = maker.request.post("/api/tables", data=plan, headers={"Origin": address}).json()
    maker.context.close()
    page = visitor(browser, address, line)
    page.goto(f"/t/{made['id']}", wait_until="commit")
    page.locator("svg.board [data-place]").first.wait_for(state="attached")
    found = float(page.evaluate("performance.now()"))
    page.context.close()
    return found


def shift(page: Page) -> tuple[float, list[Any]]:
    """Return the cumulative layout shift, of the worst five seconds as CLS has it, and its largest part."""
    shifts = page.evaluate("window.shifts")
    worst, began, before, total = 0.0, 0.0, -1e9, 0.0
    for value, _, at in shifts:
        if at - before > 1_000 or at - began > 5_000:
            began, total = at, 0.0
        before, total = at, total + value
        worst = max(worst, total)
    return worst, max(shifts, default=[])


def watch(browser: Browser, address: str, game: str) -> tuple[float, list[Any], tuple[float, float]]:
    """Play some turns at normal speed; return the layout shift, its largest part, and the longest task.

    Of a task that is how many milliseconds the processor worked, and how many passed.
    """
    page = visitor(browser, address)
    page.goto("/")
    page.locator(f"[data-game={game}] button.primary").click()
    page.locator("svg.board").wait_for()
    page.wait_for_load_state("networkidle")
    browser.start_tracing(page=page, categories=["toplevel"])
    for turn in range(TURNS):
        page.locator(PRESSABLE).first.wait_for(state="attached")
        page.evaluate(PRESS, (turn * 0.618) % 1)
        page.wait_for_timeout(400)
    longest = max(tasks(browser.stop_tracing()))
    found = (*shift(page), longest)
    page.context.close()
    return found


def tasks(trace: bytes) -> list[tuple[float, float]]:
    """Return the processor time and the duration of every task of the page's thread, in milliseconds."""
    events = json.loads(trace)["traceEvents"]
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    return [
        (event.get("tdur", 0) / 1_000, event["dur"] / 1_000)
        for event in events
        if event["ph"] == "X" and event["name"].endswith("RunTask") and (event["pid"], event["tid"]) in main
    ]


def report(what: str, found: list[int]) -> None:
    """Print the median and the maximum."""
    print(
        f"{what:16} board after {statistics.median(found):.0f} ms, slowest of {len(found)} {max(found)} ms", flush=True
    )


def main() -> None:
    """Start the server, measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "tables.db") as address,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for name, line in {"local": None, "4G": FAST_4G}.items():
            for game in GAMES:
                found = [round(time_to_board(browser, address, game, line)) for _ in range(rounds)]
                middle = statistics.median(found)
                print(
                    f"{name:6}{game:10} board after {middle:5.0f} ms, slowest of {rounds} {max(found)} ms", flush=True
                )
        found = [round(time_by_link(browser, address, FAST_4G)) for _ in range(rounds)]
        print(
            f"4G, by link  board after {statistics.median(found):5.0f} ms, slowest of {rounds} {max(found)} ms",
            flush=True,
        )
        for path in PAGES:
            page = visitor(browser, address)
            page.goto(path)
            page.wait_for_load_state("networkidle")
            print(f"layout shift {shift(page)[0]:.4f} {path} {shift(page)[1]}", flush=True)
            page.context.close()
        for game in GAMES:
            moved, largest, (worked, passed) = watch(browser, address, game)
            print(
                f"{game:10} layout shift {moved:.4f}, longest task {worked:.0f} ms of the processor in {passed:.0f} ms "
                f"{largest}",
                flush=True,
            )
        browser.close()


if __name__ == "__main__":
    main()
