"""Impatient players, many of them: `PYTHONPATH=. python -m soak.clicks --games 200` plays 200 games of each kind.

Clicks fall at random times, on anything, over lines that are slow and break. A game that does not end, or an error in a
page, is reported with its seed; `--first SEED --games 1 --only GAME` repeats it.
"""

import argparse
import re
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Error, sync_playwright

from tests.web.browser import launch
from tests.web.clicks import FORGIVEN, OPTIONS, listen, play
from tests.web.proxy import Proxy
from tests.web.serving import serving
from tests.web.waiting import WAIT

SETTINGS = '{"speed": 4, "confirm": "never", "sound": false, "named": true}'
PER_PAGE = 10  # games in a row by one visitor


def run(browser: Browser, server: str, game: str, seeds: range) -> list[str]:
    """Play one game after the other and return what went wrong."""
    failures: list[str] = []
    proxy = Proxy(server)
    context = browser.new_context(base_url=proxy.address)
    context.set_default_timeout(WAIT)
    context.add_init_script(f"localStorage.mchezo ??= '{SETTINGS}'")
    page = context.new_page()
    listen(page)
    seed = seeds.start
    page.on("pageerror", lambda error: failures.append(f"{game} {seed}: {error}"))
    page.on(
        "console",
        lambda said: (
            failures.append(f"{game} {seed}: {said.text}")
            if said.type in ("error", "warning") and not re.search(FORGIVEN, said.text)
            else None
        ),
    )
    page.goto("/")
    page.request.get("/api/me")  # for the cookie
    for seed in seeds:
        try:
            outcome = play(page, proxy, game, seed)
        except Error as error:
            outcome = str(error)
        if outcome != "over":
            failures.append(f"{game} {seed}: {outcome}")
    context.close()
    proxy.close()
    return failures


def main() -> None:
    """Play, print one line a batch, and fail if a game got stuck."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="of each kind")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--only", choices=list(OPTIONS), help="one kind of game")
    asked = parser.parse_args()
    failures: list[str] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "tables.db") as server,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        seeds = range(asked.first, asked.first + asked.games)
        for start in range(seeds.start, seeds.stop, PER_PAGE):
            batch = range(start, min(start + PER_PAGE, seeds.stop))
            for game in [asked.only] if asked.only else list(OPTIONS):
                began = time.monotonic()
                found = run(browser, server, game, batch)
                failures += found
                print("\n".join(found), end="\n" if found else "")
                seconds = time.monotonic() - began
                print(f"{game} {batch.start}-{batch.stop - 1}: {len(found)} failures, {seconds:.0f} s", flush=True)
        browser.close()
    print(f"{len(failures)} failures")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
