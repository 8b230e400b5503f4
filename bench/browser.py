"""How long people wait for a board: `python bench/browser.py` starts a server and a browser, and prints milliseconds.

From the click on "Play" until the places of the board can be pressed; a new visitor each time, nothing cached.
"""

import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[1]
ROUNDS = 9
CHROMIUM = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
# Waits in the page itself, so that only the page is measured.
CLICK = """async (game) => {
  const began = performance.now();
  document.querySelector(`[data-game=${game}] button.primary`).click();
  while (!document.querySelector("svg.board [data-place]")) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""


def measure(browser: Browser, address: str, game: str) -> tuple[float, float]:
    """Milliseconds until the home page can be used, and from the click to the board."""
    context = browser.new_context(base_url=address)
    page = context.new_page()
    page.goto("/")
    page.locator(f"[data-game={game}] button.primary").wait_for()
    home = page.evaluate("performance.getEntriesByType('navigation')[0].domInteractive")
    board = page.evaluate(CLICK, game)
    context.close()
    return home, board


def healthy(address: str) -> bool:
    """Whether all games are ready."""
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=5) as answer:
            return b'"ok"' in answer.read()
    except OSError:
        return False


def main() -> None:
    """Start, measure, print a table."""
    chromium = next(path for path in CHROMIUM if Path(path).exists())
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(ROOT / "tests" / "web" / "run_server.py"), f"{folder}/tables.db"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server, sync_playwright() as playwright:
            assert server.stdout is not None
            address = f"http://127.0.0.1:{int(server.stdout.readline())}"
            try:
                for _ in range(1200):  # ten minutes, for the first compilation
                    if healthy(address):
                        break
                    time.sleep(0.5)
                browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
                for game in ("katarenga", "kiwara", "kitara"):
                    found = [measure(browser, address, game) for _ in range(ROUNDS)]
                    home, board = ([round(one[part]) for one in found] for part in (0, 1))
                    middle = f"home {statistics.median(home):4.0f} ms, board {statistics.median(board):4.0f} ms"
                    print(f"{game:10} {middle}, the slowest of {ROUNDS} {max(board)} ms")
                browser.close()
            finally:
                server.terminate()


if __name__ == "__main__":
    main()
