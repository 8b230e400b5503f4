"""What stopped people who had never seen the games: the tutorial on a phone, hints, explanations."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

import mchezo
from mchezo.core.record import Record
from tests.web import player
from tests.web.conftest import Visit
from tests.web.player import PRESSABLE
from tests.web.records import reach, set_table
from tests.web.waiting import attempts

pytestmark = pytest.mark.rotating(shares=24)

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


def learn(page: Page, game: str) -> None:
    page.locator(".intro button.primary").click()
    page.locator(".play svg.board").wait_for()
    page.locator(f".play [data-place].open, [data-game={game}] .paper:enabled").first.wait_for()


def top(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["y"]


def test_after_a_tapped_step_is_taken_back_nothing_of_it_is_left(visit: Visit) -> None:
    page = visit("/learn/kiwara", **PHONE)
    learn(page, "kiwara")
    tokens = page.locator(".play svg.board use[href^='#kiwara-token']")
    before = tokens.count()
    space = page.locator(".play [data-place=c1].open")
    space.tap()
    page.get_by_role("button", name="Undo").tap()
    expect(space).to_be_visible()
    expect(tokens).to_have_count(before)


def test_the_board_stays_in_place_whatever_the_coach_says(visit: Visit) -> None:
    page = visit("/learn/kiwara", **PHONE)
    learn(page, "kiwara")
    board, words = page.locator(".play svg.board"), set()
    place = top(board)
    for animal in page.locator(".play .animal:enabled").all():
        animal.tap()
        words.add(page.locator(".word").inner_text())
        assert top(board) == place
    assert len(words) == 5


def test_the_tutorial_says_why_a_space_is_closed_and_what_the_computer_did(visit: Visit) -> None:
    page = visit("/learn/kiwara")
    learn(page, "kiwara")
    page.locator(".play [data-place=f1]").click(force=True)
    expect(page.locator(".prompt")).to_have_text("f1 is not in line c, which the totem faces.")
    page.locator(".play .animal:enabled").nth(1).click()
    expect(page.locator(".prompt")).to_contain_text("Choose an animal")
    page.locator(".play [data-place=c1].open").click()
    page.locator(".play [data-place='15'].open").click()
    expect(page.locator(".told")).to_contain_text("Red")


def test_pressing_the_marked_space_plays_the_hint(visit: Visit) -> None:
    page = visit("/learn/kiwara")
    learn(page, "kiwara")
    page.goto(page.url.replace("/learn/kiwara/", "/t/"))
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".prompt")).to_contain_text("Hint: place the ")
    animal = page.locator(".prompt").inner_text().split()[3]
    expect(page.locator(".play .animal[aria-pressed=true] .name")).to_have_text(animal)


def test_an_explanation_stays_until_another_pawn_is_chosen_and_so_does_the_selection(visit: Visit) -> None:
    page = visit("/")
    player.one_screen(page, "katarenga")
    page.locator(".play button.primary").click()  # Black's side
    page.locator(".play [data-place].open").first.wait_for()
    movable = page.locator(".play [data-place].open").evaluate_all("(all) => all.map((one) => one.dataset.place)")
    first, second = (page.locator(f".play [data-place={place}]") for place in movable[:2])
    first.click()
    page.locator(".play [data-place=a0]").click(force=True)
    expect(page.locator(".prompt")).to_contain_text("camp")
    expect(page.locator(".prompt")).not_to_contain_text("a0")
    expect(first).to_have_attribute("aria-pressed", "true")
    second.click()
    expect(page.locator(".prompt")).to_contain_text("Choose a pawn")


def test_pointing_at_an_enemy_pawn_shows_where_it_could_go(visit: Visit) -> None:
    page = visit("/learn/katarenga")
    learn(page, "katarenga")
    pawn = page.locator(".play [data-place=f5]")
    label = pawn.get_attribute("aria-label") or ""
    assert "black pawn" in label
    assert "could go to" in label
    marks = page.locator(".play svg.board .next, .play svg.board .threat:not(.under)")
    expect(marks).to_have_count(0)
    pawn.hover(force=True)
    expect(marks).to_have_count(len(label.split("could go to ")[1].removesuffix(" on its turn").split(", ")))


def test_a_tap_on_an_enemy_pawn_shows_its_moves_and_another_hides_them(visit: Visit) -> None:
    page = visit("/learn/katarenga", **PHONE)
    learn(page, "katarenga")
    pawn, marks = page.locator(".play [data-place=f5]"), page.locator(".play svg.board .next")
    pawn.tap(force=True)
    expect(marks.first).to_be_attached()
    pawn.tap(force=True)
    expect(marks).to_have_count(0)


def test_a_pawn_without_a_legal_move_says_why(visit: Visit) -> None:
    page = visit("/")
    surrounded = mchezo.game("katarenga").start(board="B" * 64, position="bb6/8/8/8/8/8/ww6/ww6 w - -")
    table = set_table(page, "katarenga", str(surrounded.record()), [{"kind": "you"}, {"kind": "you"}])
    page.goto(f"/t/{table['id']}")
    page.locator(".play [data-place=a2].open").wait_for()
    page.locator(".play [data-place=a1]").click(force=True)
    expect(page.locator(".prompt")).to_contain_text("The pawn on a1 can't move now")


def test_the_score_of_a_territory_is_previewed_before_and_after(visit: Visit) -> None:
    page = visit("/learn/kiwara")
    learn(page, "kiwara")
    before = page.locator(".play .stake text").all_text_contents()
    page.locator(".play .animal:enabled").nth(3).click()  # the elephant, worth 5
    page.locator(".play [data-place=c2].open").hover(force=True)
    changed = page.locator(".play .stake.changed text")
    expect(changed).to_have_count(1)
    now, then = (changed.text_content() or "").split("→")
    assert now in before
    assert int(then) == int(now) + 5
    expect(page.locator(".about")).to_contain_text("after this move")


def test_an_animal_that_would_hide_is_previewed_hidden(visit: Visit) -> None:
    page = visit("/")
    lion = mchezo.game("kiwara").start(position="2L3/6/6/6/6 2 y - - - -")
    table = set_table(page, "kiwara", str(lion.record()), [{"kind": "you"}, {"kind": "you"}])
    page.goto(f"/t/{table['id']}")
    page.locator(".play .animal:enabled").first.click()  # the gazelle
    page.locator(".play [data-place=c2].open").hover(force=True)
    expect(page.locator(".play svg.board use[href='#kiwara-hidden-0-G']")).to_be_attached()
    expect(page.locator(".about")).to_contain_text("it hides")


def test_a_tutorial_begins_with_the_board_of_its_picture(visit: Visit) -> None:
    page = visit("/learn/kiwara")
    animals = "(board) => [...board.querySelectorAll('[data-place]')].map((place) => place.ariaLabel.split(', ')[2])"
    shown = page.locator(".intro svg.board").evaluate(animals)
    assert len([animal for animal in shown if animal and "totem" not in animal]) == 10
    learn(page, "kiwara")
    begun = page.locator(".play svg.board").evaluate(animals)
    assert [animal for animal in begun if animal and "can be" not in animal] == [animal for animal in shown if animal]
    expect(page.get_by_role("region", name="Computer")).to_contain_text("Red")


def attacks(position: mchezo.Position) -> list[str]:
    """Return the crossings that attack with a group to choose, if all cards of the seat to move are fed."""
    view = position.view(position.to_move)
    forecast = view["forecast"][view["turn"]]
    if view["decision"] != "move" or forecast["fed"] < forecast["cards"]:
        return []
    taken = {space for space, pawns in view["spaces"].items() if pawns["seat"] != view["turn"]}
    return [
        move for move in position.legal_moves if move.partition("-")[2] in taken and leaves_a_choice(position, move)
    ]


def leaves_a_choice(position: mchezo.Position, move: str) -> bool:
    position.play(move)
    choices = len(position.legal_moves)
    position.undo()
    return choices > 1


def test_an_attack_is_explained_before_it_is_made(visit: Visit) -> None:
    page = visit("/")
    record = reach("kitara", lambda position: bool(attacks(position)))
    page.goto(f"/t/{set_table(page, 'kitara', record, [{'kind': 'you'}, {'kind': 'you'}])['id']}")
    expect(page.locator(".below")).to_contain_text("nobody dies")
    expect(page.locator(".stock")).to_contain_text("Round")
    start, _, target = attacks(Record.parse(record).replay())[0].partition("-")
    attacked = page.locator(f"svg.board [data-place={target}]")
    expect(attacked).to_have_attribute("aria-label", re.compile("held by (Red|Blue)"))
    page.locator(f"svg.board [data-place={start}]").dispatch_event("click")
    attacked.dispatch_event("click")
    expect(page.locator(".below")).to_contain_text("This is an attack")


def test_a_hint_says_what_is_weaker_and_why(visit: Visit) -> None:
    page = visit("/")
    record = str(mchezo.game("katarenga").start(board="B" * 64, position="w7/4b3/8/8/8/8/8/b3w3 w h a").record())
    table = set_table(page, "katarenga", record, [{"kind": "you"}, {"kind": "computer", "level": 1}])
    page.goto(f"/t/{table['id']}")
    page.locator(".play [data-place].open").first.wait_for()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".told")).to_contain_text("Next best would be")
    expect(page.locator(".told")).to_contain_text("win")


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (360, 740)])
def test_a_long_turn_is_told_from_its_beginning_and_can_be_unfolded(visit: Visit, width: int, height: int) -> None:
    page = visit("/learn/kitara", viewport={"width": width, "height": height})
    learn(page, "kitara")
    told = page.locator(".told")
    more = told.get_by_role("button", name="Read all", include_hidden=True)
    for turn in attempts(page):
        if page.locator(PRESSABLE).count() and more.count():  # in this order: nothing changes before the next press
            break
        player.press(page, turn)
    words = told.locator(".words")
    cut = "(words) => words.scrollWidth > words.clientWidth + 1 || words.scrollHeight > words.clientHeight + 1"
    assert not words.inner_text().startswith("…")
    assert words.evaluate(cut)
    more.click()
    expect(told.get_by_role("button", name="Close", include_hidden=True)).to_be_visible()
    assert not words.evaluate(cut)


def test_the_tutorial_gives_no_tip_twice(visit: Visit) -> None:
    page = visit("/learn/katarenga")
    learn(page, "katarenga")
    tips: list[str] = []
    pressed = 0
    for turn in attempts(page):
        pressed += player.press(page, turn) == "pressed"
        if pressed == 60 or page.get_by_role("link", name="Review this game").count():
            break
        page.wait_for_timeout(60)
        tip = page.locator(".word").inner_text()
        # these are about what is picked up, or urgent
        if tip.startswith(("You can win", "Nothing new", "This pawn is on")):
            continue
        if not tips or tips[-1] != tip:
            tips.append(tip)
    assert len(tips) == len(set(tips)) > 3


@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
def test_tutorials_fit_a_laptop(visit: Visit, game: str) -> None:
    page = visit(f"/learn/{game}", viewport={"width": 1280, "height": 800})
    learn(page, game)
    assert page.evaluate("document.documentElement.scrollHeight") <= 800


def test_the_end_of_a_tutorial_leads_to_the_review_itself(visit: Visit) -> None:
    page = visit("/learn/katarenga")
    learn(page, "katarenga")
    review = page.get_by_role("link", name="Review this game")
    for turn in attempts(page):
        if review.count():
            break
        player.press(page, turn)
    review.click()
    page.wait_for_url("**/replay/**")
