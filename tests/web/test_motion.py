"""Animations: moves of both sides are animated, and can be skipped."""

import re

import pytest
from playwright.sync_api import Page, expect

import mchezo
from tests.web.conftest import Visit
from tests.web.player import LOG, press, start
from tests.web.records import reach, set_table
from tests.web.waiting import attempts

pytestmark = pytest.mark.rotating(shares=24)

# Track the pieces frame by frame: by drawing, the number of different places in which an element was seen.
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
    record = str(mchezo.game("katarenga").start(choose_baseline=False).record())
    table = set_table(page, "katarenga", record, [{"kind": "you"}, {"kind": "computer", "level": 1}])
    if speed is not None:
        page.evaluate(
            "(speed) => localStorage.mchezo = JSON.stringify({...JSON.parse(localStorage.mchezo), speed})", speed
        )
    page.goto(f"/t/{table['id']}")
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


@pytest.mark.parametrize("how", ["Escape", "a click next to the board"])
def test_movement_is_skipped(visit: Visit, how: str) -> None:
    page = visit()
    white_against_the_computer(page, speed=0.0001)  # so slow that no animation ends by itself during the test
    make_a_move(page)
    page.wait_for_function(f"() => ({RUNNING})() > 0")
    for _ in attempts(page):  # one's own move, and the computer's answer after it
        if how == "Escape":
            page.keyboard.press("Escape")
        else:
            page.locator(".side .log").click()
        if page.locator(LOG).count() == 3 and not page.evaluate(RUNNING):
            break


def press_until_seen(page: Page, drawing: str) -> None:
    """Play until a piece was seen on its way; on a busy machine a single move can show too little of it."""
    for turn in attempts(page):
        if page.evaluate(STEPS, drawing) >= SEVERAL:
            return
        press(page, turn)


def test_kiwaras_animals_come_from_their_owners_side(visit: Visit) -> None:
    page = visit(speed=0.5)
    start(page, "kiwara")
    page.evaluate(WATCH, "svg.board .token > g")
    press_until_seen(page, "kiwara-token")


def test_kitaras_pawns_walk_over_the_map(visit: Visit) -> None:
    page = visit(speed=0.5)
    start(page, "kitara")
    page.evaluate(WATCH, "svg.board .pawn")
    for turn in attempts(page):  # until one's own warriors have gone somewhere
        if page.locator(LOG).filter(has_text=re.compile(r" moves .* from ")).count():
            break
        press(page, turn)
    press_until_seen(page, "kitara-W")
    assert page.evaluate("[...window.tracks.keys()].filter((piece) => !piece.isConnected).length") < 20  # they stay


def centre(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: str, target: str, by: str) -> None:
    """Drag from the middle of one element to that of another, by mouse or by finger."""
    (x, y), (to_x, to_y) = centre(page, start), centre(page, target)
    if by == "mouse":
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move((x + to_x) / 2, (y + to_y) / 2)
        page.mouse.move(to_x, to_y)
        page.mouse.up()
        return
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        places = [{"x": across, "y": down} for across, down in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    send("touchStart", (x, y))
    send("touchMove", ((x + to_x) / 2, (y + to_y) / 2))
    send("touchMove", (to_x, to_y))
    send("touchEnd")


@pytest.mark.parametrize("by", ["mouse", "finger"])
@pytest.mark.parametrize(
    ("game", "decision", "picked", "target"),
    [
        ("katarenga", "move", "[data-place][data-drag]", "[aria-label*='can go here']"),
        ("kiwara", "place", ".animal[data-drag]", "[data-place].open"),
        ("kiwara", "totem", "[data-place][data-drag]", "[data-place].open:not([data-drag])"),
        ("kitara", "move", "[data-place][data-drag]", "[data-place].open:not([data-drag])"),
    ],
)
def test_pieces_are_dragged_by_mouse_and_finger(
    visit: Visit, by: str, game: str, decision: str, picked: str, target: str
) -> None:
    page = visit(has_touch=by == "finger", viewport={"width": 1280, "height": 800}, confirm="always")

    def wanted(position: mchezo.Position) -> bool:
        return bool(position.view(position.to_move)["decision"] == decision and len(position.legal_moves) > 2)

    table = set_table(page, game, reach(game, wanted), [{"kind": "you"}, {"kind": "you"}])
    page.goto(f"/t/{table['id']}")
    piece = page.locator(picked).first
    piece.wait_for(state="attached")
    name = piece.get_attribute("data-drag")
    if game in ("katarenga", "kitara"):  # its targets are shown while it is chosen
        piece.dispatch_event("click")
    goal = page.locator(f".play {target}").first.get_attribute("data-place")
    drag(page, f"[data-drag='{name}']", f"[data-place='{goal}']", by)
    expect(page.locator(".steps")).to_be_visible()  # a step that is not sent yet


def test_the_last_turn_stays_marked(visit: Visit) -> None:
    page = visit(viewport={"width": 1280, "height": 800})
    start(page, "kiwara")
    for _ in range(6):
        page.locator("svg.board [data-place].open").first.wait_for(state="attached")
        page.locator("svg.board [data-place].open").first.dispatch_event("click")
        page.wait_for_timeout(50)
    expect(page.locator("svg.board .last")).to_have_count(1)
    page.reload()
    expect(page.locator("svg.board .last")).to_have_count(1)
