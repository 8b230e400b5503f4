"""Time from "Play" to a usable board, in milliseconds: `PYTHONPATH=. python bench/browser.py`.

Each round is a new visitor with an empty cache.
"""

import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.web.browser import launch
from tests.web.serving import serving

ROUNDS = 9
# Runs inside the page, so that only the page is measured.
CLICK = """async (game) => {
  const began = performance.now();
  document.querySelector(`[data-game=${game}] button.primary`).click();
  while (!document.querySelector("svg.board [data-place]")) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""


def measure(browser: Browser, address: str, game: str) -> tuple[float, float]:
    """Return milliseconds until the home page is interactive, and from the click to the board."""
    context = browser.new_context(base_url=address)
    page = context.new_page()
    page.goto("/")
    page.locator(f"[data-game={game}] button.primary").wait_for()
    home = page.evaluate("performance.getEntriesByType('navigation')[0].domInteractive")
    board = page.evaluate(CLICK, game)
    context.close()
    return home, board


def main() -> None:
    """Start the server, measure, and print a table."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "tables.db") as address,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for game in ("katarenga", "kiwara", "kitara"):
            found = [measure(browser, address, game) for _ in range(ROUNDS)]
            home, board = ([round(one[part]) for one in found] for part in (0, 1))
            middle = f"home {statistics.median(home):4.0f} ms, board {statistics.median(board):4.0f} ms"
            print(f"{game:10} {middle}, the slowest of {ROUNDS} {max(board)} ms")
        browser.close()


if __name__ == "__main__":
    main()
