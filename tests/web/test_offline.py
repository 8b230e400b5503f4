"""The app without a connection: kept by the service worker, updated as a whole, removed again."""

import json
import os
import shutil
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from mchezo.local import site
from mchezo.server.transport import pages
from tests.build.modules import needs_libraries
from tests.local.pyodide import require_runtime
from tests.web.conftest import Visit
from tests.web.hosting import hosting
from tests.web.proxy import Proxy
from tests.web.test_site import play_some
from tests.web.waiting import attempts

pytestmark = [needs_libraries, pytest.mark.rotating(shares=24)]

CUT = r"ERR_|Failed to fetch|fetching the script|WebSocket"  # what the browser says about a cut line
TAKEN_OVER = "cross-world service worker"  # a script that came while the service worker took over the page
CACHES = "async () => (await caches.keys()).filter((name) => name.startsWith('mchezo-'))"
MARK = "document.querySelector('meta[name=generation]')?.content"
# Note how the installation of every new version ends.
NOTE_ENDS = """async () => {
  const registration = await navigator.serviceWorker.ready;
  window.ends = [];
  registration.addEventListener("updatefound", () => {
    const found = registration.installing;
    found.addEventListener("statechange", () => window.ends.push(found.state));
  });
}"""
# Look for a new version, and return how installations have ended so far. The page looks by itself too, at any time.
ENDS = """async () => {
  const registration = await navigator.serviceWorker.ready;
  await registration.update().catch(() => undefined);
  return window.ends;
}"""
# Look for a new version; return whether that with this mark waits, and nothing else is on its way: the attempt at a
# spoilt one may still be running, and may end well once its missing file is there.
WAITING = """async (mark) => {
  const registration = await navigator.serviceWorker.ready;
  if (!registration.installing) await registration.update().catch(() => undefined);
  for (const name of await caches.keys()) {
    const page = await (await caches.open(name)).match(registration.scope);
    if (page && (await page.text()).includes(`name="generation" content="${mark}"`))
      return registration.waiting !== null && registration.installing === null;
  }
  return false;
}"""


# Damage the app's page, one of its files and one of Python; return their addresses.
DAMAGE = """async () => {
  const [damaged, kinds] = [{}, { page: /\\/$/, asset: /assets\\/Rules-.*js$/, python: /mchezo\\.bin$/ }];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const { url } of await cache.keys())
      for (const [kind, pattern] of Object.entries(kinds))
        if (pattern.test(url)) await cache.put((damaged[kind] = url), new Response("damaged"));
  }
  return damaged;
}"""


@pytest.fixture(scope="module", autouse=True)
def runtime() -> None:
    require_runtime()  # before a server reads which files there are


def make_available(page: Page) -> None:
    page.locator("section", has=page.locator("#offline")).get_by_role("button", name="Download").click()
    expect(page.get_by_role("button", name="Remove")).to_be_visible()


def test_an_ordinary_visitor_keeps_nothing(visit: Visit) -> None:
    page = visit("/settings")
    page.wait_for_load_state("networkidle")
    assert page.evaluate(CACHES) == []
    assert page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found === undefined)")
    loaded = page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    assert not any(".bin" in name or "pyodide" in name for name in loaded)


def test_after_the_download_games_and_rules_need_no_connection(visit: Visit, line: Proxy) -> None:
    page = visit("/settings", line=line.address, forgiven=f"{CUT}|{TAKEN_OVER}")
    make_available(page)
    line.cut()
    page.goto("/")  # as if the app was opened again
    page.locator("[data-game=katarenga] button.primary").click()
    page.locator("svg.board [data-place].open, svg.board ~ * .primary").first.wait_for(state="attached")
    play_some(page, 6)
    page.goto("/rules/kitara")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Kitara")
    page.goto("/new/kiwara")
    page.locator("form button.primary").click()
    page.wait_for_url("**/t/L*")  # the form has a board, too
    page.locator("svg.board").wait_for()


def test_nothing_of_the_api_is_kept(visit: Visit, line: Proxy) -> None:
    page = visit("/settings", line=line.address, forgiven=f"{CUT}|{TAKEN_OVER}")
    make_available(page)
    page.goto("/")
    page.locator(".games").wait_for()
    kept = page.evaluate(
        """async () => (await Promise.all((await caches.keys()).map(async (name) =>
          (await (await caches.open(name)).keys()).map((request) => new URL(request.url).pathname)))).flat()"""
    )
    assert "/" in kept
    assert not any(path.startswith(("/api", "/schema")) for path in kept)
    line.cut()
    assert page.evaluate("fetch('/api/games').then(() => 'kept', () => 'failed')") == "failed"


def test_what_was_kept_is_removed(visit: Visit) -> None:
    page = visit("/settings")
    make_available(page)
    assert len(page.evaluate(CACHES)) == 2
    section = page.locator("section", has=page.locator("#offline"))
    section.get_by_role("button", name="Remove").click()
    expect(section.get_by_role("button", name="Download")).to_be_visible()
    assert page.evaluate(CACHES) == []
    assert page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found === undefined)")


# Updates, on a static host: a version is a folder.


