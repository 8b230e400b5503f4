"""The static site, served by `python -m http.server` from a sub-path: everything works without a server of ours."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

import mchezo
from mchezo.core.errors import UserError
from mchezo.local import site
from tests.build.modules import needs_libraries
from tests.web.axe import violations
from tests.web.conftest import Visit
from tests.web.hosting import hosting, write_site
from tests.web.player import PRESSABLE, press
from tests.web.records import short_record
from tests.web.test_study import analyse_and_ask
from tests.web.waiting import attempts

pytestmark = [needs_libraries, pytest.mark.rotating(shares=24)]

LIMIT = 8_000_000  # bytes


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("www") / "a" / "games"
    assert write_site(made) < LIMIT
    return made


@pytest.fixture(scope="module")
def host(folder: Path) -> Iterator[str]:
    with hosting(folder.parent.parent) as address:
        yield f"{address}/a/games/"


def test_the_site_is_written_over_an_older_one_and_nothing_else(folder: Path, tmp_path: Path) -> None:
    (folder / "assets" / "old.js").write_text("")
    write_site(folder)
    assert not (folder / "assets" / "old.js").exists()
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(UserError, match="not empty"):
        site.write(tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "mine"
    with pytest.raises(UserError, match="not part of this installation"):
        site.write(tmp_path / "new", app=tmp_path)


@pytest.mark.parametrize("game", mchezo.games())
def test_a_game_is_opened_and_played_against_the_computer(visit: Visit, host: str, game: str) -> None:
    held: list[Route] = []
    page = visit(f"{host}#/settings")
    page.context.route("**/interpreter.bin", lambda route: held.append(route))  # Python is slow to come
    page.goto(host)
    page.reload()
    page.locator(f"[data-game={game}] button.primary").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.locator(f"[data-game={game}] img")).to_be_visible()  # the picture is there before the board
    for route in held:
        route.continue_()
    page.context.unroute("**/interpreter.bin")
    page.locator("svg.board [data-place].open").first.wait_for(state="attached")
    assert page.url.startswith(f"{host}#/t/L")
    play_some(page, 12)
    page.locator(PRESSABLE).first.wait_for(state="attached")  # the computer has answered
    told = page.locator("section.log li").count()
    assert told > 2
    page.reload()
    page.locator("svg.board").wait_for()
    expect(page.locator("section.log li")).to_have_count(told)
    page.locator("header a.home").click()
    expect(page.locator(".tables li")).to_have_count(1)


def play_some(page: Page, presses: int) -> None:
    pressed = 0
    for turn in attempts(page):
        pressed += press(page, turn) == "pressed"
        if pressed == presses:
            return


def test_rules_lessons_and_tools_are_read(visit: Visit, host: str) -> None:
    page = visit(host, language="de")
    page.locator("header a[href='#/rules']").click()
    page.locator("a[href='#/rules/kiwara']").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Kiwara")
    page.locator("nav a[href='#scoring'], aside a[href='#scoring'], a[href='#scoring']").first.click()
    assert page.url == f"{host}#/rules/kiwara#scoring"
    expect(page.locator("#scoring")).to_be_in_viewport()
    page.reload()
    expect(page.locator("#scoring")).to_be_in_viewport()
    page.go_back()
    expect(page.locator("a[href='#/rules/kiwara']").first).to_be_visible()
    for path, heading in {"learn/kitara": "Kitara", "real-table": "", "packs": "Kitara", "replay": ""}.items():
        page.goto(f"{host}#/{path}")
        expect(page.get_by_role("heading", level=1)).to_contain_text(heading)
        assert page.get_by_role("alert").all_inner_texts() == []


def test_a_record_is_replayed_and_analysed(visit: Visit, host: str) -> None:
    page = visit(f"{host}#/replay")
    page.get_by_label("Game record").fill(short_record("kiwara"))
    page.get_by_role("button", name="Import", exact=True).click()
    page.wait_for_url(f"{host}#/replay/L*")
    page.locator("svg.board").wait_for()
    panel = page.get_by_role("region", name="Engine")
    panel.get_by_role("switch").check()
    panel.get_by_label("Lines").select_option("3")
    expect(panel.get_by_role("listitem")).to_have_count(3)
    panel.get_by_role("switch").uncheck()
    analyse_and_ask(page)
    assert violations(page) == []


@pytest.mark.parametrize("game", mchezo.games())
def test_a_puzzle_is_opened_and_its_solution_shown(visit: Visit, host: str, game: str) -> None:
    page = visit(f"{host}#/puzzles/{game}")
    page.get_by_role("button", name="Show solution").click()
    expect(page.get_by_role("region", name="Puzzles").get_by_role("status")).to_contain_text("Solution:")
    assert page.get_by_role("alert").all_inner_texts() == []


def test_links_work_in_a_new_tab(visit: Visit, host: str) -> None:
    page = visit(host)
    address = page.locator("a[href='#/new/kitara']").evaluate("link => link.href")
    opened = page.context.new_page()
    opened.goto(address)
    expect(opened.get_by_role("heading", level=1)).to_contain_text("Kitara")
    addresses = page.locator("a").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    assert [one for one in addresses if not one.startswith("#")] == []


def test_nothing_that_needs_a_server_is_offered(visit: Visit, host: str) -> None:
    page = visit(f"{host}#/new/kiwara")
    page.get_by_role("heading", level=1).wait_for()
    assert page.locator("input[value=friend], input[value=open]").count() == 0
    assert violations(page) == []
    page.goto(f"{host}#/settings")
    page.get_by_role("heading", name="Offline").wait_for()
    assert page.get_by_role("heading", level=2).count() == 1
    assert page.get_by_label(re.compile("Chat|phrases")).count() == 0
    assert page.get_by_label("Sound").count() == 1
    assert violations(page) == []
