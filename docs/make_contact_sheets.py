"""Take screenshots of pages and tables, light and dark, in four sizes, and put them on contact sheets.

Run it after a change of the browser app, with the test extras: PYTHONPATH=. python docs/make_contact_sheets.py
`--full FOLDER` also writes every screenshot in its full size; `--only NAME` takes those whose names contain it.
"""

import argparse
import io
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page, sync_playwright

import mchezo
from tests.web.browser import launch
from tests.web.player import PRESS, PRESSABLE
from tests.web.records import reach, set_table
from tests.web.serving import serving

PICTURES = Path(__file__).parent / "pictures" / "screens"
SIZES = {"laptop": (1440, 900), "tablet": (768, 1024), "phone": (360, 740), "sideways": (844, 390)}
THEMES = ("light", "dark")
THUMBNAIL = {"laptop": 300, "tablet": 190, "phone": 130, "sideways": 260}  # width
SHEET = 1500  # width
LARGEST = 150_000  # bytes of a sheet
SETTINGS = '{"speed": 0, "confirm": "never", "sound": false, "named": true, "avatar": "lion", "name": "Ada"}'
YOU, LEVEL_2 = {"kind": "you"}, {"kind": "computer", "level": 2}
# Finish what is moving, and wait until it is drawn.
SETTLE = """async () => {
  const finite = (one) => one.effect.getComputedTiming().iterations !== Infinity;
  document.getAnimations().filter(finite).forEach((one) => one.finish());
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
}"""
Screens = Iterator[tuple[str, Page]]


def at(position: mchezo.Position, made: int, decision: str = "") -> bool:
    """Return whether the first seat is to choose in the middle of a game."""
    view = position.view(0)
    return (
        position.to_move == 0
        and len(position.moves) >= made
        and len(position.legal_moves) > 1
        and view["decision"].startswith(decision)
    )


def pages(page: Page) -> Screens:
    """Open every page that needs no game."""
    for name, path in {
        "home": "/",
        "rules": "/rules",
        "rules-katarenga": "/rules/katarenga",
        "rules-kitara": "/rules/kitara",
        "learn-kiwara": "/learn/kiwara",
        "settings": "/settings",
        "statistics": "/statistics",
        "replay-upload": "/replay",
        "real-table": "/real-table",
        "clock": "/real-table/clock",
        "lay-tiles": "/real-table/katarenga",
        "lay-rivers": "/real-table/kiwara",
        "score-kiwara": "/real-table/score-kiwara",
        "score-kitara": "/real-table/score-kitara",
        "packs": "/packs",
        "not-found": "/t/000000000000",
    }.items():
        page.goto(path)
        page.locator("h1, main, .page").first.wait_for()
        page.wait_for_load_state("networkidle")
        yield name, page


def setups(page: Page) -> Screens:
    """Open the set-up of every game, short and with all options, and the invitation."""
    for game in mchezo.games():
        page.goto(f"/new/{game}")
        page.locator("form button.primary").wait_for()
        page.wait_for_load_state("networkidle")
        yield f"setup-{game}", page
        page.locator("form details summary").first.click()
        yield f"setup-{game}-all", page
        page.locator("form details summary").first.click()
    page.locator("input[value=friend]").check()
    page.locator("form button.primary").click()
    page.locator(".waiting input").wait_for()
    page.wait_for_load_state("networkidle")
    yield "invitation", page


def invited(page: Page) -> Screens:
    """Follow an invitation as somebody new."""
    context = page.context.browser.new_context(base_url=page.url.rsplit("/t/", 1)[0])
    guest = context.new_page()
    guest.goto(page.locator(".waiting input").input_value())
    guest.locator("form button.primary").wait_for()
    yield "join", guest
    context.close()


def tables(page: Page) -> Screens:
    """Open tables in the middle of a game, at every kind of decision."""
    moments: list[tuple[str, str, Callable[[Any], bool], dict[str, Any]]] = [
        ("katarenga-side", "katarenga", lambda position: True, {}),
        ("katarenga", "katarenga", lambda position: at(position, 15), {"choose_baseline": False}),
        ("kiwara-totem", "kiwara", lambda position: True, {}),
        ("kiwara", "kiwara", lambda position: at(position, 24, "place"), {}),
        ("kiwara-full", "kiwara", lambda position: at(position, 60, "place"), {}),
        ("kitara-draft", "kitara", lambda position: at(position, 30, "draft"), {"players": 2}),
        ("kitara-recruit", "kitara", lambda position: at(position, 30, "recruit"), {"players": 2}),
        ("kitara-move", "kitara", lambda position: at(position, 60, "move"), {"players": 3}),
        ("kitara-four", "kitara", lambda position: at(position, 120), {"players": 4}),
        ("kitara-discard", "kitara", lambda position: at(position, 40, "discard"), {"players": 2}),
    ]
    for name, game, wanted, options in moments:
        record = reach(game, wanted, **options)
        seats = len(mchezo.Record.parse(record).replay().seats)
        table = set_table(page, game, record, [YOU, *[LEVEL_2] * (seats - 1)])
        page.goto(f"/t/{table['id']}")
        page.locator(PRESSABLE).first.wait_for(state="attached")
        page.wait_for_load_state("networkidle")
        yield f"table-{name}", page
        if name in ("katarenga", "kiwara", "kitara-move"):
            page.evaluate(PRESS, 0.4)
            yield f"table-{name}-chosen", page
        # the server refuses to continue a record that looks like a game being played
        origin = {"Origin": page.evaluate("location.origin")}
        command = {"type": "resign", "id": name}
        page.request.post(f"/api/tables/{table['id']}/commands", data=command, headers=origin)


