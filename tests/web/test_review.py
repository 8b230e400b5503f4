"""Mistakes of a game as exercises, and positions below the pointer on the graph."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import mchezo
from tests.web.axe import violations
from tests.web.conftest import Visit
from tests.web.player import LOG, resign
from tests.web.records import set_table
from tests.web.test_replay import PLANTED, upload, upload_up_to_the_blunder

pytestmark = pytest.mark.rotating(shares=24)


@pytest.fixture
def analysed(visit: Visit) -> tuple[Page, str]:
    """Return the page of an analysed game whose last move is a blunder, and that move."""
    page = visit("/replay")
    _, blunder = upload_up_to_the_blunder(page)
    page.locator("button.primary", has_text=re.compile("Analyse")).click()
    page.locator("button", has_text=re.compile("Review")).first.wait_for()
    return page, blunder


def analysis(page: Page) -> list[dict[str, Any]]:
    """Return the analysed moves."""
    found: dict[str, Any] = page.request.get(f"/api/tables/{page.url.split('/replay/')[1][:12]}/analysis").json()
    moves: list[dict[str, Any]] = found["moves"]
    return moves


def review(page: Page) -> None:
    """Start the exercises of the player who made the last move, and continue to the last one."""
    seat = analysis(page)[-1]["seat"]
    page.locator("button", has_text=re.compile("Review")).nth(seat).click()
    following = page.get_by_role("button", name="Next mistake")
    panel = page.get_by_label("Review my mistakes")
    panel.wait_for()
    while following.count():
        following.click()


def play(page: Page, move: str) -> None:
    """Play a move of Katarenga on the board."""
    start, _, target = re.split("([-x])", move)
    page.locator(f"svg.board [data-place={start}].open").click()
    page.locator(f"svg.board [data-place={target}].open").click()


def test_a_mistake_is_an_exercise_with_a_try_and_an_answer(analysed: tuple[Page, str]) -> None:
    page, blunder = analysed
    review(page)
    panel = page.get_by_label("Review my mistakes")
    expect(panel.get_by_role("status")).to_contain_text("Find a better move")
    assert violations(page) == []
    play(page, blunder)
    expect(panel.get_by_role("status")).to_contain_text("what you played in the game")
    best = analysis(page)[-1]["best"][0]
    play(page, best)
    expect(panel.get_by_role("status").first).to_contain_text("Well found!")
    expect(panel.locator(".verdict")).to_contain_text(f"from {' to '.join(re.split('[-x]', best))}.")
    panel.get_by_role("button", name="Finish").click()
    expect(panel).to_have_count(0)
    expect(page.get_by_role("slider", name="Winning chances")).to_be_visible()


def test_on_a_phone_the_task_is_above_the_board_and_the_move_in_words(analysed: tuple[Page, str]) -> None:
    page, _ = analysed
    page.set_viewport_size({"width": 360, "height": 740})
    review(page)
    expect(page.locator(".now")).to_have_text(re.compile(r"In the game: (White|Black) moves from"))
    task, board = (page.locator(one).bounding_box() for one in ("[aria-label='Review my mistakes']", "svg.board"))
    assert task is not None
    assert board is not None
    assert task["y"] + task["height"] <= board["y"]


def test_the_answer_can_be_shown(analysed: tuple[Page, str]) -> None:
    page, _ = analysed
    review(page)
    page.get_by_role("button", name="Show the answer").click()
    expect(page.get_by_label("Review my mistakes").get_by_role("status").first).to_contain_text("the best move")


def test_hovering_over_the_graph_shows_the_position(analysed: tuple[Page, str]) -> None:
    page, _ = analysed
    board = page.locator("svg.board")
    before, place = board.inner_html(), page.locator(".controls .count").inner_text()
    box = page.get_by_role("slider", name="Winning chances").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 1, box["y"] + 20)
    expect(page.locator(".graph .pointer")).to_be_attached()
    page.wait_for_function("(before) => document.querySelector('svg.board').innerHTML !== before", arg=before)
    assert page.locator(".controls .count").inner_text() == place  # only looked at
    page.mouse.move(0, 0)
    expect(page.locator(".graph .pointer")).to_have_count(0)


def test_trying_other_moves_leaves_the_controls_where_they_are(visit: Visit) -> None:
    page = visit("/replay", viewport={"width": 1440, "height": 900})
    upload(page, PLANTED.read_text("utf-8"))
    page.locator(".moves button").nth(5).click()
    expect(page.locator(".controls .count")).to_contain_text("6 of")
    vary = page.get_by_role("button", name="Try other moves")
    before = vary.bounding_box()
    vary.click()
    page.locator(".variation").wait_for()
    assert vary.bounding_box() == before
    expect(vary).to_have_attribute("aria-pressed", "true")


def test_one_click_after_a_game_leads_to_ones_mistakes_seen_from_ones_own_side(visit: Visit) -> None:
    page = visit()
    start = mchezo.game("katarenga").start(position="1w1w2w1/8/8/8/8/8/8/1b1b2b1 b - -", choose_baseline=False)
    seats: list[dict[str, Any]] = [{"kind": "computer", "level": 1}, {"kind": "you"}]
    page.goto(f"/t/{set_table(page, 'katarenga', str(start.record()), seats)['id']}")
    play(page, "b1-a0")
    expect(page.locator(LOG).nth(1)).to_have_text("Black enters an enemy camp.")  # a0 is written nowhere
    page.locator("svg.board [data-place].open").first.wait_for(state="attached")  # after White's move
    resign(page)
    page.get_by_role("link", name="Review my mistakes").first.click()
    page.get_by_label("Review my mistakes").wait_for()
    above, below = (page.locator(f"svg.board [data-place={place}]").bounding_box() for place in ("a1", "a8"))
    assert above is not None
    assert below is not None
    assert above["y"] < below["y"]
    expect(page.get_by_label("View", exact=True)).to_have_count(0)  # nothing is hidden in this game


def test_what_follows_a_mistake_is_told_in_words_and_played_on_the_board(analysed: tuple[Page, str]) -> None:
    page, _ = analysed
    page.keyboard.press("End")
    move = analysis(page)[-1]
    for name, line in (("What follows", move["line"]), ("The better line", move["best"])):
        page.get_by_role("button", name=name).click()
        steps = page.locator(".variation li button")
        expect(steps).to_have_count(min(8, len(line)))
        assert [step.get_attribute("title") for step in steps.all()] == line[:8]
        assert all(re.match("White|Black", words) for words in steps.all_inner_texts())
        expect(page.locator(".variation [aria-current]")).to_have_attribute("title", line[0])
        page.keyboard.press("ArrowRight")
        expect(page.locator(".variation [aria-current]")).to_have_attribute("title", line[1])
        expect(page.locator(".now")).to_have_text(steps.nth(1).inner_text())
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".variation [aria-current]")).to_have_attribute("title", line[0])
        page.get_by_role("button", name="Back to game").click()  # where it was opened


def test_the_line_of_an_exercise_is_beside_the_board(analysed: tuple[Page, str]) -> None:
    page, _ = analysed
    page.set_viewport_size({"width": 1440, "height": 900})
    review(page)
    page.get_by_role("button", name="Show the answer").click()
    page.get_by_role("button", name="The better line").click()
    line = page.locator(".variation")
    line.wait_for()
    line.evaluate("element => new Promise(requestAnimationFrame)")
    box, board = line.bounding_box(), page.locator("svg.board").bounding_box()
    assert box is not None
    assert board is not None
    assert box["x"] > board["x"] + board["width"]
    assert box["y"] < 900
    assert violations(page) == []


def test_the_numbers_of_an_analysis_are_explained_and_agree_with_the_marks(analysed: tuple[Page, str]) -> None:
    page, _ = analysed
    table = page.get_by_role("table").filter(has_text="Accuracy")
    marks = [(move["seat"], move["mark"].replace("missed win", "blunder")) for move in analysis(page)]
    for seat in (0, 1):
        told = table.locator("tbody tr").nth(seat).locator("td").all_inner_texts()
        kinds = ("blunder", "mistake", "inaccuracy")
        assert told[1:] == [str(marks.count((seat, kind))) for kind in kinds]
    page.get_by_text("What the numbers mean").click()
    expect(page.get_by_text("100 % is perfect")).to_be_visible()
    assert violations(page) == []
