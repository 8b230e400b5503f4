"""A journey without a connection: download, a whole game of each against the strongest computer, replay, upload."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import mchezo
from mchezo.core.record import Record
from tests.build.modules import needs_libraries
from tests.local.pyodide import require_runtime
from tests.web.conftest import Visit
from tests.web.player import play_on
from tests.web.proxy import Proxy
from tests.web.records import first_choices
from tests.web.serving import serving
from tests.web.test_offline import CUT, TAKEN_OVER, make_available

pytestmark = needs_libraries

LEVEL = 8
LONG = 900_000  # milliseconds: ends a test that hangs; analysing a whole game takes minutes on a busy machine


def download(page: Page) -> Record:
    """Return the record of the finished game on this page."""
    with page.expect_download() as downloaded:
        page.get_by_role("link", name="Download game").click()
    return Record.parse(Path(downloaded.value.path()).read_text("utf-8"))


@pytest.mark.rotating(shares=24)
@pytest.mark.parametrize("game", mchezo.games())
def test_an_aeroplane_journey(game: str, visit: Visit, tmp_path: Path) -> None:
    require_runtime()
    database = tmp_path / "tables.db"
    with serving(database) as address:
        line = Proxy(address)
        page = visit("/settings", line=line.address, forgiven=f"{CUT}|{TAKEN_OVER}")
        page.evaluate(
            "(levels) => localStorage.mchezo = JSON.stringify({...JSON.parse(localStorage.mchezo), levels})",
            {game: LEVEL},
        )
        page.reload()
        make_available(page)
    context = page.context
    context.set_offline(True)  # and the server has stopped
    page.goto("/")
    page.locator(f"[data-game={game}] button.primary").click()
    page.wait_for_url("**/t/L*")
    expect(page.locator(".players, main").first).to_contain_text(str(LEVEL))
    page.set_default_timeout(LONG)  # for its thinking
    assert play_on(page) > 5
    expect(page.get_by_role("region", name="Result")).to_be_visible()
    record, id = download(page), page.url.rpartition("/")[2]
    assert record.replay().outcome is not None
    page.close()

    page = context.new_page()
    page.goto("/")
    expect(page.locator(".tables li", has_text="On this device")).to_have_count(1)
    page.goto(f"/replay/{id}")
    page.locator("svg.board").wait_for()
    panel = page.get_by_role("region", name="Engine")
    page.keyboard.press("Home")
    panel.get_by_role("switch").check()
    panel.get_by_label("Lines").select_option("3")
    expect(panel.get_by_role("listitem")).to_have_count(min(3, first_choices(record)))
    panel.get_by_role("switch").uncheck()
    page.get_by_role("button", name="Analyse").click()
    numbers = page.get_by_role("table").filter(has_text="Accuracy").locator("tbody tr")
    expect(numbers).to_have_count(len(record.replay().seats), timeout=LONG)

    context.set_offline(False)
    with serving(database) as address:
        line.server = "127.0.0.1", int(address.rpartition(":")[2])
        page.goto(f"/t/{id}")
        page.get_by_role("button", name="Upload").first.click()
        page.get_by_role("dialog").get_by_role("button", name="Upload").click()
        page.wait_for_url(re.compile(r"/replay/\w{12}$"))
        page.locator("svg.board").wait_for()
        uploaded = page.request.get(f"/api/tables/{page.url.rpartition('/')[2]}/record").text()
        page.goto("/")
    line.close()
    same = Record.parse(uploaded)
    assert (same.game, same.options, same.moves, same.outcome) == (
        record.game,
        record.options,
        record.moves,
        record.outcome,
    )
