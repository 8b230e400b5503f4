"""How long a worker takes until it names the first legal moves, by part; what memory it takes, and what is sent.

    PYTHONPATH=. python bench/offline.py        # with the site in Chromium, from a warm cache

The processor time is that of the browser's renderer. It matters on a busy machine, where times are too long.
"""

import os
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from mchezo.local import runtime, site
from tests.web.browser import launch
from tests.web.hosting import hosting

ROUNDS = 5
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


def main() -> None:
    """Print the figures."""
    index = runtime.read_index()
    assert index is not None, "build it first: python -m mchezo.local.runtime"
    for name, size in index.files.items():
        print(f"{size:>10,} bytes  {name}")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors; milliseconds, best of {ROUNDS} by the last")
    with tempfile.TemporaryDirectory() as folder, hosting(Path(folder)) as address, sync_playwright() as playwright:
        print(f"{site.write(Path(folder)):>10,} bytes  the site")
        (script,) = (path.name for path in Path(folder, "assets").glob("worker-*.js"))
        browser = launch(playwright)
        page = browser.new_page()
        page.goto(f"{address}/#/settings")
        page.get_by_role("button", name="Download").click()
        page.get_by_role("button", name="Remove").wait_for(timeout=120_000)
        page.reload()
        page.wait_for_timeout(1_000)
        empty = resident(renderers(browser))
        for game in ("katarenga", "kiwara", "kitara"):
            rounds = [measure(browser, page, address, f"{address}/assets/{script}", game) for _ in range(ROUNDS)]
            best = min(rounds, key=lambda marks: marks["moves"])
            processor = min(marks["processor"] for marks in rounds)
            parts = ", ".join(f"{name} {best[name]:.0f}" for name in ("files", "python", "imports", "moves"))
            print(f"{game:<10} {parts}; processor {processor:.0f}")
        print(f"{(resident(renderers(browser)) - empty) / 1e6:.0f} MB for one worker, after {ROUNDS} of each game")
        browser.close()


if __name__ == "__main__":
    main()
