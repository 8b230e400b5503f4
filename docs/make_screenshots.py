"""Take the screenshots in the README: tables, a replay with analysis, and phones.

Run it after a change of the browser app, with the test extras: PYTHONPATH=. python docs/make_screenshots.py
"""

import io
import random
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.web.browser import launch
from tests.web.player import PRESS, PRESSABLE, play_on, start
from tests.web.serving import serving

PICTURES = Path(__file__).parent / "pictures"
WIDE, PHONE = (1440, 900), (390, 760)
SETTINGS = '{"speed": 0, "confirm": "never", "sound": false, "named": true}'
PRESSES = {"katarenga": 26, "kiwara": 45, "kitara": 30}


def open_page(browser: Browser, address: str, size: tuple[int, int], scheme: str) -> Page:
    """Return the home page."""
    width, height = size
    context = browser.new_context(
        base_url=address, viewport={"width": width, "height": height}, color_scheme=scheme, locale="en"
    )
    context.add_init_script(f"localStorage.mchezo ??= '{SETTINGS}'")
    page = context.new_page()
    page.goto("/")
    return page


def play(page: Page, game: str, presses: int) -> None:
    """Play some of a game against the computer, and stop where a person can choose."""
    start(page, game)
    rng = random.Random(5)
    for _ in range(presses):
        page.locator(PRESSABLE).first.wait_for(state="attached")
        page.evaluate(PRESS, rng.random())
        page.wait_for_timeout(60)
    page.locator(PRESSABLE).first.wait_for(state="attached")
    page.wait_for_timeout(1_500)


def screenshot(page: Page) -> Image.Image:
    """Return the window as a picture."""
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def save(picture: Image.Image, name: str) -> None:
    """Write a picture with a palette, which is small."""
    picture.quantize(256, dither=Image.Dither.NONE).save(PICTURES / f"{name}.png", optimize=True)


def replay(page: Page) -> Image.Image:
    """Return the replay of a finished game of Kiwara, analysed."""
    start(page, "kiwara")
    play_on(page)
    page.goto(page.url.replace("/t/", "/replay/"))
    page.get_by_role("button", name="Analyse").first.click()
    expect(page.locator("svg.graph, .graph svg").first).to_be_visible(timeout=120_000)
    page.wait_for_timeout(2_000)
    return screenshot(page)


def main() -> None:
    """Take all screenshots."""
    with serving(Path(tempfile.mkdtemp()) / "tables.db") as address, sync_playwright() as playwright:
        browser = launch(playwright)
        phones = Image.new("RGB", (3 * PHONE[0] + 40, PHONE[1]), "white")
        for column, (game, presses) in enumerate(PRESSES.items()):
            page = open_page(browser, address, WIDE, "dark" if game == "kitara" else "light")
            play(page, game, presses)
            save(screenshot(page), f"table-{game}")
            page = open_page(browser, address, PHONE, "dark" if game == "kiwara" else "light")
            play(page, game, presses)
            phones.paste(screenshot(page), (column * (PHONE[0] + 20), 0))
        save(phones, "phones")
        save(replay(open_page(browser, address, WIDE, "light")), "replay-kiwara")
        browser.close()


if __name__ == "__main__":
    main()
