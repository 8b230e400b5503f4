"""The table page while a game is played: no click gets stuck, and everything that happens is shown."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import mchezo
from tests.web.axe import violations
from tests.web.conftest import Visit
from tests.web.player import LOG, PRESS, choose_from_menu, resign
from tests.web.records import reach, set_table
from tests.web.waiting import attempts

pytestmark = pytest.mark.rotating(shares=24)

OPEN = "svg.board [data-place].open"


def test_a_step_played_while_the_last_one_is_still_moving_leaves_the_board_open(visit: Visit) -> None:
    yellow = visit()
    plan = {"game": "kiwara", "seats": [{"kind": "you"}, {"kind": "open"}], "lot": False}
    yellow.request.get("/api/me")  # for the cookie
    made = yellow.request.post("/api/tables", data=plan, headers={"Origin": yellow.evaluate("location.origin")}).json()
    red = visit(speed=0.05)  # so slow that the totem is still on its way
    red.clock.install()
    red.goto(f"/join/{made['id']}/{made['table']['keys']['1']}")
    red.locator("svg.board").wait_for()
    yellow.goto(f"/t/{made['id']}")
    yellow.locator(OPEN).first.dispatch_event("click")  # sets the totem: a turn of one step
    red.locator(OPEN).first.dispatch_event("click")  # places an animal
    expect(red.locator("svg.board g.token")).to_have_count(2)
    red.clock.run_for(60_000)  # every animation has ended
    expect(red.locator(OPEN).first).to_be_attached()  # the stones for the totem
    red.locator(OPEN).first.dispatch_event("click")
    expect(red.locator(LOG)).to_have_count(5)


def against_the_computer(page: Page, game: str, seat: int = 0, **options: Any) -> None:
    """Open a table against the weakest computer."""
    seats: list[dict[str, Any]] = [{"kind": "computer", "level": 1}]
    seats.insert(seat, {"kind": "you"})
    create(page, {"game": game, "seats": seats, "lot": False, **options})


def create(page: Page, plan: dict[str, Any]) -> None:
    page.request.get("/api/me")  # for the cookie
    made = page.request.post("/api/tables", data=plan, headers={"Origin": page.evaluate("location.origin")})
    assert made.ok, made.text()
    page.goto(f"/t/{made.json()['id']}")
    page.locator(".middle svg.board, .waiting").first.wait_for()


def requests_of(page: Page) -> list[dict[str, Any]]:
    """Record what the page sends over its socket."""
    sent: list[dict[str, Any]] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(json.loads(frame))))
    return sent


def make_a_move(page: Page) -> None:
    page.locator(OPEN).first.dispatch_event("click")
    page.locator(f"{OPEN}[aria-label*='can go here']").first.dispatch_event("click")


WITHOUT_CHOICE: dict[str, Any] = {"options": {"choose_baseline": False}}


def test_a_move_of_katarenga_is_one_request(visit: Visit) -> None:
    page = visit()
    sent = requests_of(page)
    against_the_computer(page, "katarenga", **WITHOUT_CHOICE)
    page.wait_for_load_state("networkidle")
    for _ in attempts(page):  # what every move would do is known
        if any(asked["type"] == "try" for asked in sent):
            break
    page.locator(OPEN).first.hover()
    sent.clear()
    make_a_move(page)
    expect(page.locator(LOG)).to_have_count(3)
    kinds = [asked["type"] for asked in sent if asked["type"] != "pong"]
    assert kinds[0] == "move"
    assert kinds.count("move") == 1
    assert [asked for asked in sent if asked["type"] == "try" and asked["moves"]] == []


def test_stepping_back_asks_the_server_nothing(visit: Visit) -> None:
    page = visit()
    sent = requests_of(page)
    against_the_computer(page, "kiwara", seat=1)
    page.locator(OPEN).first.dispatch_event("click")
    expect(page.locator(".steps button").first).to_be_visible()
    sent.clear()
    page.locator(".steps button").first.click()
    expect(page.locator(".steps button")).to_have_count(0)
    assert [asked for asked in sent if asked["type"] != "pong"] == []
    expect(page.locator(OPEN).first).to_be_attached()


def test_moves_are_told_one_after_the_other_and_the_panel_follows(visit: Visit) -> None:
    page = visit(speed=0.02)  # so slow that nothing happens by itself
    against_the_computer(page, "kiwara", seat=1)
    told = page.locator(".told")
    page.locator(OPEN).first.dispatch_event("click")
    page.locator(f"{OPEN}").first.dispatch_event("click")
    expect(told).to_contain_text("Red")  # first the totem you set yourself
    expect(page.locator(".others .active")).to_have_count(1)
    expect(page.locator(LOG).last).to_contain_text("Red")
    page.keyboard.press("Escape")
    expect(told).to_contain_text("Yellow")
    for _ in attempts(page):  # both decisions of its turn, should they come one by one
        if page.locator(".own .active").count():
            break
        page.keyboard.press("Escape")
    expect(page.locator(LOG).last).to_contain_text("Yellow")


def test_the_verdict_comes_after_the_last_move(visit: Visit) -> None:
    record = reach("katarenga", lambda position: bool(wins(position)), board=BOARD)
    page = visit(speed=0.02)
    position = mchezo.Record.parse(record).replay()
    assert position.to_move is not None
    seats: list[dict[str, Any]] = [{"kind": "you"}, {"kind": "you"}]
    page.goto(f"/t/{set_table(page, 'katarenga', record, seats)['id']}")
    winning = wins(position)
    assert winning is not None
    origin, to = winning
    page.locator(f"svg.board [data-place='{origin}'].open").dispatch_event("click")
    page.locator(f"svg.board [data-place='{to}'].open").dispatch_event("click")
    expect(page.locator(".told")).not_to_be_empty()
    expect(page.locator(".overlay")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".overlay h2")).to_be_visible()


BOARD = "RGBYRGBY/" * 7 + "RGBYRGBY"


def wins(position: mchezo.Position) -> tuple[str, str] | None:
    """Return origin and target of a move that ends the game."""
    for move in position.legal_moves:
        after = position.copy()
        after.play(move)
        if after.to_move is None:
            origin, target = re.split("[-x]", move)
            return origin, target
    return None


def test_computers_of_one_level_are_told_apart(visit: Visit) -> None:
    page = visit(speed=0.02)
    seats = [{"kind": "you"}, *[{"kind": "computer", "level": 1}] * 3]
    create(page, {"game": "kitara", "seats": seats, "options": {"players": 4}, "lot": False})
    expect(page.locator(".told")).to_be_empty()  # the cards of the start can be seen
    page.locator(OPEN).first.dispatch_event("click")
    expect(page.locator(".prompt")).to_contain_text("Blue (computer, level 1)")
    page.goto("/")
    expect(page.locator(".tables .who").first).to_contain_text("Black (computer, level 1)")


def test_a_draft_is_confirmed_as_a_step_and_not_as_a_turn(visit: Visit) -> None:
    page = visit(confirm="always")
    against_the_computer(page, "kitara", options={"players": 2})
    page.locator(OPEN).first.dispatch_event("click")  # the start
    page.locator(".steps .primary").click()
    page.locator(".paper:enabled").first.click()
    expect(page.locator(".prompt")).to_have_text("Confirm? You can't undo this later.")
    page.locator(".steps .primary").click()
    expect(page.locator(".prompt")).to_contain_text("Place your recruits")


def test_kitara_warns_before_a_turn_ends_with_unfed_cards(visit: Visit) -> None:
    def hungry(position: mchezo.Position) -> bool:
        view = position.view(0)
        forecast = view["forecast"][0]
        return bool(position.to_move == 0 and view["decision"] == "move" and forecast["fed"] < forecast["cards"])

    page = visit()
    record = reach("kitara", hungry, players=2)
    page.goto(f"/t/{set_table(page, 'kitara', record, [{'kind': 'you'}, {'kind': 'you'}])['id']}")
    expect(page.locator(".below")).to_contain_text("Cards you must discard if you end now")


def test_a_hint_on_a_stone_is_not_clipped(visit: Visit) -> None:
    page = visit()
    against_the_computer(page, "kiwara")
    page.locator(OPEN).first.wait_for(state="attached")
    page.get_by_role("button", name="Hint").click()
    page.locator("circle.hint").wait_for(state="attached")
    outside = page.evaluate("""() => {
      const box = (one) => document.querySelector(one).getBoundingClientRect();
      const [ring, board] = [box("circle.hint"), box("svg.board")];
      const beside = [board.left - ring.left, board.top - ring.top];
      return Math.max(...beside, ring.right - board.right, ring.bottom - board.bottom);
    }""")
    assert outside <= 0


def test_players_look_back_and_return(visit: Visit) -> None:
    page = visit()
    against_the_computer(page, "katarenga", **WITHOUT_CHOICE)
    pawns = page.locator("svg.board [aria-label*=pawn]")
    standing = "all => all.map((one) => one.dataset.place).sort()"
    before = pawns.evaluate_all(standing)
    make_a_move(page)
    expect(page.locator(LOG)).to_have_count(3)
    page.locator(OPEN).first.wait_for(state="attached")
    now = pawns.evaluate_all(standing)
    for _ in range(2):
        page.locator("body").press(",")
        page.locator(".now").wait_for()
        page.wait_for_load_state("networkidle")
    expect(page.locator(".prompt")).to_contain_text("0 of 2")
    assert pawns.evaluate_all(standing) == before
    assert page.locator(OPEN).count() == 0
    page.locator(".now").click()
    expect(page.locator(OPEN).first).to_be_attached()
    assert pawns.evaluate_all(standing) == now


def test_the_result_offers_a_rematch_first_and_shows_no_points_after_a_resignation(visit: Visit) -> None:
    page = visit()
    against_the_computer(page, "kiwara", seat=1)
    resign(page)
    overlay = page.locator(".overlay")
    expect(overlay.locator("h2")).to_be_in_viewport(ratio=1)
    expect(overlay.locator("table")).to_have_count(0)
    offered = overlay.locator(".after > *")
    expect(offered.first).to_have_class(re.compile("primary"))
    assert (offered.nth(1).get_attribute("href") or "").startswith("/replay/")
    overlay.locator("button.quiet").click()
    expect(overlay).to_have_count(0)
    expect(page.locator("section.result h2")).to_be_visible()


def test_the_score_is_counted_up_line_by_line(visit: Visit) -> None:
    record = reach("kiwara", lambda position: len(position.legal_moves) > 1 and bool(last_choice(position)))
    page = visit(speed=0.02)
    page.goto(f"/t/{set_table(page, 'kiwara', record, [{'kind': 'you'}, {'kind': 'you'}])['id']}")
    overlay = page.locator(".overlay")
    for _ in attempts(page):
        if overlay.count():
            break
        page.evaluate(PRESS, 0.3)
        page.keyboard.press("Escape")
    expect(overlay.locator("tr.pending").first).to_be_attached()
    assert violations(page) == []


def last_choice(position: mchezo.Position) -> bool:
    """Return whether few spaces are left."""
    return len(position.view(None)["animals"]) >= 29


def test_the_keys_are_explained_and_zen_mode_hides_what_is_not_needed(visit: Visit) -> None:
    page = visit()
    against_the_computer(page, "kiwara", seat=1)
    page.locator("body").press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Keyboard shortcuts")
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.locator("body").press("z")
    expect(page.locator("section.log")).to_be_hidden()
    expect(page.locator("svg.board")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("section.log")).to_be_visible()


def test_zen_mode_ends_where_it_began(visit: Visit) -> None:
    page = visit()
    against_the_computer(page, "kiwara", seat=1)
    choose_from_menu(page, "Zen mode")  # a touch screen has no keys
    expect(page.locator("section.log")).to_be_hidden()
    choose_from_menu(page, "Leave zen mode")
    expect(page.locator("section.log")).to_be_visible()


def test_how_a_pawn_moves_is_said_in_the_first_turns_only(visit: Visit) -> None:
    page = visit()
    against_the_computer(page, "katarenga", **WITHOUT_CHOICE)
    expect(page.locator(".prompt")).to_contain_text("The colour under the pawn")
    record = reach("katarenga", lambda position: position.to_move == 0 and len(position.moves) > 8, board=BOARD)
    page.goto(f"/t/{set_table(page, 'katarenga', record, [{'kind': 'you'}, {'kind': 'computer', 'level': 1}])['id']}")
    expect(page.locator(".prompt")).to_have_text("Choose a pawn, then a highlighted square.")


def test_on_one_screen_the_board_stays_as_it_is_unless_the_players_want_it_to_turn(visit: Visit) -> None:
    page = visit()
    seats = [{"kind": "you"}, {"kind": "you"}]
    create(page, {"game": "katarenga", "seats": seats, "lot": False, **WITHOUT_CHOICE})
    corner = page.locator("svg.board [data-place=a1]")
    before = corner.bounding_box()
    make_a_move(page)
    expect(page.locator(LOG)).to_have_count(2)
    page.locator(OPEN).first.wait_for(state="attached")
    assert corner.bounding_box() == before
    page.locator(".menu summary").click()
    page.locator(".menu input").check()
    for _ in attempts(page):
        if corner.bounding_box() != before:
            break


def test_no_side_is_promised_before_it_is_drawn(visit: Visit) -> None:
    page = visit()
    create(page, {"game": "kiwara", "seats": [{"kind": "you"}, {"kind": "open"}], "lot": True})
    players = page.locator(".player")
    expect(players).to_have_count(2)
    for words in players.all_inner_texts():
        assert "Yellow" not in words
        assert "Red" not in words


def test_an_illegal_move_is_explained(visit: Visit) -> None:
    page = visit()
    against_the_computer(page, "katarenga", **WITHOUT_CHOICE)
    prompt = page.locator(".prompt").inner_text()
    page.locator("svg.board [data-place=a1].open").dispatch_event("click")
    page.locator("svg.board [data-place=h8]").dispatch_event("click")
    expect(page.locator(".prompt")).not_to_have_text(prompt)
    expect(page.locator(".prompt")).not_to_be_empty()


SIZES = {"phone": (360, 740), "sideways": (844, 390), "tablet": (768, 1024), "laptop": (1440, 900)}


@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
def test_the_board_fits_every_screen(visit: Visit, game: str) -> None:
    page = visit()
    against_the_computer(page, game)
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("svg.board")).to_be_in_viewport(ratio=0.99)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 360, "height": 740})
    above, board, below = (page.locator(one).bounding_box() for one in (".others", "svg.board", ".own"))
    assert above is not None
    assert board is not None
    assert below is not None
    assert above["y"] < board["y"] < below["y"]
    assert board["width"] > 320


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_table_has_no_accessibility_violations(visit: Visit, theme: str) -> None:
    page = visit(color_scheme=theme)
    against_the_computer(page, "kitara")
    page.locator(OPEN).first.wait_for(state="attached")
    page.locator(".menu summary").click()
    assert violations(page) == []
    page.locator(".menu .danger").click()
    page.locator("dialog .danger").click()
    page.locator(".overlay h2").wait_for()
    assert violations(page) == []


def test_a_clock_below_ten_seconds_warns(visit: Visit) -> None:
    page = visit()
    clock = {"milliseconds": 3_600_000, "increment": 0}
    seats = [{"kind": "you", "clock": {"milliseconds": 9_500, "increment": 0}}, {"kind": "you", "clock": clock}]
    create(page, {"game": "katarenga", "seats": seats, "lot": False, **WITHOUT_CHOICE})
    expect(page.locator(".clock.short")).to_have_count(1)  # no clock runs before the first move
    expect(page.locator(".clock:not(.short)")).to_have_count(1)
