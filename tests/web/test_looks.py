"""Layout: nothing is too wide, out of sight, jumping or empty."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

import mchezo
from tests.web.conftest import Visit
from tests.web.player import PRESSABLE, invite, one_screen, press, resign, start
from tests.web.records import reach, set_table
from tests.web.waiting import attempts

pytestmark = pytest.mark.rotating(shares=24)

PHONE = {"width": 360, "height": 740}
OPEN = "svg.board [data-place].open"
LAPTOP = {"width": 1280, "height": 800}
DESKTOP = {"width": 1440, "height": 900}
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


@pytest.mark.rotating(shares=24)
@pytest.mark.parametrize("language", ["de", "fr"])
def test_long_languages_fit_a_small_phone(visit: Visit, language: str) -> None:
    page = visit(viewport=PHONE, language=language)
    for path in PATHS:
        page.goto(path)
        page.locator("main h1").first.wait_for(state="attached")
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path


def deciding(page: Page, game: str, decision: str, **options: object) -> None:
    """Open a table on one screen at which such a decision is due."""

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
    row = page.get_by_role("group", name="Card row")
    drafting = row.bounding_box()
    page.locator("button.paper.open").first.click()
    ending = page.get_by_role("button", name="End turn")
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


def test_kiwaras_cards_are_visible_beside_the_savanna(visit: Visit) -> None:
    page = visit(viewport=DESKTOP)
    deciding(page, "kiwara", "keep", reinforcement="pile")
    for card in page.locator("button.helper").all():
        expect(card).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [DESKTOP, {"width": 390, "height": 844}], ids=["desktop", "phone"])
def test_kitaras_group_picker_covers_no_card(visit: Visit, size: dict[str, int]) -> None:
    page = visit(viewport=size)
    deciding(page, "kitara", "pawns")
    picker = page.locator(".group").bounding_box()
    assert picker is not None
    assert picker["y"] + picker["height"] <= size["height"]
    for card in page.locator(".paper").all():
        box = card.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= picker["y"]


@pytest.mark.parametrize(("game", "decision"), [("katarenga", "move"), ("kiwara", "place"), ("kitara", "move")])
def test_on_a_phone_the_buttons_of_the_table_are_at_the_lower_edge_until_a_turn_is_confirmed(
    visit: Visit, game: str, decision: str
) -> None:
    page = visit(viewport=PHONE, confirm="always")
    deciding(page, game, decision)
    buttons = [page.get_by_role("button", name=name) for name in ("Hint", "Take back move", "Previous move")]
    for button in [*buttons, page.locator(".few summary")]:
        expect(button).to_be_in_viewport(ratio=1)
    page.locator(".few summary").click()
    expect(page.get_by_role("button", name="Keyboard shortcuts")).to_be_in_viewport(ratio=1)
    page.locator(".few summary").click()
    board = page.locator("svg.board").bounding_box()
    for turn in attempts(page):
        if page.locator(".steps").count():
            break
        press(page, turn)
    expect(page.get_by_role("button", name="Undo")).to_be_in_viewport(ratio=1)
    assert page.locator("svg.board").bounding_box() == board


def test_kitaras_legend_is_visible_while_nothing_is_to_be_chosen(visit: Visit) -> None:
    page = visit(viewport=DESKTOP)
    deciding(page, "kitara", "draft")
    expect(page.locator(".legend")).to_be_in_viewport(ratio=1)


SIDEWAYS = {"width": 844, "height": 390}


@pytest.mark.parametrize(
    ("game", "decision", "choices"),
    [
        ("kiwara", "place", "button.animal:enabled"),
        ("kitara", "draft", "button.paper:enabled"),
        ("kitara", "move", ".below button.primary"),
        ("kitara", "pawns", ".below button.primary"),
    ],
)
def test_on_a_phone_held_sideways_what_can_be_chosen_is_beside_the_board(
    visit: Visit, game: str, decision: str, choices: str
) -> None:
    page = visit(viewport=SIDEWAYS)
    deciding(page, game, decision)
    page.locator(choices).first.wait_for()
    for choice in page.locator(choices).all():
        expect(choice).to_be_in_viewport(ratio=0.95)


@pytest.mark.parametrize("size", [DESKTOP, SIDEWAYS], ids=["desktop", "sideways"])
def test_an_invitation_is_sent_without_scrolling(visit: Visit, size: dict[str, int]) -> None:
    page = visit(viewport=size)
    invite(page, "kitara")
    expect(page.locator(".waiting input")).to_be_in_viewport(ratio=1)


def test_an_invitation_is_accepted_without_scrolling(visit: Visit) -> None:
    link = invite(visit(), "kitara")
    guest = visit(viewport=DESKTOP)
    guest.evaluate("() => localStorage.setItem('mchezo', '{}')")
    guest.goto(link)
    expect(guest.locator("form button.primary")).to_be_in_viewport(ratio=1)


def test_badges_of_full_territories_cover_no_animal(visit: Visit) -> None:
    page = visit(viewport=DESKTOP)

    def crowded(position: mchezo.Position) -> bool:
        return len(position.view()["animals"]) > 26

    table = set_table(page, "kiwara", reach("kiwara", crowded), [{"kind": "you"}, {"kind": "you"}])
    page.goto(f"/t/{table['id']}")
    page.locator(".stake").first.wait_for(state="attached")
    # the inner part of a token, in which its animal is drawn, has about two thirds of its width
    covered = page.evaluate("""() => {
      const box = (element) => element.getBoundingClientRect();
      const badges = [...document.querySelectorAll(".stake rect")].map(box);
      return [...document.querySelectorAll(".token use[href^='#kiwara-token']")].map(box).filter((token) => {
        const [x, y, inner] = [token.x + token.width * 0.48, token.y + token.height * 0.48, token.width * 0.33];
        return badges.some((badge) => Math.hypot(
          Math.max(badge.left - x, 0, x - badge.right), Math.max(badge.top - y, 0, y - badge.bottom)) < inner);
      }).length;
    }""")
    assert covered == 0


def test_a_card_of_kitara_can_be_looked_at_closely(visit: Visit) -> None:
    page = visit(viewport=DESKTOP)
    deciding(page, "kitara", "draft")
    page.locator(".slot").last.hover()
    expect(page.locator(".zoom svg")).to_be_visible()
    page.mouse.move(5, 5)
    expect(page.locator(".zoom")).to_have_count(0)


def test_a_card_that_slides_under_the_mouse_covers_nothing(visit: Visit) -> None:
    page = visit(viewport=DESKTOP)
    page.clock.install()
    deciding(page, "kitara", "draft")
    card = page.locator(".paper:enabled").first
    name = card.inner_text()
    card.click()
    expect(page.locator(".paper .hidden").first).not_to_have_text(name)
    page.clock.run_for(5_000)  # longer than a mouse has to rest
    expect(page.locator(".zoom")).to_have_count(0)


def test_on_a_phone_black_takes_a_side_without_scrolling(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    one_screen(page, "katarenga")
    choices = page.get_by_role("button", name="Play from this side")
    expect(choices).to_be_in_viewport(ratio=1)
    corner, choice = page.locator("svg.board [data-place=a1]").bounding_box(), choices.bounding_box()
    assert corner is not None
    assert choice is not None
    assert corner["y"] + corner["height"] <= choice["y"]


def test_black_sees_the_pawns_while_choosing_a_side(visit: Visit) -> None:
    page = visit()
    one_screen(page, "katarenga")
    expect(page.locator("svg.board use[href='#katarenga-black-pawn']")).to_have_count(8)
    page.get_by_role("button", name="Play from this side").click()
    expect(page.locator("svg.board g.pawn")).to_have_count(16)


def test_a_visitor_without_a_seat_sees_no_empty_invitation(visit: Visit) -> None:
    host = visit()
    invite(host, "kiwara")
    stranger = visit(host.url)
    waiting = stranger.locator(".waiting")
    expect(waiting.locator("img")).to_be_visible()
    assert waiting.locator("input, button").count() == 0


def test_the_score_of_a_finished_game_is_visible(visit: Visit) -> None:
    page = visit(viewport=LAPTOP)
    one_screen(page, "kitara")
    resign(page)
    expect(page.locator(".overlay h2")).to_be_in_viewport(ratio=1)


# The layout shift of a page so far, without what follows an input, as browsers measure it.
SHIFT = """() => new Promise((resolve) => new PerformanceObserver((list) => resolve(
  list.getEntries().reduce((sum, one) => sum + (one.hadRecentInput ? 0 : one.value), 0)
)).observe({ type: "layout-shift", buffered: true }) ?? setTimeout(() => resolve(0), 300))"""


@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
def test_nothing_jumps_while_a_game_is_opened_and_played(visit: Visit, game: str) -> None:
    page = visit(viewport={"width": 1280, "height": 800})
    start(page, game)
    page.reload()
    page.locator(PRESSABLE).first.wait_for(state="attached")
    assert page.evaluate(SHIFT) < 0.02
    board, others = page.locator("svg.board"), page.locator(".others")
    places = board.bounding_box(), others.bounding_box()
    for turn in range(8):
        page.locator(PRESSABLE).first.wait_for(state="attached")
        press(page, turn)
        assert board.bounding_box() == places[0]
        if game != "kitara":  # whose kingdoms grow
            assert others.bounding_box() == places[1]
    if game != "kitara":  # whose cards move up, here without an animation
        assert page.evaluate(SHIFT) < 0.02


def test_nothing_jumps_on_the_home_page(visit: Visit) -> None:
    page = visit(viewport={"width": 1280, "height": 800})
    page.reload()
    page.locator(".beside").wait_for()
    page.wait_for_load_state("networkidle")
    assert page.evaluate(SHIFT) < 0.005


def test_on_a_tablet_held_upright_the_savanna_takes_the_width(visit: Visit) -> None:
    page = visit(viewport={"width": 768, "height": 1024})
    start(page, "kiwara")
    board, hand = (page.locator(one).bounding_box() for one in ("svg.board", ".hand"))
    assert board is not None
    assert hand is not None
    assert board["width"] > 700
    assert hand["y"] > board["y"] + board["height"]
    assert hand["y"] + hand["height"] <= 1024


def test_with_four_players_buttons_and_log_are_visible_and_kingdoms_unfold(visit: Visit) -> None:
    page = visit(viewport=DESKTOP)
    record = reach("kitara", lambda position: position.to_move == 0 and len(position.moves) > 80, players=4)
    seats: list[dict[str, Any]] = [{"kind": "you"}, *[{"kind": "computer", "level": 1}] * 3]
    page.goto(f"/t/{set_table(page, 'kitara', record, seats)['id']}")
    expect(page.locator(".own table")).to_be_visible()
    expect(page.locator(".few .menu summary")).to_be_in_viewport(ratio=1)
    expect(page.locator("section.log li").first).to_be_in_viewport(ratio=1)
    kingdom = page.locator(".others .kingdom").first
    expect(kingdom.locator("td").first).not_to_be_in_viewport()
    kingdom.get_by_role("button", name="Kingdom").click()
    expect(kingdom.locator("td").first).to_be_in_viewport()


def test_a_lesson_begins_without_scrolling_on_a_phone_held_sideways(visit: Visit) -> None:
    page = visit("/learn/kiwara", viewport={"width": 844, "height": 390})
    expect(page.locator(".intro button.primary")).to_be_in_viewport(ratio=1)
