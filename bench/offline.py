"""How long a worker takes until it names the first legal moves, by part; what memory it takes, and what is sent.

    PYTHONPATH=. python bench/offline.py        # with the site in Chromium, from a warm cache

The processor time is that of the browser's renderer. It matters on a busy machine, where times are too long. Memory is
that of a browser of its own for each game, when it is idle: what a terminated worker has left is not counted.
"""

import os
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from mchezo.local import runtime, site
from tests.web.browser import launch
from tests.web.hosting import hosting

ROUNDS = 5
GAMES = ("katarenga", "kiwara", "kitara")
SETTLED = 2_000  # milliseconds
# Start the worker of the tables, and have it name the first legal moves.
START = """async ([script, folder, game]) => {
  const began = performance.now();
  const marks = {};
  const mark = (name) => (marks[name] = performance.now() - began);
  const worker = new Worker(script, { type: "module" });
  const next = () => new Promise((resolve, reject) => {
    worker.onerror = reject;
    worker.onmessage = ({ data }) => {
      if ("loading" in data) mark(data.loading < 0.9 ? "files" : "python");
      else resolve(data);
    };
  });
  const ready = next();
  worker.postMessage({ folder, what: "tables", language: "en", name: null, lock: `bench-${began}` });
  await ready;
  mark("imports");
  const seats = [{ kind: "you" }, { kind: "you" }];
  const ask = (call) => { const answer = next(); worker.postMessage(JSON.stringify(call)); return answer; };
  const { answer } = await ask({ call: "create", request: { game, seats, lot: false } });
  const { table, facts } = JSON.parse(answer);
  const opened = JSON.parse((await ask({ call: "open", table, facts: facts[table] })).answer);
  if (!opened.messages[0].table.legal.length) throw new Error("no legal moves");
  mark("moves");
  globalThis.last?.terminate();
  globalThis.last = worker;
  return marks;
}"""
# Start the worker that thinks beside it, and have the strongest computer make the first turn of a game.
THINK = """async ([script, folder, game]) => {
  const worker = new Worker(script, { type: "module" });
  const next = (worker) => new Promise((resolve, reject) => {
    worker.onerror = reject;
    worker.onmessage = ({ data }) => "loading" in data || resolve(data);
  });
  const ask = async (worker, call) => {
    const answer = next(worker);
    worker.postMessage(JSON.stringify(call));
    return JSON.parse((await answer).answer);
  };
  const ready = next(worker);
  worker.postMessage({ folder, what: "thinking", language: "en", name: null, lock: "bench-thinking" });
  await ready;
  const seats = [{ kind: "computer", level: 8 }, { kind: "you" }];
  let turn; // in Katarenga the second player decides first, about the side
  for (const order of [seats, seats.toReversed()]) {
    const { table, facts } = await ask(last, { call: "create", request: { game, seats: order, lot: false } });
    turn ??= (await ask(last, { call: "open", table, facts: facts[table] })).turn;
  }
  if (!(await ask(worker, turn)).length) throw new Error("no moves");
  globalThis.thinking = worker;
}"""


def renderers(browser: Browser) -> list[dict[str, Any]]:
    """Return the browser's processes that run pages."""
    session = browser.new_browser_cdp_session()
    found: list[dict[str, Any]] = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return [process for process in found if process["type"] == "renderer"]


def resident(processes: list[dict[str, Any]]) -> int:
    """Return the memory of processes in bytes, without what they share with others."""
    total = 0
    for process in processes:
        _, pages, shared, *_ = map(int, Path(f"/proc/{process['id']}/statm").read_text().split())
        total += (pages - shared) * os.sysconf("SC_PAGE_SIZE")
    return total


def measure(browser: Browser, page: Page, address: str, script: str, game: str) -> dict[str, float]:
    """Start a worker; return the milliseconds until each part was done, and the processor's."""
    before = sum(process["cpuTime"] for process in renderers(browser))
    marks: dict[str, float] = page.evaluate(START, [script, f"{address}/local/", game])
    marks["processor"] = 1000 * (sum(process["cpuTime"] for process in renderers(browser)) - before)
    return marks


def memory(playwright: Playwright, address: str, script: str, game: str) -> tuple[float, float]:
    """Return the megabytes of the worker of the tables, and of both workers once a computer has thought."""
    browser = launch(playwright)
    page = browser.new_page()
    page.goto(f"{address}/#/settings")
    page.wait_for_timeout(SETTLED)
    empty = resident(renderers(browser))
    page.evaluate(START, [script, f"{address}/local/", game])
    page.wait_for_timeout(SETTLED)
    one = resident(renderers(browser)) - empty
    page.evaluate(THINK, [script, f"{address}/local/", game])
    page.wait_for_timeout(SETTLED)
    both = resident(renderers(browser)) - empty
    browser.close()
    return one / 1e6, both / 1e6


def main() -> None:
    """Print the figures."""
    index = runtime.read_index()
    assert index is not None, "build it first: python -m mchezo.local.runtime"
    for name, size in index.files.items():
        print(f"{size:>10,} bytes  {name}")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors; milliseconds, best of {ROUNDS} by the last")
    with tempfile.TemporaryDirectory() as folder, hosting(Path(folder)) as address, sync_playwright() as playwright:
        print(f"{site.write(Path(folder)):>10,} bytes  the site")
        (path,) = Path(folder, "assets").glob("worker-*.js")
        script = f"{address}/assets/{path.name}"
        browser = launch(playwright)
        page = browser.new_page()
        page.goto(f"{address}/#/settings")
        page.get_by_role("button", name="Download").click()
        page.get_by_role("button", name="Remove").wait_for(timeout=120_000)
        page.reload()
        page.wait_for_timeout(SETTLED)
        for game in GAMES:
            rounds = [measure(browser, page, address, script, game) for _ in range(ROUNDS)]
            best = min(rounds, key=lambda marks: marks["moves"])
            processor = min(marks["processor"] for marks in rounds)
            parts = ", ".join(f"{name} {best[name]:.0f}" for name in ("files", "python", "imports", "moves"))
            print(f"{game:<10} {parts}; processor {processor:.0f}")
        browser.close()
        for game in GAMES:
            one, both = memory(playwright, address, script, game)
            print(f"{game:<10} {one:.0f} MB for the worker of the tables, {both:.0f} MB with the one that thinks")


if __name__ == "__main__":
    main()
