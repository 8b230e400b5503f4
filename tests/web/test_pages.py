"""Pages: accessibility, light and dark, wide and narrow; the board editors."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.axe import violations
from tests.web.conftest import Visit
from tests.web.player import one_screen, resign

pytestmark = pytest.mark.rotating(shares=24)


@pytest.mark.rotating(shares=24)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    "path", ["/", "/settings", "/packs", "/new/katarenga", "/new/kiwara", "/new/kitara", "/nowhere"]
)
def test_pages_have_no_accessibility_violations(visit: Visit, path: str, theme: str) -> None:
    page = visit(path, color_scheme=theme)
    page.locator("h1").first.wait_for(state="attached")
    page.wait_for_load_state("networkidle")
    assert violations(page) == []


@pytest.mark.rotating(shares=24)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
def test_tables_have_no_accessibility_violations(visit: Visit, game: str, theme: str) -> None:
    page = visit(color_scheme=theme)
    one_screen(page, game)
    assert violations(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_editors_have_no_accessibility_violations(visit: Visit, theme: str) -> None:
    page = visit("/new/katarenga", color_scheme=theme)
    page.get_by_text("Build your own").click()
    page.locator(".tiles").wait_for()
    assert violations(page) == []
    page.goto("/new/kiwara")
    page.get_by_text("Draw your own").click()
    page.locator("svg.board [data-place]").first.wait_for()
    assert violations(page) == []


@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
def test_nothing_is_wider_than_a_small_phone(visit: Visit, game: str) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    for path in ("/", "/settings", "/packs", f"/new/{game}"):
        page.goto(path)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    one_screen(page, game)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("width", [360, 1280])
def test_a_mixed_table_has_no_accessibility_violations_and_fits(visit: Visit, width: int) -> None:
    page = visit("/new/kitara", viewport={"width": width, "height": 740})
    mixed(page, 4)
    page.locator("input[name=clock][value=custom]").check()
    page.get_by_text("Different time for each player").click()
    page.locator("input[name=pack][value=own]").check()
    page.locator("input[type=file]").wait_for()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def mixed(page: Page, players: int) -> None:
    page.get_by_text("Custom seats").click()
    page.locator(f"input[name=players][value='{players}']").check()


def test_people_computers_and_open_seats_sit_at_one_table_each_with_their_own_clock(visit: Visit) -> None:
    page = visit("/new/kitara")
    mixed(page, 4)
    colours = ["Red", "Blue", "Black", "White"]
    for colour, sitter in zip(colours, ["3", "you", "open", "1"], strict=True):
        page.get_by_label(f"Player for {colour}").select_option(sitter)
    page.locator("input[name=clock][value=custom]").check()
    page.get_by_text("Different time for each player").click()
    for colour, (minutes, seconds) in zip(colours, [("", "0"), ("12", "7"), ("25", "0"), ("3", "1")], strict=True):
        row = page.get_by_role("group", name=colour, exact=True)
        row.get_by_label("Minutes").fill(minutes)
        row.get_by_label("Seconds per turn").fill(seconds)
    page.get_by_role("button", name="Create game").click()
    friend = visit(page.locator(".waiting input").input_value())
    friend.locator("svg.board").wait_for()
    shown = friend.locator("article.player").all_inner_texts()
    assert len(shown) == 4
    table = friend.request.get(f"/api/tables/{friend.url.rsplit('/', 1)[1]}").json()
    assert [seat["player"]["level"] for seat in table["seats"]] == [3, None, None, 1]
    assert table["clock"]["left"][0] is None
    assert table["clock"]["increment"][1:] == [7000, 0, 1000]
    assert [round(left / 60_000) for left in table["clock"]["left"][1:]] == [12, 25, 3]
    assert table["you"] == [2]


PACK = (Path(__file__).parents[2] / "src/mchezo/games/kitara/packs/reconstruction.toml").read_text("utf-8")


def test_an_own_pack_is_uploaded_and_played_with(visit: Visit) -> None:
    page = visit("/new/kitara", forgiven="400")
    page.locator("input[name=pack][value=own]").check()
    start = page.get_by_role("button", name="Start game", exact=True)
    expect(start).to_be_disabled()
    bring(page, PACK.replace('"D1A1M1"', '"D1Q1M1"', 1))
    expect(page.get_by_role("alert").first).to_contain_text("decks.blue 1.3: D1Q1M1 is not a card")
    expect(start).to_be_disabled()
    own = PACK.replace('name = "Reconstruction"', 'name = "Ada / box"').replace("D1W1M1", "D1W2M1")
    bring(page, own[: own.index("[maps.4]")])
    expect(page.get_by_text("Ada / box: ready to play.")).to_be_visible()
    assert page.locator("input[name=players]").evaluate_all("all => all.map((one) => one.value)") == ["2", "3"]
    page.get_by_text("Same screen").click()
    start.click()
    page.wait_for_url("**/t/*")
    page.locator("svg.board [data-place].open").first.wait_for(state="attached")
    expect(page.locator("aside")).to_contain_text("Ada / box")
    page.reload()
    page.locator("svg.board [data-place].open").first.wait_for(state="attached")
    record = page.request.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}/record").text()
    assert '[pack "Ada / box#' in record


def bring(page: Page, text: str) -> None:
    page.locator("input[type=file]").set_input_files(
        {"name": "mine.toml", "mimeType": "text/plain", "buffer": text.encode()}
    )


def test_the_note_on_the_reconstruction_leads_to_the_template(visit: Visit) -> None:
    page = visit()
    one_screen(page, "kitara")
    page.get_by_role("link", name="Use the cards from your box").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download empty pack").click()
    assert "[tokens]" in download.value.path().read_text("utf-8")


def test_a_match_of_katarenga_shows_its_score_and_goes_on_with_revenge(visit: Visit) -> None:
    page = visit("/new/katarenga")
    page.get_by_text("Same screen").click()
    page.get_by_text("Games are played in pairs").click()
    page.get_by_text("Black chooses a side").click()
    page.get_by_role("button", name="Start game", exact=True).click()
    expect(page.get_by_text("Match, game 1")).to_be_visible()
    resign(page)
    expect(page.locator(".match")).to_contain_text("Black 1")
    page.get_by_role("link", name="Next game").click()
    expect(page.get_by_text("Match, game 2")).to_be_visible()


def test_a_game_begins_from_a_given_position(visit: Visit) -> None:
    page = visit("/new/kiwara", forgiven="400")
    page.get_by_text("Same screen").click()
    page.get_by_text("Start from a position").click()
    field = page.get_by_label("Position", exact=True)
    field.fill("nonsense")
    expect(page.get_by_role("alert")).to_be_visible()
    field.fill("2c3/2E3/1Z*l1g1/1Z1g2/2z3 14 y - vulture boa - boa:c4")
    expect(page.get_by_role("alert")).to_be_hidden()
    page.get_by_role("button", name="Start game", exact=True).click()
    page.wait_for_url("**/t/*")
    expect(page.locator("svg.board g.token")).to_have_count(9)  # eight animals and the totem


@pytest.mark.parametrize(("width", "height"), [(360, 640), (1280, 800), (3840, 2160)])
@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
def test_the_board_is_as_large_as_the_window_allows(visit: Visit, game: str, width: int, height: int) -> None:
    page = visit(viewport={"width": width, "height": height})
    one_screen(page, game)
    page.wait_for_url("**/t/*")
    box = page.locator("svg.board").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] + box["height"] <= height  # seen whole
    assert box["width"] > 0.9 * width or box["height"] > 0.5 * height


def test_a_katarenga_board_is_built_by_turning_flipping_dragging_and_by_its_code(visit: Visit) -> None:
    page = visit("/new/katarenga")
    page.get_by_text("Build your own").click()
    code = page.locator("input[size='9']")
    code.fill("A0B0C0D0")
    tile = page.get_by_role("group", name="in corner a8")
    tile.get_by_role("button", name="Rotate").click()
    expect(code).to_have_value("A1B0C0D0")
    tile.get_by_role("button", name="Flip").click()
    expect(code).to_have_value("a1B0C0D0")
    page.locator("[data-corner='0'] .face").drag_to(page.locator("[data-corner='3'] .face"))
    expect(code).to_have_value("D0B0C0a1")
    page.locator("input[value=screen]").check()
    page.get_by_text("Black chooses a side").click()
    page.get_by_role("button", name="Start game", exact=True).click()
    # a8 is the first square of tile D: red
    expect(page.locator("svg.board [data-place=a8]")).to_have_attribute("aria-label", "a8, red, rook, black pawn")


def test_a_savanna_is_drawn_by_clicking_edges_and_checked_on_the_way(visit: Visit) -> None:
    page = visit("/new/kiwara")
    page.get_by_text("Draw your own").click()
    expect(page.get_by_text("ready to play")).to_be_visible()
    start = page.get_by_role("button", name="Start game", exact=True)
    page.get_by_role("button", name="Clear all rivers").click()
    expect(page.get_by_text("0 of 6 territories fit")).to_be_visible()
    page.get_by_role("button", name="Classic").click()
    expect(page.get_by_text("ready to play")).to_be_visible()
    page.locator("[data-place='a1-b1']").dispatch_event("click")  # the river is lifted
    expect(page.get_by_text("ready to play")).to_be_hidden()
    expect(start).to_be_disabled()
    page.locator("[data-place='a1-b1']").dispatch_event("click")
    expect(page.get_by_text("ready to play")).to_be_visible()
    expect(start).to_be_enabled()


def test_settings_change_the_language_at_once_and_are_stored(visit: Visit) -> None:
    page = visit("/settings")
    page.locator("select").select_option("nl")
    expect(page.get_by_role("heading", name="Instellingen")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Instellingen")).to_be_visible()


def test_full_patterns_are_an_option_that_also_changes_the_legend(visit: Visit) -> None:
    page = visit("/settings")
    tiles, legend = page.locator("svg.board use[href^='#katarenga-patterned']"), page.locator(".legend use").first
    one_screen(page, "katarenga")
    page.get_by_role("button", name="Play from this side").click()
    expect(legend).to_have_attribute("href", "#katarenga-red-sign")
    assert tiles.count() == 0
    page.goto("/settings")
    page.get_by_text("Full patterns").click()
    page.go_back()
    expect(legend).to_have_attribute("href", "#katarenga-patterned-red")
    assert tiles.count() == 64


def test_choosing_a_pawn_shows_where_it_can_go_and_what_follows(visit: Visit) -> None:
    page = visit("/new/katarenga")
    page.get_by_text("Build your own").click()
    page.locator("input[size='9']").fill("b0d3a0c3")
    page.get_by_text("Black chooses a side").click()
    page.locator("input[value=screen]").check()
    page.get_by_role("button", name="Start game", exact=True).click()
    page.locator("[data-place=c1].open").click()
    targets = page.locator("svg.board .spot, svg.board .take")
    assert targets.count() > 0
    page.locator("[data-place].open[aria-label*='can go here']").first.hover()
    expect(page.locator("svg.board path.next").first).to_be_attached()


@pytest.mark.parametrize("id", ["aaaaaaaaaaaa", "nonsense"])
def test_a_table_that_does_not_exist_is_reported_as_missing(visit: Visit, id: str) -> None:
    page = visit(f"/t/{id}")
    expect(page.get_by_role("heading", name="Table not found")).to_be_visible()


def test_the_board_of_katarenga_comes_in_few_files(visit: Visit) -> None:
    page = visit()
    page.locator("[data-game=katarenga] button.primary").click()
    page.locator("svg.board").wait_for()
    scripts = page.evaluate(
        "performance.getEntriesByType('resource').filter((one) => one.name.endsWith('.js')).map((one) => one.name)"
    )
    assert 0 < len(scripts) < 25
    assert not any(other in name for name in scripts for other in ("Savanna", "Editor", "Setup"))