def write_version(folder: Path, generation: int, spoilt: bool = False) -> None:
    """Write the site as it would be after a change: its page is another one. Nobody sees half of it."""
    app, written = (folder.parent.parent / f"{what}-{generation}" for what in ("app", "site"))
    shutil.copytree(pages.FOLDER, app)
    page = app / "index.html"
    page.write_text(page.read_text().replace("<title>", f'<meta name="generation" content="{generation}" /><title>'))
    require_runtime()
    site.write(written, app)
    if spoilt:  # half of a deployment: a file does not belong to this version
        (written / "manifest.webmanifest").write_text(json.dumps({"name": "another"}))
    for file in written.rglob("*"):  # the host tells versions apart by whole seconds
        os.utime(file, times=(time.time() + 2 * generation,) * 2)
    if folder.exists():
        folder.rename(folder.parent.parent / f"before-{generation}")
    written.rename(folder)


@pytest.fixture
def site_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "www" / "games"
    folder.parent.mkdir()
    return folder


def test_a_new_version_replaces_the_old_one_as_a_whole(visit: Visit, site_folder: Path) -> None:
    write_version(site_folder, 1)
    with hosting(site_folder.parent) as address:
        page = visit(f"{address}/games/#/settings", forgiven=f"{CUT}|{TAKEN_OVER}|has changed")
        make_available(page)
        page.reload()
        assert page.evaluate(MARK) == "1"
        first = page.evaluate(CACHES)

        page.evaluate(NOTE_ENDS)
        write_version(site_folder, 2, spoilt=True)
        assert any(page.evaluate(ENDS) for _ in attempts(page))
        assert set(page.evaluate(ENDS)) == {"redundant"}
        page.reload()
        assert page.evaluate(MARK) == "1"  # a version that is not whole is never used

        write_version(site_folder, 3)
        assert any(page.evaluate(WAITING, 3) for _ in attempts(page))
        page.reload()
        other = page.context.new_page()
        other.goto(f"{address}/games/")
        for one in (page, other):
            expect(one.get_by_text("A new version is ready")).to_be_visible()
            assert one.evaluate(MARK) == "1"
    # The host is gone: old and new are both here.
    page.goto(f"{address}/games/#/rules/kiwara")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Kiwara")
    page.get_by_role("button", name="Reload").click()
    for one in (page, other):
        expect(one.locator("meta[name=generation][content='3']")).to_be_attached()
        one.get_by_role("heading", level=1).wait_for(state="attached")
    last = page.evaluate(CACHES)
    assert len(last) == 2
    assert set(last) & set(first) == {name for name in first if "python" in name}  # which is the same


def test_pages_that_were_open_before_the_download_change_too(visit: Visit, site_folder: Path) -> None:
    write_version(site_folder, 1)
    with hosting(site_folder.parent) as address:
        page = visit(f"{address}/games/#/settings", forgiven=f"{CUT}|{TAKEN_OVER}")
        make_available(page)
        write_version(site_folder, 2)
        assert any(page.evaluate(WAITING, 2) for _ in attempts(page))
        other = page.context.new_page()
        other.goto(f"{address}/games/")
        other.get_by_role("button", name="Reload").click()
        for one in (page, other):
            expect(one.locator("meta[name=generation][content='2']")).to_be_attached()


def test_a_damaged_file_is_fetched_again(visit: Visit, line: Proxy) -> None:
    page = visit("/settings", line=line.address, forgiven=f"{CUT}|{TAKEN_OVER}")
    make_available(page)
    damaged = page.evaluate(DAMAGE)
    assert set(damaged) == {"page", "asset", "python"}
    page.goto("/rules/kiwara")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Kiwara")
    for url in damaged.values():
        assert page.evaluate("async (url) => (await (await fetch(url)).text()) !== 'damaged'", url)
    line.cut()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Kiwara")


def test_damaged_files_are_not_taken_along(visit: Visit, site_folder: Path) -> None:
    write_version(site_folder, 1)
    with hosting(site_folder.parent) as address:
        page = visit(f"{address}/games/#/settings", forgiven=f"{CUT}|{TAKEN_OVER}")
        make_available(page)
        damaged = page.evaluate(DAMAGE)
        assert set(damaged) == {"page", "asset", "python"}
        write_version(site_folder, 2)
        assert any(page.evaluate(WAITING, 2) for _ in attempts(page))
        page.reload()
        page.get_by_role("button", name="Reload").click()
        expect(page.locator("meta[name=generation][content='2']")).to_be_attached()
        for url in damaged.values():
            expected = page.request.get(url).body()
            assert page.evaluate("async (url) => (await (await fetch(url)).blob()).size", url) == len(expected)


def test_a_record_is_shared_with_the_app(visit: Visit, site_folder: Path) -> None:
    write_version(site_folder, 1)
    with hosting(site_folder.parent) as address:
        page = visit(f"{address}/games/#/settings", forgiven=TAKEN_OVER)
        make_available(page)
        for sent, expected in {"'some moves'": "some moves", "new File(['a file'], 'game.txt')": "a file"}.items():
            share = f"const form = new FormData(); form.set(typeof {sent} === 'string' ? 'text' : 'file', {sent});"
            assert page.evaluate(
                f"async () => {{ {share} return (await fetch('share', {{ method: 'POST', body: form }})).redirected }}"
            )
            page.goto(f"{address}/games/#/replay?shared")
            expect(page.locator("textarea")).to_have_value(expected)
            page.goto(f"{address}/games/#/settings")
            page.get_by_role("heading", name="Settings").wait_for()


def test_the_manifest_names_what_there_is() -> None:
    manifest = json.loads((pages.FOLDER / "manifest.webmanifest").read_text())
    icons = [*manifest["icons"], *(icon for shortcut in manifest["shortcuts"] for icon in shortcut["icons"])]
    assert all((pages.FOLDER / icon["src"]).is_file() for icon in icons)
    assert {"any", "maskable"} <= {icon.get("purpose") for icon in icons}
