"""Pages as everybody meets them: reachable for all, in light and dark, wide and narrow; the editors of boards."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Visit

AXE = (Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


def violations(page: Page) -> list[str]:
    page.evaluate(AXE)
    found = page.evaluate("axe.run({ resultTypes: ['violations'] })")
    return [f"{one['id']}: {node['html'][:120]}" for one in found["violations"] for node in one["nodes"]]


def one_screen(page: Page, game: str) -> None:
    page.goto(f"/new/{game}")
    page.locator("input[value=screen]").check()
    page.locator("form button.primary").click()
    page.locator("svg.board").wait_for()
    page.wait_for_timeout(300)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/settings", "/new/katarenga", "/new/kiwara", "/new/kitara", "/nowhere"])
def test_pages_have_no_accessibility_violations(visit: Visit, path: str, theme: str) -> None:
    page = visit(path, color_scheme=theme)
    page.locator("h1").first.wait_for(state="attached")
    page.wait_for_timeout(400)
    assert violations(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
def test_tables_have_no_accessibility_violations(visit: Visit, game: str, theme: str) -> None:
    page = visit(color_scheme=theme)
    one_screen(page, game)
    assert violations(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_editors_have_no_accessibility_violations(visit: Visit, theme: str) -> None:
    page = visit("/new/katarenga", color_scheme=theme)
    page.get_by_text("Build it").click()
    page.locator(".tiles").wait_for()
    assert violations(page) == []
    page.goto("/new/kiwara")
    page.get_by_text("Draw your own").click()
    page.locator("svg.board [data-place]").first.wait_for()
    assert violations(page) == []


@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
def test_nothing_is_wider_than_a_small_phone(visit: Visit, game: str) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    for path in ("/", "/settings", f"/new/{game}"):
        page.goto(path)
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    one_screen(page, game)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_katarenga_board_is_built_by_turning_flipping_dragging_and_by_its_code(visit: Visit) -> None:
    page = visit("/new/katarenga")
    page.get_by_text("Build it").click()
    code = page.locator("input[size='9']")
    code.fill("A0B0C0D0")
    tile = page.get_by_role("group", name="in the corner a8")
    tile.get_by_role("button", name="Turn").click()
    expect(code).to_have_value("A1B0C0D0")
    tile.get_by_role("button", name="Flip").click()
    expect(code).to_have_value("a1B0C0D0")
    page.locator("[data-corner='0'] .face").drag_to(page.locator("[data-corner='3'] .face"))
    expect(code).to_have_value("D0B0C0a1")
    page.locator("input[value=screen]").check()
    page.get_by_text("Black chooses the side").click()
    page.get_by_role("button", name="Start").click()
    # a8 is the first square of tile D: red
    expect(page.locator("svg.board [data-place=a8]")).to_have_attribute("aria-label", "a8, red, rook, black pawn")


def test_a_savanna_is_drawn_by_clicking_edges_and_judged_on_the_way(visit: Visit) -> None:
    page = visit("/new/kiwara")
    page.get_by_text("Draw your own").click()
    expect(page.get_by_text("this board can be played")).to_be_visible()
    start = page.get_by_role("button", name="Start", exact=True)
    page.get_by_role("button", name="Start with no rivers").click()
    expect(page.get_by_text("Territories so far: 0 of 6")).to_be_visible()
    page.get_by_role("button", name="Classic").click()
    expect(page.get_by_text("this board can be played")).to_be_visible()
    page.locator("[data-place='a1-b1']").dispatch_event("click")  # the river is lifted
    expect(page.get_by_text("this board can be played")).to_be_hidden()
    expect(start).to_be_disabled()
    page.locator("[data-place='a1-b1']").dispatch_event("click")
    expect(page.get_by_text("this board can be played")).to_be_visible()
    expect(start).to_be_enabled()


def test_settings_change_the_language_at_once_and_are_kept(visit: Visit) -> None:
    page = visit("/settings")
    page.locator("select").select_option("nl")
    expect(page.get_by_role("heading", name="Instellingen")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Instellingen")).to_be_visible()


def test_colours_without_patterns_if_somebody_likes_that_better(visit: Visit) -> None:
    page = visit("/settings")
    page.get_by_text("Patterns on colours").click()
    one_screen(page, "katarenga")
    assert page.locator("svg.board use[href='#katarenga-red']").count() == 0


def test_choosing_a_pawn_shows_where_it_can_go_and_what_comes_then(visit: Visit) -> None:
    page = visit("/new/katarenga")
    page.get_by_text("Build it").click()
    page.locator("input[size='9']").fill("b0d3a0c3")
    page.get_by_text("Black chooses the side").click()
    page.locator("input[value=screen]").check()
    page.get_by_role("button", name="Start").click()
    page.locator("[data-place=c1].open").click()
    targets = page.locator("svg.board .spot, svg.board .take")
    assert targets.count() > 0
    page.locator("[data-place].open[aria-label*='can go here']").first.hover()
    expect(page.locator("svg.board path.next").first).to_be_attached()


@pytest.mark.parametrize("id", ["aaaaaaaaaaaa", "nonsense"])
def test_a_table_that_does_not_exist_is_said_to_be_gone(visit: Visit, id: str) -> None:
    page = visit(f"/t/{id}")
    expect(page.get_by_role("heading", name="This table does not exist")).to_be_visible()


def test_the_board_of_katarenga_comes_in_few_files(visit: Visit) -> None:
    page = visit()
    page.locator("[data-game=katarenga] button.primary").click()
    page.locator("svg.board").wait_for()
    scripts = page.evaluate(
        "performance.getEntriesByType('resource').filter((one) => one.name.endsWith('.js')).map((one) => one.name)"
    )
    assert 0 < len(scripts) < 25
    assert not any(other in name for name in scripts for other in ("Savanna", "Editor", "Setup"))
