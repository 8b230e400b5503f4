"""What an eye would catch: nothing too wide, nothing out of sight, nothing that jumps, no empty frame."""

import pytest
from playwright.sync_api import Page, expect

import mchezo
from tests.web.conftest import Visit
from tests.web.player import invite, one_screen
from tests.web.records import reach, set_table

PHONE = {"width": 360, "height": 740}
OPEN = "svg.board [data-place].open"
LAPTOP = {"width": 1280, "height": 800}
PATHS = [
    "/",
    "/rules",
    "/rules/katarenga",
    "/rules/kitara",
    "/learn/kiwara",
    "/statistics",
    "/replay",
    "/real-table",
    "/real-table/clock",
    "/real-table/katarenga",
    "/real-table/kiwara",
    "/real-table/score-kiwara",
    "/real-table/score-kitara",
    "/nowhere",
]


@pytest.mark.parametrize("language", ["de", "fr"])
def test_long_languages_fit_a_small_phone(visit: Visit, language: str) -> None:
    page = visit(viewport=PHONE, language=language)
    for path in PATHS:
        page.goto(path)
        page.locator("main h1").first.wait_for(state="attached")
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path


def deciding(page: Page, game: str, decision: str, **options: object) -> None:
    """A table on one screen at which such a decision is to be made."""

    def wanted(position: mchezo.Position) -> bool:
        return bool(position.view(position.to_move)["decision"] == decision and len(position.legal_moves) > 2)

    table = set_table(page, game, reach(game, wanted, **options), [{"kind": "you"}, {"kind": "you"}])
    page.goto(f"/t/{table['id']}")
    page.locator("svg.board").wait_for()


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
@pytest.mark.parametrize("decision", ["move", "pawns"])
def test_moves_of_kitara_are_ended_without_scrolling(visit: Visit, decision: str, size: dict[str, int]) -> None:
    page = visit(viewport=size)
    deciding(page, "kitara", decision)
    expect(page.locator(".play .primary")).to_be_in_viewport(ratio=1)


def test_the_row_of_cards_stays_where_it_is_while_pawns_move(visit: Visit) -> None:
    page = visit(viewport=LAPTOP)
    deciding(page, "kitara", "draft")
    row = page.get_by_role("group", name="The row of cards")
    drafting = row.bounding_box()
    page.locator("button.paper.open").first.click()
    ending = page.get_by_role("button", name="End the moves")
    for _ in range(20):  # the recruits come first
        page.locator(OPEN).or_(ending).first.wait_for(state="attached")
        if ending.count():
            break
        page.locator(OPEN).first.dispatch_event("click")
    expect(ending).to_be_visible()
    moving = row.bounding_box()
    assert drafting is not None
    assert moving is not None
    assert moving["y"] == drafting["y"]


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_a_turn_is_confirmed_without_scrolling(visit: Visit, size: dict[str, int]) -> None:
    page = visit(viewport=size, confirm="always")
    deciding(page, "katarenga", "move")
    page.locator(OPEN).first.click()
    page.locator("svg.board [aria-label*='can go here'], svg.board [aria-label*='can take here']").first.click()
    expect(page.get_by_role("button", name="Confirm")).to_be_in_viewport(ratio=1)


def test_the_savanna_stays_where_it_is_when_the_totem_is_to_move(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    savanna = page.locator(".play")  # with the hand below it
    deciding(page, "kiwara", "place")
    placing = savanna.bounding_box()
    page.locator("button.animal").first.click()  # a gazelle: nothing follows but the totem
    page.locator(OPEN).first.dispatch_event("click")
    expect(page.locator(".prompt")).to_contain_text("Move the totem")
    assert placing is not None
    assert savanna.bounding_box() == placing


def test_a_drawn_card_shows_its_animal_and_what_it_does(visit: Visit) -> None:
    page = visit(viewport=LAPTOP)
    deciding(page, "kiwara", "keep", reinforcement="pile")
    cards = page.locator("button.helper")
    expect(cards).to_have_count(3)
    assert all(cards.nth(card).locator("svg > *").count() for card in range(3))


def test_black_sees_the_pawns_while_choosing_a_side(visit: Visit) -> None:
    page = visit()
    one_screen(page, "katarenga")
    expect(page.locator("svg.board use[href='#katarenga-black-pawn']")).to_have_count(8)
    page.get_by_role("button", name="Play from this side").click()
    expect(page.locator("svg.board g.pawn")).to_have_count(16)


def test_who_has_no_seat_sees_no_empty_invitation(visit: Visit) -> None:
    host = visit()
    invite(host, "kiwara")
    stranger = visit(host.url)
    waiting = stranger.locator(".waiting")
    expect(waiting.locator("img")).to_be_visible()
    assert waiting.locator("input, button").count() == 0


def test_the_score_of_a_finished_game_is_in_sight(visit: Visit) -> None:
    page = visit(viewport=LAPTOP)
    one_screen(page, "kitara")
    page.get_by_role("button", name="Resign").click()
    page.locator("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator("section.result h2")).to_be_in_viewport(ratio=1)
