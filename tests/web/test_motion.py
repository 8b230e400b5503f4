"""Things are seen to move, one's own and the opponent's, and whoever is in a hurry skips it."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Visit
from tests.web.player import LOG, PRESS, SOMETHING, start

# Where every piece is, frame by frame: by its drawing, how many different places one element of it was seen in.
WATCH = """(selector) => {
  window.tracks = new Map();
  const look = () => {
    for (const piece of document.querySelectorAll(selector)) {
      const { x, y, width } = piece.getBoundingClientRect();
      if (!window.tracks.has(piece)) window.tracks.set(piece, []);
      const track = window.tracks.get(piece), now = [x, y, width].map((value) => value.toFixed(1)).join();
      if (track.at(-1) !== now) track.push(now);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
STEPS = """(drawing) => Math.max(0, ...[...window.tracks]
  .filter(([piece]) => (piece.querySelector("use")?.getAttribute("href") ?? "").includes(drawing))
  .map(([, track]) => track.length))"""
RUNNING = """() => document.getAnimations()
  .filter((one) => one.playState === "running" && one.effect.getComputedTiming().iterations !== Infinity).length"""
SEVERAL = 5  # different places of a piece on its way: more than a jump has


def white_against_the_computer(page: Page, speed: float | None = None) -> None:
    if speed is not None:
        page.evaluate(
            "(speed) => localStorage.mchezo = JSON.stringify({...JSON.parse(localStorage.mchezo), speed})", speed
        )
    page.goto("/new/katarenga")
    page.get_by_text("Black chooses the side").click()
    page.locator("input[name=side][value='0']").check()
    page.locator("input[type=range]").fill("1")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/t/*")
    page.locator("svg.board [data-place].open").first.wait_for(state="attached")


def make_a_move(page: Page) -> None:
    page.locator("svg.board [data-place].open").first.dispatch_event("click")
    page.locator("svg.board [data-place].open[aria-label*='can go here']").first.dispatch_event("click")


def test_own_pawns_and_the_computers_glide(visit: Visit) -> None:
    page = visit()
    white_against_the_computer(page, speed=0.2)  # slowly, so that a busy machine shows enough of it
    page.evaluate(WATCH, "svg.board .pawn")
    make_a_move(page)
    expect(page.locator(LOG)).to_have_count(3)  # begun, White, Black
    page.wait_for_function(f"() => ({STEPS})('white') >= {SEVERAL}")
    page.wait_for_function(f"() => ({STEPS})('black') >= {SEVERAL}")


def test_without_movement_pawns_jump(visit: Visit) -> None:
    page = visit(speed=0)
    white_against_the_computer(page)
    page.evaluate(WATCH, "svg.board .pawn")
    make_a_move(page)
    expect(page.locator(LOG)).to_have_count(3)
    page.locator("svg.board [data-place].open").first.wait_for(state="attached")
    assert page.evaluate(STEPS, "black") < SEVERAL


@pytest.mark.parametrize("how", ["Escape", "a click beside the board"])
def test_movement_is_skipped(visit: Visit, how: str) -> None:
    page = visit()
    white_against_the_computer(page, speed=0.002)  # so slow that nothing arrives by itself while the test runs
    make_a_move(page)
    page.wait_for_function(f"() => ({RUNNING})() > 0")
    for _ in range(20):  # one's own move, and perhaps the computer's answer after it
        if how == "Escape":
            page.keyboard.press("Escape")
        else:
            page.locator(".side .log").click()
        page.wait_for_timeout(100)
        if not page.evaluate(RUNNING):
            break
    assert not page.evaluate(RUNNING)


def test_kiwaras_animals_come_from_their_owners_side(visit: Visit) -> None:
    page = visit(speed=1)
    start(page, "kiwara")
    page.evaluate(WATCH, "svg.board .token > g")
    for _ in range(4):
        page.locator("svg.board [data-place].open").first.wait_for(state="attached")
        page.locator("svg.board [data-place].open").first.dispatch_event("click")
        page.wait_for_timeout(50)
    page.wait_for_function(f"() => ({STEPS})('kiwara-token') >= {SEVERAL}")


def test_kitaras_pawns_walk_over_the_map(visit: Visit) -> None:
    page = visit(speed=1)
    start(page, "kitara")
    page.evaluate(WATCH, "svg.board .pawn")
    for turn in range(60):  # until one's own warriors have gone somewhere
        page.locator(SOMETHING).first.wait_for(state="attached")
        page.evaluate(PRESS, (turn * 0.618) % 1)
        page.wait_for_timeout(50)
        if page.locator(LOG).filter(has_text="goes from").count():
            break
    page.wait_for_function(f"() => ({STEPS})('kitara-W') >= {SEVERAL}")
    assert page.evaluate("[...window.tracks.keys()].filter((piece) => !piece.isConnected).length") < 20  # they stay