def endings(page: Page) -> Screens:
    """Open a lesson, the result of a game, its replay, and the keys."""
    page.goto("/learn/kitara")
    page.locator(".intro button.primary").click()
    page.locator(".play .open").first.wait_for(state="attached")
    page.wait_for_load_state("networkidle")
    yield "lesson-kitara", page
    last = reach("kiwara", lambda position: len(position.view()["animals"]) > 27 and at(position, 0, "place"))
    page.goto(f"/t/{set_table(page, 'kiwara', last, [YOU, LEVEL_2])['id']}")
    page.locator(PRESSABLE).first.wait_for(state="attached")
    page.locator("body").press("?")
    yield "keys", page
    page.keyboard.press("Escape")
    while not page.locator(".overlay").count():
        page.evaluate(PRESS, 0.4)
        page.wait_for_timeout(100)
    page.locator(".overlay tr").last.wait_for()
    yield "result-kiwara", page
    page.locator(".overlay a[href^='/replay/']").click()
    page.locator(".middle svg.board, main svg.board").first.wait_for()
    page.wait_for_load_state("networkidle")
    yield "replay-kiwara", page


def shots(page: Page) -> Iterator[tuple[str, str, Image.Image]]:
    """Yield every screen in every size and theme."""
    for part in (pages, setups, invited, tables, endings):
        for name, shown in part(page):
            for theme in THEMES:
                shown.emulate_media(color_scheme=theme, reduced_motion="reduce")
                for size, (width, height) in SIZES.items():
                    shown.set_viewport_size({"width": width, "height": height})
                    shown.evaluate(SETTLE)
                    yield name, f"{size}-{theme}", Image.open(io.BytesIO(shown.screenshot())).convert("RGB")
            shown.set_viewport_size({"width": 1440, "height": 900})


def sheet(pictures: list[Image.Image], width: int) -> Image.Image:
    """Return pictures side by side, row after row."""
    small = [one.resize((width, one.height * width // one.width), Image.Resampling.LANCZOS) for one in pictures]
    columns = SHEET // (width + 8)
    height = small[0].height + 8
    whole = Image.new("RGB", (columns * (width + 8), -(-len(small) // columns) * height), "#888")
    for number, one in enumerate(small):
        whole.paste(one, (number % columns * (width + 8) + 4, number // columns * height + 4))
    return whole


def save(picture: Image.Image, path: Path) -> None:
    """Write a picture in the best quality that is small enough."""
    for quality in range(80, 0, -8):
        picture.save(path, quality=quality, method=6)
        if path.stat().st_size < LARGEST:
            return


def main() -> None:
    """Take all screenshots."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", type=Path, help="a folder for the screenshots in full size")
    parser.add_argument("--only", default="", help="a part of the names of screens")
    asked = parser.parse_args()
    found: dict[str, list[Image.Image]] = {}
    with serving(Path(tempfile.mkdtemp()) / "tables.db") as address, sync_playwright() as playwright:
        browser = launch(playwright)
        context = browser.new_context(base_url=address, locale="en", viewport={"width": 1440, "height": 900})
        context.add_init_script(f"localStorage.mchezo ??= '{SETTINGS}'")
        page = context.new_page()
        page.goto("/")
        page.request.get("/api/me")
        page.request.post("/api/me", data={"name": "Ada", "avatar": "lion"}, headers={"Origin": address})
        for name, kind, picture in shots(page):
            if asked.only not in name:
                continue
            found.setdefault(kind, []).append(picture)
            if asked.full:
                asked.full.mkdir(parents=True, exist_ok=True)
                picture.save(asked.full / f"{name}-{kind}.png")
        browser.close()
    if not asked.only:
        PICTURES.mkdir(exist_ok=True)
        for kind, pictures in found.items():
            save(sheet(pictures, THUMBNAIL[kind.split("-")[0]]), PICTURES / f"{kind}.webp")


if __name__ == "__main__":
    main()
