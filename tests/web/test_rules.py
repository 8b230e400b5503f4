"""Rules pages and lessons."""

import random

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.axe import violations
from tests.web.conftest import Visit

pytestmark = pytest.mark.rotating(shares=24)

GAMES = ["katarenga", "kiwara", "kitara"]


def example(page: Page, name: str) -> Locator:
    """Return the example of that name once its board is loaded."""
    found = page.locator(f"section:has(> #example-{name})")
    found.scroll_into_view_if_needed()
    found.locator("svg.board").wait_for()
    return found


def load_all_examples(page: Page) -> None:
    """Scroll through the page, so that every board is loaded."""
    page.locator(".example").last.wait_for()
    for shown in page.locator(".example").all():
        shown.scroll_into_view_if_needed()
        shown.locator("svg.board").wait_for()


def press(place: Locator) -> None:
    place.dispatch_event("click")


def test_an_example_is_solved_and_can_be_set_up_again(visit: Visit) -> None:
    page = visit("/rules/katarenga")
    capture = example(page, "capture")
    press(capture.locator("[data-place=f4].open"))
    press(capture.locator("[data-place=d4].open"))
    expect(capture.get_by_role("status")).to_contain_text("Correct! The black pawn takes its place.")
    expect(capture.locator("[data-place=d4]")).to_have_attribute("aria-label", "d4, blue, king, black pawn")
    capture.get_by_role("button", name="Reset").click()
    expect(capture.locator("[data-place=d4]")).to_have_attribute("aria-label", "d4, blue, king, white pawn")
    expect(capture.get_by_role("status")).to_be_empty()


def test_another_move_is_answered_with_help_and_one_against_the_rules_with_the_rule(visit: Visit) -> None:
    page = visit("/rules/katarenga")
    red = example(page, "red")
    press(red.locator("[data-place=e6].open"))
    press(red.locator("[data-place=a6]"))
    expect(red.get_by_role("status")).to_contain_text("no further than the next red square, c6")
    press(red.locator("[data-place=e6].open"))
    press(red.locator("[data-place=d6].open"))
    expect(red.get_by_role("status")).to_contain_text("Not quite. Choose the pawn on e6")
    red.get_by_role("button", name="Reset").click()
    press(red.locator("[data-place=e6].open"))
    press(red.locator("[data-place=c6].open"))
    expect(red.get_by_role("status")).to_contain_text("Correct!")


def test_an_example_of_several_steps_is_solved_step_by_step(visit: Visit) -> None:
    page = visit("/rules/kiwara", language="de")
    crocodile = example(page, "crocodile")
    crocodile.locator(".animal:enabled").nth(2).click()
    press(crocodile.locator("[data-place=c4].open"))
    crocodile.locator("[data-place=b4].open").wait_for(state="attached")  # the server has answered
    press(crocodile.locator("[data-place=c3]"))
    expect(crocodile.get_by_role("status")).to_contain_text("Zwischen c4 und c3 fließt kein Fluss.")
    press(crocodile.locator("[data-place=b4].open"))
    expect(crocodile.get_by_role("status")).to_contain_text("Richtig!")


def test_the_only_group_stays_chosen_when_it_is_pressed(visit: Visit) -> None:
    page = visit("/rules/kitara")
    shown = example(page, "move")
    press(shown.locator("[data-place=a1].open"))
    press(shown.locator("[data-place=a2].open"))
    expect(shown.get_by_role("button", name="Move", exact=True)).to_be_visible()


def test_an_example_is_solved_with_the_keyboard(visit: Visit) -> None:
    page = visit("/rules/kitara")
    attack = example(page, "attack")
    attack.locator("[data-place=a4].open").focus()
    page.keyboard.press("Enter")
    attack.locator("[data-place=m1].open").focus()
    page.keyboard.press("Enter")
    attack.get_by_role("button", name="Move", exact=True).focus()
    page.keyboard.press("Enter")
    expect(attack.get_by_role("status")).to_contain_text("Correct! More pawns crossed than defended")


def test_the_contents_lead_to_their_sections_and_links_to_sections_open_there(visit: Visit) -> None:
    page = visit("/rules/kiwara")
    page.get_by_role("navigation", name="Contents").get_by_role("link", name="The crocodile").click()
    expect(page.locator("#crocodile")).to_be_in_viewport()
    assert page.url.endswith("/rules/kiwara#crocodile")
    page.goto("/rules/kitara#manage")
    expect(page.locator("#manage-title")).to_be_in_viewport()


def test_our_rulings_and_errors_in_print_are_marked(visit: Visit) -> None:
    page = visit("/rules/kitara", language="nl")
    expect(page.get_by_role("note", name="Door ons beslist").first).to_be_visible()
    expect(page.get_by_role("note", name="In druk").filter(has_text="Duitse").first).to_be_visible()
    expect(page.get_by_role("note", name="In druk").filter(has_text="wie begint")).to_be_visible()


