"""Puzzles in the browser: tried on the board, explained, shown; the daily puzzle and its streak."""

import datetime
import re

import pytest
from playwright.sync_api import Locator, Page, expect

import mchezo
from mchezo.puzzles.collection import of_day, shipped
from mchezo.puzzles.puzzle import Puzzle
from tests.local.pyodide import require_runtime
from tests.web.axe import violations
from tests.web.conftest import Visit
from tests.web.test_review import play

pytestmark = pytest.mark.rotating(shares=6)


@pytest.fixture(autouse=True)
def _files() -> None:
    require_runtime()


def two_moves() -> Puzzle:
    """Return a puzzle of Katarenga with a reply."""
    return next(one for one in shipped("katarenga").values() if len(one.line) == 3)


def verdict(page: Page) -> Locator:
    return page.get_by_role("region", name="Puzzles").get_by_role("status")


def go_on(page: Page) -> None:
    """Ask for the next puzzle, by keyboard."""
    before = page.url
    page.get_by_role("button", name="Next puzzle").press("Enter")
    page.wait_for_url(lambda url: url != before)


def test_a_wrong_move_is_explained_and_the_right_ones_solve(visit: Visit) -> None:
    puzzle = two_moves()
    page = visit(f"/puzzles/katarenga/{puzzle.id}")
    wrong = next(
        move for move in puzzle.start("katarenga").legal_moves if move != puzzle.line[0] and move[-1] not in "09"
    )
    play(page, wrong)
    expect(verdict(page)).to_contain_text(f"{wrong} isn't it.")
    page.get_by_role("button", name="Why?").click()
    expect(page.get_by_role("button", name="Why?")).to_have_count(0)
    expect(verdict(page)).not_to_contain_text("Looking")
    assert verdict(page).locator("p").count() == 3  # the verdict, what the move did, and the reason
    page.get_by_role("button", name="Try again").click()
    play(page, puzzle.line[0])
    expect(verdict(page)).to_contain_text("Correct")
    play(page, puzzle.line[2])
    expect(verdict(page)).to_contain_text("Solved!")
    steps = verdict(page).get_by_role("listitem")
    assert [step.get_attribute("title") for step in steps.all()] == list(puzzle.line)
    assert all(re.match("White|Black", words) for words in steps.all_inner_texts())
    expect(page.locator(".verdict")).to_be_focused()
    assert violations(page) == []
    page.reload()
    expect(page.locator("dd").first).to_contain_text("1 / ")  # kept


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("game", mchezo.games())
def test_the_solution_is_shown_and_the_next_puzzle_comes(visit: Visit, game: str, theme: str) -> None:
    page = visit(f"/puzzles/{game}", color_scheme=theme, viewport={"width": 360, "height": 740})
    page.get_by_role("button", name="Show solution").click()
    expect(verdict(page)).to_contain_text("Solution:")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    go_on(page)
    expect(page.get_by_role("button", name="Show solution")).to_be_visible()
    expect(page.locator("dd").first).to_contain_text("0 / ")  # shown is not solved


def test_puzzles_are_chosen_by_theme_and_difficulty(visit: Visit) -> None:
    page = visit("/puzzles/katarenga")
    page.get_by_role("button", name="Show solution").wait_for()
    page.get_by_label("Theme").select_option("double-threat")
    page.get_by_label("Difficulty").select_option("easy")
    for _ in range(3):
        go_on(page)
        puzzle = shipped("katarenga")[page.url.rpartition("/")[2]]
        assert "double-threat" in puzzle.themes
        assert puzzle.rating < 1200


def test_a_daily_puzzle_each_day_makes_a_streak(visit: Visit) -> None:
    days = [datetime.date(2026, 11, 18) + datetime.timedelta(number) for number in range(60)]
    day = next(day for day in days if of_day(day)[0] == "katarenga" and len(of_day(day)[1].line) == 1)
    page = visit("/settings")
    yesterday = day.toordinal() - datetime.date(1970, 1, 1).toordinal() - 1
    page.evaluate(f'localStorage[\'mchezo-puzzles\'] = \'{{"day": {yesterday}, "streak": 4, "longest": 4}}\'')
    page.clock.set_fixed_time(datetime.datetime(day.year, day.month, day.day, 12))
    page.goto("/puzzles")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Daily puzzle: Katarenga")
    expect(page.locator("dd").nth(1)).to_have_text("4")
    play(page, of_day(day)[1].line[0])
    expect(verdict(page)).to_contain_text("You have solved today's puzzle.")
    expect(page.locator("dd").nth(1)).to_have_text("5")
    page.clock.set_fixed_time(datetime.datetime(day.year, day.month, day.day, 12) + datetime.timedelta(2))
    page.reload()
    expect(page.locator("dd").nth(1)).to_have_text("0")  # a day was missed
    expect(page.locator("dd").nth(2)).to_have_text("5")


def test_an_unknown_puzzle_is_named_and_the_home_page_leads_to_puzzles(visit: Visit) -> None:
    page = visit("/puzzles/katarenga/nowhere")
    expect(page.get_by_role("alert")).to_contain_text("There is no such puzzle.")
    page.goto("/")
    page.get_by_role("link", name=re.compile("Puzzles")).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Daily puzzle")