@pytest.mark.rotating(shares=24)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    "path", ["/rules", *(f"/rules/{game}" for game in GAMES), *(f"/learn/{game}" for game in GAMES)]
)
def test_rules_and_lessons_have_no_accessibility_violations(visit: Visit, path: str, theme: str) -> None:
    page = visit(path, color_scheme=theme, language="de")
    page.locator("h1").wait_for()
    if "/rules/" in path:
        load_all_examples(page)
    assert violations(page) == []


@pytest.mark.parametrize("game", GAMES)
def test_rules_and_lessons_fit_a_small_phone(visit: Visit, game: str) -> None:
    page = visit(f"/rules/{game}", viewport={"width": 360, "height": 740}, language="fr")
    load_all_examples(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    begin(page, game)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_rules_are_found_from_everywhere(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("link", name="Kiwara rules").click()
    expect(page.get_by_role("heading", name="Kiwara rules")).to_be_visible()
    page.get_by_role("link", name="Rules", exact=True).click()
    page.get_by_role("link", name="Learn Kitara by playing").click()
    expect(page.get_by_role("button", name="Start")).to_be_visible()


# First games

# Presses something that may be pressed, on the board before anything else.
PRESS = """
(dice) => {
  const visible = (element) => element.getClientRects().length > 0;
  if (document.querySelector(".coach a[href^='/replay/']")) return "over";
  const open = [...document.querySelectorAll(".play [data-place].open")];
  const places = open.filter((place) => !place.hasAttribute("aria-pressed"));
  const buttons = [...document.querySelectorAll(".play .primary:enabled, .play .paper:enabled, .play .animal:enabled")];
  const all = [...places, ...buttons.filter(visible)];
  if (!all.length) return "waiting";
  all[Math.floor(dice * all.length)].dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  return "pressed";
}
"""
PRESSABLE = ".coach a[href^='/replay/'], .play [data-place].open, .play .primary:enabled, .play .paper:enabled"


def begin(page: Page, game: str) -> None:
    page.goto(f"/learn/{game}")
    page.locator(".intro button.primary").click()
    page.locator(".play svg.board").wait_for()


@pytest.mark.rotating(shares=6)
@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_is_played_to_its_end_with_hints_of_the_coach(visit: Visit, game: str) -> None:
    page = visit("/")
    begin(page, game)
    rng = random.Random(7)
    words: list[str] = []
    for _ in range(3_000):
        page.locator(PRESSABLE).first.wait_for(state="attached")
        if page.evaluate(PRESS, rng.random()) == "over":
            break
        word = page.locator(".word").inner_text()
        if word not in words:
            words.append(word)
        page.wait_for_timeout(15)
    assert len(words) >= 6
    expect(page.locator(".word")).to_contain_text(f"That was {game.capitalize()}.")
    page.get_by_role("button", name="Play a real game").click()
    page.wait_for_url("**/t/*")
    page.locator("svg.board").wait_for()


def test_the_coach_explains_a_colour_when_a_pawn_on_it_is_first_picked_up(visit: Visit) -> None:
    page = visit("/", language="de")
    begin(page, "katarenga")
    expect(page.locator(".word")).to_contain_text("Dein Ziel")
    press(page.locator("[data-place=d3].open"))
    expect(page.locator(".word")).to_contain_text("Diese Figur steht auf Grün")
    press(page.locator("[data-place=h2].open"))
    expect(page.locator(".word")).to_contain_text("Diese Figur steht auf Rot")
    press(page.locator("[data-place=d3].open"))
    expect(page.locator(".word")).to_contain_text("Diese Figur steht auf Grün")  # again, as long as it is true
    page.reload()
    page.locator(".play svg.board").wait_for()
    expect(page.locator(".word")).to_contain_text("Wähle eine deiner weißen Figuren")  # nothing is picked up


def test_a_first_turn_is_made_with_the_keyboard(visit: Visit) -> None:
    page = visit("/")
    begin(page, "kiwara")
    page.locator(".play .animal:enabled").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".word")).to_contain_text("Gazelles are worth 2")
    page.locator(".play [data-place=c2].open").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".word")).to_contain_text("Now move the totem")
    page.locator(".play [data-place='15'].open").focus()
    page.keyboard.press("Enter")
    page.locator(".play .animal:enabled").first.wait_for()


@pytest.mark.rotating(shares=24)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("game", GAMES)
def test_a_running_lesson_has_no_accessibility_violations(visit: Visit, game: str, theme: str) -> None:
    page = visit("/", color_scheme=theme)
    begin(page, game)
    page.locator(".play .open").first.wait_for(state="attached")
    assert violations(page) == []
